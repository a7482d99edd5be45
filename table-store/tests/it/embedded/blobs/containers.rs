use super::*;
use crate::embedded::support::{HandClock, code};
use table_store::{ErrorCode, blob::ListContainers};

fn name(name: &str) -> ContainerName {
    name.parse().unwrap()
}

#[test]
fn a_container_keeps_what_is_said_of_it() {
    let (_store, blobs) = store();
    let metadata = Metadata::new().with("owner", "Jo").unwrap();
    let made = blobs.create_container(&name("logs"), metadata.clone()).unwrap();
    assert_eq!(
        code(blobs.create_container(&name("logs"), metadata.clone())),
        ErrorCode::ContainerAlreadyExists
    );
    let known = blobs.container_properties(&name("logs"), &always()).unwrap();
    assert_eq!((&known.metadata, &known.etag), (&metadata, &made.etag));
    let changed = blobs.set_container_metadata(&name("logs"), Metadata::new(), &made.etag.into()).unwrap();
    let known = blobs.container_properties(&name("logs"), &always()).unwrap();
    assert!(known.metadata.is_empty() && known.version() == changed);
}

#[test]
fn a_deleted_container_is_gone_at_once_and_its_name_is_free_after_the_sweep() {
    let (store, blobs) = store();
    for number in 0..50 {
        put(&blobs, &format!("{number}"), content(number, CHUNK));
    }
    let before = store.stats().commits;
    blobs.delete_container(&container(), &always()).unwrap();
    for refused in [
        code(blobs.container_properties(&container(), &always())),
        code(blobs.get_blob(&at("1"), ReadBlob::new())),
        code(blobs.put_blob(&at("1"), "x".into(), PutBlob::new())),
        code(blobs.delete_container(&container(), &always())),
    ] {
        assert_eq!(refused, ErrorCode::ContainerNotFound);
    }
    store.swept().unwrap();
    assert!(store.stats().commits - before < 50);
    blobs.create_container(&container(), Metadata::new()).unwrap();
    assert_eq!(code(blobs.get_blob(&at("1"), ReadBlob::new())), ErrorCode::BlobNotFound);
}

#[test]
fn containers_are_listed_by_name_in_segments() {
    let (_store, blobs) = store();
    for other in ["logs-1", "logs-2", "logs-3", "logo", "$web"] {
        blobs.create_container(&name(other), Metadata::new()).unwrap();
    }
    blobs.delete_container(&name("logs-2"), &always()).unwrap();
    let (mut seen, mut marker) = (Vec::new(), None);
    loop {
        let mut request = ListContainers::new().prefix("logs").max_results(1);
        request.marker = marker;
        let segment = blobs.list_containers(request).unwrap();
        assert!(segment.containers.len() <= 1);
        seen.extend(segment.containers.into_iter().map(|container| container.name.to_string()));
        marker = segment.next_marker;
        if marker.is_none() {
            break;
        }
    }
    assert_eq!(seen, ["logs-1", "logs-3"]);
    let all = blobs.list_containers(ListContainers::new()).unwrap();
    assert_eq!(all.containers.len(), 5);
    assert_eq!(all.containers[0].name.as_str(), "$web");
    let none = code(blobs.list_containers(ListContainers::new().max_results(0)));
    assert_eq!(none, ErrorCode::OutOfRangeQueryParameterValue);
}

#[test]
fn a_name_is_free_at_once_unless_deletes_are_strict() {
    let (store, blobs) = store();
    for number in 0..3 {
        put(&blobs, &format!("blob{number}"), content(number, 3 * CHUNK));
        blobs.delete_container(&container(), &always()).unwrap();
        blobs.create_container(&container(), Metadata::new()).unwrap();
        let listed = blobs.list_blobs(&container(), table_store::blob::ListBlobs::new()).unwrap();
        assert_eq!(listed.items.len(), 0, "{number}");
    }
    put(&blobs, "new", "x");
    store.swept().unwrap();
    assert_eq!(get(&blobs, "new"), "x");
    let report = store.scrub().unwrap();
    assert_eq!((report.is_sound(), report.containers, report.blobs, report.chunks), (true, 1, 1, 1));

    let clock = HandClock::at("2026-11-21T12:00:00Z");
    let (_, blobs) = with_container(&OpenOptions::new().clock(clock.clone()).strict_deletes(true));
    blobs.delete_container(&container(), &always()).unwrap();
    clock.forward(29);
    let refused = blobs.create_container(&container(), Metadata::new());
    assert_eq!(refused.unwrap_err().code(), ErrorCode::ContainerBeingDeleted);
    clock.forward(2);
    blobs.create_container(&container(), Metadata::new()).unwrap();
}
