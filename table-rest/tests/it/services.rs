//! Queues and blobs at the HTTP level: signed requests, responses with status, headers and body.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod batches;
mod blobs;
mod copies;
mod harness;
mod leases;
mod queues;
mod snapshots;
mod tags;
mod transfers;
