//! The rows of a page, what it took to find them, and the way to the next ones.

use maud::{Markup, html};

use super::{Asked, ROWS, Read, Total, grid::Grid};
use crate::{params::Params, show::grouped};

/// Rows of a page, and the totals of all its requests.
pub(super) struct Found<'c> {
    asked: &'c Asked<'c>,
    read: &'c Read,
    grid: Grid<'c>,
    total: Total,
    /// Parameters of the request that continues.
    next: Option<Params>,
    is_full: bool,
}

impl<'c> Found<'c> {
    pub(super) fn new(asked: &'c Asked<'c>, read: &'c Read, before: Total, has_partition: bool) -> Self {
        let query = &asked.context.query;
        let total = before.and(read);
        let is_part = query.get("part").is_some();
        let on_page = if is_part { total.rows } else { read.rows.len() as u64 };
        let is_full = on_page >= ROWS as u64 || read.is_cut;
        let next = read.continuation.as_ref().map(|token| {
            if is_full {
                Total::removed(query).with("cursor", Some(token.as_str()))
            } else {
                total.continued(query, token)
            }
        });
        let grid = Grid::new(asked.context, asked.table, read, has_partition);
        Self { asked, read, grid, total, next, is_full }
    }

    /// Returns whether the page has rows.
    pub(super) fn has_rows(&self) -> bool {
        !self.read.rows.is_empty()
    }

    /// Renders the rows. `data-more` is the address of further rows of the page.
    pub(super) fn render(&self) -> Markup {
        let more = self.next.as_ref().filter(|_| !self.is_full).map(|next| {
            let columns = self.grid.names().filter(|_| !self.read.rows.is_empty());
            let next = columns.map_or_else(|| next.clone(), |names| next.with("columns", Some(&names)));
            let next = self.grid.kinds().map_or_else(|| next.clone(), |kinds| kinds.continued(&next));
            self.asked.url("rows", next.with("part", Some("1")))
        });
        html! {
            section #found aria-label="Rows found" data-more=[more] {
                (self.bar())
                @if let Some(damage) = &self.read.damage {
                    div.card { div.banner role="alert" { p.lines {
                        b { (damage.title) } "\n" (damage.detail) "\nThese are the rows before it. A filter on later keys finds those after it."
                    } } }
                }
                @if self.read.rows.is_empty() && self.read.damage.is_some() {
                } @else if self.read.rows.is_empty() {
                    div.card.grid { p.pad.lead {
                        @if self.next.is_some() { "No row found so far." }
                        @else { "No row matches. A wider filter finds more." }
                    } }
                } @else if self.grid.is_empty() {
                    div.card.grid { p.pad.lead { "None of these rows is of this kind." } }
                } @else {
                    (self.grid.render())
                }
            }
        }
    }

    fn bar(&self) -> Markup {
        let Self { asked, read, total, next, .. } = self;
        let query = &asked.context.query;
        let is_continued = total.requests > u64::from(read.requests);
        let rows = if query.get("part").is_some() { total.rows } else { read.rows.len() as u64 };
        html! {
            div.bar {
                span { b { (grouped(rows)) } @if rows == 1 { " row" } @else { " rows" }
                    @if read.is_cut { ": more would exceed the 100 KB of a page" } }
                span.dim.counts {
                    "read " (grouped(total.read)) " · returned " (grouped(total.rows)) " · " (grouped(total.requests))
                    @if total.requests == 1 { " request" } @else { " requests" }
                    @if !is_continued { " · " (read.milliseconds) " ms" }
                }
                @if let Some(kinds) = self.grid.kinds() { (kinds.switch(asked)) }
                span.tools {
                    (self.grid.chooser())
                    a.button.plain href=(asked.context.url(&["export"], [("table", asked.table), ("filter", asked.text)])) { "Export" }
                    @if query.filled("cursor").is_some() {
                        a.button href=(asked.url("rows", Total::removed(query))) { "First" }
                    }
                    @if let Some(next) = next {
                        @if self.is_full {
                            a.button rel="next" data-key="n" href=(asked.url("rows", next.clone())) { "Next " kbd { "n" } }
                        } @else {
                            a.button data-continue rel="next" data-key="n" href=(asked.url("rows", next.clone())) { "Continue" }
                            button type="button" data-stop hidden { "Stop " kbd { "Esc" } }
                        }
                    }
                }
            }
        }
    }
}
