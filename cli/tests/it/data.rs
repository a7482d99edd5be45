//! The commands on data: import and export, embedded and over the protocol.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a helper of a test fails as a test does")]

mod files;
mod location;
mod resume;

use std::{
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;

use crate::serve::process;

/// Returns the command in a directory, with a store.
fn tables(folder: &Path, store: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(process::BINARY);
    command.args(arguments).env("TABLES_STORE", store).current_dir(folder);
    command
}

/// The output and the exit code of a run.
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Said {
    fn object(&self) -> Value {
        assert!(self.out.starts_with('{'), "{}{}", self.out, self.err);
        serde_json::from_str(&self.out).unwrap()
    }
}

fn run(folder: &Path, store: &str, arguments: &[&str]) -> Said {
    tables(folder, store, arguments).output().unwrap().into()
}

/// Runs the command, which must succeed.
fn done(folder: &Path, store: &str, arguments: &[&str]) -> Said {
    let said = run(folder, store, arguments);
    assert_eq!(said.code, Some(0), "{arguments:?}: {}", said.err);
    said
}
