//! The rows that belong together with a row, each read as a point and compared.

use maud::{Markup, html};
use table_model::{Properties, TableName, Timestamp};
use table_patterns::{
    Address, Designed, DifferenceKind, Error, PendingCommit, RelatedRow, RelatedState, Unverifiable,
};
use table_schema::design::EntityDesign;

use super::Keys;
use crate::{
    design::{Design, KindOfRow, Sort},
    show::{CELL, counted, key, visible},
    view::Context,
};

/// The rows that belong together with a row.
pub(super) struct Related<'c> {
    context: &'c Context<'c>,
    table: TableName,
    keys: Keys<'c>,
    entity: &'c EntityDesign,
    /// The entity of an index row.
    owner: Option<Address>,
    rows: Vec<RelatedRow>,
    skipped: &'static [Unverifiable],
    error: Option<String>,
}

impl<'c> Related<'c> {
    /// Reads the rows. Returns `None` for a row that belongs to no entity of the design.
    pub(super) async fn read(
        context: &'c Context<'c>,
        table: &str,
        keys: Keys<'c>,
        kind: &KindOfRow,
    ) -> Option<Self> {
        let design = context.design()?;
        let entity = design.schema.entities.get(kind.sort.entity()?)?;
        let table = table.parse().ok()?;
        let mut found =
            Self { context, table, keys, entity, owner: None, rows: Vec::new(), skipped: &[], error: None };
        if entity.wide.is_some() {
            found.error =
                Some("The entity has several rows, which are compared by `tables verify`.".to_owned());
            return Some(found);
        }
        let read = found.read_rows(design, kind.sort).await;
        found.error = read.err();
        Some(found)
    }

    async fn read_rows(&mut self, design: &Design, sort: Sort) -> Result<(), String> {
        let verified = design.verified(self.context.place, self.entity);
        let (designed, _) = verified.map_err(|error| error.to_string())?;
        let designed = designed.with_registry_if_registered().await.map_err(|error| error.to_string())?;
        self.skipped = designed.unjudged();
        let read = match sort {
            Sort::Entity(_) => self.of_entity(&designed).await,
            _ => self.of_index_row(&designed).await,
        };
        read.map_err(|error| error.to_string())
    }

    async fn of_entity(&mut self, designed: &Designed) -> Result<(), Error> {
        self.rows = designed.related(self.keys.partition, self.keys.row).await?;
        Ok(())
    }

    /// Compares an index row with its entity.
    async fn of_index_row(&mut self, designed: &Designed) -> Result<(), Error> {
        let (partition, row) = (self.keys.partition, self.keys.row);
        self.owner = designed.owner(&self.table, partition, row).await?;
        if let Some(owner) = &self.owner {
            let related = designed.related(owner.partition_key(), owner.row_key()).await?;
            let is_this = |other: &RelatedRow| {
                let address = &other.address;
                (address.partition_key(), address.row_key()) == (partition, row)
                    && *address.table() == self.table
            };
            self.rows.extend(related.into_iter().filter(is_this));
        }
        if self.rows.is_empty() {
            let report = designed.verify_row(&self.table, partition, row, false).await?;
            self.rows.extend(report.differences.into_iter().map(|difference| RelatedRow {
                rule: difference.index.unwrap_or("row").to_owned(),
                address: difference.address,
                is_near: false,
                state: RelatedState::Different(difference.what),
            }));
        }
        Ok(())
    }

    /// Returns whether a repair would change something.
    fn has_differences(&self) -> bool {
        self.rows.iter().any(|row| !matches!(row.state, RelatedState::Current))
    }

    pub(super) fn render(&self) -> Markup {
        let count = self.rows.len() as u64;
        html! {
            section.card {
                header {
                    h2 { "Related rows" }
                    span.dim.small { @if count > 0 { (counted(count, "row, read as a point", "rows, read as points")) } }
                    @if self.context.shared.is_writable && self.has_differences() {
                        form.right method="post" action=(self.context.url(&["t", self.table.as_str(), "e", "repair"], [])) {
                            (self.context.token())
                            input type="hidden" name="pk" value=(self.keys.partition);
                            input type="hidden" name="rk" value=(self.keys.row);
                            button { "Verify and repair" }
                        }
                    }
                }
                ul.links {
                    @if let Some(owner) = &self.owner { li {
                        span.kind { (self.entity.name) } (self.link(owner)) span.dim { "its entity" }
                    } }
                    @for row in &self.rows { (self.row(row)) }
                    @if self.rows.is_empty() && self.owner.is_none() && self.error.is_none() { li { p.dim { "None." } } }
                    @for part in self.skipped { li { span.kind.index { (part.name) }
                        span.dim { "not compared" } span {} p { (part.reason) } } }
                }
                @if let Some(error) = &self.error { p.pad.error.lines { (error) } }
            }
        }
    }

    fn row(&self, row: &RelatedRow) -> Markup {
        let (style, word, detail) = match &row.state {
            RelatedState::Current => ("good", "current", None),
            RelatedState::Pending(commit) => ("warning", "pending", Some(self.commit(commit))),
            RelatedState::Different(what) => ("error", word(*what), Some(html! { (explained(*what)) })),
        };
        html! {
            li {
                span class=(if word == "pending" { "kind pending" } else { "kind index" }) { (row.rule) }
                (self.link(&row.address))
                span class=(style) { (word) }
                p { @if let Some(detail) = detail { (detail) }
                    @else if row.is_near { "Same partition: written in the transaction of the entity." }
                    @else { "Another partition: updated after the commit of the entity." } }
            }
        }
    }

    /// Renders when and where the commit record of a pending row was written.
    fn commit(&self, commit: &PendingCommit) -> Markup {
        let age = commit.written.map(|written| Timestamp::now().duration_since(written));
        html! {
            @if commit.is_dead_lettered { "The record of the commit is dead-lettered: " } @else { "A commit must still update it: " }
            (self.link(&commit.record))
            @if let Some(age) = age { ", " (seconds(age)) " old" }
        }
    }

    /// Renders the address of a row as a link, without the part that it shares with this row.
    fn link(&self, address: &Address) -> Markup {
        let (table, partition, row) = (address.table().as_str(), address.partition_key(), address.row_key());
        let keys = Keys { partition, row };
        let none = Properties::new();
        let fields = self.context.kind(table, &keys, &none).map_or_else(Default::default, |kind| kind.fields);
        let [of_partition, of_row] = fields;
        let is_other_table = *address.table() != self.table;
        html! {
            a href=(keys.url(self.context, table, &[])) { code.key {
                @if is_other_table { (visible(table, CELL)) " / " }
                @if is_other_table || partition != self.keys.partition { (key(partition, &of_partition, CELL)) " / " }
                (key(row, &of_row, CELL))
            } }
        }
    }
}

/// Formats an age.
fn seconds(age: std::time::Duration) -> String {
    match age.as_secs() {
        0..60 => format!("{}.{} s", age.as_secs(), age.subsec_millis() / 100),
        seconds @ 60..7200 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3600),
    }
}

/// Returns the state of a row in a word.
const fn word(what: DifferenceKind) -> &'static str {
    match what {
        DifferenceKind::Missing => "missing",
        DifferenceKind::Stale => "stale",
        DifferenceKind::Orphaned => "orphaned",
        DifferenceKind::Placeholder => "placeholder",
        DifferenceKind::Reserved => "reserved",
        DifferenceKind::Taken => "taken",
        DifferenceKind::WrongTotal => "wrong total",
        DifferenceKind::Unreadable => "unreadable",
        DifferenceKind::OtherVersion => "other version",
        DifferenceKind::Lost => "lost",
        _ => "unknown",
    }
}

/// Returns what a difference means.
const fn explained(what: DifferenceKind) -> &'static str {
    match what {
        DifferenceKind::Missing => "The entity requires the row, and no commit record will write it.",
        DifferenceKind::Stale => {
            "The row shows an older state of the entity, and no commit record will update it."
        }
        DifferenceKind::Orphaned => "No entity requires the row.",
        DifferenceKind::Placeholder | DifferenceKind::Reserved => {
            "Its writer is no longer running. Readers ignore it."
        }
        DifferenceKind::Taken => "Another entity or another client uses the key. A repair leaves it.",
        DifferenceKind::WrongTotal => "The total differs from the contributions of the entities.",
        _ => "The row cannot be compared. A repair leaves it.",
    }
}
