//! Queues: a table of the database for each, whose messages are received by `SKIP LOCKED`. Times are those of the database,
//! so that all servers have one clock.

mod lookup;
mod manage;
mod messages;
mod receipt;
mod service;
mod statements;

pub(crate) use lookup::Queues;
