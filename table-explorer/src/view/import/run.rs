//! The transactions of an import.

use std::{fmt::Write as _, time::Instant};

use futures_util::future::join_all;
use hyper::StatusCode;
use maud::{Markup, html};
use table_exchange::{Import, Reader, Window, Windows};
use table_model::{Operation, Properties, Row, TableName};

use super::{PendingImport, check};
use crate::{
    edit::applied,
    problem::Problem,
    show::{counted, visible},
    view::{Context, entity::Keys},
};

/// Number of rejected lines that are listed.
const LISTED: usize = 100;
/// Number of concurrent reads.
const AT_ONCE: usize = 16;

/// What an import has done.
#[derive(Debug, Default)]
pub(super) struct Done {
    written: u64,
    transactions: u64,
    milliseconds: u128,
    /// Reasons of the first rejected lines.
    rejected: Vec<String>,
    rejected_count: u64,
}

/// Writes all lines. An error ends the import; it contains what was written before.
pub(super) async fn run(context: &Context<'_>, pending: &PendingImport) -> Result<Done, Problem> {
    let started = Instant::now();
    let mut done = Done::default();
    let written = write(context, pending, &mut done).await;
    done.milliseconds = started.elapsed().as_millis();
    match written {
        Ok(()) => Ok(done),
        Err(mut problem) => {
            let count = counted(done.written, "entity was", "entities were");
            let _ = write!(
                problem.detail,
                "\nThe import ended here. At least {count} written before; importing the file again with \
                 insert or replace changes nothing of them."
            );
            Err(problem)
        }
    }
}

async fn write(context: &Context<'_>, pending: &PendingImport, done: &mut Done) -> Result<(), Problem> {
    let tables = &*context.place.tables;
    let unreadable = |error: String| Problem::invalid(format!("The file cannot be read: {error}"));
    let reader =
        Reader::new(pending.format, &*pending.content).map_err(|error| unreadable(error.to_string()))?;
    let import = Import::new(tables, &pending.table);
    import.prepare().await?;
    for window in Windows::new(reader, pending.mode, tables.capabilities().clone()) {
        let mut window = window.map_err(|error| unreadable(error.to_string()))?;
        done.reject(std::mem::take(&mut window.broken).iter());
        checked(context, &pending.table, &window).await?;
        let sent = import.send(window).await?;
        done.written += sent.written;
        done.transactions += sent.transactions;
        done.reject(sent.refused.iter());
    }
    Ok(())
}

/// Checks all rows of a window, also those that were changed after the preview.
async fn checked(context: &Context<'_>, table: &TableName, window: &Window) -> Result<(), Problem> {
    if context.shared.is_raw {
        return Ok(());
    }
    let tables = &context.place.tables;
    let operations: Vec<_> = window.operations().collect();
    for some in operations.chunks(AT_ONCE) {
        // An insert writes nothing if the row exists.
        let operations = some.iter().map(|(_, operation)| *operation);
        let reads: Vec<_> = operations
            .filter(|operation| !matches!(operation, Operation::Insert(_)))
            .map(|operation| tables.get(table, operation.partition_key(), operation.row_key(), None))
            .collect();
        let mut rows = join_all(reads).await.into_iter();
        for (line, operation) in some {
            let before = match operation {
                Operation::Insert(_) => None,
                _ => rows.next().transpose()?.flatten(),
            };
            if let Some(reason) = refusal(context, table, operation, before.as_ref()).await {
                let keys = Keys { partition: operation.partition_key(), row: operation.row_key() };
                let refused = check::line(*line, &keys, &reason);
                return Err(Problem::new(StatusCode::FORBIDDEN, "Not imported", refused));
            }
        }
    }
    Ok(())
}

/// Returns why an operation is not sent.
async fn refusal(
    context: &Context<'_>,
    table: &TableName,
    operation: &Operation,
    before: Option<&Row>,
) -> Option<String> {
    let keys = Keys { partition: operation.partition_key(), row: operation.row_key() };
    let before = before.map(|row| &row.properties);
    let overwritten = before.and_then(|before| check::rule(context, table.as_str(), &keys, before));
    if overwritten.is_some() {
        return overwritten;
    }
    let after = applied(operation, before.unwrap_or(&Properties::new()))?;
    // The service rejects a merge of a missing row, whose other properties are unknown.
    let is_whole = before.is_some() || !matches!(operation, Operation::Merge(..));
    check::refusal(context, table.as_str(), &keys, (&after, is_whole)).await
}

impl Done {
    fn reject<R: ToString>(&mut self, rejected: impl Iterator<Item = R>) {
        for one in rejected {
            self.rejected_count += 1;
            if self.rejected.len() < LISTED {
                self.rejected.push(one.to_string());
            }
        }
    }

    pub(super) fn render(&self, context: &Context<'_>, table: &TableName) -> Markup {
        html! {
            div.head { h1 { "Imported " (counted(self.written, "entity", "entities")) } }
            div.gap {
                p { (counted(self.written, "entity", "entities")) " of " a href=(context.url(&["t", table.as_str()], [])) { bdi { (table) } }
                    " written in " (counted(self.transactions, "transaction", "transactions")) ", " (counted(self.rejected_count, "line", "lines")) " rejected, "
                    (self.milliseconds) " ms" }
                @if !self.rejected.is_empty() {
                    div.card { div.banner { div {
                        p { b { "Rejected lines" } @if self.rejected_count > LISTED as u64 { ", the first " (LISTED) } }
                        ul.small { @for reason in &self.rejected { li { (visible(reason, 300)) } } }
                    } } }
                }
            }
        }
    }
}
