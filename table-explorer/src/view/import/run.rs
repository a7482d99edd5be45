//! The transactions of an import.

use std::{fmt::Write as _, time::Instant};

use maud::{Markup, html};
use table_exchange::{Import, Reader, Windows};
use table_model::TableName;

use super::PendingImport;
use crate::{
    Place,
    problem::Problem,
    show::{counted, visible},
    view::Context,
};

/// Number of rejected lines that are listed.
const LISTED: usize = 100;

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
pub(super) async fn run(place: &Place, pending: &PendingImport) -> Result<Done, Problem> {
    let started = Instant::now();
    let mut done = Done::default();
    let written = write(place, pending, &mut done).await;
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

async fn write(place: &Place, pending: &PendingImport, done: &mut Done) -> Result<(), Problem> {
    let tables = &*place.tables;
    let unreadable = |error: String| Problem::invalid(format!("The file cannot be read: {error}"));
    let reader =
        Reader::new(pending.format, &*pending.content).map_err(|error| unreadable(error.to_string()))?;
    let import = Import::new(tables, &pending.table);
    import.prepare().await?;
    for window in Windows::new(reader, pending.mode, tables.capabilities().clone()) {
        let mut window = window.map_err(|error| unreadable(error.to_string()))?;
        done.reject(std::mem::take(&mut window.broken).iter());
        let sent = import.send(window).await?;
        done.written += sent.written;
        done.transactions += sent.transactions;
        done.reject(sent.refused.iter());
    }
    Ok(())
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
