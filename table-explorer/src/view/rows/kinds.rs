//! The kinds of the rows of a page, of which one is shown.

use maud::{Markup, html};
use table_designs::schema::TableKinds;
use table_model::Row;

use super::{Asked, entities::Entities, total::Total};
use crate::{
    design::{Design, KindOfRow, Sort},
    params::Params,
    show::grouped,
    view::Context,
};

/// The kinds that are shown by default, if the page has entities.
pub(super) const ENTITIES: &str = "entities";
pub(super) const ALL: &str = "all";
/// Maximum number of kinds in the switch.
const MOST: usize = 24;

/// The kinds of the rows of a page.
pub(super) struct Kinds {
    /// The kind of each row.
    rows: Vec<KindOfRow>,
    /// The number of rows of each kind, also of those before on this page; entities first.
    counts: Vec<Count>,
    /// The kind that is shown.
    chosen: String,
    /// The rows that are shown can be of several kinds. It does not depend on the rows, since parts of a page have the same
    /// columns.
    are_several: bool,
}

struct Count {
    label: String,
    is_entity: bool,
    rows: u64,
}

impl Kinds {
    /// Determines the kinds of rows. Returns `None` without a design.
    pub(super) fn of(context: &Context<'_>, table: &str, rows: &[Row]) -> Option<Self> {
        let design = context.design()?;
        let kinds = design.in_table(table);
        let kind = |row: &Row| {
            let keys = (row.partition_key.as_deref(), row.row_key.as_deref());
            let keys = (keys.0.unwrap_or_default(), keys.1.unwrap_or_default());
            design.kind_in(kinds.as_ref(), keys, &row.properties)
        };
        let rows: Vec<KindOfRow> = rows.iter().map(kind).collect();
        let mut counts = before(&context.query);
        for row in &rows {
            match counts.iter_mut().find(|count| count.label == row.label) {
                Some(count) => count.rows += 1,
                None => counts.push(Count { label: row.label.clone(), is_entity: is_entity(row), rows: 1 }),
            }
        }
        counts.sort_by_key(|count| !count.is_entity);
        let by_default = if counts.iter().any(|count| count.is_entity) { ENTITIES } else { ALL };
        let chosen = context.query.filled("kind").unwrap_or(by_default).to_owned();
        let entities = kinds.iter().flat_map(TableKinds::entities).count();
        let are_several = chosen == ALL || chosen == ENTITIES && entities > 1;
        Some(Self { rows, counts, chosen, are_several })
    }

    /// Returns whether the page has rows, and none of them is an entity.
    pub(super) fn are_others(&self) -> bool {
        !self.counts.is_empty() && self.counts.iter().all(|count| !count.is_entity)
    }

    /// Returns the kind of a row.
    pub(super) fn get(&self, row: usize) -> Option<&KindOfRow> {
        self.rows.get(row)
    }

    /// Returns whether a row is shown.
    pub(super) fn shows(&self, row: usize) -> bool {
        let is_chosen = |kind: &KindOfRow| match &*self.chosen {
            ALL => true,
            ENTITIES => is_entity(kind),
            label => kind.label == label,
        };
        self.rows.get(row).is_none_or(is_chosen)
    }

    /// Returns whether the rows that are shown can be of several kinds.
    pub(super) const fn are_several(&self) -> bool {
        self.are_several
    }

    /// Adds the choice and the counts to the parameters of the request that continues the page.
    pub(super) fn continued(&self, params: &Params) -> Params {
        let counts: Vec<String> = self
            .counts
            .iter()
            .map(|count| format!("{}:{}:{}", count.is_entity, count.rows, count.label))
            .collect();
        params.with("kind", Some(&self.chosen)).with("counts", Some(&counts.join(",")))
    }

    /// Renders the switch, if there is something to choose.
    pub(super) fn switch(&self, asked: &Asked<'_>) -> Markup {
        let query = Total::removed(&asked.context.query);
        let cursor = asked.context.query.filled("cursor");
        // Parts of a page continue it; the switch requests it again.
        let cursor = cursor.filter(|_| asked.context.query.get("part").is_none());
        let url = |kind: &str| asked.url("rows", query.with("cursor", cursor).with("kind", Some(kind)));
        let entities: u64 = self.counts.iter().filter(|count| count.is_entity).map(|count| count.rows).sum();
        let all: u64 = self.counts.iter().map(|count| count.rows).sum();
        let option = |kind: &str, text: &str, rows: u64| {
            html! { a.chip href=(url(kind)) aria-current=[(self.chosen == kind).then_some("true")] {
                (text) small { (grouped(rows)) }
            } }
        };
        let of_partition = Entities::of(asked);
        let only = of_partition.as_ref().filter(|_| self.are_others()).and_then(Entities::url);
        let whole = of_partition.as_ref().and_then(Entities::url_of_all);
        let are_several = self.counts.len() > 1 || self.chosen != ENTITIES && self.chosen != ALL;
        html! {
            @if let Some(url) = only {
                p.small.dim { "This page has no entities. " a href=(url) { "Entities only" } }
            }
            @if are_several || whole.is_some() {
                div.chips role="group" aria-label="Kinds of rows" {
                    (option(ENTITIES, "Entities", entities))
                    @for count in self.counts.iter().take(MOST).filter(|_| are_several) {
                        (option(&count.label, &count.label, count.rows))
                    }
                    @if let Some(url) = whole { a.chip href=(url) { "All rows of the partition" } }
                    @else { (option(ALL, "All", all)) }
                }
            }
        }
    }
}

/// Orders properties as the design does: those of the entities first, in their order.
pub(super) fn order(design: &Design, kinds: &Kinds) -> Vec<String> {
    let mut entities: Vec<usize> = kinds.rows.iter().filter_map(|kind| kind.sort.entity()).collect();
    entities.sort_unstable();
    entities.dedup();
    let entities = entities.into_iter().filter_map(|number| design.schema.entities.get(number));
    entities.flat_map(|entity| entity.stored_fields().map(|field| field.property.clone())).collect()
}

const fn is_entity(kind: &KindOfRow) -> bool {
    matches!(kind.sort, Sort::Entity(_))
}

/// Reads the counts of the rows before on this page.
fn before(query: &Params) -> Vec<Count> {
    let text = query.get("counts").unwrap_or_default();
    let count = |text: &str| {
        let mut parts = text.splitn(3, ':');
        let (is_entity, rows, label) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Count { label: label.to_owned(), is_entity: is_entity == "true", rows: rows.parse().ok()? })
    };
    text.split(',').filter_map(count).take(MOST).collect()
}
