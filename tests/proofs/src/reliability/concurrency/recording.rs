//! Concurrent clients, and the history of their calls.

use std::{
    sync::{
        Barrier,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use super::{
    call::{Call, Place, Reply},
    client::{Client, Habit},
    service::Service,
};
use crate::reliability::{Seed, Violation, violation::without_panic};

/// Maximum number of partitions per table.
pub(super) const MOST_PARTITIONS: u8 = 3;

/// Number of clients, calls, tables and partitions.
#[derive(Clone, Copy, Debug)]
pub struct Recording {
    /// Number of clients, with a thread each.
    pub clients: u8,
    /// Number of calls per client.
    pub calls: usize,
    /// Number of tables.
    pub tables: u8,
    /// Number of partitions per table.
    pub partitions: u8,
    /// The behavior of the clients.
    pub habit: Habit,
}

impl Recording {
    /// Returns a recording of four to eight clients with 50 to 200 calls each, on one to three partitions of one or two
    /// tables.
    #[must_use]
    pub fn draw(seed: &mut Seed) -> Self {
        let mut number = |from: usize, to: usize| from + seed.below(to - from + 1);
        let small = |number: usize| u8::try_from(number).unwrap_or(1);
        Self {
            clients: small(number(4, 8)),
            calls: number(50, 200),
            tables: small(number(1, 2)),
            partitions: small(number(1, usize::from(MOST_PARTITIONS))),
            habit: Habit::Free,
        }
    }

    /// Runs the clients, and returns all their calls by invocation.
    ///
    /// # Errors
    /// Returns a violation if a client panics or a response is invalid.
    pub fn run(&self, service: &dyn Service, seed: &Seed) -> Result<Vec<Call>, Violation> {
        let (clock, begin) = (AtomicU64::new(0), Barrier::new(usize::from(self.clients)));
        let work = |number: u8| {
            let mut client = Client::new(number, self.habit, seed.fork(u64::from(number)), self.places());
            begin.wait();
            without_panic("clients work at the same time", || self.work(&mut client, number, service, &clock))
        };
        let histories: Vec<_> = thread::scope(|scope| {
            let work = &work;
            let clients: Vec<_> = (0..self.clients).map(|number| scope.spawn(move || work(number))).collect();
            clients.into_iter().map(thread::ScopedJoinHandle::join).collect()
        });
        let mut calls = Vec::new();
        for history in histories {
            let lost = |_| Violation::Visible { what: "a client has ended".to_owned() };
            calls.extend(history.map_err(lost)??);
        }
        calls.sort_by_key(|call: &Call| call.asked);
        Ok(calls)
    }

    fn places(&self) -> Vec<Place> {
        let partitions = |table| (0..self.partitions).map(move |partition| Place { table, partition });
        (0..self.tables).flat_map(partitions).collect()
    }

    fn work(
        &self,
        client: &mut Client,
        number: u8,
        service: &dyn Service,
        clock: &AtomicU64,
    ) -> Result<Vec<Call>, Violation> {
        let now = || clock.fetch_add(1, Ordering::SeqCst);
        let mut calls = Vec::with_capacity(self.calls);
        for _ in 0..self.calls {
            let (place, ask, waits) = client.next_call();
            let asked = now();
            let answer =
                if waits { service.ask(place, &ask).map(Some) } else { service.give_up(place, &ask) }?;
            let reply = answer.map(|answer| Reply { at: now(), answer });
            if let Some(reply) = &reply {
                client.learn(place, &ask, &reply.answer);
            }
            calls.push(Call { client: number, asked, reply, place, ask });
        }
        Ok(calls)
    }
}
