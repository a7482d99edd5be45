use std::path::Path;

use table_model::EdmType;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// CSV with a value column and a type column for each property, as written by Storage Explorer.
    Csv,
    /// One entity per line, as JSON of the table service.
    JsonLines,
}

impl Format {
    /// Returns the format for a file extension: `.csv`, or `.jsonl` and `.ndjson`. Returns `None` for other extensions.
    ///
    /// ```
    /// use table_exchange::Format;
    ///
    /// assert_eq!(Format::of_path("people.CSV".as_ref()), Some(Format::Csv));
    /// assert_eq!(Format::of_path("people".as_ref()), None);
    /// ```
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "csv" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            _ => None,
        }
    }
}

/// The notation of types in CSV. Readers accept both dialects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `Int32`
    #[default]
    Plain,
    /// `Edm.Int32`
    Edm,
}

const PREFIX: &str = "Edm.";

impl Dialect {
    /// Returns the name of a type in this dialect.
    #[must_use]
    pub fn name(self, edm_type: EdmType) -> &'static str {
        let name = edm_type.as_str();
        match self {
            Self::Plain => name.strip_prefix(PREFIX).unwrap_or(name),
            Self::Edm => name,
        }
    }

    /// Parses a type name of either dialect.
    pub(crate) fn read(name: &str) -> Option<EdmType> {
        let plain = name.strip_prefix(PREFIX).unwrap_or(name);
        EdmType::ALL.into_iter().find(|edm_type| Self::Plain.name(*edm_type) == plain)
    }
}
