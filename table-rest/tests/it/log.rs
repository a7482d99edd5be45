//! The server log: each failure has an entry with its cause and the identity of the request.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails as a test does")]

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use table_model::{
    Bytes, Entity, Metadata, Operation, TableName,
    blob::{BlobAddress, PutBlob},
};
use table_rest::{
    AccountName, ServiceKind,
    auth::{AccountKey, sas::Sas},
    server::Limits,
};
use table_store::{BlockingStore, Disk, MemoryDisk, OpenOptions};

use crate::{
    hostile::site::{Answer, Site},
    lines::Lines,
};

const JSON: &str = "Accept: application/json\r\nContent-Type: application/json\r\n";

/// Asserts that exactly one entry exists, for this response with these values, and that no entry contains a
/// credential.
fn is_one(lines: &Lines, level: &str, answer: &Answer, expected: &[(&str, &str)]) {
    let text = lines.text();
    let all = lines.all();
    let [line] = &*all else { panic!("{} lines: {text}", all.len()) };
    let fields = line.get("fields").unwrap();
    let shown = |name: &str| fields.get(name).map(|value| value.to_string().replace('"', ""));
    assert_eq!(line.get("level").unwrap(), level, "{text}");
    let id = answer.header("x-ms-request-id").unwrap();
    for (name, value) in
        [("account", "devstoreaccount1"), ("id", id), ("peer", "127.0.0.1")].iter().chain(expected)
    {
        assert_eq!(shown(name).as_deref(), Some(*value), "{name} in {text}");
    }
    let cause = shown("cause").unwrap();
    assert!(!cause.is_empty(), "{text}");
    for secret in ["sig=", "SharedKey", "Eby8vdM02xNO"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    lines.clear();
}

/// A disk that can be full.
#[derive(Clone, Debug, Default)]
struct Narrow {
    disk: MemoryDisk,
    full: Arc<AtomicBool>,
}

impl Narrow {
    fn room(&self) -> io::Result<()> {
        if self.full.load(Ordering::Relaxed) { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

impl Disk for Narrow {
    fn len(&self) -> io::Result<u64> {
        self.disk.len()
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.disk.read(offset, into)
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.room()?;
        self.disk.write(offset, bytes)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.room()?;
        self.disk.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        self.disk.sync()
    }
}

fn people() -> TableName {
    "people".parse().unwrap()
}

fn fill(store: &BlockingStore) {
    store.create_table(&people()).unwrap();
    let entity = Entity::new("a", "1").with("Text", "canary-content");
    store.execute(&people(), Operation::Insert(entity)).unwrap();
}

async fn request(site: &Site, method: &str, path: &str, body: &str) -> Answer {
    let lines = format!("{JSON}Content-Length: {}\r\nConnection: close\r\n", body.len());
    let kind = if path.starts_with("/photos") { ServiceKind::Blob } else { ServiceKind::Table };
    let head = Site::head(kind, method, path, &lines);
    let mut answers = site.say(kind, &format!("{head}\r\n{body}")).await;
    assert_eq!(answers.len(), 1, "{answers:?}");
    answers.remove(0)
}

#[tokio::test]
async fn full_disk_is_logged_with_its_request() {
    let disk = Narrow::default();
    let store = OpenOptions::new().open_disk(disk.clone()).unwrap();
    fill(&store.clone().blocking());
    let site = Site::of(store, Limits::default()).await;
    let (lines, _guard) = Lines::capture();
    disk.full.store(true, Ordering::Relaxed);
    let answer = request(&site, "POST", "/people", r#"{"PartitionKey":"a","RowKey":"2"}"#).await;
    assert_eq!(answer.status, 500);
    assert!(answer.body.contains("no space is left on the device"), "{}", answer.body);
    let expected = [("operation", "InsertEntity"), ("fault", "disk-full"), ("status", "500")];
    is_one(&lines, "ERROR", &answer, &expected);
}

#[tokio::test]
async fn damaged_records_are_logged_apart_from_full_disks() {
    let disk = MemoryDisk::new();
    // With checksums of pages, a damaged page of this small store is found at opening.
    let store = OpenOptions::new().page_sums(false).open_disk(disk.clone()).unwrap().blocking();
    fill(&store);
    let container = "photos".parse().unwrap();
    store.create_container(&container, Metadata::new()).unwrap();
    let content: Bytes = [vec![7; 400_000], b"canary-content".to_vec()].concat().into();
    let put = PutBlob::new();
    store.put_blob(&BlobAddress::new("photos", "one").unwrap(), content, put).unwrap();
    store.close().unwrap();
    let mut bytes = disk.bytes();
    let found: Vec<usize> = memchr::memmem::find_iter(&bytes, "canary-content").collect();
    for at in found {
        *bytes.get_mut(at).unwrap() ^= 1;
    }
    let options = OpenOptions::new().verify_up_to(0);
    let store = options.open_disk(MemoryDisk::with_bytes(bytes)).unwrap();
    let site = Site::of(store, Limits::default()).await;
    let (lines, _guard) = Lines::capture();

    let path = "/people(PartitionKey='a',RowKey='1')";
    let answer = request(&site, "GET", path, "").await;
    assert_eq!(answer.status, 500);
    assert!(answer.body.contains("a stored record is damaged"), "{}", answer.body);
    let expected = [("operation", "QueryEntity"), ("fault", "corrupt"), ("service", "table")];
    is_one(&lines, "ERROR", &answer, &expected);

    // The status is already sent when the last chunk is read, so the response is truncated.
    let answer = request(&site, "GET", "/photos/one", "").await;
    assert!(answer.status == 200 && answer.body.len() < 400_014, "{}", answer.status);
    is_one(&lines, "ERROR", &answer, &[("operation", "GetBlob"), ("fault", "corrupt"), ("service", "blob")]);
}

#[tokio::test]
async fn refusals_are_logged_with_their_reason() {
    let store = OpenOptions::new().in_memory().unwrap();
    fill(&store.clone().blocking());
    let site = Site::of(store, Limits::default()).await;
    let (lines, _guard) = Lines::capture();
    let end = "Connection: close\r\n";

    let mut head = Site::head(ServiceKind::Table, "GET", "/people", &format!("{JSON}{end}"));
    head = head.replace("GET", "DELETE");
    let [answer] = &*site.say(ServiceKind::Table, &format!("{head}\r\n")).await else { panic!("no answer") };
    assert_eq!(answer.status, 403);
    let expected = [("code", "AuthenticationFailed"), ("cause", "The signature does not match.")];
    is_one(&lines, "WARN", answer, &expected);

    let sas = |permissions: &str, expiry: &str| {
        let sas = Sas::table("people", permissions).expiry(expiry.parse().unwrap());
        sas.sign(&AccountName::emulator(), &AccountKey::emulator()).unwrap()
    };
    let lapsed = "The signature is rejected: the signature has expired.";
    for (sas, method, code, cause) in [
        (sas("r", "2020-01-01T00:00:00Z"), "GET", "AuthenticationFailed", lapsed),
        (
            sas("a", "2099-01-01T00:00:00Z"),
            "GET",
            "AuthorizationPermissionMismatch",
            "This request is not authorized to perform this operation using this permission.",
        ),
    ] {
        let target = format!("/devstoreaccount1/people()?{sas}");
        let request = format!(
            "{method} {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-ms-version: 2019-02-02\r\n{JSON}{end}\r\n"
        );
        let [answer] = &*site.say(ServiceKind::Table, &request).await else { panic!("no answer") };
        assert_eq!(answer.status, 403, "{}", answer.body);
        is_one(&lines, "WARN", answer, &[("code", code), ("cause", cause)]);
    }
}

#[tokio::test]
async fn refused_parts_of_batches_are_logged() {
    let store = OpenOptions::new().in_memory().unwrap();
    fill(&store.clone().blocking());
    let site = Site::of(store, Limits::default()).await;
    let (lines, _guard) = Lines::capture();
    let sas = Sas::table("people", "r").expiry("2099-01-01T00:00:00Z".parse().unwrap());
    let sas = sas.sign(&AccountName::emulator(), &AccountKey::emulator()).unwrap();
    let part = "DELETE /devstoreaccount1/people(PartitionKey='a',RowKey='1') HTTP/1.1\r\nIf-Match: *\r\n\r\n";
    let set = format!(
        "--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n{part}\r\n--c--\r\n"
    );
    let body = format!("--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n{set}\r\n--b--\r\n");
    let request = format!(
        "POST /devstoreaccount1/$batch?{sas} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-ms-version: 2019-02-02\r\n\
         Content-Type: multipart/mixed; boundary=b\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let [answer] = &*site.say(ServiceKind::Table, &request).await else { panic!("no answer") };
    assert_eq!(answer.status, 202, "{}", answer.body);
    let code = "AuthorizationPermissionMismatch";
    assert!(answer.body.contains(code), "{}", answer.body);
    is_one(&lines, "WARN", answer, &[("code", code), ("status", "403")]);
}
