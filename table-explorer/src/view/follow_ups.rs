//! Writes that were not applied to the rows in other partitions yet: commit records, pending and parked.

mod record;

use std::time::Duration;

use hyper::StatusCode;
use maud::{Markup, html};
use table_model::{ErrorCode, TableError, outbox::OutboxKind};
use table_patterns::{Error, Tables};

use super::Context;
use crate::{
    Place,
    problem::Problem,
    reply::{Reply, redirect},
    show::{age, counted, visible},
};
pub(super) use record::Record;

/// Number of records of each kind that are read.
const MOST: usize = 100;

/// Renders the page.
pub(crate) async fn view(context: &Context<'_>) -> Result<Reply, Problem> {
    let place = context.place;
    let bound = context.design().map(|design| design.schema.targets.lag);
    let bound = bound.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let content = html! {
        div.head { h1 { "Follow-ups" } span.dim { "writes that also change rows in other partitions"
            @if let Some(bound) = bound { "; the design expects them to be applied within " (age(bound)) } } }
        @if let Some([pending, parked]) = lists(place).await? {
            div.gap {
                (card(context, "Pending", &pending, bound, &html! { "None: all rows in other partitions are current." }, &html! {
                    "Workers apply them. If they remain, no worker is running: start one, or call " code { "Tables::catch_up" } "."
                }))
                (card(context, "Parked", &parked, None, &html! { "None." }, &html! {
                    "Workers gave up after several tries. Remove the reason, then retry: the records become pending again."
                }))
                @if context.shared.is_writable && !parked.is_empty() {
                    form method="post" action=(context.url(&["design", "follow-ups"], [])) {
                        (context.token())
                        button.main { "Retry all parked follow-ups" }
                    }
                }
            }
        } @else {
            div.card { p.pad.lead {
                "This service cannot list commit records, and a search would read all tables. The wake-up messages in the queue "
                code { "tables-outbox" } " say where pending ones are; " code { "tables verify" } " finds rows that are not current."
            } }
        }
    };
    Ok(context.page("Follow-ups", &[], content).await)
}

/// Makes the parked records pending.
pub(crate) async fn retry(context: &Context<'_>) -> Result<Reply, Problem> {
    let place = context.place;
    let tables = Tables::from_services(place.tables.clone(), place.queues.clone(), place.blobs.clone());
    let retried = tables.retry_dead_letters().await.map_err(|error| match error {
        Error::Service(error) => Problem::from(error),
        error => Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "Not all were retried", error.to_string()),
    })?;
    let retried = counted(retried as u64, "follow-up is", "follow-ups are");
    context.shared.edits.report(format!("{retried} pending again. A worker applies them."));
    Ok(redirect(&context.url(&["design", "follow-ups"], [])))
}

/// Reads the pending and the parked records. Returns `None` if the service cannot list them.
async fn lists(place: &Place) -> Result<Option<[Vec<Record>; 2]>, TableError> {
    let pending = match list(place, OutboxKind::Commits).await {
        Err(error) if error.code() == ErrorCode::NotImplemented => return Ok(None),
        other => other?,
    };
    Ok(Some([pending, list(place, OutboxKind::DeadLetters).await?]))
}

/// Reads the records of a kind, the oldest first.
async fn list(place: &Place, kind: OutboxKind) -> Result<Vec<Record>, TableError> {
    let mut records = Vec::new();
    for row in place.tables.list_outbox(kind, None, MOST).await? {
        records.extend(Record::read(place, row).await?);
    }
    records.sort_by_key(|record| record.written);
    Ok(records)
}

/// Renders records. Those that are older than `bound` are late.
fn card(
    context: &Context<'_>,
    title: &str,
    records: &[Record],
    bound: Option<Duration>,
    none: &Markup,
    next: &Markup,
) -> Markup {
    let is_late = |record: &Record| bound.is_some_and(|bound| record.age().is_some_and(|age| age > bound));
    let late = records.iter().filter(|record| is_late(record)).count();
    html! {
        section.card {
            header { h2 { (title) } span.small.dim {
                (counted(records.len() as u64, "record", "records")) @if records.len() == MOST { " or more" } ", the oldest first"
                @if late > 0 { ", " b.warning { (late) " late" } }
            } }
            @if records.is_empty() { p.pad.dim { (none) } } @else {
                p.pad { (next) }
                div.grid tabindex="0" role="region" aria-label=(title) { table {
                    caption.away { (title) " follow-ups" }
                    thead { tr { th scope="col" { "Record" } th.n scope="col" { "Age" } th.n scope="col" { "Tries" } th scope="col" { "Last error" } } }
                    tbody { @for record in records { tr {
                        th scope="row" { a href=(record.url(context)) {
                            code { (visible(&record.row.partition_key, 60)) " / " (visible(&record.row.row_key, 60)) } " "
                            span.dim { (record.row.table) } } }
                        td.n { @if is_late(record) { b.warning { (record.shown_age()) ", late" } } @else { (record.shown_age()) } } td.n { (record.tries) }
                        td.lines { @if let Some(error) = &record.error { (visible(error, 300)) } @else { span.none { "·" } } }
                    } } }
                } }
            }
        }
    }
}
