//! Logs in blobs.

use table_schema::{
    design::FieldDesign,
    language::{Size, Span},
};

/// Records that are appended to blobs and read sequentially as complete blobs.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// The name.
    pub name: String,
    /// The description.
    pub about: Option<String>,
    /// The template of the blob names, which may contain slashes.
    pub blob: String,
    /// The container. Defaults to the name in lower case.
    pub container: Option<String>,
    /// The fields of a record.
    pub fields: Vec<FieldDesign>,
    /// The condition for writing a blob.
    pub flush: Flush,
    /// The retention period of the blobs.
    pub keep: Option<Span>,
}

/// The condition for writing a blob of a log: the first limit that is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flush {
    /// The number of buffered bytes.
    pub bytes: Size,
    /// The time since the first record.
    pub after: Span,
}

impl Default for Flush {
    /// Returns 4 MiB and one minute.
    fn default() -> Self {
        use table_schema::language::{SizeUnit, SpanUnit};
        Self {
            bytes: Size { number: 4, unit: SizeUnit::Mebibyte },
            after: Span { number: 60, unit: SpanUnit::Second },
        }
    }
}
