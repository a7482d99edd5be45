//! Tickets, their derived rows, and their archive.

use std::collections::{BTreeMap, BTreeSet};

use super::{Expected, Key, Oracle, totals::contribution};
use crate::faults::{
    client::tickets::{archived, stamp_of},
    design::Ticket,
    journal::Outcome,
};

impl Oracle<'_> {
    pub(super) fn tickets(&mut self) {
        let raw = self.raw;
        let mut here = BTreeMap::new();
        let mut owners: BTreeMap<String, i64> = BTreeMap::new();
        for (key, row) in raw.of("Tickets", "t_") {
            let id: u32 = key.row_key[2..].parse().unwrap_or_default();
            let stamp = row.number("stamp").unwrap_or_default();
            let ticket = Ticket::new(&key.partition_key, id, stamp);
            self.count("ticket");
            self.explain(key.clone());
            self.rows_of(key, &ticket);
            *owners.entry(ticket.owner).or_default() += 1;
            here.insert((key.partition_key.clone(), id), stamp);
        }
        for (owner, tickets) in &owners {
            let kept = BTreeMap::from([("tickets".to_owned(), Expected::Number(*tickets))]);
            self.target("Owner", &Key::new("Owners", owner, "owner"), &kept);
        }
        for (key, row) in raw.of("Owners", "owner") {
            if !owners.contains_key(&key.partition_key) {
                self.without_sources(key, row);
            }
        }
        self.where_tickets_are(&here);
    }

    fn rows_of(&mut self, key: &Key, ticket: &Ticket) {
        let Ticket { queue, id, stamp, owner, tag, topic, .. } = ticket;
        let register = stamp_of(queue, *id);
        let number = ("stamp", Expected::Number(*stamp));
        let texts = [("tag", Expected::Text(tag.clone())), ("topic", Expected::Text(topic.clone()))];
        let [by_tag, by_topic] = texts;
        let whole = [number.clone(), by_tag, by_topic, ("text", Expected::Binary)];
        self.expect(
            "row of by_owner",
            &Key::new("TicketsByOwner", owner, format!("{queue}_{id:010}")),
            &whole,
            &register,
        );
        let near = Key::new("Tickets", queue, format!("tag_{tag}_{id:010}"));
        self.expect("row of by_tag", &near, &[number], &register);
        let member = Key::new("TicketsByTopic", topic, format!("topic!{queue}!{}", key.row_key));
        self.expect("member of by_topic", &member, &[], &register);
        let adds = Key::new("Owners", owner, contribution(("Owner", "owner"), "Ticket", key));
        self.expect("contribution to an owner", &adds, &[("tickets", Expected::Number(1))], &register);
    }

    /// Checks that each ticket is in one table, with an allowed stamp; in the archive if that was acknowledged.
    fn where_tickets_are(&mut self, here: &BTreeMap<(String, u32), i64>) {
        let raw = self.raw;
        let mut there = BTreeMap::new();
        for (key, row) in raw.of("ClosedTickets", "t_") {
            self.count("archived ticket");
            self.explain(key.clone());
            let id: u32 = key.row_key[2..].parse().unwrap_or_default();
            let stamp = row.number("stamp").unwrap_or_default();
            let ticket = Ticket::new(&key.partition_key, id, stamp);
            if row.text("owner") != Some(&ticket.owner) || row.text("_se").is_none() {
                self.wrong(format!("wrong archived ticket: {key}: {:?}", row.properties));
            }
            there.insert((key.partition_key.clone(), id), stamp);
        }
        let mut all: BTreeSet<(String, u32)> = here.keys().chain(there.keys()).cloned().collect();
        for register in self.registers("ticket/") {
            let Some((queue, id)) = register.split_once('/') else { continue };
            all.insert((queue.to_owned(), id.parse().unwrap_or_default()));
        }
        for ticket in all {
            let register = stamp_of(&ticket.0, ticket.1);
            let (open, closed) = (here.get(&ticket), there.get(&ticket));
            self.register(&register, open.or(closed).copied());
            let may_be = self.history.allowed(&archived(&ticket.0, ticket.1));
            let is_archived = closed.map(|_| 1);
            let moved =
                self.history.registers.get(&archived(&ticket.0, ticket.1)).and_then(|writes| writes.last());
            // An interrupted move leaves both rows; only a task resumes it.
            let may_be_both =
                moved.is_some_and(|write| write.kind == "move_entity" && write.outcome == Outcome::Unknown);
            if open.is_some() && closed.is_some() && may_be_both {
                continue;
            }
            if open.is_some() && closed.is_some() {
                let known = self.history.tell(&archived(&ticket.0, ticket.1));
                self.wrong(format!("a ticket is in two tables: {register}{known}"));
            } else if open.or(closed).is_some() && !may_be.contains(&is_archived) {
                let known = self.history.tell(&archived(&ticket.0, ticket.1));
                self.wrong(format!("archived is {is_archived:?}, and may be {may_be:?}: {register}{known}"));
            }
        }
    }
}
