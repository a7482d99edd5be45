//! The import of a file: a preview first, then transactions.

mod check;
mod preview;
mod run;
mod settle;

use std::{path::Path, sync::PoisonError};

use bytes::Bytes;
use hyper::StatusCode;
use maud::html;
use table_exchange::{Format, Mode};
use table_model::TableName;

use super::Context;
use crate::{access::Session, problem::Problem, reply::Reply};
use preview::Preview;

/// A file that was previewed, until it is imported or another one is previewed.
#[derive(Debug)]
pub(crate) struct PendingImport {
    /// Identifies the preview, so that a form of an older one imports nothing else.
    id: String,
    table: TableName,
    mode: Mode,
    format: Format,
    content: Bytes,
}

/// The modes with the words of the command.
const MODES: [(&str, Mode, &str); 5] = [
    ("insert", Mode::Insert, "Insert; existing entities are rejected"),
    ("upsert", Mode::Upsert, "Insert or replace"),
    ("upsert-merge", Mode::UpsertMerge, "Insert or merge; other properties are kept"),
    ("replace", Mode::Replace, "Replace; missing entities are rejected"),
    ("merge", Mode::Merge, "Merge; missing entities are rejected"),
];

/// Renders the form.
pub(crate) async fn view(context: &Context<'_>) -> Result<Reply, Problem> {
    let table = context.query.get("table").unwrap_or_default();
    let content = html! {
        div.head { h1 { "Import" } }
        form.card.pad.lead.gap method="post" enctype="multipart/form-data" action=(context.url(&["import"], [])) {
            (context.token())
            p { label { "Table " input.field name="table" value=(table) required spellcheck="false"; }
                span.dim.small { " — created if it is missing" } }
            p { label { "File " input type="file" name="file" required accept=".csv,.jsonl,.ndjson"; }
                span.dim.small { " — CSV of Storage Explorer or JSON Lines, at most 5 MiB; " code { "tables import" } " has no limit" } }
            fieldset { legend { "Existing entities" }
                @for (name, mode, words) in MODES {
                    p { label { input type="radio" name="mode" value=(name) checked[mode == Mode::Insert]; " " (words) } }
                }
            }
            p { button.main type="submit" { "Preview" } span.dim.small { " — nothing is written yet" } }
        }
    };
    Ok(context.page("Import", &[], content).await)
}

/// Renders the first rows of an uploaded file, and keeps the file.
pub(crate) async fn preview(context: &Context<'_>) -> Result<Reply, Problem> {
    let file = context.file.as_ref().ok_or_else(|| Problem::invalid("Choose a file."))?;
    let format = Format::of_path(Path::new(&file.name)).ok_or_else(|| {
        Problem::invalid(
            "The name of the file must end with .csv, .jsonl or .ndjson, which determines its format.",
        )
    })?;
    let form = context.form.as_ref().ok_or_else(|| Problem::invalid("This address expects a form."))?;
    let table = form.get("table").unwrap_or_default();
    let table: TableName =
        table.parse().map_err(|_| Problem::invalid(format!("`{table}` is not a table name.")))?;
    let mode = MODES.iter().find(|(name, ..)| form.get("mode") == Some(name));
    let (_, mode, words) =
        mode.ok_or_else(|| Problem::invalid("Choose what happens to existing entities."))?;
    let preview = Preview::read(context, &table, *mode, (format, &file.content)).await?;
    let id = Session::new_id().map_err(|error| {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "No random number", error.to_string())
    })?;
    let content = html! {
        div.head { h1 { "Import of " bdi { (file.name) } } span.dim { "into " bdi { (table) } " · " (words) } }
        div.gap {
            (preview.render(*mode, context.shared.is_raw))
            @if preview.may_run(*mode, context.shared.is_raw) {
                form method="post" action=(context.url(&["import", "run"], [])) {
                    (context.token())
                    input type="hidden" name="id" value=(id);
                    button.main type="submit" { "Import " (preview.entities()) }
                }
            }
        }
    };
    let pending = PendingImport { id, table, mode: *mode, format, content: file.content.clone() };
    *context.shared.pending_import.lock().unwrap_or_else(PoisonError::into_inner) = Some(pending);
    let crumbs = [("Import".to_owned(), context.url(&["import"], []))];
    Ok(context.page("Preview", &crumbs, content).await)
}

/// Imports the file that was previewed.
pub(crate) async fn run(context: &Context<'_>) -> Result<Reply, Problem> {
    let id = context.form.as_ref().and_then(|form| form.get("id"));
    let pending = {
        let mut pending = context.shared.pending_import.lock().unwrap_or_else(PoisonError::into_inner);
        pending.take_if(|pending| Some(&*pending.id) == id)
    };
    let Some(pending) = pending else {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "This preview is over",
            "The file was imported already, or another one was previewed. Upload it again.",
        ));
    };
    let done = run::run(context, &pending).await?;
    let crumbs = [("Import".to_owned(), context.url(&["import"], []))];
    Ok(context.page("Result", &crumbs, done.render(context, &pending.table)).await)
}
