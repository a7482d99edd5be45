//! The result of a copy, as text and as JSON.

use std::{fmt::Write, time::Duration};

use serde_json::{Value, json};
use table_exchange::copy::{Difference, TableCopied};
use table_store::TableName;

use crate::text::counted;

/// The result of a pass.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) tables: Vec<(TableName, TableCopied)>,
}

impl Report {
    fn sum(&self, of: impl Fn(&TableCopied) -> u64) -> u64 {
        self.tables.iter().map(|(_, copied)| of(copied)).sum()
    }

    /// Returns the number of rows that were read from the source.
    pub(super) fn read(&self) -> u64 {
        self.sum(|copied| copied.read)
    }

    /// Returns the number of differences that were removed.
    pub(super) fn resolved(&self) -> u64 {
        self.sum(|copied| copied.resolved)
    }

    /// Returns the number of differences that remain.
    pub(super) fn remaining(&self) -> u64 {
        self.sum(TableCopied::remaining)
    }

    /// Returns a line for each table, and one for each listed difference.
    pub(super) fn text(&self, writes: bool) -> String {
        let mut text = String::new();
        for (name, copied) in &self.tables {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name}: {}", of_table(copied, writes));
            for difference in &copied.listed {
                let _ = writeln!(text, "  {difference}");
            }
        }
        text
    }

    /// Returns the last line.
    pub(super) fn summary(&self, lasted: Duration) -> String {
        let (read, seconds) = (self.read(), lasted.as_secs_f64());
        let result = match self.remaining() {
            0 => "source and target are equal".to_owned(),
            count => format!("{} remain", counted(count, "difference")),
        };
        let tables = u64::try_from(self.tables.len()).unwrap_or(u64::MAX);
        format!(
            "{result}; {} of {} compared, {} written, in {seconds:.1} s",
            counted(read, "row"),
            counted(tables, "table"),
            self.resolved()
        )
    }

    pub(super) fn object(&self, is_complete: bool) -> Value {
        let tables: Vec<Value> = self.tables.iter().map(|(name, copied)| table(name, copied)).collect();
        json!({ "complete": is_complete, "equal": is_complete && self.remaining() == 0, "tables": tables })
    }
}

fn of_table(copied: &TableCopied, writes: bool) -> String {
    let mut text = counted(copied.read, "row");
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
            let _ = write!(text, ", {} remain", copied.remaining());
        }
    }
    text
}

fn table(name: &TableName, copied: &TableCopied) -> Value {
    let listed: Vec<Value> = copied.listed.iter().map(difference).collect();
    json!({
        "name": name.as_str(),
        "read": copied.read,
        "missing": copied.missing,
        "different": copied.different,
        "extra": copied.extra,
        "resolved": copied.resolved,
        "remaining": copied.remaining(),
        "differences": listed,
    })
}

fn difference(difference: &Difference) -> Value {
    let Difference { kind, partition_key, row_key, rejected } = difference;
    json!({
        "kind": kind.as_str(),
        "PartitionKey": partition_key,
        "RowKey": row_key,
        "code": rejected.as_ref().map(|error| error.code().as_str()),
        "reason": rejected.as_ref().map(|error| error.message()),
    })
}
