//! Commands on files: verification, copies, compaction.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use table_store::{BlockingStore, Condition, KeepLog, LogMode, OpenOptions, Operation};

use crate::location::{Answer, Company, tables, text};

#[test]
fn a_sound_file_is_called_sound_and_a_damaged_one_is_told_in_parts() {
    let company = Company::new();
    let sound = company.call(&["scrub"]);
    assert!(sound.code == 0 && sound.out.starts_with("sound: 1 tables, 250 entities, 1 queues"), "{sound:?}");
    let object = company.call(&["scrub", "--json"]).json();
    assert_eq!((&object["sound"], &object["entities"]), (&true.into(), &250.into()));
    assert_eq!(object["damage"], json!([]));

    let mut bytes = fs::read(company.path()).unwrap();
    let at = bytes.windows(4).position(|window| window == b"0123").unwrap();
    bytes[at] ^= 1;
    fs::write(company.path(), &bytes).unwrap();
    let damaged = company.call(&["scrub", "--json"]);
    assert_eq!(damaged.code, 1);
    let object: Value = serde_json::from_str(&damaged.out).unwrap();
    assert_eq!(object["sound"], false);
    assert!(!object["damage"].as_array().unwrap().is_empty());
    assert!(company.call(&["scrub"]).out.starts_with("DAMAGED"));
    assert!(fs::read(company.path()).unwrap() == bytes, "it was only looked at");

    let new = company.file("sound.tables");
    let salvaged = company.call(&["salvage", text(&new), "--json"]);
    assert_eq!(salvaged.code, 1, "{salvaged:?}");
    let object: Value = serde_json::from_str(&salvaged.out).unwrap();
    let lost = &object["lost"].as_array().unwrap()[0];
    assert!(lost["what"].as_str().unwrap().contains("page at byte"), "{object}");
    assert!(tables(&["scrub", "--store", text(&new)]).code == 0);
    assert!(fs::read(company.path()).unwrap() == bytes);
    let again = company.call(&["salvage", text(&new)]);
    assert!(again.code != 0 && again.errors.contains("already exists"), "{again:?}");
}

#[test]
fn a_backup_is_a_store_with_all_that_is_in_the_file() {
    let company = Company::new();
    let copy = company.file("copy.tables");
    let made = company.call(&["backup", text(&copy), "--json"]).json();
    assert_eq!(made["bytes"], fs::metadata(&copy).unwrap().len());
    let counted = |path| tables(&["scrub", "--json", "--store", text(path)]).json();
    assert_eq!(counted(&copy), counted(&company.path()));

    let again = company.call(&["backup", text(&copy)]);
    assert!(again.code == 1 && again.errors.contains("already exists"), "{again:?}");
    let nowhere = company.call(&["backup", text(&company.file("no/folder"))]);
    assert!(nowhere.code == 1 && nowhere.errors.contains("the directory does not exist"), "{nowhere:?}");
    let open = company.open();
    let used = company.call(&["backup", text(&company.file("other.tables"))]);
    assert!(used.code == 1 && used.errors.contains("in use by another process"), "{used:?}");
    assert!(
        used.errors.contains("use its connection string") && !used.errors.contains("`Store`"),
        "{used:?}"
    );
    open.close().unwrap();
}

/// A store with a kept log of three commits after its backup, and one before it.
struct Kept {
    company: Company,
    log: PathBuf,
    backup: PathBuf,
    new: PathBuf,
}

impl Kept {
    fn new() -> Self {
        let company = Company::new();
        let [log, backup, new] = ["kept/log", "backup.tables", "new.tables"].map(|name| company.file(name));
        fs::create_dir_all(&log).unwrap();
        let kept = Self { company, log, backup, new };
        let store = kept.open();
        store.create_table(&"Early".parse().unwrap()).unwrap();
        store.backup(&kept.backup).unwrap();
        for name in ["Later", "Last"] {
            store.create_table(&name.parse().unwrap()).unwrap();
        }
        store.close().unwrap();
        kept
    }

    fn open(&self) -> BlockingStore {
        let options = OpenOptions::new().keep_log(KeepLog::in_folder(&self.log));
        options.open(self.company.path()).unwrap().blocking()
    }

    fn restore_from(&self, log: &Path, more: &[&str]) -> Answer {
        let _ = fs::remove_file(&self.new);
        let arguments = ["restore", text(&self.backup), text(&self.new), "--log", text(log), "--json"];
        tables(&[&arguments, more].concat())
    }

    fn restore(&self, more: &[&str]) -> Answer {
        self.restore_from(&self.log, more)
    }

    /// Checks that nothing is created, and that the error is short and does not name the library.
    fn assert_refused(&self, outcome: &Answer, expected: &str) {
        assert!(outcome.code == 1 && outcome.errors.contains(expected), "{expected}: {outcome:?}");
        assert!(!self.new.exists(), "{expected}");
        let object: Option<Value> = serde_json::from_str(&outcome.errors).ok();
        let message = object.as_ref().and_then(|object| object.pointer("/error/message")?.as_str());
        let error = message.unwrap_or(&outcome.errors).replace(text(&self.company.file("")), "");
        assert!(error.len() < 170 && !error.contains("OpenOptions") && !error.contains("KeepLog"), "{error}");
    }

    fn segment(&self) -> PathBuf {
        self.log.join("00000000000000000001.tables-kept")
    }
}

#[test]
fn a_backup_is_restored_to_a_commit_of_its_kept_log() {
    let kept = Kept::new();
    let restored = kept.restore(&[]);
    assert_eq!((restored.json()["end"].as_str(), restored.errors.as_str()), (Some("confirmed"), ""));
    let all = restored.json();
    let count = || tables(&["scrub", "--json", "--store", text(&kept.new)]).json()["tables"].clone();
    assert_eq!(count(), 4);
    let first = all["commit"].as_u64().unwrap() - all["applied"].as_u64().unwrap() + 1;
    let one = kept.restore(&["--to-commit", &first.to_string()]).json();
    assert_eq!((&one["applied"], &one["end"], count()), (&1.into(), &"continues".into(), 3.into()));
    kept.assert_refused(&kept.restore(&["--to", "2014-07-31T18:00:00Z"]), "use an earlier backup");
}

#[test]
fn the_range_of_a_kept_log_is_listed() {
    let kept = Kept::new();
    let list = || kept.company.call(&["stats", "--log", text(&kept.log), "--json"]);
    let object = list().json();
    let [segment] = object["kept_log"].as_array().unwrap().as_slice() else { panic!("{object}") };
    assert_eq!((&segment["first"]["number"], &segment["last"]["number"]), (&1.into(), &4.into()));
    assert_eq!(segment["damaged_byte"], json!(null));
    let shown = kept.company.call(&["stats", "--log", text(&kept.log)]);
    for part in ["kept log", "00000000000000000001.tables-kept", segment["last"]["time"].as_str().unwrap()] {
        assert!(shown.code == 0 && shown.out.contains(part), "{part}: {shown:?}");
    }
    let mut changed = fs::read(kept.segment()).unwrap();
    changed[20] ^= 1;
    fs::write(kept.segment(), changed).unwrap();
    assert_eq!(list().code, 1);
    let shown = kept.company.call(&["stats", "--log", text(&kept.log)]);
    assert!(shown.code == 1 && shown.out.contains("at byte 0"), "{shown:?}");
    let missing = kept.company.call(&["stats", "--log", text(&kept.company.file("missing"))]);
    assert!(missing.code == 1 && missing.errors.contains("check its path and permissions"), "{missing:?}");
}

#[test]
fn a_restore_without_the_right_log_is_an_error() {
    let kept = Kept::new();
    // The folders of several accounts are in this one.
    let parent = kept.log.parent().unwrap();
    kept.assert_refused(
        &kept.restore_from(parent, &[]),
        "contains no kept log; specify the folder with the files",
    );
    kept.assert_refused(&kept.restore_from(&parent.join("missing"), &[]), "check its path and permissions");
    let missing = kept.company.file("missing.tables");
    let arguments = ["restore", text(&missing), text(&kept.new), "--log", text(&kept.log)];
    kept.assert_refused(&tables(&arguments), "the backup does not exist; check its path");
    kept.assert_refused(&kept.restore(&["--to-commit", "1000"]), "restore to commit 4, or add later files");
    // The store was closed before this time.
    kept.assert_refused(
        &kept.restore(&["--to", "2914-07-31T18:00:00Z"]),
        "restore to commit 4, or add later files",
    );
    fs::remove_file(kept.segment()).unwrap();
    kept.assert_refused(&kept.restore(&[]), "contains no kept log");
    let lost = ["backup", text(&kept.new), "--store", text(&missing), "--accept-lost-log"];
    kept.assert_refused(&tables(&lost), "the store does not exist; check the path");
}

#[test]
fn a_changed_bit_of_a_kept_log_is_an_error() {
    let kept = Kept::new();
    let sound = fs::read(kept.segment()).unwrap();
    assert_eq!(kept.restore(&[]).json()["commit"], 4);
    // In each commit after the backup, and in the last one.
    let change = |sector: usize| {
        let mut changed = sound.clone();
        changed[sector * 512 + 40] ^= 4;
        fs::write(kept.segment(), changed).unwrap();
    };
    for (sector, commits) in [(2, "commits 2 to 4 are"), (3, "commits 3 to 4 are"), (4, "commit 4 is")] {
        change(sector);
        let place = format!("(00000000000000000001.tables-kept, byte {})", sector * 512);
        kept.assert_refused(&kept.restore(&[]), &format!("{commits} missing or damaged {place}"));
    }
    // The backup contains the commit before them.
    change(1);
    let restored = kept.restore(&[]);
    assert_eq!(
        (restored.json()["commit"].as_u64(), restored.json()["damage"]["byte"].as_u64()),
        (Some(4), Some(512))
    );
    assert!(restored.errors.contains("in the record at byte 512, before the commits after"), "{restored:?}");
    // The last commit and the mark behind it, as after a power failure while the commit was written.
    fs::write(kept.segment(), &sound[..4 * 512 + 20]).unwrap();
    let restored = kept.restore(&[]);
    assert_eq!(restored.json()["commit"], 3);
    assert!(restored.code == 0 && restored.errors.contains("later commits may be missing"), "{restored:?}");
    assert_eq!(restored.json()["end"], "incomplete");
}

#[test]
fn a_truncated_file_is_reported_with_both_lengths() {
    let company = Company::new();
    let len = fs::metadata(company.path()).unwrap().len();
    let found = len * 6 / 10;
    fs::File::options().write(true).open(company.path()).unwrap().set_len(found).unwrap();
    let copy = company.file("copy.tables");
    for command in [
        &["scrub"][..],
        &["stats"],
        &["backup", text(&copy)],
        &["backup", text(&copy), "--accept-lost-log"],
        &["compact"],
    ] {
        let refused = company.call(command);
        let said = format!("{}{}", refused.out, refused.errors);
        let expected = format!("the file is truncated: expected {len} bytes, found {found}");
        assert!(refused.code == 1 && said.contains(&expected), "{command:?}: {refused:?}");
        assert!(!said.contains("layout_len"), "{refused:?}");
    }
    let salvaged = company.call(&["salvage", text(&company.file("sound.tables"))]);
    let said = format!("{}{}", salvaged.out, salvaged.errors);
    let expected = format!("records may be lost: the file is truncated: expected {len} bytes, found {found}");
    assert!(salvaged.code == 1 && said.contains(&expected), "{salvaged:?}");
}

#[test]
fn the_rest_of_a_store_with_a_lost_log_is_copied_on_request() {
    let company = Company::new();
    // The log is not deleted, as after a crash: the store is never closed.
    let store = OpenOptions::new().log_mode(LogMode::Inline).open(company.path()).unwrap();
    store.blocking().create_table(&"Lost".parse().unwrap()).unwrap();
    let [crashed, copy] = ["crashed.tables", "copy.tables"].map(|name| company.file(name));
    fs::copy(company.path(), &crashed).unwrap();
    let refused = tables(&["backup", text(&copy), "--store", text(&crashed)]);
    assert!(refused.code == 1 && refused.errors.contains("--accept-lost-log"), "{refused:?}");
    let accepted = tables(&["backup", text(&copy), "--store", text(&crashed), "--accept-lost-log", "--json"]);
    assert!(accepted.errors.contains("LOST: commits after number"), "{accepted:?}");
    assert!(accepted.errors.contains("on; reason: it does not exist"), "{accepted:?}");
    assert!(accepted.json()["lost"]["reason"].as_str().unwrap().contains("does not exist"));
    assert_eq!(tables(&["scrub", "--json", "--store", text(&copy)]).json()["tables"], 1);
}

#[test]
fn a_compaction_makes_the_file_shorter_and_keeps_what_is_in_it() {
    let company = Company::new();
    let store = company.open();
    for row in 0..190 {
        let delete = Operation::Delete {
            partition_key: "Sales".to_owned(),
            row_key: format!("{row:04}"),
            condition: Condition::Exists,
        };
        store.execute(&"Employees".parse().unwrap(), delete).unwrap();
    }
    store.close().unwrap();
    let done = company.call(&["compact", "--json"]).json();
    assert!(done["bytes_after"].as_u64() < done["bytes_before"].as_u64(), "{done}");
    assert_eq!(done["bytes_after"], fs::metadata(company.path()).unwrap().len());
    assert_eq!(company.call(&["scrub", "--json"]).json()["entities"], 60);
    assert!(company.call(&["compact"]).out.ends_with(" before\n"));
}

#[test]
fn what_is_for_files_says_so_where_there_is_none() {
    let place = ["--store", "DefaultEndpointsProtocol=https;AccountName=a1;AccountKey=c2VjcmV0LWNhbmFyeQ=="];
    for (arguments, said) in [
        (&["scrub"][..], "requires a store file"),
        (&["compact"], "requires a store file"),
        (&["backup", "copy.tables"], "`tables export`"),
        (&["salvage", "copy.tables"], "requires a store file"),
        (&["stats", "--log", "kept"], "--log requires a store file"),
    ] {
        let refused = tables(&[arguments, &place].concat());
        assert!(refused.code > 0 && refused.errors.contains(said), "{refused:?}");
        assert!(!refused.errors.contains("c2VjcmV0"), "{refused:?}");
    }
    for arguments in [
        ["restore", place[1], "new.tables", "--log", "kept"],
        ["restore", "a.tables", place[1], "--log", "kept"],
    ] {
        let refused = tables(&arguments);
        assert!(refused.code == 1 && refused.errors.contains("requires a store file"), "{refused:?}");
        assert!(!refused.errors.contains("c2VjcmV0"), "{refused:?}");
    }
}
