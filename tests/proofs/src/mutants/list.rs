use std::{collections::BTreeSet, path::Path};

use serde::Deserialize;

use crate::mutants::edit::{Edit, EditError};

/// The rules of `mutants.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    mutant: Vec<Mutant>,
}

/// A rule, the edits that break it, and the test that detects them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// A short unique name, such as `list-stub-missing`.
    pub name: String,
    /// The rule that the edits break.
    pub rule: String,
    /// The arguments of `cargo test` that select the test, such as `-p table-proofs --test it -- simulation::lists::`.
    pub test: String,
    pub(crate) edit: Vec<Edit>,
}

/// An invalid list of mutants.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// The file cannot be read.
    #[error("cannot read the list of mutants: {0}")]
    Read(#[from] std::io::Error),
    /// The file is not valid TOML, or a required field is missing.
    #[error("invalid list of mutants: {0}")]
    Parse(#[from] toml::de::Error),
    /// Two mutants have the same name.
    #[error("two mutants are named `{0}`")]
    Duplicate(String),
}

impl List {
    /// Reads a list.
    ///
    /// # Errors
    ///
    /// Returns [`ListError`] if the file cannot be read or parsed, or if a name occurs twice.
    pub fn read(path: &Path) -> Result<Self, ListError> {
        let list: Self = toml::from_str(&std::fs::read_to_string(path)?)?;
        let mut names = BTreeSet::new();
        match list.mutant.iter().find(|mutant| !names.insert(mutant.name.as_str())) {
            Some(twice) => Err(ListError::Duplicate(twice.name.clone())),
            None => Ok(list),
        }
    }

    /// Returns all mutants in the order of the file.
    pub fn mutants(&self) -> &[Mutant] {
        &self.mutant
    }
}

impl Mutant {
    /// Returns the changed files below `root`, each with its path and new contents.
    ///
    /// # Errors
    ///
    /// Returns [`EditError`] if the string of an edit does not occur exactly once.
    pub fn changed(&self, root: &Path) -> Result<Vec<(String, String)>, EditError> {
        let mut files: Vec<(String, String)> = Vec::new();
        for edit in &self.edit {
            let known = files.iter().position(|(file, _)| *file == edit.file);
            let before = match known {
                Some(index) => files.swap_remove(index).1,
                None => edit.read(root)?,
            };
            files.push((edit.file.clone(), edit.apply(&before)?));
        }
        Ok(files)
    }
}
