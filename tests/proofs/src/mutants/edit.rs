use std::path::Path;

use serde::Deserialize;

/// A replacement of one string in one file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Edit {
    /// The path of the file below the root of the workspace.
    pub(crate) file: String,
    find: String,
    replace: String,
}

/// An edit that does not apply.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// The file cannot be read.
    #[error("cannot read {file}: {error}")]
    Read {
        /// The path of the file.
        file: String,
        /// The cause.
        error: std::io::Error,
    },
    /// The string to replace does not occur exactly once.
    #[error(
        "{file} contains the text to replace {count} times instead of once; adapt the mutant to the source: {find}"
    )]
    Count {
        /// The path of the file.
        file: String,
        /// The string to replace.
        find: String,
        /// The number of its occurrences.
        count: usize,
    },
}

impl Edit {
    pub(crate) fn read(&self, root: &Path) -> Result<String, EditError> {
        std::fs::read_to_string(root.join(&self.file))
            .map_err(|error| EditError::Read { file: self.file.clone(), error })
    }

    /// Returns the contents with the string replaced.
    pub(crate) fn apply(&self, before: &str) -> Result<String, EditError> {
        let (file, find) = (self.file.clone(), self.find.trim_matches('\n'));
        match before.matches(find).count() {
            1 => Ok(before.replacen(find, self.replace.trim_matches('\n'), 1)),
            count => Err(EditError::Count { file, find: find.to_owned(), count }),
        }
    }
}
