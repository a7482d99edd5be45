//! Counts, updates that can fail, duplicates of a bulk and states of tasks: on the store in memory, on a file, and through
//! the protocol.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::{
    net::TcpListener,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use pollster::block_on;
use serde::{Deserialize, Serialize};
use table_patterns::prelude::*;
use table_proofs::remote::Served;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "ApiItems", partition = "{shop}", row = "i_{id:06}")]
#[table(lookup(by_color, on = color, place = partition))]
#[table(index(by_code, partition = "code_{code:04}", row = "{shop}_{id:06}"))]
struct Item {
    shop: String,
    id: u32,
    color: String,
    code: u32,
}

#[derive(Task, Serialize, Deserialize)]
#[task(queue = "api-ring")]
struct Ring {
    times: u32,
}

impl RunWith<Arc<AtomicU32>> for Ring {
    async fn run_with(&self, _tables: &Tables, bell: &Arc<AtomicU32>) -> Result<Outcome> {
        bell.fetch_add(self.times, Ordering::Relaxed);
        Ok(Outcome::Done)
    }
}

#[derive(Debug)]
enum Refusal {
    Closed,
    Tables(Error),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Tables(error)
    }
}

fn item(id: u32) -> Item {
    Item { shop: "a".into(), id, color: ["red", "blue"][id as usize % 2].into(), code: id % 3 }
}

/// Calls a test with handles in memory, on a file and on a server.
fn everywhere(test: impl Fn(&Tables)) {
    test(&Tables::in_memory().unwrap());
    let folder = tempfile::tempdir().unwrap();
    test(&Tables::open(folder.path().join("api.tables")).unwrap());
    let served = Served::new().unwrap();
    test(&served.tables().unwrap());
}

#[test]
fn counts_are_those_of_all_items() {
    everywhere(|tables| {
        let b = tables.blocking();
        for id in 0..20 {
            b.insert(&item(id)).unwrap();
        }
        assert_eq!(b.count(&Item::rows("a").page_size(7)).unwrap(), 20);
        assert_eq!(b.count(&Item::rows("a").between(5..9)).unwrap(), 4);
        assert_eq!(b.count(&Item::by_color("a", "red")).unwrap(), 10);
        assert_eq!(b.count(&Item::by_code_rows(1)).unwrap(), 7);
        assert_eq!(b.count(&Item::scan_table().filter(|item| item.color.eq("blue"))).unwrap(), 10);
        assert!(b.exists(&Item::point("a", 3)).unwrap() && !b.exists(&Item::point("a", 30)).unwrap());
        assert!(b.exists(&Item::rows("a")).unwrap() && !b.exists(&Item::rows("b")).unwrap());
    });
}

#[test]
fn writes_report_what_they_did() {
    everywhere(|tables| {
        let b = tables.blocking();
        assert_eq!(b.upsert(&item(1)).unwrap().created(), Some(true));
        assert_eq!(b.upsert(&item(1)).unwrap().created(), Some(false));
        let refused = b.try_update(Item::point("a", 1), |item| {
            item.color = "green".into();
            Err(Refusal::Closed)
        });
        assert!(matches!(refused, Err(Refusal::Closed)));
        let missing = b.try_update(Item::point("a", 9), |_| Ok::<_, Refusal>(()));
        assert!(matches!(missing, Err(Refusal::Tables(Error::NotFound(_)))));
        let found = b.get(&Item::point("a", 1)).unwrap().unwrap();
        assert_eq!(found.color, "blue");

        let items: Vec<_> = (0..30).map(item).collect();
        let report = block_on(tables.bulk().insert_all(&items).run()).unwrap();
        let duplicates: Vec<_> = report.duplicates().map(|(input, at)| (input, at.row_key())).collect();
        assert_eq!((report.written(), duplicates), (29, vec![(1, "i_000001")]));

        b.delete(found).unwrap();
        b.delete(Item::point("a", 2)).unwrap();
        assert_eq!(b.count(&Item::rows("a")).unwrap(), 28);
    });
}

#[test]
fn a_task_runs_with_the_state_of_its_worker() {
    everywhere(|tables| {
        let bell = Arc::new(AtomicU32::new(0));
        block_on(tables.send(&Ring { times: 3 })).unwrap();
        let worker = tables.worker().with(Arc::clone(&bell)).on_with::<Ring>();
        assert_eq!(block_on(worker.pass()).unwrap().done, 1);
        assert_eq!(bell.load(Ordering::Relaxed), 3);
    });
}

#[test]
fn an_address_without_a_server_is_named() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let tables =
        Tables::connect(&format!("AccountName=acme;AccountKey=a2V5;TableEndpoint=http://{address}/acme"))
            .unwrap();
    let error = tables.blocking().get(&Item::point("a", 1)).unwrap_err();
    assert!(matches!(error, Error::NotConnected(_)) && error.is_not_connected());
    assert_eq!((error.code(), error.http_status()), (None, 503));
    let text = error.to_string();
    assert!(text.contains(&address.to_string()) && text.contains("start it"), "{text}");
    let write = tables.blocking().insert(&item(1)).unwrap_err();
    assert!(write.is_not_connected() && !write.is_outcome_unknown());
}
