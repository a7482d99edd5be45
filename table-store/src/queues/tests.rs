use std::io;

use table_model::{Metadata, Timestamp, queue::PutMessage};

use crate::{Clock, MapStorage, OpenOptions, Random, format_page::documented};

#[derive(Debug)]
struct Standing;

impl Clock for Standing {
    fn now(&self) -> Timestamp {
        "2017-08-30T13:20:33.413914Z".parse().unwrap()
    }
}

#[derive(Debug)]
struct Fives;

impl Random for Fives {
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()> {
        bytes.fill(0x55);
        Ok(())
    }
}

#[test]
fn the_example_of_the_format_page_is_what_is_stored() {
    let storage = MapStorage::default();
    let store = OpenOptions::new().clock(Standing).random(Fives).open_map(storage.clone()).unwrap();
    let queues = store.blocking();
    let queue = "photos".parse().unwrap();
    queues.create_queue(&queue, Metadata::new().with("owner", "Jo").unwrap()).unwrap();
    queues.put_message(&queue, PutMessage::new("jo.jpg")).unwrap();
    let stored: Vec<_> = storage.entries().into_iter().filter(|(key, _)| (3..5).contains(&key[3])).collect();
    let page: Vec<_> = ["queue", "tally", "place", "body"]
        .map(|part| {
            let of = |what| documented(&format!("The {what} of the {part}:"));
            (of("key"), of("record"))
        })
        .to_vec();
    assert_eq!(stored, page, "{stored:02x?}");
}
