//! The line of a request.

use serde::Serialize;
use table_model::{Filter, OperationKind};

use super::{Mask, RecordedWrite, Request};
use crate::wire::path::TablePath;

#[derive(Debug, Default, Serialize)]
struct Line<'r> {
    at: String,
    op: &'static str,
    table: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    filter: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    select: Option<Vec<&'r str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top: Option<u32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    next: bool,
    #[serde(flatten)]
    write: Option<Part<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Named<'r>>,
    rows: u64,
    bytes: u64,
}

/// An operation of a batch.
#[derive(Debug, Serialize)]
struct Named<'r> {
    op: &'static str,
    #[serde(flatten)]
    part: Part<'r>,
}

/// The keys of an entity, and the properties that a merge changes.
#[derive(Debug, Serialize)]
struct Part<'r> {
    pk: String,
    rk: String,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    fields: &'r [String],
}

/// Returns a request as JSON, without a line break.
pub(super) fn of(request: &Request, mask: &Mask) -> String {
    let mut line = Line {
        at: request.at.map(|at| at.to_string()).unwrap_or_default(),
        op: "query",
        table: &request.table,
        rows: request.rows,
        bytes: request.bytes,
        ..Line::default()
    };
    if request.is_batch {
        line.op = "batch";
        line.parts = request.writes.iter().map(|write| named(write, mask)).collect();
    } else if let Some(write) = request.writes.first() {
        let Named { op, part } = named(write, mask);
        (line.op, line.write) = (op, Some(part));
    } else if let Ok(TablePath::Entity { partition_key, row_key, .. }) = TablePath::parse(&request.path) {
        line.op = "get";
        line.write = Some(Part { pk: mask.key(&partition_key), rk: mask.key(&row_key), fields: &[] });
    }
    let filter = request.filter.as_ref().and_then(|filter| Filter::parse(filter).ok());
    line.filter = filter.map(|filter| mask.filter(&filter).to_string());
    let names = |select: &'_ String| !select.split(',').any(|name| name.trim() == "*");
    let select = request.select.as_ref().filter(|select| names(select));
    line.select = select.map(|select| select.split(',').map(str::trim).collect());
    line.top = request.top.as_ref().and_then(|top| top.trim().parse().ok());
    line.next = request.is_next;
    // The fields are strings and numbers, which always serialize.
    serde_json::to_string(&line).unwrap_or_default()
}

fn named<'r>(write: &'r RecordedWrite, mask: &Mask) -> Named<'r> {
    let op = match write.kind {
        OperationKind::Insert => "insert",
        OperationKind::Replace => "replace",
        OperationKind::Merge => "merge",
        OperationKind::InsertOrReplace => "insert_or_replace",
        OperationKind::InsertOrMerge => "insert_or_merge",
        OperationKind::Delete => "delete",
    };
    let (pk, rk) = (mask.key(&write.partition_key), mask.key(&write.row_key));
    Named { op, part: Part { pk, rk, fields: &write.fields } }
}
