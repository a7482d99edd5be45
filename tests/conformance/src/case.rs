use std::{collections::BTreeMap, fs, io, path::Path};

use serde::Deserialize;

use crate::Step;

/// A case: steps on a table of its own.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The file's name, without its ending.
    #[serde(skip)]
    pub name: String,
    /// What holds, in a sentence.
    pub about: String,
    /// By backend: why it is known not to hold there.
    #[serde(default)]
    pub drift: BTreeMap<String, String>,
    /// What is done.
    pub step: Vec<Step>,
}

/// Why cases cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The folder or a file.
    #[error(transparent)]
    File(#[from] io::Error),
    /// A file that is no case.
    #[error("{0}: {1}")]
    Form(String, Box<toml::de::Error>),
}

impl Case {
    /// All cases of a folder, by name.
    ///
    /// # Errors
    /// A file that cannot be read, or is no case.
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
