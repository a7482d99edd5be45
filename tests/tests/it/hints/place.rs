//! A store without a list of commit records, its queues, and a clock that advances on request.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use pollster::block_on;
use table_patterns::prelude::*;
use table_store::{
    Clock, ErrorCode, OpenOptions, Query as StoreQuery, QueueService, RowRef, Store, TableName, TableService,
    Timestamp, queue::QueueName,
};
use table_tests::counting::{Calls, Counting, CountingQueues, QueueCalls};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Staff", partition = "{team}", row = "id_{id:03}")]
#[table(index(by_desk, partition = "desk_{desk:03}", row = "{team}_{id:03}", copy(name)))]
pub(crate) struct Staff {
    pub(crate) team: String,
    pub(crate) id: u16,
    pub(crate) desk: u16,
    pub(crate) name: String,
    pub(crate) age: u8,
}

pub(crate) fn staff(team: &str, id: u16, desk: u16) -> Staff {
    Staff { team: team.into(), id, desk, name: "Jo".into(), age: 30 }
}

#[derive(Clone, Debug, Default)]
struct Time(Arc<AtomicU64>);

impl Clock for Time {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH.saturating_add(Duration::from_secs(self.0.load(Ordering::Relaxed)))
    }
}

pub(crate) struct Place {
    time: Time,
    pub(crate) tables: Tables,
    service: Counting<Store>,
    queues: CountingQueues<Store>,
}

impl Place {
    pub(crate) fn new() -> Self {
        let time = Time::default();
        let store = OpenOptions::new().clock(time.clone()).in_memory().unwrap();
        let (service, queues) = (Counting::new(store.clone()).without_marks(), CountingQueues::new(store));
        let clock = time.clone();
        let tables = Tables::new(service.clone()).with_queues(queues.clone()).with_clock(move || clock.now());
        // The table and the queue exist.
        tables.blocking().insert(&staff("first", 0, 0)).unwrap();
        let place = Self { time, tables, service, queues };
        place.take();
        place
    }

    /// Returns a handle of another program, without registered entities.
    pub(crate) fn stranger(&self) -> Tables {
        let clock = self.time.clone();
        Tables::new(self.service.clone()).with_queues(self.queues.clone()).with_clock(move || clock.now())
    }

    pub(crate) fn pass(&self, seconds: u64) {
        self.time.0.fetch_add(seconds, Ordering::Relaxed);
    }

    /// Returns the requests since the last call.
    pub(crate) fn take(&self) -> (Calls, QueueCalls) {
        (self.service.take(), self.queues.take())
    }

    pub(crate) const fn store(&self) -> &Store {
        self.service.below()
    }

    pub(crate) fn messages(&self, queue: &str) -> u64 {
        match block_on(self.store().queue_properties(&QueueName::new(queue).unwrap())) {
            Err(error) if error.code() == ErrorCode::QueueNotFound => 0,
            properties => properties.unwrap().approximate_messages,
        }
    }

    /// Returns the number of matching rows of the table.
    pub(crate) fn rows(&self, is_such: impl Fn(&RowRef<'_>) -> bool) -> usize {
        let table = TableName::new("Staff").unwrap();
        let segment = block_on(self.store().query(&table, StoreQuery::default())).unwrap();
        assert!(segment.continuation.is_none());
        segment.rows.iter().filter(is_such).count()
    }

    /// Returns the number of people that the index finds at a desk.
    pub(crate) fn at_desk(&self, desk: u16) -> usize {
        self.tables.blocking().all(&Staff::by_desk_rows(desk)).unwrap().len()
    }
}
