//! Runs of a second: workers finish all orchestrations in spite of a server that is killed, and two owners are noticed.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

use std::{path::Path, process::Command};

/// Runs the program. Returns whether it found no violation, and its output.
fn run(words: &[&str]) -> (bool, String) {
    // No test cuts the power, so the files may be in memory.
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { memory } else { Path::new(env!("CARGO_TARGET_TMPDIR")) };
    let output = Command::new(env!("CARGO_BIN_EXE_durable"))
        .args(["--own-server", "--folder"])
        .arg(folder.join("durable"))
        .args(words)
        .output()
        .unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{text}");
    (output.status.success(), text)
}

#[test]
fn orchestrations_survive_kills_of_the_server() {
    let (holds, text) = run(&["--seed", "7", "--for", "600ms"]);
    assert!(holds, "{text}");
    assert!(!text.contains(" 0 kills of the server"), "{text}");
}

#[test]
fn two_owners_are_noticed() {
    let (holds, text) = run(&["--seed", "7", "--for", "300ms", "--two-owners"]);
    assert!(!holds && text.contains("two owners of partition"), "{text}");
}
