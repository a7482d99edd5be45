//! `tables.lock`: the stored form of each version of each entity, as a file in the repository of a program. A test
//! compares it with the code, so that a change of stored data is never made without notice.
//!
//! The comparison is that of [`evolution`](crate::evolution). A [`LockFinding`] is one of its changes, or an older
//! version that is missing, with the remedy as text to paste.
//!
//! ```
//! use table_designs::{lock::{FrontEnd, Lock}, schema::Schema};
//! use table_schema::design::{EntityDesign, FieldDesign, FieldKind};
//!
//! let mut employee = EntityDesign::new("Employee");
//! employee.table = Some("Employees".into());
//! employee.partition = Some("{department}".into());
//! employee.row = Some("empid_{id:06}".into());
//! employee.fields = vec![
//!     FieldDesign::new("department", FieldKind::Text { max: None }),
//!     FieldDesign::new("id", FieldKind::Int { bits: 32, signed: false }),
//! ];
//! let mut schema = Schema { entities: vec![employee], ..Schema::default() };
//! let file = Lock::of_schema(&schema).to_string();
//! assert!(file.contains("[Employee.v1.keys]\ndepartment = \"string\"\nid = \"u32\"\n"));
//!
//! schema.entities[0].fields.push(FieldDesign::new("age", FieldKind::Int { bits: 32, signed: true }));
//! let found = file.parse::<Lock>()?.check(&Lock::of_schema(&schema), FrontEnd::File);
//! assert_eq!((found[0].code.as_str(), found[0].subject.as_str()), ("L02", "Employee.age"));
//! # Ok::<(), table_designs::lock::LockError>(())
//! ```

mod accept;
mod check;
mod code;
mod finding;
mod forms;
mod older;
mod property;
mod read;
mod remedy;
mod report;
#[cfg(test)]
mod tests;
mod text;
mod word;
mod write;

use std::collections::BTreeMap;

use thiserror::Error;

use table_schema::design::{EntityDesign, EntityTypeRule, FieldDesign};

pub use finding::{LockCode, LockFinding};
pub use remedy::FrontEnd;
pub use report::LockReport;

/// The stored form of each version of each entity. The `Display` output is the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// By stored name and version.
    versions: BTreeMap<(String, u32), LockedVersion>,
    /// The language of the design, unless the file does not contain it.
    front_end: Option<FrontEnd>,
}

/// A version of an entity. The name of its design is the stored name: the `EntityType` without the version. The old
/// form of an entity that is moved to other keys has the name of its struct: see [`forms`].
#[derive(Clone, Debug, PartialEq, Eq)]
struct LockedVersion {
    design: EntityDesign,
    /// The proof that no row has this version.
    retired: Option<String>,
    /// Fields that were removed. Rows may still have their properties.
    removed: Vec<FieldDesign>,
}

impl LockedVersion {
    fn new(name: String) -> Self {
        let design = EntityDesign { entity_type: EntityTypeRule::None, ..EntityDesign::new(name) };
        Self { design, retired: None, removed: Vec::new() }
    }

    /// Returns the name and the version.
    fn key(&self) -> (String, u32) {
        (self.design.name.clone(), self.design.version)
    }
}

impl Lock {
    /// Returns the language of the design, or `None` for a file that does not contain it.
    pub const fn front_end(&self) -> Option<FrontEnd> {
        self.front_end
    }

    /// Returns the versions of an entity that may have rows, oldest first.
    fn versions_of(&self, name: &str) -> impl DoubleEndedIterator<Item = &LockedVersion> {
        let versions = self.versions.range((name.to_owned(), 0)..=(name.to_owned(), u32::MAX));
        versions.map(|(_, version)| version).filter(|version| version.retired.is_none())
    }

    /// Returns the newest version of each entity that may have rows.
    fn newest(&self) -> impl Iterator<Item = &LockedVersion> {
        self.names().filter_map(|name| self.versions_of(name).next_back())
    }

    /// Returns the stored names of the entities, sorted: the `EntityType` without the version.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let mut names: Vec<&str> = self.versions.keys().map(|(name, _)| name.as_str()).collect();
        names.dedup();
        names.into_iter()
    }
}

/// The error for a file that is not a valid lock.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct LockError {
    /// The line, starting at 1.
    pub line: usize,
    /// The cause and the remedy.
    pub message: String,
}

impl LockError {
    fn new(line: usize, message: &str) -> Self {
        Self { line, message: message.to_owned() }
    }
}
