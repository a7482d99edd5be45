//! The end of a run: faults stop, and workers run until nothing is pending.

use std::{
    thread,
    time::{Duration, Instant},
};

use pollster::block_on;
use table_patterns::{Tables, prelude::*};
use table_store::{Filter, Query as RawQuery, queue::QueueName};

use crate::faults::{
    clock::Skew,
    connect::{Failure, Services},
    design::{Account, City, Day, Event, Group, Owner, Person, Team, Ticket, photo},
    oracle::{self, Raw},
    worker::worker,
};

/// Age after which even abort records are deleted.
const AN_AGE: Duration = Duration::from_secs(8 * 24 * 60 * 60);

/// Configuration of the draining.
#[derive(Clone, Copy, Debug)]
pub struct Drain {
    /// `true` if workers must find everything by wake-up messages alone, which takes minutes; otherwise a sweep helps.
    pub by_hints: bool,
    pub most: Duration,
}

/// The pending work, according to raw reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// Commit records.
    pub commits: u64,
    /// Wake-up messages, and tasks of the archive.
    pub messages: u64,
}

impl Backlog {
    /// Counts the pending work.
    ///
    /// # Errors
    ///
    /// Returns an error if a request fails.
    pub fn count(services: &Services) -> Result<Self, Failure> {
        let mut backlog = Self { commits: 0, messages: 0 };
        for table in oracle_tables(services)? {
            let filter = Filter::parse("RowKey ge '!o_' and RowKey lt '!o`' and _k eq 'c'")?;
            let mut query = RawQuery::new().filter(filter);
            loop {
                let segment = block_on(services.tables.query(&table, query.clone()))?;
                backlog.commits += segment.rows.len() as u64;
                match segment.continuation {
                    None => break,
                    Some(token) => query = query.continuation(token),
                }
            }
        }
        for queue in ["tables-outbox", "tables-archive"] {
            let queue: QueueName = queue.parse()?;
            match block_on(services.queues.queue_properties(&queue)) {
                Err(error) if error.is_not_found() => {}
                other => backlog.messages += other?.approximate_messages,
            }
        }
        Ok(backlog)
    }
}

fn oracle_tables(services: &Services) -> Result<Vec<table_store::TableName>, Failure> {
    oracle::tables(&*services.tables)
}

impl Drain {
    /// Runs workers until nothing is pending.
    ///
    /// # Errors
    ///
    /// Returns an error if a backlog remains or a request fails.
    pub fn run(self, services: &Services) -> Result<Duration, Failure> {
        let tables = services.tables(None)?;
        let began = Instant::now();
        let _ = block_on(tables.retry_dead_letters())?;
        let threads = [worker(&tables).spawn()?, worker(&tables).spawn()?];
        loop {
            let backlog = Backlog::count(services)?;
            let is_done = backlog.commits == 0 && (!self.by_hints || backlog.messages == 0);
            if is_done && (self.by_hints || archived(services)?) {
                break;
            }
            if began.elapsed() > self.most {
                return Err(format!("backlog: {backlog:?} after {:?}", began.elapsed()).into());
            }
            if let Some(ended) = threads.iter().position(table_patterns::WorkerThread::has_ended) {
                let mut threads = threads;
                let reason = std::mem::replace(&mut threads[ended], worker(&tables).spawn()?).stop();
                return Err(format!("a worker ended: {reason:?}").into());
            }
            if !self.by_hints {
                block_on(tables.sweep().run())?;
            }
            thread::sleep(Duration::from_millis(if self.by_hints { 1_000 } else { 50 }));
        }
        for thread in threads {
            thread.stop()?;
        }
        Ok(began.elapsed())
    }
}

fn archived(services: &Services) -> Result<bool, Failure> {
    match block_on(services.queues.queue_properties(&"tables-archive".parse()?)) {
        Err(error) if error.is_not_found() => Ok(true),
        other => Ok(other?.approximate_messages == 0),
    }
}

/// Removes the rows and blobs that a crash may leave: all of them, once they are old enough.
///
/// # Errors
///
/// Returns an error if a job fails.
pub fn clean(services: &Services) -> Result<(), Failure> {
    let tables = services.tables(Some(Skew::ahead(AN_AGE)))?;
    for _ in 0..2 {
        block_on(tables.catch_up())?;
        block_on(tables.sweep().run())?;
        block_on(tables.collect_blobs::<Person>().older_than(Duration::ZERO).run())?;
    }
    Ok(())
}

/// Reads all data for the checks.
///
/// # Errors
///
/// Returns an error if a request fails.
pub fn read(services: &Services) -> Result<Raw, Failure> {
    Raw::read(services)
}

/// Checks that typed reads of encrypted properties and blobs, and the report of `verify`, agree with the oracle.
///
/// # Errors
///
/// Returns an error if a request fails.
pub fn typed(services: &Services) -> Result<Vec<String>, Failure> {
    let tables = services.tables(None)?;
    let mut wrong = Vec::new();
    for team in crate::faults::design::TEAMS {
        for person in block_on(Person::rows(team).all(&tables))? {
            if person.secret != format!("secret {}", person.stamp) {
                wrong.push(format!("wrong secret: {team}/{}", person.id));
            }
            if let Some(blob) = &person.photo
                && block_on(blob.read(&tables))?.to_vec() != photo(person.stamp).unwrap_or_default()
            {
                wrong.push(format!("wrong photo: {team}/{}", person.id));
            }
        }
    }
    for queue in ["q0", "q1"] {
        for ticket in block_on(Ticket::rows(queue).all(&tables))? {
            if ticket.text != format!("text {}", ticket.stamp) {
                wrong.push(format!("wrong text: {queue}/{}", ticket.id));
            }
        }
    }
    for event in block_on(Event::rows().all(&tables))? {
        if event.text != format!("text {}", event.stamp) {
            wrong.push(format!("wrong text of an event: {}", event.device));
        }
    }
    verified(&tables, &mut wrong)?;
    Ok(wrong)
}

fn verified(tables: &Tables, wrong: &mut Vec<String>) -> Result<(), Failure> {
    let reports = [
        block_on(tables.verify::<Person>().run())?,
        block_on(tables.verify::<Ticket>().run())?,
        block_on(tables.verify::<Account>().run())?,
        block_on(tables.verify::<Group>().run())?,
        block_on(tables.verify::<Team>().run())?,
        block_on(tables.verify::<City>().run())?,
        block_on(tables.verify::<Owner>().run())?,
        block_on(tables.verify::<Day>().run())?,
    ];
    let unclean = reports.iter().filter(|report| !report.is_clean()).map(ToString::to_string);
    wrong.extend(
        unclean.map(|report| format!("`verify` finds {}", report.lines().take(3).collect::<String>())),
    );
    Ok(())
}
