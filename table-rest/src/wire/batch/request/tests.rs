use table_model::{Condition, Entity, ErrorCode};

use super::*;
use crate::wire::path::TablePath;

const OUTER: &str = "multipart/mixed; boundary=batch_1";

fn framed(parts: &[&str]) -> String {
    let mut body = "--batch_1\r\nContent-Type: multipart/mixed; boundary=changeset_1\r\n\r\n".to_owned();
    for part in parts {
        body += "--changeset_1\r\n";
        body += part;
        body += "\r\n";
    }
    body + "--changeset_1--\r\n--batch_1--\r\n"
}

fn part(lines: &str) -> String {
    format!("Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n{lines}")
}

fn code(content_type: &str, body: &str) -> Option<ErrorCode> {
    BatchRequest::read(content_type, body.as_bytes()).err().map(|error| error.code())
}

#[test]
fn what_is_written_reads_back() {
    let table: TableName = "people".parse().unwrap();
    let entity = |row_key: &str| Entity::new("p", row_key).with("A", "a\r\n--changeset").with("Ö", 1);
    let operations = [
        Operation::Insert(entity("1")),
        Operation::Replace(entity("2'%"), Condition::Exists),
        Operation::InsertOrMerge(entity("3")),
        Operation::Delete { partition_key: "p".into(), row_key: "4 +".into(), condition: Condition::Exists },
    ];
    for root in ["https://acct.table.core.windows.net", "http://127.0.0.1:10002/acct"] {
        let (content_type, body) = write(root, &table, &operations, Uuid::nil());
        let batch = BatchRequest::read(&content_type, body.as_bytes()).unwrap();
        assert!(batch.is_changeset);
        let read: Vec<_> = batch
            .parts
            .iter()
            .map(|part| {
                let path = TablePath::parse(part.path.strip_prefix("/acct").unwrap_or(part.path)).unwrap();
                let if_match = part.headers.get("if-match");
                let head = crate::wire::operation::WriteHead {
                    method: part.method,
                    path: &path,
                    if_match,
                    if_none_match: None,
                };
                head.read(part.body).unwrap()
            })
            .collect();
        assert_eq!(read, operations);
        assert_eq!(batch.parts.last().and_then(|part| part.content_id), Some("3"));
    }
}

/// Formatting variants of existing clients.
#[test]
fn what_clients_send_is_read() {
    let go = "Content-Id: 0\r\nContent-Transfer-Encoding: binary\r\nContent-Type: application/http\r\n\r\n\
        PATCH https://h/a/people(PartitionKey='p',RowKey='1')?%24format=application%2Fjson HTTP/1.1\r\n\
        Accept: application/json;odata=minimalmetadata\r\nContent-Type: application/json;odata=nometadata\r\n\
        Dataserviceversion: 3.0\r\nX-Ms-Date: Fri, 01 Mar 2024 00:00:00 GMT\r\n\r\n{\"A\":1}";
    let delete = part("DELETE /people(PartitionKey='p', RowKey='2') HTTP/1.1\r\nIf-Match: *\r\n\r\n\r\n");
    let unended = part("DELETE people(PartitionKey='p',RowKey='3') HTTP/1.1\r\nIf-Match: *");
    let body = framed(&[go, &delete, &unended]);
    for body in [body.clone(), body.replace("\r\n", "\n"), body.trim_end().to_owned()] {
        let batch = BatchRequest::read(OUTER, body.as_bytes()).unwrap();
        let paths: Vec<_> = batch.parts.iter().map(|part| part.path).collect();
        assert_eq!(
            paths,
            [
                "/a/people(PartitionKey='p',RowKey='1')",
                "/people(PartitionKey='p', RowKey='2')",
                "people(PartitionKey='p',RowKey='3')"
            ]
        );
        let first = &batch.parts[0];
        assert_eq!((first.content_id, first.method, first.body), (Some("0"), "PATCH", &b"{\"A\":1}"[..]));
        assert_eq!(first.query, "%24format=application%2Fjson");
        assert_eq!(first.headers.get("content-type"), Some("application/json;odata=nometadata"));
        assert!(
            batch
                .parts
                .iter()
                .skip(1)
                .all(|part| part.headers.get("IF-MATCH") == Some("*") && part.body.is_empty())
        );
    }
    // The legacy Node client: lowercase names, and the character set before the boundary.
    let node = "--batch_1\ncontent-type: multipart/mixed;charset=\"utf-8\";boundary=changeset_9\n\n--changeset_9\n\
        content-type: application/http\ncontent-transfer-encoding: binary\n\nPOST http://h/people HTTP/1.1\n\
        content-type: application/json;type=entry\n\n{}\n--changeset_9--\n--batch_1--";
    assert_eq!(BatchRequest::read(OUTER, node.as_bytes()).unwrap().parts.len(), 1);
}

#[test]
fn one_read_stands_outside_of_a_changeset() {
    let get = part(
        "GET https://h/people(PartitionKey='p',RowKey='1') HTTP/1.1\r\nAccept: application/json\r\n\r\n\r\n",
    );
    let body = format!("--batch_1\r\n{get}\r\n--batch_1--\r\n");
    let batch = BatchRequest::read(OUTER, body.as_bytes()).unwrap();
    assert!(!batch.is_changeset);
    assert_eq!(batch.parts[0].method, "GET");
    let two = format!("--batch_1\r\n{get}\r\n--batch_1\r\n{get}\r\n--batch_1--\r\n");
    assert_eq!(code(OUTER, &two), Some(ErrorCode::InvalidInput));
    assert_eq!(
        code(
            OUTER,
            &framed(&[&part("GET / HTTP/1.1")])
                .replace("--batch_1--", &format!("--batch_1\r\n{get}\r\n--batch_1--"))
        ),
        Some(ErrorCode::InvalidInput)
    );
}

#[test]
fn hostile_batches_are_refused() {
    let good = "DELETE /t(PartitionKey='p',RowKey='2') HTTP/1.1\r\nIf-Match: *\r\n\r\n";
    assert_eq!(code(OUTER, &framed(&[&part(good)])), None);
    for lines in [
        "",
        "DELETE /t",
        "DELETE /t HTTP/2",
        "delete /t HTTP/1.1",
        "DELETE  HTTP/1.1",
        "DELETE http://host HTTP/1.1",
        "DELETE /t#x HTTP/1.1",
        "DELETE /t\rX: y HTTP/1.1",
        "DELETE /t\0 HTTP/1.1",
        "DELETE /t HTTP/1.1\r\nIf-Match: a\rb",
        "DELETE /t HTTP/1.1\r\nIf-Match: a\r\n folded",
        "DELETE /t HTTP/1.1\r\nIf Match: *",
        "DELETE /t HTTP/1.1\r\n: *",
        "DELETE /t HTTP/1.1\r\nno colon",
    ] {
        assert_eq!(code(OUTER, &framed(&[&part(lines)])), Some(ErrorCode::InvalidInput), "{lines:?}");
    }
    for part in [
        format!("Content-Type: multipart/mixed; boundary=deep\r\n\r\n--deep\r\n{}\r\n--deep--", part(good)),
        format!("Content-Type: text/plain\r\n\r\n{good}"),
        format!("\r\n{good}"),
        format!("Content-Type: application/http\r\nContent-ID: a b\r\n\r\n{good}"),
        format!("Content-Type: application/http\r\nContent-ID: {}\r\n\r\n{good}", "1".repeat(129)),
        format!("{}\r\n\r\n{good}", "A: b\r\n".repeat(65)),
    ] {
        assert_eq!(code(OUTER, &framed(&[&part])), Some(ErrorCode::InvalidInput), "{part:?}");
    }
    assert_eq!(code(OUTER, &framed(&[])), Some(ErrorCode::InvalidInput));
    assert_eq!(code("application/json", &framed(&[&part(good)])), Some(ErrorCode::InvalidInput));
    assert_eq!(
        code("multipart/mixed; boundary=other", &framed(&[&part(good)])),
        Some(ErrorCode::InvalidInput)
    );
    assert_eq!(
        code(OUTER, &framed(&[&part(good)]).replace("changeset_1--", "changeset_1")),
        Some(ErrorCode::InvalidInput)
    );
    let many = part(good);
    let body = framed(&vec![many.as_str(); 200]);
    assert_eq!(BatchRequest::read(OUTER, body.as_bytes()).unwrap().parts.len(), 101);
}
