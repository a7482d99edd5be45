//! What is wrong at a place: messages and follow-ups that could not be processed, and damage.

use maud::{Markup, html};
use table_model::{
    TableError,
    outbox::{OutboxKind, OutboxRow},
};

use crate::{
    Place,
    problem::{DAMAGED, detail},
    show::{counted, visible},
    view::{
        Context,
        follow_ups::Record,
        listing::{Messages, is_poison},
    },
};

/// Number of follow-ups that are counted, and that are listed.
const MOST: usize = 100;
const LISTED: usize = 5;

/// The state of a place.
pub(in crate::view) struct Trouble {
    pub(in crate::view) messages: Messages,
    /// Follow-ups that failed for good, and those that wait. `None` if the service cannot list them.
    outbox: Option<[Result<Vec<OutboxRow>, TableError>; 2]>,
    /// The pending follow-up that was written first.
    oldest: Option<Record>,
    damaged_pages: Option<usize>,
}

impl Trouble {
    pub(in crate::view) async fn of(place: &Place, messages: Messages) -> Self {
        let outbox = if place.tables.capabilities().marks {
            let list = |kind| place.tables.list_outbox(kind, None, MOST);
            Some([list(OutboxKind::DeadLetters).await, list(OutboxKind::Commits).await])
        } else {
            None
        };
        let pending = outbox.as_ref().and_then(|[_, pending]| pending.as_ref().ok());
        // Their RowKeys are in the order of time.
        let oldest = match pending.and_then(|rows| rows.iter().min_by_key(|row| &row.row_key)) {
            Some(row) => Record::read(place, row.clone()).await.unwrap_or_default(),
            None => None,
        };
        let damaged_pages = place.store.as_ref().map(|store| store.stats().damaged_pages);
        Self { messages, outbox, oldest, damaged_pages }
    }

    /// Returns the numbers of pending and parked follow-ups, at most 100 of each.
    pub(in crate::view) fn follow_ups(&self) -> Option<[u64; 2]> {
        let [parked, pending] = self.outbox.as_ref()?;
        let count = |rows: &Result<Vec<_>, _>| rows.as_ref().map_or(0, |rows| rows.len() as u64);
        Some([count(pending), count(parked)])
    }

    /// Returns the age of the oldest pending follow-up.
    pub(in crate::view) fn oldest(&self) -> Option<String> {
        self.oldest.as_ref().map(Record::shown_age)
    }

    pub(super) fn render(&self, context: &Context<'_>) -> Markup {
        let mut poison: Vec<_> =
            self.messages.iter().filter(|(name, count)| is_poison(name) && **count > 0).collect();
        poison.sort();
        let (parked, pending) = match &self.outbox {
            Some([parked, pending]) => (Some(parked), Some(pending)),
            None => (None, None),
        };
        let damaged = self.damaged_pages.filter(|pages| *pages > 0);
        let is_any = |rows: Option<&Result<Vec<_>, _>>| {
            rows.is_some_and(|rows| !matches!(rows, Ok(rows) if rows.is_empty()))
        };
        let follow_ups = html! { a href=(context.url(&["design", "follow-ups"], [])) { "Follow-ups" } };
        let is_wrong = damaged.is_some() || !poison.is_empty() || is_any(parked);
        html! {
            section.card {
                header { h2 { @if is_wrong { "What is wrong now" } @else { "Nothing is wrong" } }
                    span.dim.small { "checked: " (self.checked()) } }
                @if let Some(pages) = damaged {
                    div.banner role="alert" { p { b.error { (counted(pages as u64, "damaged page", "damaged pages")) ". " } "Writes are rejected. " (DAMAGED) } }
                }
                @for (name, count) in poison {
                    div.banner { p {
                        b.error { (counted(*count, "message", "messages")) " in " a href=(context.url(&["q", name], [])) { bdi { (name) } } }
                        " could not be processed. The queue shows the reasons."
                    } }
                }
                @if is_any(parked) {
                    (rows(context, parked, ["parked follow-up", "parked follow-ups"], &html! {
                        "Workers gave up after several tries: see the reasons in " (follow_ups) "."
                    }))
                }
                @if is_any(pending) {
                    (rows(context, pending, ["pending follow-up", "pending follow-ups"], &html! {
                        "Workers apply them: see their age in " (follow_ups) "."
                    }))
                }
            }
        }
    }

    fn checked(&self) -> String {
        let mut checked =
            vec![format!("messages of {}", counted(self.messages.len() as u64, "queue", "queues"))];
        if self.outbox.is_some() {
            checked.push("follow-ups".to_owned());
        }
        if self.damaged_pages.is_some() {
            checked.push("damage that reads have found".to_owned());
        }
        checked.join(", ")
    }
}

/// Renders follow-ups with the next step.
fn rows(
    context: &Context<'_>,
    rows: Option<&Result<Vec<OutboxRow>, TableError>>,
    [one, many]: [&str; 2],
    next: &Markup,
) -> Markup {
    let rows = match rows {
        Some(Ok(rows)) => rows,
        Some(Err(error)) => return html! { div.banner { p.error.lines { (detail(error)) } } },
        None => return html! {},
    };
    html! {
        div.banner {
            div {
                p { b { (counted(rows.len() as u64, one, many)) @if rows.len() == MOST { " or more" } ". " } (next) }
                ul.small {
                    @for row in rows.iter().take(LISTED) {
                        li { a href=(context.url(&["t", row.table.as_str(), "e"], [("pk", &*row.partition_key), ("rk", &*row.row_key)])) {
                            code { bdi { (row.table) } " / " (visible(&row.partition_key, 60)) " / " (visible(&row.row_key, 60)) }
                        } }
                    }
                    @if rows.len() > LISTED { li.dim { "and others" } }
                }
            }
        }
    }
}
