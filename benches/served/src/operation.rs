//! The measured operations.

use std::fmt::Write as _;

use http::Method;

use crate::{
    Outcome,
    entities::{Shape, body},
    request::{Request, Signer},
};

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Get,
    Insert,
    Upsert,
    Merge,
    Batch,
    Page,
    Filter,
}

const JSON: &str = "application/json";

impl Operation {
    pub const ALL: [Self; 7] =
        [Self::Get, Self::Insert, Self::Upsert, Self::Merge, Self::Batch, Self::Page, Self::Filter];

    /// Returns the operation with a name on the command line.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| format!("{operation:?}").eq_ignore_ascii_case(word))
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET of one entity",
            Self::Insert => "insert",
            Self::Upsert => "insert or replace",
            Self::Merge => "merge of one property",
            Self::Batch => "transaction of 100 inserts or replaces",
            Self::Page => "page of 1,000 entities",
            Self::Filter => "filter that keeps 1 of 60 in a partition, first page",
        }
    }

    /// Returns the status of a successful response.
    pub const fn done(self) -> u16 {
        match self {
            Self::Get | Self::Page | Self::Filter => 200,
            Self::Insert | Self::Upsert | Self::Merge => 204,
            Self::Batch => 202,
        }
    }

    /// Returns the request for a number: for an existing entity, or the insert of a new one.
    pub fn request(self, signer: &Signer, shape: Shape, number: u64) -> Outcome<Vec<u8>> {
        let there = number % shape.count;
        let entity = |number: u64| {
            format!(
                "/{}(PartitionKey='{}',RowKey='{}')",
                shape.table,
                shape.partition(number),
                Shape::row(number)
            )
        };
        let set = format!("/{}()", shape.table);
        let in_partition = format!("$filter=PartitionKey%20eq%20'{}'", shape.partition(there));
        let mut path = entity(there);
        let (mut query, mut text) = (String::new(), String::new());
        let mut content_type = JSON.to_owned();
        let mut headers: &[(&str, &str)] = &[];
        let method = match self {
            Self::Get => Method::GET,
            Self::Insert => {
                path = format!("/{}", shape.table);
                // In separate partitions: scans must not depend on the number of inserts.
                text = body(shape, there).replacen("\"p", "\"new", 1).replacen(
                    "empid_",
                    &format!("new_{number:012}_"),
                    1,
                );
                headers = &[("Prefer", "return-no-content")];
                Method::POST
            }
            Self::Upsert => {
                text = body(shape, there);
                Method::PUT
            }
            Self::Merge => {
                text = format!("{{\"Age\":{}}}", number % 90);
                headers = &[("If-Match", "*")];
                Method::from_bytes(b"MERGE")?
            }
            Self::Batch => {
                "/$batch".clone_into(&mut path);
                text = batch(signer.account(), shape, there);
                "multipart/mixed; boundary=batch_1".clone_into(&mut content_type);
                Method::POST
            }
            Self::Page => {
                (path, query) = (set, in_partition);
                Method::GET
            }
            Self::Filter => {
                (path, query) = (set, format!("{in_partition}%20and%20Age%20eq%20{}", 18 + there % 60));
                Method::GET
            }
        };
        signer.bytes(&Request {
            method,
            path: &path,
            query: &query,
            content_type: &content_type,
            headers,
            body: &text,
        })
    }
}

/// Returns a batch of a hundred adjacent entities of one partition.
pub fn batch(account: &str, shape: Shape, number: u64) -> String {
    let first = number / 100 * 100;
    let mut text = String::with_capacity(64 << 10);
    text.push_str("--batch_1\r\nContent-Type: multipart/mixed; boundary=changeset_1\r\n\r\n");
    for number in first..(first + 100).min(shape.count) {
        let entity = body(shape, number);
        // Writing to a `String` cannot fail.
        let _ = write!(
            text,
            "--changeset_1\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n\
             PUT http://127.0.0.1/{account}/{}(PartitionKey='{}',RowKey='{}') HTTP/1.1\r\n\
             Content-Type: application/json\r\nAccept: application/json;odata=minimalmetadata\r\n\
             DataServiceVersion: 3.0\r\n\r\n{entity}\r\n",
            shape.table,
            shape.partition(number),
            Shape::row(number),
        );
    }
    text.push_str("--changeset_1--\r\n--batch_1--\r\n");
    text
}
