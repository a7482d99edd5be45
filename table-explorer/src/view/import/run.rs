//! The transactions of an import.

use std::{fmt::Write as _, time::Instant};

use hyper::StatusCode;
use maud::{Markup, html};
use table_exchange::{Import, Mode, Reader, Refused, Windows};
use table_model::{ErrorCode, Operation, TableName};

use super::{PendingImport, preview::left_out, settle::settle};
use crate::{
    design,
    edit::Failure,
    problem::Problem,
    show::{counted, visible},
    view::{Context, edit},
};

/// Number of rejected lines that are listed.
const LISTED: usize = 100;

/// What an import has done.
#[derive(Debug, Default)]
pub(super) struct Done {
    written: u64,
    transactions: u64,
    milliseconds: u128,
    /// Number of rows that follow from entities.
    left_out: u64,
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
        let settled = settle(context, &pending.table, &mut window).await?;
        done.left_out += settled.left_out;
        done.reject(settled.missing.iter().map(|line| format!("line {line}: no row has these keys")));
        let sent = import.send(window).await?;
        done.written += sent.written;
        done.transactions += sent.transactions;
        let is_overtaken = |code: ErrorCode| {
            code == ErrorCode::UpdateConditionNotSatisfied
                || code == ErrorCode::EntityAlreadyExists && pending.mode != Mode::Insert
        };
        done.reject(sent.refused.iter().map(|refused| match refused {
            Refused { line, code, .. } if is_overtaken(*code) => overtaken(*line),
            refused => refused.to_string(),
        }));
        for (line, operation) in settled.by_design {
            by_design(context, pending, (line, operation), done).await?;
        }
    }
    Ok(())
}

/// Writes an entity with the rows that follow from it.
async fn by_design(
    context: &Context<'_>,
    pending: &PendingImport,
    (line, operation): (u64, Operation),
    done: &mut Done,
) -> Result<(), Problem> {
    let Some(design) = edit::planned(context) else { return Ok(()) };
    let reason = match design::import(design, context.place, &pending.table, operation).await {
        Ok(()) => {
            done.written += 1;
            done.transactions += 1;
            return Ok(());
        }
        Err((_, Failure::Unknown(error))) => {
            let detail = format!("line {line}: {error}");
            return Err(Problem::new(
                StatusCode::GATEWAY_TIMEOUT,
                "The outcome of a write is unknown",
                detail,
            ));
        }
        Err((_, Failure::Exists)) if pending.mode == Mode::Insert => {
            format!("line {line}: {}: an entity has these keys", ErrorCode::EntityAlreadyExists)
        }
        Err((_, Failure::Changed | Failure::Deleted | Failure::Exists)) => overtaken(line),
        Err((_, failure)) => format!("line {line}: {}", failure.reason()),
    };
    done.reject([reason].iter());
    Ok(())
}

/// Describes a line whose row was changed between its check and its write.
fn overtaken(line: u64) -> String {
    format!(
        "line {line}: another writer changed the row during the import. It was not overwritten: compare it, and import \
         the line again if it is right."
    )
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
                @if self.left_out > 0 { p.dim { (left_out(self.left_out)) } }
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
