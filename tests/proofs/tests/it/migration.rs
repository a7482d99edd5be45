//! Small runs: no entity is lost, and a broken rule is detected.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

use std::{path::Path, process::Command};

/// Runs the program. Returns whether it found no violation, and its output.
fn run(name: &str, words: &[&str]) -> (bool, String) {
    // No test cuts the power, so the file may be in memory.
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { memory } else { Path::new(env!("CARGO_TARGET_TMPDIR")) };
    let folder = folder.join(format!("migration-{name}-{}", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_migration"))
        .args(["--speed", "50", "--before", "0.2", "--page", "20"])
        .args(words)
        .arg("--folder")
        .arg(&folder)
        .output()
        .unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{text}");
    (output.status.success(), text)
}

#[test]
fn killed_migration_loses_nothing() {
    let (holds, text) = run("kills", &["--entities", "3000", "--kills", "8"]);
    assert!(holds, "{text}");
}

/// The writes are not conditional on the version that was read, so concurrent writes and moves lose changes.
#[test]
fn lost_changes_are_noticed() {
    let (holds, text) =
        run("plant", &["--entities", "500", "--kills", "0", "--writers", "8", "--plant", "unconditional"]);
    assert!(!holds, "{text}");
}
