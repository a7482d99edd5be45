use table_store::{
    ErrorCode, MemoryDisk, Uuid,
    blob::{
        AppendBlock, BlobHeaders, BlobProperties, BlockId, BlockSource, LeaseAction, LeaseDuration,
        LeaseKind, LeaseState, ListBlobs, ListContainers,
    },
};

use super::*;
use crate::embedded::support::{HandClock, code};

const A: Uuid = Uuid::from_u128(0xa);
const B: Uuid = Uuid::from_u128(0xb);
const FIXED: LeaseState = LeaseState::Leased(LeaseKind::Fixed);

fn acquire(id: Uuid) -> LeaseAction {
    LeaseAction::Acquire { id, duration: LeaseDuration::Seconds(15) }
}

fn clock() -> HandClock {
    HandClock::at("2026-11-25T12:00:00Z")
}

fn lease(blobs: &BlockingStore, name: &str, action: &LeaseAction) {
    blobs.lease_blob(&at(name), action, &always()).unwrap();
}

fn properties(blobs: &BlockingStore, name: &str) -> BlobProperties {
    blobs.blob_properties(&at(name), &always()).unwrap()
}

/// All operations that write a block blob `x` or an append blob `log`, with the given lease.
fn writes(blobs: &BlockingStore, lease: Option<Uuid>) -> Vec<Option<ErrorCode>> {
    let mut conditions = always();
    conditions.lease = lease;
    let put = || PutBlob::new().conditions(conditions.clone());
    let (x, log, id) = (at("x"), at("log"), BlockId::new("1").unwrap());
    let mut writer = blobs.write_block(&x, &id, PutBlock::new().lease(lease)).unwrap();
    writer.write(b"streamed").unwrap();
    let done = |result: Result<(), table_store::TableError>| result.err().map(|error| error.code());
    vec![
        done(blobs.put_blob(&x, "new".into(), put()).map(drop)),
        done(blobs.put_block(&x, &id, "block".into(), PutBlock::new().lease(lease))),
        done(writer.finish()),
        done(blobs.put_block_list(&x, &[BlockSource::Latest(id)], put()).map(drop)),
        done(blobs.set_blob_metadata(&x, Metadata::new(), &conditions).map(drop)),
        done(blobs.set_blob_headers(&x, BlobHeaders::default(), &conditions).map(drop)),
        done(
            blobs
                .append_block(&log, "line".into(), AppendBlock::new().conditions(conditions.clone()))
                .map(drop),
        ),
        done(blobs.create_append_blob(&log, put()).map(drop)),
        done(blobs.delete_blob(&x, &conditions)),
        done(blobs.delete_blob(&log, &conditions)),
    ]
}

fn leased_blobs(options: &OpenOptions) -> BlockingStore {
    let (_store, blobs) = with_container(options);
    put(&blobs, "x", "old");
    blobs.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    lease(&blobs, "x", &acquire(A));
    lease(&blobs, "log", &acquire(A));
    blobs
}

#[test]
fn every_write_of_a_leased_blob_needs_its_lease() {
    let blobs = leased_blobs(&OpenOptions::new());
    let before = (properties(&blobs, "x"), properties(&blobs, "log"));
    for code in writes(&blobs, None) {
        assert_eq!(code, Some(ErrorCode::LeaseIdMissing));
    }
    for code in writes(&blobs, Some(B)) {
        assert_eq!(code, Some(ErrorCode::LeaseIdMismatchWithBlobOperation));
    }
    assert_eq!((properties(&blobs, "x"), properties(&blobs, "log")), before);
    assert!(blobs.block_list(&at("x")).unwrap().uncommitted.is_empty());
    assert!(writes(&blobs, Some(A)).iter().all(Option::is_none));
    assert_eq!(code(blobs.get_blob(&at("x"), ReadBlob::new())), ErrorCode::BlobNotFound);
}

#[test]
fn an_active_lease_outlives_every_write() {
    let (_store, blobs) = store();
    let leased = || PutBlob::new().conditions(always().lease(A));
    put(&blobs, "x", "old");
    lease(&blobs, "x", &acquire(A));
    blobs.put_blob(&at("x"), "new".into(), leased()).unwrap();
    assert_eq!(properties(&blobs, "x").lease, FIXED);
    blobs.put_block_list(&at("x"), &[], leased()).unwrap();
    assert_eq!(properties(&blobs, "x").lease, FIXED);
    blobs.set_blob_metadata(&at("x"), Metadata::new(), &always().lease(A)).unwrap();
    assert_eq!(properties(&blobs, "x").lease, FIXED);
    assert_eq!(code(blobs.delete_blob(&at("x"), &always())), ErrorCode::LeaseIdMissing);
    // A new blob of the name has no lease.
    blobs.delete_blob(&at("x"), &always().lease(A)).unwrap();
    put(&blobs, "x", "another");
    assert_eq!(properties(&blobs, "x").lease, LeaseState::Available);
}

#[test]
fn reads_need_no_lease_but_a_said_one_must_be_active() {
    let clock = clock();
    let blobs = leased_blobs(&OpenOptions::new().clock(clock.clone()));
    let read = |lease| code(blobs.get_blob(&at("x"), ReadBlob::new().conditions(always().lease(lease))));
    assert_eq!(get(&blobs, "x"), "old");
    assert!(blobs.get_blob(&at("x"), ReadBlob::new().conditions(always().lease(A))).is_ok());
    assert_eq!(read(B), ErrorCode::LeaseIdMismatchWithBlobOperation);
    clock.forward(16);
    assert_eq!(read(A), ErrorCode::LeaseLost);
    assert_eq!(code(blobs.blob_properties(&at("x"), &always().lease(A))), ErrorCode::LeaseLost);
    assert_eq!(read(B), ErrorCode::LeaseNotPresentWithBlobOperation);
    assert_eq!(get(&blobs, "x"), "old");
}

#[test]
fn a_lease_changes_no_version() {
    let (_store, blobs) = store();
    put(&blobs, "x", "content");
    let before = properties(&blobs, "x").version();
    let container_before = blobs.container_properties(&container(), &always()).unwrap().version();
    for (action, state) in [
        (acquire(A), FIXED),
        (LeaseAction::Change { id: A, to: B }, FIXED),
        (LeaseAction::Renew { id: B }, FIXED),
        (LeaseAction::Break { seconds: None }, LeaseState::Breaking),
        (LeaseAction::Break { seconds: Some(0) }, LeaseState::Broken),
        (LeaseAction::Release { id: B }, LeaseState::Available),
    ] {
        let leased = blobs.lease_blob(&at("x"), &action, &before.etag.clone().into()).unwrap();
        assert_eq!((leased.version, properties(&blobs, "x").version()), (before.clone(), before.clone()));
        assert_eq!(properties(&blobs, "x").lease, state, "{action:?}");
        let leased = blobs.lease_container(&container(), &action, &always()).unwrap();
        assert_eq!(leased.version, container_before);
        let found = blobs.container_properties(&container(), &always()).unwrap();
        assert_eq!((found.version(), found.lease), (container_before.clone(), state), "{action:?}");
    }
}

#[test]
fn an_expired_lease_can_be_renewed_until_the_blob_changes() {
    let clock = clock();
    let blobs = leased_blobs(&OpenOptions::new().clock(clock.clone()));
    let renew = || blobs.lease_blob(&at("x"), &LeaseAction::Renew { id: A }, &always());
    clock.forward(16);
    assert_eq!(properties(&blobs, "x").lease, LeaseState::Expired);
    assert_eq!(renew().unwrap().id, Some(A));
    assert_eq!(properties(&blobs, "x").lease, FIXED);
    clock.forward(16);
    // Putting a block does not change the blob yet.
    blobs.put_block(&at("x"), &BlockId::new("1").unwrap(), "block".into(), PutBlock::new()).unwrap();
    renew().unwrap();
    let changes: [&dyn Fn(); 3] = [
        &|| drop(blobs.set_blob_metadata(&at("x"), Metadata::new(), &always()).unwrap()),
        &|| put(&blobs, "x", "changed"),
        &|| drop(blobs.put_block_list(&at("x"), &[], PutBlob::new()).unwrap()),
    ];
    for change in changes {
        clock.forward(16);
        change();
        assert_eq!(properties(&blobs, "x").lease, LeaseState::Available);
        assert_eq!(code(renew()), ErrorCode::LeaseIdMismatchWithLeaseOperation);
        lease(&blobs, "x", &acquire(A));
    }
}

#[test]
fn a_leased_container_is_deleted_by_its_owner_alone() {
    let clock = clock();
    let (_store, blobs) = with_container(&OpenOptions::new().clock(clock.clone()));
    let endless = LeaseAction::Acquire { id: A, duration: LeaseDuration::Infinite };
    blobs.lease_container(&container(), &endless, &always()).unwrap();
    let listed = blobs.list_containers(ListContainers::new()).unwrap();
    assert_eq!(listed.containers[0].lease, LeaseState::Leased(LeaseKind::Infinite));
    clock.forward(100);
    let delete = |conditions: BlobConditions| blobs.delete_container(&container(), &conditions);
    let set =
        |conditions: BlobConditions| blobs.set_container_metadata(&container(), Metadata::new(), &conditions);
    assert_eq!(code(delete(always())), ErrorCode::LeaseIdMissing);
    for refused in [
        code(delete(always().lease(B))),
        code(set(always().lease(B))),
        code(blobs.container_properties(&container(), &always().lease(B))),
    ] {
        assert_eq!(refused, ErrorCode::LeaseIdMismatchWithContainerOperation);
    }
    // Everything else needs no lease.
    set(always()).unwrap();
    put(&blobs, "x", "content");
    blobs.delete_blob(&at("x"), &always()).unwrap();
    blobs.container_properties(&container(), &always().lease(A)).unwrap();
    delete(always().lease(A)).unwrap();
    assert_eq!(code(delete(always().lease(A))), ErrorCode::ContainerNotFound);
}

#[test]
fn what_is_not_there_has_no_lease() {
    let (_store, blobs) = store();
    let put_block = || blobs.put_block(&at("x"), &BlockId::new("1").unwrap(), "b".into(), PutBlock::new());
    assert_eq!(code(blobs.lease_blob(&at("x"), &acquire(A), &always())), ErrorCode::BlobNotFound);
    put_block().unwrap();
    assert_eq!(code(blobs.lease_blob(&at("x"), &acquire(A), &always())), ErrorCode::BlobNotFound);
    let elsewhere = "elsewhere".parse().unwrap();
    assert_eq!(code(blobs.lease_container(&elsewhere, &acquire(A), &always())), ErrorCode::ContainerNotFound);
    // A writer that believes to own a lease does not create the blob.
    let owned = PutBlob::new().conditions(always().lease(A));
    assert_eq!(
        code(blobs.put_blob(&at("y"), "y".into(), owned)),
        ErrorCode::LeaseNotPresentWithBlobOperation
    );
    put(&blobs, "x", "content");
    let other = properties(&blobs, "x").etag;
    put(&blobs, "x", "changed");
    assert_eq!(code(blobs.lease_blob(&at("x"), &acquire(A), &other.into())), ErrorCode::ConditionNotMet);
}

/// After a crash, timestamps continue above the reservation in the file, which is ahead of the clock. The time of a lease does
/// not: neither its owner nor another client notices the crash.
#[test]
fn a_crash_shortly_before_the_end_of_a_lease_does_not_end_it() {
    let (disk, clock) = (MemoryDisk::new(), clock());
    let open = |disk| OpenOptions::new().clock(clock.clone()).open_disk(disk).unwrap().blocking();
    let store = open(disk.clone());
    store.create_container(&container(), Metadata::new()).unwrap();
    for name in ["x", "renewed"] {
        put(&store, name, "content");
        lease(&store, name, &acquire(A));
    }
    store.lease_container(&container(), &acquire(A), &always()).unwrap();
    clock.forward_millis(14_500);
    put(&store, "another", "reserves the next second");

    // The first timestamp of the next process is behind the end of the leases.
    let store = open(disk.copied());
    clock.forward_millis(499);
    lease(&store, "renewed", &LeaseAction::Renew { id: A });
    let other = |name| code(store.lease_blob(&at(name), &acquire(B), &always()));
    assert_eq!(other("x"), ErrorCode::LeaseAlreadyPresent);
    let leased = store.lease_container(&container(), &acquire(B), &always());
    assert_eq!(code(leased), ErrorCode::LeaseAlreadyPresent);
    assert_eq!(code(store.delete_container(&container(), &always())), ErrorCode::LeaseIdMissing);
    let set = |lease| store.set_container_metadata(&container(), Metadata::new(), &always().lease(lease));
    set(A).unwrap();
    let refused = writes(&open(disk.copied()), None);
    assert!(refused.iter().take(6).all(|code| *code == Some(ErrorCode::LeaseIdMissing)), "{refused:?}");
    assert_eq!(properties(&store, "x").lease, FIXED);
    store.put_blob(&at("x"), "new".into(), PutBlob::new().conditions(always().lease(A))).unwrap();

    // A renewal counts from the time of the request, not from its timestamp.
    clock.forward_millis(1);
    assert_eq!(code(set(A)), ErrorCode::LeaseLost);
    lease(&store, "x", &acquire(B));
    clock.forward_millis(14_998);
    assert_eq!(other("renewed"), ErrorCode::LeaseAlreadyPresent);
    clock.forward_millis(1);
    lease(&store, "renewed", &acquire(B));
}

/// After a crash, timestamps continue above the reservation in the file, which is ahead of the clock.
#[test]
fn crashes_do_not_end_a_lease_early() {
    let (mut disk, clock) = (MemoryDisk::new(), clock());
    let open = |disk| OpenOptions::new().clock(clock.clone()).open_disk(disk).unwrap().blocking();
    let store = open(disk.clone());
    store.create_container(&container(), Metadata::new()).unwrap();
    put(&store, "x", "content");
    lease(&store, "x", &acquire(A));
    for _ in 0..20 {
        disk = disk.copied();
        put(&open(disk.clone()), "another", "content");
    }
    let store = open(disk.copied());
    clock.forward(14);
    assert_eq!(properties(&store, "x").lease, FIXED);
    clock.forward(2);
    assert_eq!(properties(&store, "x").lease, LeaseState::Expired);
}

/// Acknowledged leases are on the disk: a copy of it, taken without closing the store, has them.
#[test]
fn leases_survive_the_end_of_the_process() {
    let (disk, clock) = (MemoryDisk::new(), clock());
    let open = |disk| OpenOptions::new().clock(clock.clone()).open_disk(disk).unwrap().blocking();
    let store = open(disk.clone());
    store.create_container(&container(), Metadata::new()).unwrap();
    for name in ["fixed", "endless", "breaking", "released"] {
        put(&store, name, name);
        let duration = if name == "endless" { LeaseDuration::Infinite } else { LeaseDuration::Seconds(60) };
        lease(&store, name, &LeaseAction::Acquire { id: A, duration });
    }
    lease(&store, "breaking", &LeaseAction::Break { seconds: Some(30) });
    lease(&store, "released", &LeaseAction::Release { id: A });
    let endless = LeaseAction::Acquire { id: B, duration: LeaseDuration::Infinite };
    store.lease_container(&container(), &endless, &always()).unwrap();

    let copy = open(disk.copied());
    let states = |expected: [LeaseState; 4]| {
        let listed = copy.list_blobs(&container(), ListBlobs::new()).unwrap().items;
        for (name, state) in ["breaking", "endless", "fixed", "released"].into_iter().zip(expected) {
            assert_eq!(properties(&copy, name).lease, state, "{name}");
            assert!(listed.iter().any(|item| matches!(
                item,
                table_store::blob::BlobItem::Blob { name: listed, properties }
                    if listed.as_str() == name && properties.lease == state
            )));
        }
    };
    let infinite = LeaseState::Leased(LeaseKind::Infinite);
    states([LeaseState::Breaking, infinite, FIXED, LeaseState::Available]);
    assert_eq!(code(copy.delete_blob(&at("fixed"), &always())), ErrorCode::LeaseIdMissing);
    assert_eq!(code(copy.delete_container(&container(), &always())), ErrorCode::LeaseIdMissing);
    clock.forward(31);
    states([LeaseState::Broken, infinite, FIXED, LeaseState::Available]);
    clock.forward(31);
    states([LeaseState::Broken, infinite, LeaseState::Expired, LeaseState::Available]);
    lease(&copy, "fixed", &LeaseAction::Renew { id: A });
    copy.put_blob(&at("endless"), "by A".into(), PutBlob::new().conditions(always().lease(A))).unwrap();
    assert!(copy.scrub().unwrap().is_sound());
}
