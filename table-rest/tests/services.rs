//! Queues and blobs as clients meet them: requests with a signature, answers with status, headers and body.
#![cfg(feature = "server")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod services {
    mod blobs;
    mod harness;
    mod queues;
    mod transfers;
}
