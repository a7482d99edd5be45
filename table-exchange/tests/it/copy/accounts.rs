//! Copies of containers and queues.

use std::time::Duration;

use pollster::block_on;
use table_exchange::copy::{BlobCopy, Copied, QueueCopy};
use table_model::{
    BlobService, Metadata, QueueService,
    blob::{
        AppendBlock, BlobAddress, BlobConditions, BlobItem, BlobTags, DeleteSnapshots, ListBlobs,
        ListContainers, PutBlob, ReadBlob, SnapshotBlob,
    },
    queue::{GetMessages, PutMessage},
    split_mix::SplitMix64,
};
use table_store::Store;

/// Returns what a copy preserves of each version of each blob.
fn content(store: &Store) -> Vec<String> {
    let request = ListBlobs::new().snapshots().tags();
    let listed = block_on(store.list_blobs(&"photos".parse().unwrap(), request)).unwrap();
    let shown = |item: BlobItem| {
        let BlobItem::Blob { name, properties: of } = item else { panic!("a prefix") };
        let blob = BlobAddress::new("photos", name.as_str()).unwrap().at(of.snapshot);
        let bytes = block_on(store.get_blob(&blob, ReadBlob::new())).unwrap();
        let (kind, md5) = (of.blob_type, of.headers.content_md5);
        format!("{name} {} {kind:?} {md5:?} {:?} {:?} {bytes:?}", of.snapshot.is_some(), of.metadata, of.tags)
    };
    listed.items.into_iter().map(shown).collect()
}

fn change(store: &Store, random: &mut SplitMix64) {
    let name = ["a.jpg", "b/c.jpg", "\u{e9}.jpg"][usize::try_from(random.draw() % 3).unwrap()];
    let blob = BlobAddress::new("photos", name).unwrap();
    let value = random.draw() % 3;
    let none = BlobConditions::none();
    let put = PutBlob::new()
        .content_type("image/jpeg")
        .metadata(Metadata::new().with("value", value.to_string()).unwrap())
        .tags(BlobTags::new().with("value", value.to_string()).unwrap());
    let text = vec![b'0' + u8::try_from(value).unwrap(); 10];
    // Requests that the state of the blob does not allow fail.
    match random.draw() % 6 {
        0 | 1 => drop(block_on(store.put_blob(&blob, text.into(), put))),
        2 => {
            if block_on(store.create_append_blob(&blob, put)).is_ok() {
                block_on(store.append_block(&blob, text.into(), AppendBlock::new())).unwrap();
            }
        }
        3 | 4 => drop(block_on(store.snapshot_blob(&blob, SnapshotBlob::new()))),
        _ => drop(block_on(store.delete_snapshots(&blob, DeleteSnapshots::Include, &none))),
    }
}

fn run(copy: BlobCopy<'_>, from: &Store) -> Copied {
    let listed = block_on(from.list_containers(ListContainers::new())).unwrap();
    block_on(copy.run(&listed.containers[0], async |_| ())).unwrap()
}

#[test]
fn random_blobs_are_equal_after_a_copy() {
    for seed in 0..200 {
        let mut random = SplitMix64(seed);
        let [from, to] = [(), ()].map(|()| Store::in_memory().unwrap());
        let metadata = Metadata::new().with("of", "from").unwrap();
        block_on(from.create_container(&"photos".parse().unwrap(), metadata)).unwrap();
        if random.draw().is_multiple_of(2) {
            block_on(to.create_container(&"photos".parse().unwrap(), Metadata::new())).unwrap();
            for _ in 0..random.draw() % 12 {
                change(&to, &mut random);
            }
        }
        for _ in 0..random.draw() % 25 {
            change(&from, &mut random);
        }
        let copy = BlobCopy::new(&from, &to).deleting_extra(true);
        let compared = run(copy.comparing(true), &from);
        assert_eq!(compared.remaining(), compared.found());
        let copied = run(copy, &from);
        assert_eq!((copied.found(), copied.remaining()), (compared.found(), 0), "seed {seed}: {copied:?}");
        assert_eq!(content(&to), content(&from), "seed {seed}");
        assert_eq!(run(copy, &from).found(), 0, "seed {seed}");
    }
}

#[test]
fn blobs_without_a_hash_are_compared_by_content() {
    let [from, to] = [(), ()].map(|()| Store::in_memory().unwrap());
    let blob = BlobAddress::new("photos", "log").unwrap();
    for (store, text) in [(&from, "abc"), (&to, "abd")] {
        block_on(store.create_container(&blob.container, Metadata::new())).unwrap();
        block_on(store.create_append_blob(&blob, PutBlob::new())).unwrap();
        block_on(store.append_block(&blob, text.as_bytes().to_vec().into(), AppendBlock::new())).unwrap();
    }
    let copied = run(BlobCopy::new(&from, &to), &from);
    assert_eq!((copied.different, copied.remaining()), (1, 0));
    assert_eq!(content(&to), content(&from));
}

#[test]
fn messages_are_moved_on_request_and_counted_otherwise() {
    let [from, to] = [(), ()].map(|()| Store::in_memory().unwrap());
    let queue = "work".parse().unwrap();
    block_on(from.create_queue(&queue, Metadata::new().with("of", "from").unwrap())).unwrap();
    for number in 0..70 {
        block_on(from.put_message(&queue, PutMessage::new(number.to_string()))).unwrap();
    }
    let later = PutMessage::new("later").visibility(Duration::from_secs(60));
    block_on(from.put_message(&queue, later)).unwrap();

    let copy = QueueCopy::new(&from, &to);
    let copied = block_on(copy.run(&queue)).unwrap();
    assert_eq!((copied.resolved, copied.remaining()), (1, 71));
    let moved = block_on(copy.moving_messages(true).run(&queue)).unwrap();
    assert_eq!((moved.resolved, moved.remaining()), (70, 1));
    assert_eq!(moved.listed[0].to_string(), "missing   1 message");

    let found = block_on(to.queue_properties(&queue)).unwrap();
    assert_eq!((found.approximate_messages, found.metadata.len()), (70, 1));
    let mut texts = Vec::new();
    while let messages = block_on(to.get_messages(&queue, GetMessages::new().count(32))).unwrap()
        && !messages.is_empty()
    {
        texts.extend(messages.into_iter().map(|message| message.text.parse::<u32>().unwrap()));
    }
    texts.sort_unstable();
    assert_eq!(texts, (0..70).collect::<Vec<_>>());
}
