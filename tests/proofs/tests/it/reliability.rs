//! Crash, fault and bit-rot simulation of the embedded store.

mod full_disk;
mod proofs;
mod runner;
