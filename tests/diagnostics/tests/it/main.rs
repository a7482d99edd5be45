//! Code that does not compile, and its diagnostics. `ui/` has a directory per kind of error; a case states its number
//! of errors, since each rule violation is one error. Updated with `TRYBUILD=overwrite`.

#![expect(clippy::expect_used, reason = "a corpus that cannot be read fails the test")]

use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let folders = std::fs::read_dir(root).expect("the corpus").map(|folder| folder.expect("a folder").path());
    let mut cases: Vec<PathBuf> = folders
        .flat_map(|folder| {
            std::fs::read_dir(folder).expect("a folder").map(|case| case.expect("a case").path())
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    cases.sort();
    cases
}

/// The compiler whose messages the corpus contains. Other versions use other messages.
const RUSTC: &str = "rustc 1.95.";

fn is_the_compiler_of_the_corpus() -> bool {
    let version = std::process::Command::new("rustc").arg("--version").output().expect("rustc runs").stdout;
    let version = String::from_utf8_lossy(&version);
    let is = version.starts_with(RUSTC);
    if !is && std::env::var_os("CI").is_none() {
        println!("passed over: the corpus holds the words of {RUSTC}x, this is {version}");
        return false;
    }
    true
}

#[test]
fn mistakes_are_explained() {
    if !is_the_compiler_of_the_corpus() {
        return;
    }
    let cases = cases();
    assert!(cases.len() > 20, "the corpus is gone");
    let tests = trybuild::TestCases::new();
    for case in cases {
        tests.compile_fail(case);
    }
}

#[test]
fn one_mistake_is_one_error() {
    for case in cases() {
        let source = std::fs::read_to_string(&case).expect("a case");
        let stated = source.lines().next().and_then(|line| line.strip_prefix("// errors: "));
        let stated: usize = stated.and_then(|number| number.parse().ok()).unwrap_or_else(|| {
            panic!("{} does not begin with `// errors: N`", case.display());
        });
        let printed = std::fs::read_to_string(case.with_extension("stderr")).expect("what the compiler says");
        let found = printed.lines().filter(|line| line.starts_with("error")).count();
        assert_eq!(found, stated, "{}", case.display());
    }
}
