//! The HTML of pages, as snapshots.

use table_explorer::{Explorer, Place};
use table_model::{Entity, Metadata, Operation, QueueService, TableService, Timestamp, queue::PutMessage};
use table_store::{Clock, OpenOptions, Store};

use crate::{client::Served, table};

/// A clock that stands still, so that pages are the same every time.
#[derive(Debug)]
struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp::from_date(2026, 7, 31).unwrap()
    }
}

/// Returns a store with two partitions, values of several types, and a queue.
fn store() -> Store {
    let store = OpenOptions::new().clock(Still).in_memory().unwrap();
    let (table, queue) = (table(), "jobs".parse().unwrap());
    pollster::block_on(async {
        store.create_table(&table).await.unwrap();
        for id in 0..3 {
            let jo = Entity::new("Sales", format!("emp_{id:03}"))
                .with("Name", format!("Jo <{id}>"))
                .with("Age", id);
            let jo = jo.with("Id", i64::MAX).with("Rate", 1.0).with("Photo", vec![0_u8, 255]);
            store.execute(&table, &Operation::Insert(jo)).await.unwrap();
        }
        let other = Entity::new("R&D", "emp_001").with("Name", "").with("Born", Still.now());
        store.execute(&table, &Operation::Insert(other)).await.unwrap();
        store.create_queue(&queue, Metadata::new()).await.unwrap();
        store.put_message(&queue, PutMessage::new("{\"id\":1}")).await.unwrap();
    });
    store
}

/// Returns the content of a page, an element on each line, without what differs each time.
fn content(page: &str) -> String {
    let main = page.split_once("<main").unwrap().1.split_once("</main>").unwrap().0;
    let mut lines: Vec<String> =
        main.split_inclusive('>').flat_map(|part| part.split_inclusive('\n')).map(str::to_owned).collect();
    for line in &mut lines {
        // The duration of the request.
        if let Some((text, rest)) = line.split_once(" ms") {
            *line = format!("{}N ms{rest}", text.trim_end_matches(|digit: char| digit.is_ascii_digit()));
        }
    }
    lines.join("\n")
}

macro_rules! same {
    ($served:expr, $path:expr) => {
        insta::assert_snapshot!(content(&$served.get($path).is(200).text))
    };
}

#[test]
fn pages_are_as_before() {
    let store = store();
    let served = Served::start(Explorer::new(Place::of_store("company.tables", store)));
    same!(served, "/");
    same!(served, "/t/Employees");
    same!(
        served,
        "/t/Employees/rows?filter=PartitionKey%20eq%20%27Sales%27%20and%20RowKey%20ge%20%27emp_001%27"
    );
    same!(served, "/t/Employees/e?pk=R%26D&rk=emp_001");
    same!(served, "/q/jobs");
    same!(served, "/keys");
}
