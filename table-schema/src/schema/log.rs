//! Logs in blobs.

use crate::{
    design::FieldDesign,
    language::{Size, Span},
};

/// Records that are appended to blobs and read as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// Its name.
    pub name: String,
    /// A sentence about it.
    pub about: Option<String>,
    /// The names of its blobs: a template that may hold slashes.
    pub blob: String,
    /// The container; absent: the name in lower case.
    pub container: Option<String>,
    /// What a record holds.
    pub fields: Vec<FieldDesign>,
    /// When a blob is written.
    pub flush: Flush,
    /// How long blobs live.
    pub keep: Option<Span>,
}

/// When a blob of a log is written: at whichever comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flush {
    /// So many bytes are there.
    pub bytes: Size,
    /// So long after the first record.
    pub after: Span,
}

impl Default for Flush {
    /// 4 MiB, or a minute.
    fn default() -> Self {
        use crate::language::{SizeUnit, SpanUnit};
        Self {
            bytes: Size { number: 4, unit: SizeUnit::Mebibyte },
            after: Span { number: 60, unit: SpanUnit::Second },
        }
    }
}
