//! How far an import is, in a file beside its input.

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

/// An import that goes on, and how far it is.
#[derive(Debug)]
pub(super) struct State {
    path: PathBuf,
    of: Of,
    done: Done,
}

/// Which import it is: of what, to where, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Of {
    bytes: u64,
    /// When the input was written last, in nanoseconds since 1970, as text: it is more than numbers of JSON hold.
    modified: String,
    store: String,
    table: String,
    mode: String,
}

/// All before this place is written.
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
    /// At the start of a file: into which store and table, and how.
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

    /// Takes up what was kept of the same import, and says from where it goes on.
    pub(super) fn resume(&mut self) -> Result<Place, CommandError> {
        let shown = self.path.display();
        let resume = |why: String| CommandError::Resume(format!("{shown}: {why}"));
        let text = fs::read(&self.path).map_err(|error| resume(format!("it cannot be read: {error}")))?;
        let kept: Kept = serde_json::from_slice(&text)
            .map_err(|_| resume("this is not how far an import is".to_owned()))?;
        if kept.version != VERSION {
            return Err(resume("it is of another version of this command".to_owned()));
        }
        let Of { bytes, modified, store, table, mode } = &kept.of;
        for (differs, what) in [
            (
                (bytes, modified) != (&self.of.bytes, &self.of.modified),
                "the input has changed since".to_owned(),
            ),
            (*store != self.of.store, format!("that was into another store, {store}")),
            (*table != self.of.table, format!("that was into another table, {table}")),
            (*mode != self.of.mode, format!("that was with --mode {mode}")),
        ] {
            if differs {
                return Err(resume(what));
            }
        }
        self.done = kept.done;
        Ok(Place { offset: self.done.offset, line: self.done.line })
    }

    /// Whether an import of the same input was begun and not ended.
    pub(super) fn is_kept(&self) -> bool {
        self.path.exists()
    }

    pub(super) const fn counts(&self) -> Counts {
        self.done.counts
    }

    /// Keeps how far it is: what was kept before, or this, whenever the process ends.
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

    /// All is done.
    pub(super) fn forget(&self) {
        // Whoever takes it up later writes nothing twice that was written once.
        let _ = fs::remove_file(&self.path);
    }
}
