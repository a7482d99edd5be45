//! Recorded requests: their shape is complete, and nothing that is stored or secret is in them.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use table_model::{Entity, Operation};
use table_rest::{
    AccountName, ServiceKind,
    auth::AccountKey,
    server::{RecordOptions, Recorder, ServedAccount, Server},
};
use table_store::Store;

use crate::hostile::site::{Answer, Site};

const JSON: &str = "Accept: application/json;odata=nometadata\r\nContent-Type: application/json\r\n";

/// A file in memory.
#[derive(Clone, Default)]
struct File(Arc<Mutex<Vec<u8>>>);

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Recorded {
    site: Site,
    recorder: Recorder,
    file: File,
}

impl Recorded {
    /// Starts a server with a table `people` and two entities.
    async fn start(values: bool) -> Self {
        let store = Store::in_memory().unwrap();
        let blocking = store.clone().blocking();
        let people = "people".parse().unwrap();
        blocking.create_table(&people).unwrap();
        for row in ["id_canary1", "id_canary2"] {
            let entity = Entity::new("p_canary0", row).with("Text", "canary-value").with("Age", 4242);
            blocking.execute(&people, Operation::Insert(entity)).unwrap();
        }
        let file = File::default();
        let options = RecordOptions { values, words: ["p", "id"].map(str::to_owned).into(), limit: 1 << 20 };
        let recorder = Recorder::start(file.clone(), options).unwrap();
        let account = ServedAccount::new(AccountName::emulator(), vec![AccountKey::emulator()], store);
        let server = Server::builder().account(account).recorder(recorder.clone());
        Self { site: Site::running(server).await, recorder, file }
    }

    async fn send(&self, method: &str, path: &str, lines: &str, body: &str) -> Answer {
        let lines = format!("{lines}Content-Length: {}\r\nConnection: close\r\n", body.len());
        let head = Site::head(ServiceKind::Table, method, path, &lines);
        let mut answers = self.site.say(ServiceKind::Table, &format!("{head}\r\n{body}")).await;
        answers.remove(0)
    }

    /// Ends the server. Returns the text of the file, and its lines without their times.
    async fn end(self) -> (String, Vec<Value>) {
        self.site.shutdown().await;
        tokio::task::spawn_blocking(move || self.recorder.finish()).await.unwrap();
        let text = String::from_utf8(self.file.0.lock().unwrap().clone()).unwrap();
        let lines = text.lines().map(|line| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            let at = line.as_object_mut().unwrap().remove("at").unwrap();
            assert!(at.as_str().unwrap().starts_with("20"), "{at}");
            line
        });
        let lines = lines.collect();
        (text, lines)
    }
}

const ENTITY: &str = "/people(PartitionKey='p_canary0',RowKey='id_canary1')";
const CHANGE: &str = r#"{"PartitionKey":"p_canary0","RowKey":"id_canary1","Text":"canary-new","Age":4243}"#;

fn batch() -> (String, String) {
    let part = |head: &str, body: &str| {
        format!(
            "--c\r\nContent-Type: application/http\r\n\r\n{head} HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{body}\r\n"
        )
    };
    let insert = r#"{"PartitionKey":"p_canary0","RowKey":"id_canary3","Text":"canary-value"}"#;
    let parts = [part("POST /people", insert), part(&format!("MERGE {ENTITY}"), CHANGE)].concat();
    let body = format!("--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n{parts}--c--\r\n--b--\r\n");
    ("Content-Type: multipart/mixed; boundary=b\r\n".to_owned(), body)
}

#[tokio::test(flavor = "multi_thread")]
async fn recorded_requests_have_their_shape_and_no_stored_data() {
    let recorded = Recorded::start(false).await;
    let filter =
        "$filter=PartitionKey%20eq%20'p_canary0'%20and%20Text%20eq%20'canary-value'%20and%20Age%20ge%204242";
    let query = format!("/people()?{filter}&$select=Text,Age&$top=7");
    for (method, path, status) in [
        ("GET", query.as_str(), 200),
        ("GET", ENTITY, 200),
        ("GET", "/people(PartitionKey='p_canary0',RowKey='id_canary9')", 404),
        // These read and write no entity.
        ("GET", "/Tables", 200),
        ("GET", "/people()?$filter=canary%20canary", 400),
        ("DELETE", "/people(PartitionKey='p_canary9',RowKey='id_canary9')", 404),
    ] {
        let answer = recorded.send(method, path, &format!("{JSON}If-Match: *\r\n"), "").await;
        assert_eq!(answer.status, status, "{path} {answer:?}");
    }
    assert_eq!(recorded.send("MERGE", ENTITY, &format!("{JSON}If-Match: *\r\n"), CHANGE).await.status, 204);
    assert_eq!(recorded.send("POST", "/people", JSON, CHANGE).await.status, 409);
    let (lines, body) = batch();
    assert_eq!(recorded.send("POST", "/$batch", &lines, &body).await.status, 202);
    // The second time, the entity exists.
    assert_eq!(recorded.send("POST", "/$batch", &lines, &body).await.status, 202);
    assert_eq!(recorded.send("DELETE", ENTITY, &format!("{JSON}If-Match: *\r\n"), "").await.status, 204);
    let (text, lines) = recorded.end().await;
    for secret in
        ["canary", "4242", "4243", "sig", "SharedKey", "Authorization", "devstoreaccount1", "127.0.0.1"]
    {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    let [query, get, missing, merge, batch, delete] = &*lines else { panic!("{text}") };
    let hash = |line: &Value, name: &str, word: &str| {
        let key = line[name].as_str().unwrap().strip_prefix(word).unwrap().to_owned();
        assert!(key.len() == 13 && key.starts_with('#'), "{key}");
        key
    };
    let (partition, row) = (hash(get, "pk", "p_"), hash(get, "rk", "id_"));
    for line in [missing, merge, delete] {
        assert_eq!(hash(line, "pk", "p_"), partition);
        assert_eq!(hash(line, "rk", "id_") == row, line != missing);
    }
    let filter = query["filter"].as_str().unwrap();
    assert!(filter.starts_with(&format!("PartitionKey eq 'p_{partition}' and Text eq '#")), "{filter}");
    assert!(filter.contains("' and Age ge "), "{filter}");
    assert_eq!(
        [&query["op"], &query["select"], &query["top"]],
        [&json!("query"), &json!(["Text", "Age"]), &json!(7)]
    );
    assert_eq!([&query["rows"], &get["rows"], &missing["rows"], &merge["rows"]], [2, 1, 0, 1]);
    assert!(query["bytes"].as_u64().unwrap() > 50 && merge["bytes"] == CHANGE.len());
    assert_eq!([&get["op"], &merge["op"], &delete["op"]], ["get", "merge", "delete"]);
    assert_eq!(merge["fields"], json!(["Text", "Age"]));
    assert_eq!(
        [&batch["op"], &batch["table"], &batch["rows"]],
        [&json!("batch"), &json!("people"), &json!(2)]
    );
    let parts = batch["parts"].as_array().unwrap();
    assert_eq!([&parts[0]["op"], &parts[1]["op"]], ["insert", "insert_or_merge"]);
    assert_eq!(hash(&parts[1], "rk", "id_"), row);
}

#[tokio::test(flavor = "multi_thread")]
async fn values_are_recorded_on_request_and_credentials_never() {
    let recorded = Recorded::start(true).await;
    assert_eq!(recorded.send("GET", ENTITY, JSON, "").await.status, 200);
    let filter = "/people()?$filter=Text%20eq%20'canary-value'";
    assert_eq!(recorded.send("GET", filter, JSON, "").await.status, 200);
    let (text, lines) = recorded.end().await;
    assert_eq!([&lines[0]["pk"], &lines[0]["rk"]], ["p_canary0", "id_canary1"]);
    assert_eq!(lines[1]["filter"], "Text eq 'canary-value'");
    for secret in ["sig", "SharedKey", "devstoreaccount1"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
}
