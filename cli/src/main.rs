//! The `tables` command.

fn main() {}
