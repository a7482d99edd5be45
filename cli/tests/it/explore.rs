//! `tables explore` and the explorer of `tables serve` with a design.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

use std::{fs, process::Command};

use crate::serve::process;

/// Returns the exit code and the error of a run that fails to start.
fn refused(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(process::BINARY).args(arguments).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn an_invalid_design_is_rejected_before_the_store_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (toml, rust) =
        (file("a.toml", "tables = 1\nentity = 1\n"), file("a.rs", "struct Plain { id: u32 }\n"));
    let store = folder.path().join("none.tables");
    for (design, error) in [(&toml, "error[D"), (&rust, "derives TableEntity")] {
        let (code, text) = refused(&["explore", "--store", store.to_str().unwrap(), "--design", design]);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains(error), "{text}");
        let (code, text) = refused(&["serve", "--in-memory", "--explorer-port", "0", "--design", design]);
        assert!(code != Some(0) && text.contains(error), "{text}");
    }
    let (code, text) = refused(&["serve", "--in-memory", "--design", &toml]);
    assert!(code == Some(2) && text.contains("--explorer-port"), "{text}");
}
