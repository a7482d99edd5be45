//! Why a row exists: the templates of its keys, its entity, the rule that keeps it.

use std::ops::Range;

use maud::{Markup, html};
use table_designs::schema::{KeyMismatch, RecognizedRow};
use table_model::{Row, TableName, Value};
use table_patterns::{Address, CommitRow, LibraryRow};
use table_schema::{
    design::{EntityDesign, Origin},
    key::KeyKind,
    template::{SegmentKind, Template},
};

use super::Keys;
use crate::{
    design::{Design, KindOfRow, Sort, color, entity_type},
    show::{CELL, color_class, visible},
    view::Context,
};

/// Number of rows of a commit record that are shown.
const MOST_ROWS: usize = 20;

/// Renders the reasons for a row.
pub(super) fn render(
    context: &Context<'_>,
    design: &Design,
    table: &str,
    keys: &Keys<'_>,
    kind: &KindOfRow,
    row: &Row,
) -> Markup {
    let said = entity_type(&row.properties);
    let kinds = design.in_table(table);
    let found = kinds.as_ref().and_then(|kinds| kinds.recognize(keys.partition, keys.row, said));
    let entity = found.as_ref().and_then(|found| design.schema.entities.get(found.entity));
    html! {
        section.card {
            header { h2 { "Why is this row here?" } }
            div.pad.gap.small {
                @match (kind.sort, found.as_ref().zip(entity)) {
                    (Sort::Library(library), _) => { p { (purpose(library)) } (commit(context, table, row)) },
                    (_, Some((found, entity))) => (recognized(design, entity, found, keys, said)),
                    _ => {
                        p { "No template of the design " code { (design.schema.name) } " parses its keys, so the design does not say what it is for." }
                        @if let Some(kinds) = &kinds { ul { @for mismatch in kinds.mismatches(keys.partition, keys.row, said) {
                            (failed(design, keys, &mismatch, said))
                        } } } @else { p { "The design has no rows in this table." } }
                    }
                }
                @if let Some(Value::String(transaction)) = row.properties.get("_tx") {
                    p { "Last written in the transaction " code { (visible(transaction, CELL)) } "." }
                }
            }
        }
    }
}

/// Renders the entity of a commit record, and the rows that it names.
fn commit(context: &Context<'_>, table: &str, row: &Row) -> Markup {
    let Ok(table) = table.parse::<TableName>() else { return Markup::default() };
    let rows = match CommitRow::of(&table, row) {
        Ok(rows) => rows,
        Err(error) => {
            return html! { p.error { "The record cannot be read: " (visible(&error.to_string(), 300)) } };
        }
    };
    let link = |address: &Address| {
        let keys = Keys { partition: address.partition_key(), row: address.row_key() };
        html! { a href=(keys.url(context, address.table().as_str(), &[])) { code.key {
            (visible(keys.partition, CELL)) " / " (visible(keys.row, CELL))
        } } }
    };
    let mut entities: Vec<&Address> = rows.iter().map(|row| &row.entity).collect();
    entities.dedup();
    html! {
        @for entity in entities.iter().take(MOST_ROWS) { p { "Entity " (link(entity)) } }
        ul { @for row in rows.iter().take(MOST_ROWS) {
            li { (link(&row.address)) " " b { (row.rule) } @if row.is_old { ", no longer required" } @else { ", required" } }
        } }
        @if rows.len() > MOST_ROWS { p.dim { "+ " (rows.len() - MOST_ROWS) " more rows" } }
    }
}

fn recognized(
    design: &Design,
    entity: &EntityDesign,
    found: &RecognizedRow<'_>,
    keys: &Keys<'_>,
    said: Option<&str>,
) -> Markup {
    let parts = [(found.partition, KeyKind::Partition, keys.partition), (found.row, KeyKind::Row, keys.row)];
    html! {
        p { "It is " (role(entity, found)) " of the design " code { (design.schema.name) } " " span.dim { "(hash " code { (design.hash) } ")" } ". "
            @match said {
                Some(_) if entity.entity_type_value().as_deref() == said => { code { "EntityType" } " agrees." },
                Some(said) => { code { "EntityType" } " is " code { (visible(said, CELL)) } ", another version or name of it." },
                None => {}
            }
        }
        @for (template, kind, key) in parts { p {
            (if kind == KeyKind::Row { "RowKey " } else { "PartitionKey " })
            code.key { (colored(entity, template)) }
            @for (field, span) in template.form(kind).spans(key).fields {
                " · " b class=(color_class(color(entity, field))) { (field) } " = " (visible(key.get(span).unwrap_or_default(), CELL))
            }
        } }
    }
}

/// Renders what keeps a row.
fn role(entity: &EntityDesign, found: &RecognizedRow<'_>) -> Markup {
    let name = &entity.name;
    match found.origin {
        Origin::Primary => html! { "an entity " b { (name) } },
        Origin::Index(number) => {
            let index = entity.indexes.get(number);
            let kinds = entity.row_kinds();
            let own = kinds.iter().find(|kind| kind.origin == Origin::Primary);
            let this = kinds.iter().find(|kind| kind.origin == found.origin);
            let is_near = own.zip(this).is_some_and(|(own, this)| this.is_near(own));
            html! {
                "a row of the index " b { (index.map_or("", |index| &index.name)) } " of " b { (name) }
                @if is_near { ", kept by the transactions of its entity," } @else { ", updated after the commits of its entity," }
                @if let Some(when) = index.and_then(|index| index.when.as_ref()) { " which has " code { (when) } "," }
            }
        }
        Origin::Lookup(number) => html! {
            "a list of the lookup " b { (entity.lookups.get(number).map_or("", |lookup| &lookup.name)) } " of " b { (name) }
            ", or one of its members, kept by the writes of the entities,"
        },
    }
}

/// Renders a template with its fields in colors.
fn colored(entity: &EntityDesign, template: &Template) -> Markup {
    html! {
        @for segment in template.segments() {
            @match &segment.kind {
                SegmentKind::Literal(text) => (text),
                SegmentKind::Field(hole) => b class=(color_class(color(entity, &hole.field))) { (hole) },
            }
        }
    }
}

/// Renders a template that does not parse a key, and where it fails.
fn failed(design: &Design, keys: &Keys<'_>, mismatch: &KeyMismatch<'_>, said: Option<&str>) -> Markup {
    let entity = design.schema.entities.get(mismatch.entity);
    let name = entity.map_or("", |entity| &entity.name);
    let (word, key) = if mismatch.key == KeyKind::Partition {
        ("PartitionKey", keys.partition)
    } else {
        ("RowKey", keys.row)
    };
    let text = |span: Range<usize>| key.get(span).unwrap_or_default();
    html! {
        li {
            b { (name) @if mismatch.name != "row" { "." (mismatch.name) } } " "
            code.key { @if let Some(entity) = entity { (colored(entity, mismatch.template)) } }
            @match mismatch.at {
                Some(at) => {
                    ": " (word) " fails at character " (text(0..at).chars().count() + 1) ", "
                    code.key { (visible(text(0..at), CELL)) b.error { (visible(text(at..key.len()), CELL)) @if at == key.len() { "␃" } } }
                },
                None => { ": the keys match, but " code { "EntityType" } " is " code { (visible(said.unwrap_or_default(), CELL)) } },
            }
        }
    }
}

/// Returns what a row of the library is for.
const fn purpose(row: LibraryRow) -> &'static str {
    match row {
        LibraryRow::CommitRecord => {
            "It is a commit record: a transaction of this partition must still update rows in other partitions. The writer or a \
             worker applies the record, and deletes it."
        }
        LibraryRow::AbortRecord => {
            "It is an abort record: it prevents a transaction whose outcome was unknown. Workers delete it later."
        }
        LibraryRow::DeadLetter => {
            "It is a commit record that could not be applied several times. Rows in other partitions are out of date until it is \
             retried."
        }
        LibraryRow::Contribution => {
            "It is the contribution of an entity of another partition to the totals in this one."
        }
        LibraryRow::Step => {
            "It records that a step of a task was executed, so that it is not executed twice."
        }
        LibraryRow::FeedPosition => "It contains the last position of a change feed.",
        LibraryRow::FeedEvent => "It is an event of a change feed.",
        LibraryRow::Placeholder => {
            "It is a placeholder: a worker created it to update an index row. Readers ignore it."
        }
        LibraryRow::Reservation => {
            "It reserves a unique value for a transaction that is being committed. Readers ignore it."
        }
        LibraryRow::Aggregates => "It contains totals of an entity that does not exist.",
        LibraryRow::Moved => "An entity was moved from this key to another one.",
        _ => "Its RowKey starts with `!`: the library or another program maintains it.",
    }
}
