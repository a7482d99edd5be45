//! A message, and what it refers to.

use maud::{Markup, html};
use table_model::{Filter, ValueRef, outbox::OutboxKind, queue::PeekedMessage};
use table_patterns::{Address, Poisoned};

use crate::{
    show::{Readable, exact, lines, visible},
    view::{Context, listing::is_poison},
};

/// Number of characters of a message in a list: 32 messages fit into a page.
pub(super) const SHOWN: usize = 1_000;

/// Renders a message with at most `most` characters.
pub(super) fn render(context: &Context<'_>, queue: &str, message: &PeekedMessage, most: usize) -> Markup {
    let poisoned = Poisoned::parse(message.text.clone());
    let is_poison = is_poison(queue) && !poisoned.queue.is_empty();
    let text = if is_poison { &poisoned.message } else { &message.text };
    let readable = Readable::of(text);
    let is_cut = readable.text.chars().nth(most).is_some();
    let id = message.id.to_string();
    html! {
        section.card {
            header {
                h2 { time { (exact(ValueRef::DateTime(message.inserted))) } }
                span.dim.small { (readable.form) ", received " (times(message.dequeue_count)) ", "
                    @match message.expires {
                        Some(time) => { "expires " (exact(ValueRef::DateTime(time))) },
                        None => "does not expire",
                    }
                }
                @if is_cut {
                    span.right { a.small href=(context.url(&["q", queue], [("message", id.as_str())])) { "Whole message" } }
                }
            }
            @if is_poison { (reason(&poisoned)) }
            @if let Some(rows) = poisoned.rows() { (links(context, &rows)) }
            pre.pad.whole tabindex="0" { (lines(&readable.text, most)) }
        }
    }
}

fn reason(poisoned: &Poisoned) -> Markup {
    html! {
        dl.facts.pad {
            div { dt { "Reason" } dd.error { (visible(&poisoned.reason, 1_000)) } }
            div { dt { "Since" } dd { (poisoned.at) } }
            div { dt { "Queue" } dd { bdi { (poisoned.queue) } ", received " (times(poisoned.dequeued)) } }
        }
    }
}

/// Renders the rows of a wake-up message.
fn links(context: &Context<'_>, rows: &[Address]) -> Markup {
    html! {
        ul.links {
            @for row in rows {
                li { span.kind.pending { (kind(row)) } a href=(entity(context, row)) { code { (visible(&row.to_string(), 300)) } } }
            }
            @if let Some(row) = rows.first() {
                li { span.kind { "partition" } a href=(partition(context, row)) { code { (visible(row.partition_key(), 300)) } } }
            }
        }
    }
}

fn kind(row: &Address) -> &'static str {
    match OutboxKind::of(row.row_key()) {
        Some(OutboxKind::Commits) => "commit record",
        Some(OutboxKind::DeadLetters) => "dead letter",
        None => "row",
    }
}

fn entity(context: &Context<'_>, row: &Address) -> String {
    let keys = [("pk", row.partition_key()), ("rk", row.row_key())];
    context.url(&["t", row.table().as_str(), "e"], keys)
}

fn partition(context: &Context<'_>, row: &Address) -> String {
    let filter = Filter::eq("PartitionKey", row.partition_key()).to_string();
    context.url(&["t", row.table().as_str(), "rows"], [("filter", filter.as_str())])
}

fn times(count: u32) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
