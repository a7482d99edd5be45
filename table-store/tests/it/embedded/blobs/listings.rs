use std::collections::BTreeSet;

use proptest::prelude::*;
use table_store::blob::{BlobItem, ListBlobs};

use super::*;
use crate::embedded::support::code;

fn names(blobs: &BlockingStore, request: ListBlobs) -> Vec<String> {
    let segment = blobs.list_blobs(&container(), request).unwrap();
    assert_eq!(segment.next_marker, None);
    segment.items.iter().map(|item| item.name().to_owned()).collect()
}

#[test]
fn names_are_rolled_up_to_the_delimiter() {
    let (_store, blobs) = store();
    for name in ["a/1", "a/2/x", "a/2/y", "a/20", "a0", "b", "a/\u{10ffff}/z"] {
        put(&blobs, name, "");
    }
    assert_eq!(names(&blobs, ListBlobs::new().delimiter("/")), ["a/", "a0", "b"]);
    let inside = names(&blobs, ListBlobs::new().prefix("a/").delimiter("/"));
    assert_eq!(inside, ["a/1", "a/2/", "a/20", "a/\u{10ffff}/"]);
    assert_eq!(names(&blobs, ListBlobs::new().prefix("a/2")), ["a/2/x", "a/2/y", "a/20"]);
    let segment = blobs.list_blobs(&container(), ListBlobs::new().prefix("b")).unwrap();
    assert!(matches!(&segment.items[..], [BlobItem::Blob { properties, .. }] if properties.length == 0));
}

#[test]
fn a_segment_holds_what_is_asked_for_and_at_least_one() {
    let (_store, blobs) = store();
    let none = blobs.list_blobs(&container(), ListBlobs::new().max_results(0));
    assert_eq!(code(none), table_store::ErrorCode::OutOfRangeQueryParameterValue);
    put(&blobs, "a", "");
    put(&blobs, "b", "");
    let segment = blobs.list_blobs(&container(), ListBlobs::new().max_results(1)).unwrap();
    assert_eq!((segment.items.len(), segment.next_marker.as_deref()), (1, Some("b")));
    let segment = blobs.list_blobs(&container(), ListBlobs::new().max_results(2)).unwrap();
    assert_eq!((segment.items.len(), segment.next_marker), (2, None));
}

fn name() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(vec!["a", "b", "/", "é", "\u{10000}"]), 1..5)
        .prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Consecutive segments of any size contain the same items as a scan of all names.
    #[test]
    fn segments_together_are_the_listing(
        names in prop::collection::btree_set(name(), 0..20),
        prefix in prop::option::of(name()),
        delimiter in prop::option::of(prop::sample::select(vec!["/", "a/", "é"])),
        most in 1..6_u32,
    ) {
        let (_store, blobs) = store();
        for name in &names {
            put(&blobs, name, "");
        }
        let prefix = prefix.unwrap_or_default();
        let mut expected = BTreeSet::new();
        for name in names.iter().filter(|name| name.starts_with(&prefix)) {
            let rolled = delimiter.and_then(|delimiter| {
                let end = name[prefix.len()..].find(delimiter)? + prefix.len() + delimiter.len();
                Some((name[..end].to_owned(), true))
            });
            expected.insert(rolled.unwrap_or_else(|| (name.clone(), false)));
        }
        let (mut listed, mut marker) = (Vec::new(), None);
        loop {
            let mut request = ListBlobs::new().prefix(&prefix).max_results(most);
            request.delimiter = delimiter.map(str::to_owned);
            request.marker = marker;
            let segment = blobs.list_blobs(&container(), request).unwrap();
            prop_assert!(segment.items.len() <= most as usize);
            listed.extend(segment.items.iter().map(|item| {
                (item.name().to_owned(), matches!(item, BlobItem::Prefix(_)))
            }));
            marker = segment.next_marker;
            if marker.is_none() {
                break;
            }
        }
        prop_assert_eq!(listed, expected.into_iter().collect::<Vec<_>>());
    }
}
