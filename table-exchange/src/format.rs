use std::path::Path;

use table_store::EdmType;

/// The forms of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// A column for each property and one for its type, as Storage Explorer writes them.
    Csv,
    /// An entity a line, as the service writes it.
    JsonLines,
}

impl Format {
    /// What a file's name says: `.csv`, or `.jsonl` and `.ndjson`.
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

/// How CSV says a type. Both are read.
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
    /// A type as the dialect says it.
    #[must_use]
    pub fn name(self, edm_type: EdmType) -> &'static str {
        let name = edm_type.as_str();
        match self {
            Self::Plain => name.strip_prefix(PREFIX).unwrap_or(name),
            Self::Edm => name,
        }
    }

    /// The type of a name in either dialect.
    pub(crate) fn read(name: &str) -> Option<EdmType> {
        let plain = name.strip_prefix(PREFIX).unwrap_or(name);
        EdmType::ALL.into_iter().find(|edm_type| Self::Plain.name(*edm_type) == plain)
    }
}
