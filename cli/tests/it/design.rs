//! The commands on designs, as processes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says why")]

mod advise;
mod diff;
mod evolution;
mod generate;
mod lock;
mod observe;
mod prove;
mod schema;
mod search;
mod simulate;
mod upgrade;

use std::process::Command;

const DESIGNS: [&str; 4] = ["company.toml", "iot.toml", "logins.toml", "orders.toml"];

/// The output of a command.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    code: i32,
    out: String,
    errors: String,
}

/// Runs the command in the directory of the example designs.
fn tables(arguments: &[&str]) -> Answer {
    let output = Command::new(env!("CARGO_BIN_EXE_tables"))
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../table-codegen/tests/schemas"))
        .output()
        .unwrap();
    Answer {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Creates a temporary file with a design.
fn file(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}

/// Returns an example design with a replacement.
fn changed(design: &str, from: &str, to: &str) -> tempfile::NamedTempFile {
    let path = format!("{}/../table-codegen/tests/schemas/{design}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from}");
    file(&text.replace(from, to))
}
