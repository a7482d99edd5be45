//! `tables.lock`: the stored form of a program's entities, as a file that a test compares with the code.
//!
//! A change of a struct can make stored rows unreadable, or other rows unreachable. The file contains the stored form of
//! each version of each entity. A test fails if the code has another form, and its message contains the remedy.
//!
//! ```
//! use table_patterns::prelude::*;
//!
//! #[derive(TableEntity, Clone, Debug)]
//! #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
//! struct Employee {
//!     department: String,
//!     id: u32,
//!     age: Option<i32>,
//! }
//!
//! // A test: add `#[test]`.
//! fn stored_form_is_locked() {
//!     table_patterns::lock!(Employee);
//! }
//! ```
//!
//! `TABLES_LOCK=accept cargo test` writes the file, except for changes that lose data.

use std::{env, fs, io, path::Path};

pub use table_designs::lock::{FrontEnd, Lock, LockCode, LockFinding, LockReport};

use crate::Design;

/// The name of the file, next to the manifest of a crate or to a design file.
pub const FILE: &str = "tables.lock";
/// The environment variable that selects the mode of [`lock!`](crate::lock!).
const VARIABLE: &str = "TABLES_LOCK";
const ACCEPT: &str = "TABLES_LOCK=accept cargo test";

/// Compares entities with `tables.lock` next to the manifest of the crate, in a test.
///
/// List all entities of the crate in one test: an entity that is in the file and not in the list is reported as missing.
/// Older versions are included through `from(..)`. With the environment variable `TABLES_LOCK=accept`, the file is
/// written instead; an entity or version that left the code remains in it.
///
/// ```
/// # use table_patterns::prelude::*;
/// # #[derive(TableEntity, Clone, Debug)]
/// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// # struct Employee { department: String, id: u32 }
/// // A test: add `#[test]`.
/// fn stored_form_is_locked() {
///     table_patterns::lock!(Employee);
/// }
/// ```
///
/// # Panics
/// Panics if the file differs from the code, does not exist, or is invalid. [`lock::check`](crate::lock::check) returns the error instead.
#[macro_export]
macro_rules! lock {
    ($($entity:ty),+ $(,)?) => {{
        let file = ::std::path::Path::new(::core::env!("CARGO_MANIFEST_DIR")).join($crate::lock::FILE);
        let designs = [$(<$entity as $crate::TableEntity>::DESIGN),+];
        if let ::core::result::Result::Err(error) = $crate::lock::check_or_accept(&file, &designs) {
            ::core::panic!("{error}");
        }
    }};
}

/// Error of a comparison with a lock.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// The file differs from the code.
    #[error("{0}")]
    Differs(LockReport),
    /// The file does not exist.
    #[error("{file} does not exist; run `{accept}` to create it, and commit it")]
    Missing {
        /// The path.
        file: String,
        /// The command that creates it.
        accept: String,
    },
    /// The file is the lock of structs and is compared with a design file, or the reverse.
    #[error("{}", other_source(file, accept, *front_end))]
    OtherSource {
        /// The path.
        file: String,
        /// The command that would replace the file.
        accept: String,
        /// The language of the design that the file contains.
        front_end: FrontEnd,
    },
    /// The file is not a valid lock.
    #[error("{file}, {error}")]
    Invalid {
        /// The path.
        file: String,
        /// The location and the cause.
        error: table_designs::lock::LockError,
    },
    /// The file cannot be read or written.
    #[error("cannot access {file}: {error}")]
    File {
        /// The path.
        file: String,
        /// The cause.
        error: io::Error,
    },
    /// The environment variable has another value than `accept` or `check`.
    #[error("unknown value `{0}` of TABLES_LOCK; use `accept` or `check`, or unset it")]
    Mode(String),
}

fn other_source(file: &str, accept: &str, front_end: FrontEnd) -> String {
    match front_end {
        FrontEnd::Rust => format!(
            "{file} was written by `lock!` for structs, and `{accept}` would replace them; name another file with `--file`"
        ),
        FrontEnd::File => format!(
            "{file} was written by `tables lock` for a design file, and `{accept}` would replace it; rename the file, and \
             name it with `tables lock --file`"
        ),
    }
}

/// Compares entities with a file.
///
/// ```
/// # use table_patterns::prelude::*;
/// use table_patterns::lock;
///
/// # #[derive(TableEntity, Clone, Debug)]
/// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// # struct Employee { department: String, id: u32 }
/// # let folder = tempfile::tempdir()?;
/// # let file = folder.path().join("tables.lock");
/// assert!(lock::check(&file, &[Employee::DESIGN]).is_err());
/// lock::accept(&file, &[Employee::DESIGN])?;
/// lock::check(&file, &[Employee::DESIGN])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`LockError::Differs`] with the changes and their remedies, [`LockError::OtherSource`] if the file is the lock of a
/// design file, or another error if the file cannot be read.
pub fn check(file: &Path, designs: &[&'static Design]) -> Result<(), LockError> {
    LockFile::of_code(file).check(&Lock::of_designs(designs))
}

/// Writes the stored form of entities to a file. An entity or version that left the code remains in it.
///
/// ```
/// # use table_patterns::prelude::*;
/// # #[derive(TableEntity, Clone, Debug)]
/// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// # struct Employee { department: String, id: u32 }
/// # let folder = tempfile::tempdir()?;
/// # let file = folder.path().join("tables.lock");
/// table_patterns::lock::accept(&file, &[Employee::DESIGN])?;
/// assert!(std::fs::read_to_string(&file)?.contains("[Employee.v1.keys]"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`LockError::Differs`] if a change loses data or makes rows unreadable; the file is then unchanged. Returns
/// another error if the file is invalid or cannot be written.
pub fn accept(file: &Path, designs: &[&'static Design]) -> Result<(), LockError> {
    LockFile::of_code(file).accept(&Lock::of_designs(designs)).map(|_| ())
}

/// Compares or writes the file, depending on the environment variable.
#[doc(hidden)]
pub fn check_or_accept(file: &Path, designs: &[&'static Design]) -> Result<(), LockError> {
    match env::var(VARIABLE).unwrap_or_default().as_str() {
        "" | "check" => check(file, designs),
        "accept" => accept(file, designs),
        other => Err(LockError::Mode(other.to_owned())),
    }
}

/// A lock file, and the command that accepts changes of it.
#[derive(Clone, Debug)]
pub struct LockFile<'p> {
    path: &'p Path,
    front_end: FrontEnd,
    accept: String,
}

impl<'p> LockFile<'p> {
    /// Creates a file that is compared with derived entities.
    pub fn of_code(path: &'p Path) -> Self {
        Self { path, front_end: FrontEnd::Rust, accept: ACCEPT.to_owned() }
    }

    /// Creates a file that is compared with a design file. `accept` is the command that accepts changes.
    pub const fn of_design_file(path: &'p Path, accept: String) -> Self {
        Self { path, front_end: FrontEnd::File, accept }
    }

    /// Compares the file with the stored form of entities.
    ///
    /// # Errors
    /// See [`check`].
    pub fn check(&self, code: &Lock) -> Result<(), LockError> {
        let Some((lock, _)) = self.read()? else {
            return Err(LockError::Missing { file: self.shown(), accept: self.accept.clone() });
        };
        let findings = lock.check(code, self.front_end);
        if findings.is_empty() { Ok(()) } else { Err(self.differs(findings)) }
    }

    /// Writes the stored form of entities. Returns `true` if the file has changed.
    ///
    /// # Errors
    /// See [`accept`].
    pub fn accept(&self, code: &Lock) -> Result<bool, LockError> {
        let (lock, before) = self.read()?.unwrap_or_default();
        let accepted = lock.accept(code, self.front_end).map_err(|findings| self.differs(findings))?;
        let after = accepted.to_string();
        if after == before {
            return Ok(false);
        }
        fs::write(self.path, after).map_err(|error| LockError::File { file: self.shown(), error })?;
        Ok(true)
    }

    /// Reads the file. Returns `None` if it does not exist.
    fn read(&self) -> Result<Option<(Lock, String)>, LockError> {
        let text = match fs::read_to_string(self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(LockError::File { file: self.shown(), error }),
        };
        let lock: Lock = text.parse().map_err(|error| LockError::Invalid { file: self.shown(), error })?;
        if let Some(front_end) = lock.front_end().filter(|front_end| *front_end != self.front_end) {
            let (file, accept) = (self.shown(), self.accept.clone());
            return Err(LockError::OtherSource { file, accept, front_end });
        }
        Ok(Some((lock, text)))
    }

    fn shown(&self) -> String {
        self.path.display().to_string()
    }

    fn differs(&self, findings: Vec<LockFinding>) -> LockError {
        let file =
            self.path.file_name().map_or_else(|| self.shown(), |name| name.to_string_lossy().into_owned());
        let (accept, front_end) = (self.accept.clone(), self.front_end);
        LockError::Differs(LockReport { file, findings, accept, front_end })
    }
}
