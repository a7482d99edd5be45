//! The command on the data of a company.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use table_patterns::Tables;
use table_store::{Clock, Entity, OpenOptions, Operation, Timestamp};

use super::{INDEX, OLD, old, process};

/// A clock of the service that is ahead by seconds.
#[derive(Debug)]
struct Ahead(i64);

impl Clock for Ahead {
    fn now(&self) -> Timestamp {
        Timestamp::from_ticks(Timestamp::now().ticks() + self.0 * 10_000_000).unwrap()
    }
}

/// A directory with two designs, and the store of an account with two employees.
pub(super) struct Company {
    pub(super) folder: tempfile::TempDir,
}

impl Company {
    pub(super) fn new(emails: [&str; 2], registry: bool) -> Self {
        let company = Self { folder: tempfile::tempdir().unwrap() };
        let unique = format!("{OLD}{INDEX}row = \"email_{{email}}\"\nunique = true\n");
        let several = format!("{OLD}{INDEX}row = \"email_{{email}}_{{id:06}}\"\n");
        let last = format!("{several}unique = true\n");
        for (name, text) in [("old", OLD), ("new", &unique), ("several", &several), ("unique", &last)] {
            std::fs::write(company.path(&format!("{name}.toml")), text).unwrap();
        }
        let tables = company.open(registry);
        for (id, email) in (1..).zip(emails) {
            let employee = old::Employee { department: "Sales".into(), id, email: email.into() };
            tables.blocking().insert(&employee).unwrap();
        }
        company
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn store(&self) -> PathBuf {
        self.path("devstoreaccount1.tables")
    }

    pub(super) fn open(&self, registry: bool) -> Tables {
        let tables = Tables::open(self.store()).unwrap();
        if registry { tables.with_registry() } else { tables }
    }

    /// Lets time pass for the service: timestamps of a file never move backwards.
    pub(super) fn wait(&self, seconds: i64) {
        let store = OpenOptions::new().clock(Ahead(seconds)).open(self.store()).unwrap();
        let (store, table) = (store.blocking(), "Time".parse().unwrap());
        drop(store.create_table(&table));
        store.execute(&table, Operation::InsertOrReplace(Entity::new("a", "a"))).unwrap();
        store.close().unwrap();
    }

    pub(super) fn command(&self, place: &str, words: &[&str]) -> Command {
        let mut command = Command::new(process::BINARY);
        command.args(words).env("TABLES_STORE", place).env("NO_COLOR", "1").current_dir(&self.folder);
        command
    }

    pub(super) fn run(&self, place: &str, words: &[&str]) -> (i32, String, String) {
        let output = self.command(place, words).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    pub(super) fn migrate(&self, (from, to): (&str, &str), words: &[&str]) -> (i32, String, String) {
        let designs = ["migrate", "--from", from, "--design", to];
        self.run(text(&self.store()), &[&designs, words].concat())
    }

    /// Returns all rows of the entity with their timestamps, and the tables.
    pub(super) fn contents(&self) -> [String; 2] {
        [&["export", "Employees", "--format", "jsonl"][..], &["stats"]].map(|words| {
            let (_, out, _) = self.run(text(&self.store()), words);
            // The size of the file depends on unused pages.
            out.lines().filter(|line| !line.contains(" bytes, ")).collect()
        })
    }
}

pub(super) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
