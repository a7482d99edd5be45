use std::path::Path;

use clap::ValueEnum;
use table_exchange::{Dialect, Format};

/// The forms of a file, as the command line names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    /// The CSV of Storage Explorer
    Csv,
    /// JSON Lines: an entity a line, as the service writes it
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

/// How CSV says types.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum DialectName {
    /// `Int32`
    #[default]
    Plain,
    /// `Edm.Int32`
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
