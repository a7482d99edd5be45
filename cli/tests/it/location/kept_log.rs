//! Commands that write to a store with a kept log.

use std::fs;

use table_store::{BlockingStore, Entity, KeepLog, OpenError, OpenOptions, Operation, RestoreTo};

use super::{Answer, Company, tables, text};
use crate::serve::process::Running;

const DESIGN: &str = r#"
tables = 1
[entity.Employee]
table = "Employees"
partition = "{department}"
row = "{id:04}"
[entity.Employee.fields]
department = "string"
id = "u32"
age = { type = "i32", rename = "Age" }
[entity.Employee.index.by_id]
table = "Ids"
partition = "{id:04}"
row = "{department}"
copy = []
"#;

/// A command that writes, with its arguments.
const WRITERS: [&[&str]; 5] = [
    &["import", "more.csv", "--table", "Employees"],
    &["migrate", "--from", "company.toml", "--design", "company.toml"],
    &["reindex", "Employee", "by_id", "--design", "company.toml"],
    &["verify", "--repair", "--design", "company.toml"],
    &["compact"],
];

/// Options of the data directory and its kept log.
struct Kept(Company);

impl Kept {
    /// Creates a store in a data directory, with a kept log in the folder of a server, and a backup.
    fn new() -> Self {
        let kept = Self(Company::new());
        fs::create_dir(kept.0.file("data")).unwrap();
        fs::create_dir_all(kept.0.file("kept/devstoreaccount1")).unwrap();
        fs::rename(kept.0.path(), kept.0.file("data/devstoreaccount1.tables")).unwrap();
        fs::write(kept.0.file("company.toml"), DESIGN).unwrap();
        fs::write(kept.0.file("more.csv"), "PartitionKey,RowKey,Age,Age@type\nSales,9999,34,Int32\n")
            .unwrap();
        let store = kept.open(&kept.keeping()).unwrap();
        store.backup(kept.0.file("backup.tables")).unwrap();
        store.close().unwrap();
        kept
    }

    fn keeping(&self) -> OpenOptions {
        OpenOptions::new().keep_log(KeepLog::in_folder(self.0.file("kept/devstoreaccount1")))
    }

    fn open(&self, options: &OpenOptions) -> Result<BlockingStore, OpenError> {
        Ok(options.open(self.0.file("data/devstoreaccount1.tables"))?.blocking())
    }

    fn file(&self) -> Vec<u8> {
        fs::read(self.0.file("data/devstoreaccount1.tables")).unwrap()
    }

    /// Runs a command in the folder.
    fn call(&self, command: &[&str], more: &[&str]) -> Answer {
        let path = |word: &&str| match *word {
            "more.csv" | "company.toml" | "data" | "kept" | "kept/devstoreaccount1" => {
                text(&self.0.file(word)).to_owned()
            }
            word => word.to_owned(),
        };
        let words: Vec<String> = command.iter().chain(more).map(path).collect();
        tables(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Returns the number of entities, after a restore of the backup to the last commit.
    fn restored(&self) -> u64 {
        let [backup, log, new] =
            ["backup.tables", "kept/devstoreaccount1", "new.tables"].map(|name| self.0.file(name));
        let _ = fs::remove_file(&new);
        OpenOptions::new().restore(backup, log, RestoreTo::Latest, &new).unwrap();
        OpenOptions::new().scrub(new).unwrap().entities
    }

    fn entities(&self) -> u64 {
        OpenOptions::new().scrub(self.0.file("data/devstoreaccount1.tables")).unwrap().entities
    }
}

#[test]
fn every_command_that_writes_requires_the_kept_log_or_its_end() {
    for command in WRITERS {
        let kept = Kept::new();
        let before = kept.file();
        let refused = kept.call(command, &["--store", "data"]);
        assert_eq!(refused.code, 1, "{refused:?}");
        for remedy in ["the store has a kept log", "--keep-log DIR", "--end-kept-log"] {
            assert!(refused.errors.contains(remedy), "{command:?}: {refused:?}");
        }
        assert!(kept.file() == before, "{command:?}");

        let done = kept.call(command, &["--store", "data", "--keep-log", "kept"]);
        assert_eq!(done.code, 0, "{command:?}: {done:?}");
        assert_eq!(kept.restored(), kept.entities(), "{command:?}");
        kept.open(&kept.keeping()).unwrap().close().unwrap();

        let done = kept.call(command, &["--store", "data", "--end-kept-log"]);
        assert_eq!(done.code, 0, "{command:?}: {done:?}");
        assert!(matches!(kept.open(&kept.keeping()), Err(OpenError::KeptLog { .. })), "{command:?}");
        let plain = kept.call(command, &["--store", "data"]);
        assert_eq!(plain.code, 0, "{command:?}: {plain:?}");
    }
}

#[test]
fn commands_that_only_read_need_no_kept_log() {
    let kept = Kept::new();
    let before = kept.file();
    for command in [
        &["query", "Employees", "--partition", "Sales", "--row", "0007"][..],
        &["stats"],
        &["scrub"],
        &["versions"],
        &["export", "Employees"],
        &["migrate", "--from", "company.toml", "--design", "company.toml", "--dry-run"],
        &["migrate", "--from", "company.toml", "--design", "company.toml", "--status"],
        &["verify", "--design", "company.toml"],
    ] {
        let done = kept.call(command, &["--store", "data"]);
        // `verify` finds that the rows of the index are missing.
        assert_eq!(done.code, i32::from(command[0] == "verify"), "{command:?}: {done:?}");
        assert!(!done.errors.contains("kept log"), "{command:?}: {done:?}");
        assert!(kept.file() == before, "{command:?}");
    }
}

#[test]
fn a_wrong_folder_and_a_served_account_are_errors() {
    let kept = Kept::new();
    let before = kept.file();
    let import = WRITERS[0];
    // The folder of the account is meant here, and its parent.
    let refused = kept.call(import, &["--store", "data", "--keep-log", "kept/devstoreaccount1"]);
    assert!(refused.code == 1 && refused.errors.contains("kept/devstoreaccount1"), "{refused:?}");
    let file = kept.0.file("data/devstoreaccount1.tables");
    let refused = kept.call(import, &["--store", text(&file), "--keep-log", "kept"]);
    assert!(refused.code == 1 && refused.errors.contains("does not exist"), "{refused:?}");
    assert!(!refused.errors.contains("KeepLog"), "{refused:?}");
    assert!(kept.file() == before);
    let done = kept.call(import, &["--store", text(&file), "--keep-log", "kept/devstoreaccount1"]);
    assert_eq!(done.code, 0, "{done:?}");
    let served = "DefaultEndpointsProtocol=https;AccountName=a1;AccountKey=c2VjcmV0LWNhbmFyeQ==";
    for option in [&["--end-kept-log"][..], &["--keep-log", "kept"]] {
        let refused = kept.call(import, &[option, &["--store", served]].concat());
        assert!(refused.code == 1 && refused.errors.contains("require a store file"), "{refused:?}");
    }
}

#[test]
fn a_server_requires_the_kept_log_or_its_end() {
    let kept = Kept::new();
    let before = kept.file();
    let ports = ["--table-port", "0", "--queue-port", "0", "--blob-port", "0"];
    let refused = kept.call(&["serve", "--data", "data"], &ports);
    assert!(refused.code == 1 && refused.errors.contains("--end-kept-log"), "{refused:?}");
    assert!(kept.file() == before);
    let [data, log] = ["data", "kept"].map(|name| kept.0.file(name));
    Running::start(&["--data", text(&data), "--keep-log", text(&log)]).log();
    Running::start(&["--data", text(&data), "--end-kept-log"]).log();
    Running::start(&["--data", text(&data)]).log();
    // The log in the folder ends before.
    let refused = kept.call(&["serve", "--data", "data", "--keep-log", "kept"], &ports);
    assert!(refused.code == 1 && refused.errors.contains("already exists"), "{refused:?}");
}

#[test]
fn a_missing_segment_stops_each_command_that_writes() {
    let kept = Kept::new();
    let folder = kept.0.file("kept/devstoreaccount1");
    let segments = || {
        let mut paths: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    // Two segments are complete at a small limit, and one is open.
    for (count, limit) in [(2, 64 << 10), (3, 128 << 10)] {
        let log = KeepLog::in_folder(&folder).most_bytes(limit);
        let store = kept.open(&OpenOptions::new().keep_log(log)).unwrap();
        while segments().len() < count {
            let entity = Entity::new("Sales", "0007").with("Text", "x".repeat(2_000));
            store.execute(&"Employees".parse().unwrap(), Operation::InsertOrReplace(entity)).unwrap();
        }
        store.close().unwrap();
    }
    let [_, path, after] = &segments()[..] else { panic!("{:?}", segments()) };
    let (before, content) = (kept.file(), fs::read(path).unwrap());
    let first = |path: &std::path::Path| -> u64 {
        let name = path.file_stem().unwrap().to_str().unwrap();
        name.parse().unwrap()
    };
    let range = format!("lacks commits {} to {}", first(path), first(after) - 1);
    let stats = ["stats", "--log", "kept/devstoreaccount1"];
    let sound = kept.call(&stats, &["--store", "data", "--json"]);
    assert!(sound.code == 0 && sound.out.contains("\"missing_commits\":[]"), "{sound:?}");
    fs::remove_file(path).unwrap();
    let missing = kept.call(&stats, &["--store", "data"]);
    let gap = format!("MISSING: commits {} to {} of the kept log", first(path), first(after) - 1);
    assert!(missing.code == 1 && missing.out.contains(&gap), "{missing:?}");
    for command in WRITERS {
        let refused = kept.call(command, &["--store", "data", "--keep-log", "kept"]);
        assert_eq!(refused.code, 1, "{command:?}: {refused:?}");
        for part in [&*range, "put the right files back", "--end-kept-log", "--start-new-log"] {
            assert!(refused.errors.contains(part), "{command:?}: {refused:?}");
        }
        assert!(kept.file() == before, "{command:?}");
    }
    let ports = ["--table-port", "0", "--queue-port", "0", "--blob-port", "0"];
    let refused = kept.call(&["serve", "--data", "data", "--keep-log", "kept"], &ports);
    assert!(refused.code == 1 && refused.errors.contains(&range), "{refused:?}");
    fs::write(path, content).unwrap();
    let done = kept.call(WRITERS[0], &["--store", "data", "--keep-log", "kept"]);
    assert_eq!(done.code, 0, "{done:?}");
}

#[test]
fn a_command_that_only_reads_does_not_end_the_kept_log() {
    let kept = Kept::new();
    let before = kept.file();
    let designs = ["--from", "company.toml", "--design", "company.toml", "--end-kept-log"];
    for (command, reason) in [
        (
            ["verify", "--design", "company.toml", "--end-kept-log"].to_vec(),
            "`verify` without --repair only reads",
        ),
        (
            [&["migrate", "--dry-run"], &designs[..]].concat(),
            "`migrate` with --dry-run or --status only reads",
        ),
        (
            [&["migrate", "--status"], &designs[..]].concat(),
            "`migrate` with --dry-run or --status only reads",
        ),
    ] {
        let refused = kept.call(&command, &["--store", "data"]);
        assert!(refused.code == 2 && refused.errors.contains(reason), "{command:?}: {refused:?}");
        assert!(kept.file() == before, "{command:?}");
    }
}
