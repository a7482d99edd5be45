use std::path::Path;

use clap::ValueEnum;
use table_exchange::{Dialect, Format};

/// File formats, with their names on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    /// CSV in the format of Storage Explorer
    Csv,
    /// JSON Lines: one entity per line, in the format of the service
    Jsonl,
}

impl FormatName {
    /// Returns the specified format; otherwise the format for the file's name.
    pub(crate) fn or_of(named: Option<Self>, path: Option<&Path>) -> Option<Format> {
        match named {
            Some(Self::Csv) => Some(Format::Csv),
            Some(Self::Jsonl) => Some(Format::JsonLines),
            None => path.and_then(Format::of_path),
        }
    }
}

/// Type names in CSV.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum DialectName {
    /// Plain type names, such as Int32
    #[default]
    Plain,
    /// Prefixed type names, such as Edm.Int32
    Edm,
}

impl From<DialectName> for Dialect {
    fn from(name: DialectName) -> Self {
        match name {
            DialectName::Plain => Self::Plain,
            DialectName::Edm => Self::Edm,
        }
    }
}
