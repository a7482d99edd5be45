//! The tables, queues and containers of a place, for the navigation and the start page.

mod messages;

use maud::{Markup, html};
use table_model::{TableError, blob::ListContainers, queue::ListQueues, service::ListTables};

use super::{Context, requests};
use crate::{Place, problem::detail, show::grouped};
pub(super) use messages::{Messages, count, is_poison, source};

/// Maximum number of names of a kind.
pub(super) const MOST: u32 = 100;

/// Names of a kind, or why they cannot be listed.
pub(super) struct Names {
    pub(super) names: Result<Vec<String>, String>,
    pub(super) has_more: bool,
}

/// The first names of each kind.
pub(super) struct Listing {
    pub(super) tables: Names,
    pub(super) queues: Option<Names>,
    pub(super) containers: Option<Names>,
    /// Messages of the queues of a store in this process.
    pub(super) messages: Messages,
}

impl Names {
    fn of<N: ToString>(listed: Result<(Vec<N>, bool), TableError>) -> Self {
        match listed {
            Ok((names, has_more)) => {
                Self { names: Ok(names.iter().map(ToString::to_string).collect()), has_more }
            }
            Err(error) => Self { names: Err(detail(&error)), has_more: false },
        }
    }
}

impl Listing {
    pub(super) async fn of(place: &Place) -> Self {
        let tables = place.tables.list_tables(ListTables::new().top(MOST)).await;
        let tables = Names::of(tables.map(|listed| (listed.tables, listed.continuation.is_some())));
        let queues = match &place.queues {
            Some(queues) => {
                let listed = queues.list_queues(ListQueues::new().max_results(MOST)).await;
                Some(Names::of(listed.map(|listed| {
                    let names = listed.queues.into_iter().map(|queue| queue.name).collect::<Vec<_>>();
                    (names, listed.next_marker.is_some())
                })))
            }
            None => None,
        };
        let containers = match &place.blobs {
            Some(blobs) => {
                let listed = blobs.list_containers(ListContainers::new().max_results(MOST)).await;
                Some(Names::of(listed.map(|listed| {
                    let names = listed.containers.into_iter().map(|found| found.name).collect::<Vec<_>>();
                    (names, listed.next_marker.is_some())
                })))
            }
            None => None,
        };
        let messages = if place.is_local() { count(place, queues.as_ref()).await } else { Messages::new() };
        Self { tables, queues, containers, messages }
    }

    /// Renders the navigation. `current` is the name that the page is about.
    pub(super) fn render(&self, context: &Context<'_>, current: &str) -> Markup {
        html! {
            (group(context, "Tables", "t", &self.tables, current, |_| None))
            @if let Some(queues) = &self.queues {
                (group(context, "Queues", "q", queues, current, |name| self.messages.get(name).copied()))
            }
            @if let Some(containers) = &self.containers {
                (group(context, "Containers", "b", containers, current, |_| None))
            }
            @if context.shared.is_writable || context.place.connection.is_some() {
                h2 { "Place" }
                ul {
                    @if context.shared.is_writable { li { a href=(context.url(&["import"], [])) { "Import" } } }
                    @if context.place.connection.is_some() { li { a href=(context.url(&["sas"], [])) { "Access (SAS)" } } }
                }
            }
            @if let Some(observed) = &context.place.observed {
                h2 { @if observed.is_own() { "This explorer" } @else { "Server" } }
                ul {
                    li { a data-key="g h" href=(context.url(&["heat"], [])) { "Heat" } }
                    li { a data-key="g r" href=(context.url(&["requests"], [])) { (requests::title(context)) } }
                }
            }
        }
    }
}

/// Renders a group of links, with the numbers that are known.
fn group(
    context: &Context<'_>,
    title: &str,
    segment: &str,
    listed: &Names,
    current: &str,
    number: impl Fn(&str) -> Option<u64>,
) -> Markup {
    html! {
        h2 { (title) }
        @match &listed.names {
            Ok(names) if names.is_empty() => p.empty.dim.small { "None" },
            Ok(names) => ul {
                @for name in names { li {
                    a href=(context.url(&[segment, name], [])) aria-current=[(name == current).then_some("true")] {
                        bdi { (name) }
                        @if let Some(number) = number(name).filter(|number| *number > 0) {
                            span class=[is_poison(name).then_some("error")] { (grouped(number)) }
                        }
                    }
                } }
                @if listed.has_more { li { a href=(context.url(&[], [])) { "More…" } } }
            },
            Err(error) => p.empty.error.small.lines { (error) },
        }
    }
}
