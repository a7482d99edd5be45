//! Queues and blobs at the HTTP level: signed requests, responses with status, headers and body.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod batches;
mod blobs;
mod harness;
mod leases;
mod queues;
mod tags;
mod transfers;
