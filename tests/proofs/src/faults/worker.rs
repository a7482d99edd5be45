//! A worker: it applies commits and archives tickets until the end of the run.

use std::{
    future::poll_fn,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::Poll,
    thread,
    time::Duration,
};

use pollster::block_on;
use table_patterns::{Archive, Tables, Worker};

use crate::faults::{
    client,
    design::{Account, Person, Ticket},
};

/// Returns the worker of every process.
#[must_use]
pub fn worker(tables: &Tables) -> Worker {
    tables
        .worker()
        .register_entity::<Person>()
        .register_entity::<Ticket>()
        .register_entity::<Account>()
        .on::<Archive<Ticket>>()
        .visibility(Duration::from_secs(2))
        .idle(Duration::from_millis(300))
}

/// Runs until the end of the run.
///
/// # Errors
///
/// Returns an error if the journal cannot be created.
pub fn run(folder: &Path, number: usize, life: u64, tables: &Tables) -> std::io::Result<()> {
    let mut journal = client::journal(folder, "worker", number, life)?;
    let over = Arc::new(AtomicBool::new(false));
    let (ended, watched) = (Arc::clone(&over), folder.to_owned());
    thread::spawn(move || {
        while !client::is_over(&watched) {
            thread::sleep(Duration::from_millis(20));
        }
        ended.store(true, Ordering::Release);
    });
    while !over.load(Ordering::Acquire) {
        let over = Arc::clone(&over);
        // Checked between two rounds and at the end of each wait, which is sufficient.
        let stop =
            poll_fn(move |_| if over.load(Ordering::Acquire) { Poll::Ready(()) } else { Poll::Pending });
        match block_on(worker(tables).run_until(stop)) {
            Ok(worked) => journal.note("worker ended in peace", &format!("{worked:?}")),
            Err(error) => {
                journal.note("failure of a worker", &error.to_string());
                thread::sleep(Duration::from_millis(100));
            }
        }
    }
    Ok(())
}
