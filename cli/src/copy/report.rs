//! The result of a copy, as text and as JSON.

use std::{fmt::Write, time::Duration};

use serde_json::{Value, json};
use table_exchange::copy::{Copied, Difference, Subject};
use table_store::TableError;

use crate::{members::with, text::counted};

/// A table, a queue or a container that was copied.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    pub(super) name: String,
    pub(super) copied: Copied,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    Table,
    Queue,
    Container,
}

impl PartKind {
    /// Returns the words for the part and for one of its elements.
    pub(super) const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Table => ("table", "row"),
            Self::Queue => ("queue", "message"),
            Self::Container => ("container", "blob"),
        }
    }
}

/// The result of a pass.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) parts: Vec<Part>,
}

impl Report {
    fn sum(&self, of: impl Fn(&Copied) -> u64) -> u64 {
        self.parts.iter().map(|part| of(&part.copied)).sum()
    }

    /// Returns the number of rows, blobs and messages of the source.
    pub(super) fn read(&self) -> u64 {
        self.sum(|copied| copied.read)
    }

    /// Returns the number of differences that were removed.
    pub(super) fn resolved(&self) -> u64 {
        self.sum(|copied| copied.resolved)
    }

    /// Returns the number of differences that remain.
    pub(super) fn remaining(&self) -> u64 {
        self.sum(Copied::remaining)
    }

    /// Returns a line for each table, and one for each listed difference.
    pub(super) fn text(&self, writes: bool) -> String {
        let mut text = String::new();
        for part in &self.parts {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", of_part(part, writes));
            for difference in &part.copied.listed {
                let _ = writeln!(text, "  {difference}");
            }
        }
        text
    }

    /// Returns the last line.
    pub(super) fn summary(&self, lasted: Duration) -> String {
        let result = match self.remaining() {
            0 if self.parts.is_empty() => "the source contains nothing to copy; check its address".to_owned(),
            0 => "source and target are equal, except for access policies and service properties, which are not copied"
                .to_owned(),
            1 => "1 difference remains".to_owned(),
            count => format!("{count} differences remain"),
        };
        let (read, written, seconds) = (self.read(), self.resolved(), lasted.as_secs_f64());
        format!("{result}; {read} compared, {written} written, in {seconds:.1} s")
    }

    pub(super) fn object(&self, is_complete: bool) -> Value {
        let of = |kind: PartKind| -> Vec<Value> {
            self.parts.iter().filter(|part| part.kind == kind).map(object).collect()
        };
        json!({
            "complete": is_complete,
            "equal": is_complete && self.remaining() == 0,
            "tables": of(PartKind::Table),
            "queues": of(PartKind::Queue),
            "containers": of(PartKind::Container),
        })
    }
}

fn of_part(Part { kind, name, copied }: &Part, writes: bool) -> String {
    let (part, element) = kind.words();
    let mut text = format!("{part} {name}: {}", counted(copied.read, element));
    if copied.found() == 0 {
        text.push_str(", equal");
        return text;
    }
    for (count, kind) in
        [(copied.missing, "missing"), (copied.different, "different"), (copied.extra, "extra")]
    {
        if count > 0 {
            let _ = write!(text, ", {count} {kind}");
        }
    }
    if writes {
        let _ = write!(text, "; {} written", copied.resolved);
        if copied.remaining() > 0 {
            let _ = write!(text, ", {} not", copied.remaining());
        }
    }
    text
}

fn object(Part { name, copied, .. }: &Part) -> Value {
    let listed: Vec<Value> = copied.listed.iter().map(difference).collect();
    json!({
        "name": name,
        "read": copied.read,
        "missing": copied.missing,
        "different": copied.different,
        "extra": copied.extra,
        "resolved": copied.resolved,
        "remaining": copied.remaining(),
        "differences": listed,
    })
}

fn difference(Difference { kind, subject, rejected }: &Difference) -> Value {
    let object = match subject {
        Subject::Entity { partition_key, row_key } => {
            json!({ "PartitionKey": partition_key, "RowKey": row_key })
        }
        Subject::Blob(blob) => json!({ "blob": blob.name.as_str() }),
        Subject::Messages(count) => json!({ "messages": count }),
        _ => json!({}),
    };
    let object = with(object, "kind", kind.as_str());
    let object = with(object, "code", rejected.as_ref().map(|error| error.code().as_str()));
    with(object, "reason", rejected.as_ref().map(TableError::message))
}
