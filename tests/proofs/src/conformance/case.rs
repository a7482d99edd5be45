use std::{collections::BTreeMap, fs, io, path::Path};

use serde::Deserialize;

use crate::conformance::Step;

/// A case: steps on a separate table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The file's name, without its extension.
    #[serde(skip)]
    pub name: String,
    /// The tested behavior, in a sentence.
    pub about: String,
    /// Reasons for documented deviations, by backend. Those of `azure` are deviations of Azure from the case.
    #[serde(default)]
    pub drift: BTreeMap<String, String>,
    /// The steps.
    pub step: Vec<Step>,
}

/// Error of reading cases.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The directory or a file cannot be read.
    #[error(transparent)]
    File(#[from] io::Error),
    /// A file is not a valid case.
    #[error("{0}: {1}")]
    Form(String, Box<toml::de::Error>),
}

impl Case {
    /// Reads all cases of a directory, by name.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read, or is not a valid case.
    pub fn all(folder: &Path) -> Result<Vec<Self>, CaseError> {
        let mut cases = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let text = fs::read_to_string(&path)?;
            let case: Self =
                toml::from_str(&text).map_err(|error| CaseError::Form(name.clone(), Box::new(error)))?;
            cases.push(Self { name, ..case });
        }
        cases.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(cases)
    }
}
