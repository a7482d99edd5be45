//! Every body parses as a batch or an error. No parsed value contains a line end that could be copied into other
//! output, and written batches round-trip. Input: the body, with boundary `b`; its parts may use boundary `c`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use table_rest::wire::{
    batch::{BatchRequest, Part, request},
    entity::EntityBody,
    operation::WriteHead,
    path::TablePath,
};
use table_store::{Condition, Entity, Operation, Uuid};

fn is_one_line(text: &str) {
    assert!(!text.contains(['\r', '\n', '\0']), "{text:?}");
}

fn check(part: &Part<'_>) {
    for text in [part.method, part.path, part.query].into_iter().chain(part.content_id) {
        is_one_line(text);
    }
    for name in ["Content-Type", "If-Match", "Prefer", "Accept"] {
        part.headers.all(name).for_each(is_one_line);
    }
}

/// Returns the write of a part.
fn write(part: &Part<'_>) -> Option<Operation> {
    let path = TablePath::parse(part.path).ok()?;
    let if_match = part.headers.get("If-Match");
    let if_none_match = part.headers.get("If-None-Match");
    WriteHead { method: part.method, path: &path, if_match, if_none_match }.read(part.body).ok()
}

fn reads_back(operations: &[Operation]) {
    let table = "people".parse().expect("it is a name");
    let (content_type, body) = request::write("http://127.0.0.1", &table, operations, Uuid::nil());
    let batch = BatchRequest::read(&content_type, body.as_bytes()).expect("it was written");
    let read: Vec<_> = batch.parts.iter().filter_map(write).collect();
    assert_eq!(read, operations);
}

fuzz_target!(|data: &[u8]| {
    if let Ok(batch) = BatchRequest::read("multipart/mixed; boundary=b", data) {
        assert!(!batch.parts.is_empty() && batch.parts.len() <= 101);
        batch.parts.iter().for_each(check);
    }
    let _ = std::str::from_utf8(data).map(|text| BatchRequest::read(text, data));
    // The same bytes as an entity, which must not terminate its batch part.
    let Ok(read) = EntityBody::read(data) else { return };
    let mut entity = Entity::new("p", "r");
    entity.properties = read.properties;
    // The first write loses the sign of zeros and the payload of NaNs.
    let plain = EntityBody::read(EntityBody::write(&entity).as_bytes()).expect("it was written");
    entity.properties = plain.properties;
    reads_back(&[Operation::InsertOrMerge(entity.clone()), Operation::Replace(entity, Condition::Exists)]);
});
