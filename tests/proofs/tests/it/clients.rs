//! Other people's clients of Azure Tables, Queues and Blobs, against our server.

mod azurite;
mod emulator;
mod served;
mod suites;
