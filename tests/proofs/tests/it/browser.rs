//! A web page in a real browser, beside a running emulator. The page knows the published key, so its requests are signed
//! correctly, and only the guard of hosts and origins is in its way.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on says why"
)]

mod page;

use std::collections::BTreeMap;

use table_proofs::{
    clients::{Chromium, Emulator},
    command,
};
use table_rest::{
    AccountName, ServiceKind,
    auth::{AccountKey, ResourceType, sas::Sas},
};

use self::page::{Page, send};

const EVIL: &str = "evil.example";
const FRIEND: &str = "friend.example";
const ENTITY: &str = "{\"PartitionKey\":\"p\",\"RowKey\":\"secret\"}";
const MESSAGES: &str = "/devstoreaccount1/jobs/messages";
const TABLE: &str = "/devstoreaccount1/people";

/// Returns the parameters of a signature that permits everything.
fn signature() -> String {
    let services = [ServiceKind::Table, ServiceKind::Queue];
    let resources = [ResourceType::Service, ResourceType::Container, ResourceType::Object];
    let sas = Sas::account(&services, &resources, "rwdlacup").expiry("2099-01-01T00:00:00Z".parse().unwrap());
    sas.sign(&AccountName::emulator(), &AccountKey::emulator()).unwrap().to_string()
}

/// An emulator with one entity and an empty queue.
struct Site {
    _emulator: Emulator,
    table: String,
    queue: String,
}

impl Site {
    async fn start() -> Self {
        let emulator = Emulator::start(&command::build().unwrap(), &[]).await.unwrap();
        let address = |service: &str| {
            let (_, rest) = emulator.connection().split_once(&format!("{service}Endpoint=http://")).unwrap();
            rest.split('/').next().unwrap().to_owned()
        };
        let (table, queue) = (address("Table"), address("Queue"));
        let site = Self { _emulator: emulator, table, queue };
        let created =
            site.ask(&site.table, "POST", "/devstoreaccount1/Tables", "{\"TableName\":\"people\"}").await;
        assert_eq!(created.0, 201, "{}", created.1);
        assert_eq!(site.ask(&site.table, "POST", TABLE, ENTITY).await.0, 201);
        assert_eq!(site.ask(&site.queue, "PUT", "/devstoreaccount1/jobs", "").await.0, 201);
        site
    }

    /// Sends a request as a program does, without the headers of a browser.
    async fn ask(&self, address: &str, method: &str, path: &str, body: &str) -> (u16, String) {
        let joint = if path.contains('?') { '&' } else { '?' };
        let head = "Accept: application/json;odata=nometadata\r\nContent-Type: application/json";
        send(address, method, &format!("{path}{joint}{}", signature()), head, body).await
    }

    /// Returns the row keys of the table and the number of messages, which scripts must not change.
    async fn contents(&self) -> (Vec<String>, usize) {
        let (status, rows) = self.ask(&self.table, "GET", &format!("{TABLE}()"), "").await;
        assert_eq!(status, 200, "{rows}");
        let rows: serde_json::Value = serde_json::from_str(&rows).unwrap();
        let keys =
            rows["value"].as_array().unwrap().iter().map(|row| row["RowKey"].as_str().unwrap().to_owned());
        let (status, messages) =
            self.ask(&self.queue, "GET", &format!("{MESSAGES}?peekonly=true&numofmessages=32"), "").await;
        assert_eq!(status, 200, "{messages}");
        (keys.collect(), messages.matches("<QueueMessage>").count())
    }

    /// Returns the results of all attempts of a page of this host. The requests of the page go to the server itself, or, if
    /// the name of the page has been bound to the server, to its own origin.
    async fn attempts(&self, browser: Chromium, host: &str, is_rebound: bool) -> BTreeMap<String, String> {
        let page = Page::serve(&self.table).await;
        let [table, queue] = if is_rebound {
            [String::new(), String::new()]
        } else {
            [format!("http://{}", self.table), format!("http://{}", self.queue)]
        };
        let script = include_str!("browser/attempts.js")
            .replace("{TABLE}", &format!("{table}{TABLE}"))
            .replace("{MESSAGES}", &format!("{queue}{MESSAGES}"))
            .replace("{SIGNATURE}", &signature());
        let text = page.run(browser, host, &script).await;
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_in_a_browser_reads_and_writes_nothing() {
    let Some(browser) = Chromium::find() else { return };
    let site = Site::start().await;
    let before = (vec!["secret".to_owned()], 0);
    assert_eq!(site.contents().await, before);

    for (host, is_rebound) in [(EVIL, false), ("localhost", false), (EVIL, true)] {
        let found = site.attempts(browser, host, is_rebound).await;
        for (attempt, result) in &found {
            // A response without CORS headers is opaque for the script, whatever it contains.
            let is_refused = ["refused", "opaque", "403"].contains(&result.as_str());
            assert!(is_refused, "{attempt} of {host}, rebound {is_rebound}: {result}");
        }
        assert_eq!(found.len(), 6, "{found:?}");
        assert_eq!(site.contents().await, before, "{host}, rebound {is_rebound}: {found:?}");
    }

    // The same page with a rule for its origin: the attempts would succeed if they were allowed.
    let rules = "<StorageServiceProperties><Cors><CorsRule><AllowedOrigins>*</AllowedOrigins><AllowedMethods>GET,POST,\
                 PUT,DELETE</AllowedMethods><MaxAgeInSeconds>0</MaxAgeInSeconds><ExposedHeaders>*</ExposedHeaders>\
                 <AllowedHeaders>*</AllowedHeaders></CorsRule></Cors></StorageServiceProperties>";
    for address in [&site.table, &site.queue] {
        let (status, text) =
            site.ask(address, "PUT", "/devstoreaccount1/?restype=service&comp=properties", rules).await;
        assert_eq!(status, 202, "{text}");
    }
    let found = site.attempts(browser, FRIEND, false).await;
    let [read, write, delete] = ["read", "write", "delete"].map(|attempt| found[attempt].as_str());
    assert_eq!((read, write, delete), ("200", "201", "204"), "{found:?}");
    let (keys, messages) = site.contents().await;
    assert_eq!(keys, ["written"], "{found:?}");
    assert!(messages > 0, "{found:?}");
}
