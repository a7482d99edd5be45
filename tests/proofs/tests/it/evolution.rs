//! Programs of two versions on the same tables: a program that knows less keeps what it does not know.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken promise ends the test")]
#![allow(clippy::duplicated_attributes, reason = "it takes the words of two indexes for words said twice")]
#![allow(unreachable_pub, reason = "the types of each program are in a module")]

mod by_key;
mod derived;
mod elsewhere;
mod filters;
mod mixed;
mod moved;
mod newer;
mod policy;
mod renamed;
mod retired;
mod unread;
mod values;
mod versions;
mod wide;

use table_patterns::Tables;
use table_proofs::remote::{Served, peer};

/// A service of tables. The server of a remote handle ends with this value.
struct Backend {
    name: &'static str,
    tables: Tables,
    _served: Option<Served>,
}

/// Returns the embedded store, this server through the client, and the service in `TABLES_PEER` if it is set.
fn backends() -> Vec<Backend> {
    let served = Served::new().unwrap();
    let tables = served.tables().unwrap();
    let mut all = vec![
        Backend { name: "embedded", tables: Tables::in_memory().unwrap(), _served: None },
        Backend { name: "server", tables, _served: Some(served) },
    ];
    all.extend(peer().unwrap().map(|tables| Backend { name: "peer", tables, _served: None }));
    all
}

/// Returns the handle of another program on the same tables: it knows no type yet.
fn other_process(tables: &Tables) -> Tables {
    let (queues, blobs) = (tables.queues().unwrap().clone(), tables.blobs().unwrap().clone());
    Tables::from_services(tables.service().clone(), Some(queues), Some(blobs))
}
