//! Runs of seconds: an unmodified program has no violation, and each broken rule is detected.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

use std::{error::Error, path::Path, process::Command};

use table_proofs::{clients::Database, command};

/// Runs the suite. Returns whether it found no violation, and its output.
fn run(words: &[&str]) -> (bool, String) {
    // No test cuts the power, so the files may be in memory.
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { memory } else { Path::new(env!("CARGO_TARGET_TMPDIR")) };
    let output = Command::new(env!("CARGO_BIN_EXE_faults"))
        .args(words)
        .arg("--folder")
        .arg(folder.join("faults"))
        .output()
        .unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{text}");
    (output.status.success(), text)
}

fn holds(words: &[&str]) {
    let (holds, text) = run(words);
    assert!(holds, "{text}");
}

/// Checks that the suite detects the broken rule, with all other settings unchanged.
fn is_noticed(rule: &str, only: &str) {
    let words = ["--seed", "5", "--for", "2s", "--on", "embedded", "--no-kills", "--only", only];
    let (holds, text) = run(&[&words[..], &["--plant", rule]].concat());
    assert!(!holds, "{text}");
}

#[test]
fn embedded_store_survives_kills() {
    holds(&["--seed", "7", "--for", "3s", "--on", "embedded"]);
}

#[test]
fn server_survives_kills_and_a_bad_network() {
    holds(&["--seed", "7", "--for", "4s", "--on", "server", "--own-server"]);
}

#[test]
fn two_servers_on_a_database_survive_kills() -> Result<(), Box<dyn Error>> {
    if let Err(lacking) = Database::start() {
        return Ok(lacking.pass_over("PostgreSQL")?);
    }
    let tables = command::build()?.display().to_string();
    holds(&["--seed", "7", "--for", "5s", "--on", "postgres", "--tables", &tables]);
    Ok(())
}

#[test]
fn unconditional_writes_are_noticed() {
    is_noticed("unconditional", "shared");
}

#[test]
fn missing_commit_records_are_noticed() {
    is_noticed("no-record", "people");
}

#[test]
fn missing_index_rows_are_noticed() {
    is_noticed("no-index-row", "people");
    is_noticed("no-index-row", "accounts");
}

#[test]
fn missing_contributions_are_noticed() {
    is_noticed("no-contribution", "tickets");
}

#[test]
fn stale_merges_are_noticed() {
    is_noticed("stale-merge", "rows");
}
