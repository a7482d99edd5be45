use table_model::{
    BlobService, ErrorCode, Metadata, Uuid,
    blob::{
        AppendBlock, BlobAddress, BlobConditions, BlobItem, BlobTags, BlockId, ContainerName, CopyBlob,
        DeleteSnapshots, FindBlobs, LeaseAction, LeaseDuration, LeaseKind, LeaseState, ListBlobs,
        ListContainers, PutBlob, PutBlock, ReadBlob, SnapshotBlob,
    },
};
use table_rest::client::Account;

use super::{code, fresh};

/// Tests all blob operations.
pub(crate) async fn all(account: &Account) {
    hold_contents(&account.blobs().unwrap()).await;
}

async fn hold_contents(blobs: &dyn BlobService) {
    let container = fresh("c-");
    let at = |name: &str| BlobAddress::new(&container, name).unwrap();
    let small = at("a/b c/ä'b %41.txt");
    assert_eq!(code(blobs.put_blob(&small, "x".into(), PutBlob::new()).await), ErrorCode::ContainerNotFound);
    let none = BlobConditions::none();
    blobs.create_container(&small.container, Metadata::new().with("k", "v").unwrap()).await.unwrap();
    assert_eq!(
        blobs.container_properties(&small.container, &none).await.unwrap().metadata.get("k"),
        Some("v")
    );
    let listed = blobs.list_containers(ListContainers::new().prefix(container.as_str())).await.unwrap();
    assert_eq!(listed.containers.len(), 1);

    let put = PutBlob::new().content_type("text/plain").metadata(Metadata::new().with("n", "1").unwrap());
    let written = blobs.put_blob(&small, "some text".into(), put).await.unwrap();
    assert_eq!(blobs.get_blob(&small, ReadBlob::new()).await.unwrap(), "some text");
    assert_eq!(blobs.get_blob(&small, ReadBlob::new().range(5..100)).await.unwrap(), "text");
    let known = blobs.blob_properties(&small, &BlobConditions::none()).await.unwrap();
    assert_eq!(
        (known.length, known.headers.content_type(), known.metadata.get("n")),
        (9, "text/plain", Some("1"))
    );
    assert_eq!(known.etag, written.etag);
    let absent = PutBlob::new().conditions(BlobConditions::absent());
    assert_eq!(code(blobs.put_blob(&small, "y".into(), absent).await), ErrorCode::BlobAlreadyExists);
    let unchanged = ReadBlob::new().conditions(BlobConditions::none().if_none_match(written.etag.clone()));
    assert!(blobs.get_blob(&small, unchanged).await.unwrap_err().is_not_modified());
    let gone = blobs.get_blob(&at("gone"), ReadBlob::new()).await;
    assert_eq!(code(gone), ErrorCode::BlobNotFound);
    assert_eq!(
        code(blobs.blob_properties(&at("gone"), &BlobConditions::none()).await),
        ErrorCode::BlobNotFound
    );

    let large = at("large");
    let content: Vec<u8> = (0..9_000_000_u32).map(|number| (number % 251) as u8).collect();
    let mut writer = blobs.write_blob(&large, PutBlob::new()).await.unwrap();
    for piece in content.chunks(1_234_567) {
        writer.write(piece).await.unwrap();
    }
    writer.finish().await.unwrap();
    assert!(blobs.get_blob(&large, ReadBlob::new()).await.unwrap() == content);
    let list = blobs.block_list(&large).await.unwrap();
    assert_eq!((list.committed.len(), list.uncommitted.len(), list.length), (3, 0, 9_000_000));

    let log = at("log");
    blobs.create_append_blob(&log, PutBlob::new()).await.unwrap();
    let first = blobs.append_block(&log, "one\n".into(), AppendBlock::new().position(0)).await.unwrap();
    assert_eq!((first.offset, first.committed_blocks), (0, 1));
    let again = blobs.append_block(&log, "one\n".into(), AppendBlock::new().position(0)).await;
    assert_eq!(code(again), ErrorCode::AppendPositionConditionNotMet);
    assert_eq!(blobs.append_block(&log, "two\n".into(), AppendBlock::new()).await.unwrap().offset, 4);
    assert_eq!(blobs.get_blob(&log, ReadBlob::new()).await.unwrap(), "one\ntwo\n");

    let leased = at("to lease");
    blobs.put_blob(&leased, "text".into(), PutBlob::new()).await.unwrap();
    lease(blobs, &leased).await;
    tag(blobs, &small.container).await;
    versions(blobs, &at("l versions"), &at("l copy")).await;
    let listed = blobs.list_blobs(&small.container, ListBlobs::new().prefix("l")).await.unwrap();
    assert_eq!(listed.items.iter().map(BlobItem::name).collect::<Vec<_>>(), ["large", "log"]);
    blobs.delete_blob(&small, &written.etag.into()).await.unwrap();
    assert_eq!(code(blobs.delete_blob(&small, &BlobConditions::none()).await), ErrorCode::BlobNotFound);
    blobs.delete_container(&small.container, &BlobConditions::none()).await.unwrap();
    assert_eq!(
        code(blobs.delete_container(&small.container, &BlobConditions::none()).await),
        ErrorCode::ContainerNotFound
    );
}

/// Tests the tags of two blobs, and finds them.
async fn tag(blobs: &dyn BlobService, container: &ContainerName) {
    let none = BlobConditions::none();
    let at = |name: &str| BlobAddress::from((container.clone(), name.parse().unwrap()));
    let (whole, pieces) = (at("tagged"), at("tagged/\u{e4} b"));
    let run = fresh("");
    let tags = BlobTags::new().with("run", &run).unwrap().with("a b", "x=y").unwrap();
    blobs.put_blob(&whole, "text".into(), PutBlob::new().tags(tags.clone())).await.unwrap();
    let mut writer = blobs.write_blob(&pieces, PutBlob::new().tags(tags.clone())).await.unwrap();
    writer.write(&vec![7; 5 << 20]).await.unwrap();
    writer.finish().await.unwrap();
    assert_eq!(blobs.blob_tags(&pieces, &none).await.unwrap(), tags);
    let known = blobs.blob_properties(&whole, &none).await.unwrap();
    assert_eq!((known.tag_count, known.tags.as_ref()), (2, None));
    let listed = blobs.list_blobs(container, ListBlobs::new().prefix("tagged").tags()).await.unwrap();
    let listed = listed.items.iter().map(|item| match item {
        BlobItem::Blob { properties, .. } => (properties.tag_count, properties.tags.as_ref()),
        _ => (0, None),
    });
    assert_eq!(listed.collect::<Vec<_>>(), [(2, Some(&tags)); 2]);

    let find = FindBlobs::new(format!("run = '{run}'").parse().unwrap()).max_results(1);
    let mut found = Vec::new();
    for find in [find.clone().within(container.clone()), find] {
        let mut next = Some(find);
        while let Some(find) = next {
            let segment = blobs.find_blobs(find.clone()).await.unwrap();
            found.extend(segment.blobs.iter().map(|found| found.blob.clone()));
            assert!(segment.blobs.iter().all(|found| found.tags.get("run") == Some(run.as_str())));
            next = segment.next_marker.map(|marker| find.marker(marker));
        }
    }
    assert_eq!(found, [&whole, &pieces, &whole, &pieces].map(Clone::clone));

    let done = BlobTags::new().with("Status", "Done").unwrap();
    let condition = |text: &str| BlobConditions::none().tags(text.parse().unwrap());
    let refused = blobs.set_blob_tags(&whole, done.clone(), &condition("\"a b\" <> 'x=y'")).await;
    assert_eq!(code(refused), ErrorCode::ConditionNotMet);
    blobs.set_blob_tags(&whole, done.clone(), &condition("\"a b\" = 'x=y'")).await.unwrap();
    assert_eq!(blobs.blob_properties(&whole, &none).await.unwrap().version(), known.version());
    assert_eq!(code(blobs.delete_blob(&whole, &condition("run > ''")).await), ErrorCode::ConditionNotMet);
    blobs.set_blob_tags(&whole, BlobTags::new(), &none).await.unwrap();
    assert!(blobs.blob_tags(&whole, &none).await.unwrap().is_empty());
}

/// Tests snapshots and copies of a blob.
async fn versions(blobs: &dyn BlobService, blob: &BlobAddress, copy: &BlobAddress) {
    let none = BlobConditions::none();
    let metadata = |value: &str| Metadata::new().with("k", value).unwrap();
    let put = PutBlob::new().metadata(metadata("1"));
    let written = blobs.put_blob(blob, "one".into(), put).await.unwrap();
    let taken = blobs.snapshot_blob(blob, SnapshotBlob::new()).await.unwrap();
    assert_eq!(taken.version.etag, written.etag);
    let own = blobs.snapshot_blob(blob, SnapshotBlob::new().metadata(metadata("own"))).await.unwrap();
    blobs.put_blob(blob, "two".into(), PutBlob::new()).await.unwrap();
    let old = blob.clone().at(taken.snapshot);
    assert_eq!(blobs.get_blob(&old, ReadBlob::new()).await.unwrap(), "one");
    let known = blobs.blob_properties(&blob.clone().at(own.snapshot), &none).await.unwrap();
    assert_eq!((known.metadata.get("k"), known.etag), (Some("own"), own.version.etag));
    let list = ListBlobs::new().prefix("l versions").snapshots();
    let listed = blobs.list_blobs(&blob.container, list).await.unwrap().items;
    let times = listed.iter().map(|item| match item {
        BlobItem::Blob { properties, .. } => properties.snapshot,
        _ => None,
    });
    assert_eq!(times.collect::<Vec<_>>(), [Some(taken.snapshot), Some(own.snapshot), None]);
    assert_eq!(code(blobs.put_blob(&old, "x".into(), PutBlob::new()).await), ErrorCode::InvalidOperation);

    let tags = BlobTags::new().with("run", "1").unwrap();
    let request = CopyBlob::new(Uuid::new_v4()).source_conditions(written.etag.clone()).tags(tags.clone());
    let copied = blobs.copy_blob(copy, &old, request).await.unwrap();
    let known = blobs.blob_properties(copy, &none).await.unwrap();
    assert_eq!((known.version(), known.metadata.get("k")), (copied.version, Some("1")));
    assert_eq!(known.copy.unwrap().id, copied.id);
    assert_eq!(blobs.blob_tags(copy, &none).await.unwrap(), tags);
    assert_eq!(blobs.get_blob(copy, ReadBlob::new()).await.unwrap(), "one");
    let stale = CopyBlob::new(Uuid::new_v4()).source_conditions(written.etag);
    assert_eq!(code(blobs.copy_blob(copy, blob, stale).await), ErrorCode::SourceConditionNotMet);
    blobs.delete_blob(copy, &none).await.unwrap();

    assert_eq!(code(blobs.delete_blob(blob, &none).await), ErrorCode::SnapshotsPresent);
    blobs.delete_blob(&old, &none).await.unwrap();
    blobs.delete_snapshots(blob, DeleteSnapshots::Only, &none).await.unwrap();
    assert_eq!(blobs.get_blob(blob, ReadBlob::new()).await.unwrap(), "two");
    blobs.delete_snapshots(blob, DeleteSnapshots::Include, &none).await.unwrap();
    assert_eq!(code(blobs.blob_properties(blob, &none).await), ErrorCode::BlobNotFound);
}

/// Tests the leases of a blob and of its container.
async fn lease(blobs: &dyn BlobService, blob: &BlobAddress) {
    let none = BlobConditions::none();
    let (id, other) = (Uuid::new_v4(), Uuid::new_v4());
    let acquire = LeaseAction::Acquire { id, duration: LeaseDuration::Seconds(15) };
    let leased = blobs.lease_blob(blob, &acquire, &none).await.unwrap();
    let known = blobs.blob_properties(blob, &none).await.unwrap();
    assert_eq!((leased.id, leased.version), (Some(id), known.version()));
    assert_eq!(known.lease, LeaseState::Leased(LeaseKind::Fixed));
    assert_eq!(code(blobs.delete_blob(blob, &none).await), ErrorCode::LeaseIdMissing);
    let wrong = BlobConditions::none().lease(other);
    assert_eq!(code(blobs.delete_blob(blob, &wrong).await), ErrorCode::LeaseIdMismatchWithBlobOperation);
    let block = BlockId::new("block").unwrap();
    assert_eq!(
        code(blobs.put_block(blob, &block, "x".into(), PutBlock::new()).await),
        ErrorCode::LeaseIdMissing
    );
    let owned = PutBlob::new().metadata(known.metadata).conditions(BlobConditions::none().lease(id));
    let mut writer = blobs.write_blob(blob, owned).await.unwrap();
    writer.write(&vec![7; 5 << 20]).await.unwrap();
    writer.finish().await.unwrap();
    let change = LeaseAction::Change { id, to: other };
    assert_eq!(blobs.lease_blob(blob, &change, &none).await.unwrap().id, Some(other));
    let broken = blobs.lease_blob(blob, &LeaseAction::Break { seconds: Some(0) }, &none).await.unwrap();
    assert_eq!(broken.remaining, Some(0));
    let released = blobs.lease_blob(blob, &LeaseAction::Release { id: other }, &none).await.unwrap();
    assert_eq!((released.id, released.remaining), (None, None));

    let endless = LeaseAction::Acquire { id, duration: LeaseDuration::Infinite };
    let container = &blob.container;
    blobs.lease_container(container, &endless, &none).await.unwrap();
    let known = blobs.container_properties(container, &none).await.unwrap();
    assert_eq!(known.lease, LeaseState::Leased(LeaseKind::Infinite));
    assert_eq!(code(blobs.delete_container(container, &none).await), ErrorCode::LeaseIdMissing);
    blobs.lease_container(container, &LeaseAction::Release { id }, &none).await.unwrap();
}
