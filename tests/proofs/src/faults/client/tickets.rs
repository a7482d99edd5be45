//! Writes of tickets, and their moves into the archive.

use pollster::block_on;

use super::Client;
use crate::faults::{design::Ticket, journal::Class};

/// Maximum number of open tickets per client.
const OPEN: usize = 8;

/// Tickets whose last write was acknowledged.
#[derive(Debug, Default)]
pub(crate) struct Tickets {
    open: Vec<(String, u32)>,
    made: u32,
}

/// Returns the register of a ticket's stamp.
pub(crate) fn stamp_of(queue: &str, id: u32) -> String {
    format!("ticket/{queue}/{id:010}")
}

/// Returns the register of a ticket's location: 1 after its archiving was acknowledged.
pub(crate) fn archived(queue: &str, id: u32) -> String {
    format!("archived/{queue}/{id:010}")
}

impl Client {
    pub(crate) fn write_ticket(&mut self) {
        if self.tickets.open.is_empty() || self.tickets.open.len() < OPEN && self.seed.chance(1, 2) {
            return self.open_ticket();
        }
        let at = self.seed.below(self.tickets.open.len());
        let (queue, id) = self.tickets.open[at].clone();
        let stored = match block_on(Ticket::point(&queue, id).get(&self.tables)) {
            Ok(Some(stored)) => stored,
            Ok(None) => {
                self.journal.violation(&format!("an acknowledged ticket is gone: {}", stamp_of(&queue, id)));
                drop(self.tickets.open.swap_remove(at));
                return;
            }
            Err(error) => return self.judge("a read of a ticket", &error),
        };
        let tables = self.handle();
        let result = match self.seed.below(5) {
            0 => {
                let effects = [(archived(&queue, id), Some(1))];
                self.call("archive", Class::Blind, &effects, || block_on(tables.archive(&stored)).map(drop))
            }
            1 => {
                let effects = [(archived(&queue, id), Some(1))];
                self.call("move_entity", Class::Blind, &effects, || {
                    block_on(tables.move_entity(&stored.key(), "ClosedTickets")).map(drop)
                })
            }
            _ => {
                let next = Ticket::new(&queue, id, self.stamp());
                let effects = [(stamp_of(&queue, id), Some(next.stamp))];
                let mut changed = stored.clone();
                *changed = next;
                let result = self.call("replace of a ticket", Class::Fenced, &effects, || {
                    block_on(tables.replace(&changed)).map(drop)
                });
                if result.is_ok() {
                    return;
                }
                result
            }
        };
        // Archived tickets, and tickets of unknown outcome, are no longer written.
        if result.is_ok() || result.is_err_and(|error| error.is_outcome_unknown() || !error.is_conflict()) {
            drop(self.tickets.open.swap_remove(at));
        }
    }

    fn open_ticket(&mut self) {
        self.tickets.made += 1;
        let (number, life) = (self.who.number as u32 + 1, self.who.life as u32);
        let id = number * 100_000_000 + life * 100_000 + self.tickets.made;
        let queue = format!("q{}", self.seed.below(2));
        let ticket = Ticket::new(&queue, id, self.stamp());
        let (tables, effects) = (self.handle(), [(stamp_of(&queue, id), Some(ticket.stamp))]);
        let result =
            self.call("insert of a ticket", Class::Blind, &effects, || block_on(tables.insert(&ticket)));
        if result.is_ok() {
            self.tickets.open.push((queue, id));
        }
    }
}
