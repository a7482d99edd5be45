//! The export of a filter as a file.

mod write;

use maud::html;
use table_exchange::Format;
use table_model::{Filter, Query, TableName};

use super::{Context, rows};
use crate::{
    body::{MOST_TIME, produced},
    problem::Problem,
    reply::{Reply, attachment},
};

/// Size in bytes of stored entities that a request reads, which bounds the memory of an export.
const READ_BYTES: usize = 4 << 20;

/// The parameters of an export.
struct Asked<'c> {
    table: TableName,
    text: &'c str,
    filter: Option<Filter>,
}

impl<'c> Asked<'c> {
    fn of(context: &'c Context<'_>) -> Result<Self, Problem> {
        let table = Context::table(context.query.get("table").unwrap_or_default())?;
        let text = context.query.filled("filter").unwrap_or_default();
        let filter = Some(text).filter(|text| !text.is_empty()).map(Filter::parse).transpose();
        let filter = filter.map_err(|error| Problem::invalid(error.to_string()))?;
        Ok(Self { table, text, filter })
    }
}

/// Renders the page: the filter, its plan, and the formats.
pub(crate) async fn view(context: &Context<'_>) -> Result<Reply, Problem> {
    let asked = Asked::of(context)?;
    let name = asked.table.as_str();
    let (plan, scanned) = rows::plan_of_all(context, asked.filter.as_ref());
    let content = html! {
        div.head { h1 { "Export" } span.dim { "from " a href=(context.url(&["t", name], [])) { bdi { (name) } } } }
        div.gap {
            form.card.query method="get" action=(context.url(&["export"], [])) {
                input type="hidden" name="table" value=(name);
                div.filter {
                    input name="filter" value=(asked.text) aria-label="Filter" placeholder="All rows" autocomplete="off" spellcheck="false";
                    button type="submit" { "Plan" }
                }
                div.plan { (plan) }
            }
            form.card.pad.lead.gap method="get" action=(context.url(&["export", "file"], [])) {
                input type="hidden" name="table" value=(name);
                input type="hidden" name="filter" value=(asked.text);
                p { label { input type="radio" name="format" value="csv" checked; " CSV of Storage Explorer" }
                    span.dim.small { " — reads the rows twice, first for the names of the columns" } }
                p { label { input type="radio" name="format" value="jsonl"; " JSON Lines" } span.dim.small { " — one entity per line" } }
                @if let Some(scanned) = scanned {
                    p { "This export reads " (scanned) "." }
                    p { button.caution name="scan" value="1" { "Scan and export" } }
                } @else {
                    p { button.main type="submit" { "Export" } }
                }
                p.dim.small { "Types are kept. Values in blobs are not part of the file. An export reads segment by segment, each of one moment, and \
                    ends after " (MOST_TIME.as_secs() / 60) " minutes; after an error the download fails instead of ending early. Without limits: "
                    code { "tables export" } "." }
            }
        }
    };
    Ok(context.page("Export", &[(name.to_owned(), context.url(&["t", name], []))], content).await)
}

/// Returns the file, which is read while it is sent.
pub(crate) fn file(context: &Context<'_>) -> Result<Reply, Problem> {
    let Asked { table, filter, .. } = Asked::of(context)?;
    let (format, extension) = match context.query.get("format") {
        Some("csv") => (Format::Csv, "csv"),
        Some("jsonl") => (Format::JsonLines, "jsonl"),
        _ => return Err(Problem::invalid("The format of an export is `csv` or `jsonl`.")),
    };
    let (_, scanned) = rows::plan_of_all(context, filter.as_ref());
    if let Some(scanned) = scanned.filter(|_| context.query.get("scan").is_none()) {
        return Err(Problem::invalid(format!("This export reads {scanned}; it requires `scan=1`.")));
    }
    let mut query = Query::new().read_bytes(READ_BYTES);
    query.filter = filter;
    let (tables, name) = (context.place.tables.clone(), format!("{table}.{extension}"));
    Ok(attachment(
        &name,
        produced(|out| async move { write::export(&*tables, &table, query, format, out).await }),
    ))
}
