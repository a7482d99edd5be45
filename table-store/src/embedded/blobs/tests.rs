use bytes::Bytes;

use super::place;
use crate::{
    Metadata, Timestamp,
    blob::{BlobAddress, PutBlob},
    embedded::{Clock, MapStorage, OpenOptions, format_page::documented},
};

/// A clock that stands; times rise by a tick all the same.
#[derive(Debug)]
struct Standing;

impl Clock for Standing {
    fn now(&self) -> Timestamp {
        "2017-08-30T13:20:33.413914Z".parse().unwrap()
    }
}

#[test]
fn the_blob_of_the_format_page_is_what_is_stored() {
    let storage = MapStorage::default();
    let blobs = OpenOptions::new().clock(Standing).open_map(storage.clone()).unwrap().blocking().blobs();
    let at = BlobAddress::new("photos", "jo.txt").unwrap();
    blobs.create_container(&at.container, Metadata::new()).unwrap();
    blobs.put_blob(&at, Bytes::from("hello"), PutBlob::new().content_type("text/plain")).unwrap();
    let stored: Vec<_> = storage
        .entries()
        .into_iter()
        .filter(|(key, _)| place::SPACES.iter().any(|space| key.starts_with(&space.prefix())))
        .collect();
    let of = |what: &str| {
        (documented(&format!("The key of the {what}:")), documented(&format!("The record of the {what}:")))
    };
    let expected = [of("container"), of("blob"), of("chunk")];
    assert_eq!(format!("{stored:02x?}"), format!("{expected:02x?}"));
}
