//! Every body parses as a batch response or an error, and written responses round-trip. Input: the body, with boundary
//! `b`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use table_rest::wire::{
    batch::{PartReply, response},
    odata_error,
};
use table_store::{ErrorCode, TableError, Timestamp, Uuid};

fuzz_target!(|data: &[u8]| {
    for part in response::read("multipart/mixed; boundary=b", data).into_iter().flatten() {
        let _ = odata_error::read(part.status, part.body);
    }
    let message = String::from_utf8_lossy(data);
    let error = TableError::with_message(ErrorCode::InvalidInput, message).at(data.len() % 100);
    let body = odata_error::write(&error, Uuid::nil(), Timestamp::UNIX_EPOCH);
    let part = PartReply { status: 400, body, ..PartReply::default() };
    let (content_type, written) = response::write(&[part.clone(), part.clone()], true, Uuid::nil());
    let read = response::read(&content_type, written.as_bytes()).expect("it was written");
    assert_eq!(read.len(), 2);
    for answer in read {
        assert_eq!((answer.status, answer.body), (400, part.body.as_bytes()));
        let read = odata_error::read(answer.status, answer.body);
        assert_eq!((read.code(), read.index()), (error.code(), error.index()));
    }
});
