use std::{
    fmt::Write,
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
};

use serde_json::Value;

use crate::data::{done, run, tables};

const IMPORT: [&str; 5] = ["import", "many.csv", "--table", "Many", "--json"];
const STORE: &str = "many.tables";

fn many(folder: &Path, rows: u32) {
    let mut file = "PartitionKey,RowKey,A,A@type\n".to_owned();
    for row in 0..rows {
        let _ = writeln!(file, "p{},{row:06},{row},Int32", row % 7);
    }
    fs::write(folder.join("many.csv"), file).unwrap();
}

/// Returns the stored position of an import.
fn offset(folder: &Path) -> Option<u64> {
    let kept: Value = serde_json::from_slice(&fs::read(folder.join("many.csv.progress")).ok()?).ok()?;
    kept["offset"].as_u64()
}

/// Waits until the position of an import exceeds `than`.
fn further(folder: &Path, than: u64, child: &mut Child) -> u64 {
    loop {
        match offset(folder) {
            Some(offset) if offset > than => return offset,
            _ => assert!(child.try_wait().unwrap().is_none(), "it is over"),
        }
        thread::yield_now();
    }
}

/// Killed in the middle, then interrupted in the middle of the rest: the result is the complete content, with each
/// entity counted once.
#[test]
fn an_import_that_is_killed_goes_on_and_gives_the_whole_content() {
    const ROWS: u32 = 80_000;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    many(folder, ROWS);
    let start = |more: &[&str]| {
        let mut command = tables(folder, STORE, &[&IMPORT[..], more].concat());
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut killed = start(&[]);
    let first = further(folder, 0, &mut killed);
    killed.kill().unwrap();
    killed.wait().unwrap();

    let mut interrupted = start(&["--resume"]);
    let second = further(folder, first, &mut interrupted);
    let signal = Command::new("kill").args(["-INT", &interrupted.id().to_string()]).status().unwrap();
    assert!(signal.success());
    assert_eq!(interrupted.wait().unwrap().code(), Some(1));
    assert!(offset(folder).unwrap() >= second);

    let said = done(folder, STORE, &[&IMPORT[..], &["--resume"]].concat());
    assert_eq!(said.object()["entities"], ROWS);
    assert!(offset(folder).is_none(), "what is done is not kept");
    let said = done(folder, STORE, &["export", "Many", "--format", "csv", "--select", "A"]);
    let mut values: Vec<u32> =
        said.out.lines().skip(1).map(|line| line.split(',').nth(3).unwrap().parse().unwrap()).collect();
    values.sort_unstable();
    assert!(values.into_iter().eq(0..ROWS));
}

#[test]
fn another_input_store_table_or_mode_is_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let begin = || {
        // It stops in the middle, so it can be resumed.
        fs::write(folder.join("many.csv"), "PartitionKey,RowKey\np,1\nbroken\np,2\n").unwrap();
        let said = run(folder, STORE, &[&IMPORT[..], &["--fail-fast"]].concat());
        assert_eq!(said.code, Some(1), "{}", said.err);
        assert!(offset(folder).is_some());
    };
    begin();
    let resume = |store, arguments: &[&str]| run(folder, store, &[arguments, &["--resume"]].concat());
    for (said, reason) in [
        (resume("other.tables", &IMPORT), "another store"),
        (resume(STORE, &["import", "many.csv", "--table", "Other"]), "another table"),
        (resume(STORE, &[&IMPORT[..], &["--mode", "insert"]].concat()), "--mode upsert"),
    ] {
        assert_eq!(said.code, Some(1));
        assert!(said.err.contains(reason), "{}", said.err);
    }
    fs::write(folder.join("many.csv"), "PartitionKey,RowKey\np,1\np,3\n").unwrap();
    let said = resume(STORE, &IMPORT);
    assert!(said.err.contains("the input has changed"), "{}", said.err);

    begin();
    let said = resume(STORE, &[&IMPORT[..], &["--max-errors", "1"]].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!((&said.object()["entities"], &said.object()["broken"]), (&2.into(), &1.into()));
    let said = resume(STORE, &IMPORT);
    assert!(said.err.contains("many.csv.progress"), "{}", said.err);

    begin();
    let said = run(folder, STORE, &IMPORT);
    assert!(said.err.starts_with("note: ") && said.err.contains("starting again"), "{}", said.err);
    assert_eq!(said.object()["entities"], 2);
}
