//! The progress of an import, stored in a file next to its input.

use std::{
    fs::{self, Metadata},
    io::{self, Write},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};
use table_exchange::Place;
use tempfile::NamedTempFile;

use super::counts::Counts;
use crate::error::CommandError;

/// The progress of a resumable import.
#[derive(Debug)]
pub(super) struct State {
    path: PathBuf,
    of: Of,
    done: Done,
}

/// The identity of an import: its input, its table, and its mode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Of {
    bytes: u64,
    /// The modification time of the input, in nanoseconds since 1970, as a string: it exceeds the range of JSON
    /// numbers.
    modified: String,
    store: String,
    table: String,
    mode: String,
}

/// All data before this position is written.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Done {
    offset: u64,
    line: u64,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    #[serde(flatten)]
    of: Of,
    #[serde(flatten)]
    done: Done,
}

const VERSION: u32 = 1;

impl State {
    /// Creates the state at the start of a file, for a store, a table and a mode.
    pub(super) fn new(input: &Path, about: &Metadata, [store, table, mode]: [&str; 3]) -> Self {
        let since = |time: SystemTime| time.duration_since(UNIX_EPOCH).ok();
        let modified = about.modified().ok().and_then(since).unwrap_or_default();
        let [store, table, mode] = [store, table, mode].map(str::to_owned);
        let of = Of { bytes: about.len(), modified: modified.as_nanos().to_string(), store, table, mode };
        let mut path = input.as_os_str().to_owned();
        path.push(".progress");
        let Place { offset, line } = Place::START;
        Self { path: path.into(), of, done: Done { offset, line, counts: Counts::default() } }
    }

    /// Loads the stored state of the same import, and returns the position from which to continue.
    pub(super) fn resume(&mut self) -> Result<Place, CommandError> {
        let shown = self.path.display();
        let resume = |reason: String| CommandError::Resume(format!("{shown}: {reason}"));
        let text = fs::read(&self.path)
            .map_err(|error| resume(format!("cannot read the progress file: {error}")))?;
        let kept: Kept = serde_json::from_slice(&text)
            .map_err(|_| resume("not a progress file of an import".to_owned()))?;
        if kept.version != VERSION {
            return Err(resume("written by another version of `tables`".to_owned()));
        }
        let Of { bytes, modified, store, table, mode } = &kept.of;
        for (differs, what) in [
            ((bytes, modified) != (&self.of.bytes, &self.of.modified), "the input has changed".to_owned()),
            (*store != self.of.store, format!("the import used another store, {store}")),
            (*table != self.of.table, format!("the import used another table, {table}")),
            (*mode != self.of.mode, format!("the import used --mode {mode}")),
        ] {
            if differs {
                return Err(resume(what));
            }
        }
        self.done = kept.done;
        Ok(Place { offset: self.done.offset, line: self.done.line })
    }

    /// Returns whether an unfinished import of the same input exists.
    pub(super) fn is_kept(&self) -> bool {
        self.path.exists()
    }

    pub(super) const fn counts(&self) -> Counts {
        self.done.counts
    }

    /// Stores the progress atomically: if the process ends, the file contains the previous or the new state.
    pub(super) fn keep(&mut self, place: Place, counts: Counts) -> Result<(), CommandError> {
        self.done = Done { offset: place.offset, line: place.line, counts };
        let kept = Kept { version: VERSION, of: self.of.clone(), done: self.done };
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let written = || -> io::Result<()> {
            let mut file = NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
            serde_json::to_writer(&mut file, &kept)?;
            file.write_all(b"\n")?;
            file.persist(&self.path).map(drop).map_err(|error| error.error)
        };
        written().map_err(|error| CommandError::Write { path: self.path.clone(), error })
    }

    /// Deletes the state of a completed import.
    pub(super) fn forget(&self) {
        // If the file remains, resuming it writes no line twice.
        let _ = fs::remove_file(&self.path);
    }
}
