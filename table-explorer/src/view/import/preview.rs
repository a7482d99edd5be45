//! What a file contains, and what its import would do.

use maud::{Markup, html};
use table_exchange::{Broken, Format, Line, Mode, ReadError, Reader};
use table_model::{Entity, ErrorCode, TableError, TableName};

use super::check::{self, Treatment};
use crate::{
    problem::Problem,
    show::{cell, counted, type_name, visible},
    view::{Context, entity::Keys},
};

/// Number of entities that are shown and looked up.
const SHOWN: usize = 20;
/// Number of properties of an entity that are shown, and of characters of each.
const PROPERTIES: usize = 8;
const CHARACTERS: usize = 40;

/// The content of a file.
pub(super) struct Preview {
    shown: Vec<Shown>,
    entities: u64,
    broken: Vec<Broken>,
    broken_count: u64,
    /// Number of lines that are not imported, and the first one with the reason.
    refused: u64,
    refused_line: String,
    /// Number of rows that follow from entities.
    left_out: u64,
}

struct Shown {
    line: u64,
    entity: Entity,
    stored: Stored,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stored {
    Missing,
    Exists,
    Maintained,
    /// The line follows from entities.
    LeftOut,
}

impl Preview {
    /// Reads the whole file, and the stored rows of the first entities.
    pub(super) async fn read(
        context: &Context<'_>,
        table: &TableName,
        mode: Mode,
        (format, content): (Format, &[u8]),
    ) -> Result<Self, Problem> {
        let invalid = |error: ReadError| Problem::invalid(format!("The file cannot be read: {error}"));
        let mut preview = Self {
            shown: Vec::new(),
            entities: 0,
            broken: Vec::new(),
            broken_count: 0,
            refused: 0,
            refused_line: String::new(),
            left_out: 0,
        };
        for line in Reader::new(format, content).map_err(invalid)? {
            let Line { number, entity, .. } = line.map_err(|error| invalid(error.into()))?;
            let checked = entity.and_then(|entity| {
                let checked = entity.check(context.place.tables.capabilities().key_length);
                checked.map_err(|error| Broken { line: number, reason: error.message().to_owned() })?;
                Ok(entity)
            });
            match checked {
                Ok(entity) => preview.add(context, table, mode, (number, entity)).await,
                Err(broken) => {
                    preview.broken_count += 1;
                    if preview.broken.len() < SHOWN {
                        preview.broken.push(broken);
                    }
                }
            }
        }
        for shown in preview.shown.iter_mut().filter(|shown| shown.stored != Stored::LeftOut) {
            shown.stored = stored(context, table, &shown.entity).await?;
        }
        Ok(preview)
    }

    async fn add(
        &mut self,
        context: &Context<'_>,
        table: &TableName,
        mode: Mode,
        (line, entity): (u64, Entity),
    ) {
        let is_whole = !matches!(mode, Mode::Merge | Mode::UpsertMerge);
        let keys = Keys::of_entity(&entity);
        let treatment = check::checked(context, table.as_str(), &keys, (&entity.properties, is_whole)).await;
        let mut stored = Stored::Missing;
        match treatment {
            Treatment::Alone | Treatment::ByDesign => self.entities += 1,
            Treatment::LeftOut => {
                self.left_out += 1;
                stored = Stored::LeftOut;
            }
            Treatment::Refused(reason) => {
                if self.refused == 0 {
                    self.refused_line = check::line(line, &keys, &reason);
                }
                (self.entities, self.refused) = (self.entities + 1, self.refused + 1);
            }
        }
        if self.shown.len() < SHOWN {
            self.shown.push(Shown { line, entity, stored });
        }
    }

    pub(super) fn entities(&self) -> String {
        counted(self.entities, "entity", "entities")
    }

    /// Returns whether the import may run: rows that a design maintains are written only in raw mode.
    pub(super) fn may_run(&self, mode: Mode, is_raw: bool) -> bool {
        let is_overwritten = |shown: &Shown| shown.stored == Stored::Maintained && mode != Mode::Insert;
        self.entities > 0 && (is_raw || self.refused == 0 && !self.shown.iter().any(is_overwritten))
    }

    pub(super) fn render(&self, mode: Mode, is_raw: bool) -> Markup {
        html! {
            @if self.entities > 0 && !self.may_run(mode, is_raw) {
                div.card { div.banner role="alert" { p {
                    b { "This file is not imported: " }
                    @if self.refused > 0 {
                        (counted(self.refused, "line contains", "lines contain")) " what a design maintains or excludes. "
                        (self.refused_line)
                    } @else { "it would overwrite rows that a design maintains." }
                    " Write these rows with a program that has the design, or restore an export into an empty "
                    "table with " code { "tables import" } "."
                } } }
            }
            @if self.broken_count > 0 { (self.broken()) }
            @if self.left_out > 0 { p.dim { (left_out(self.left_out)) } }
            @if self.shown.is_empty() { div.card { p.pad.lead { "The file contains no entity." } } }
            @else { (self.rows(mode)) }
        }
    }

    fn broken(&self) -> Markup {
        html! {
            div.card { div.banner { div {
                p { b { (counted(self.broken_count, "line is skipped:", "lines are skipped:")) } }
                ul.small { @for broken in &self.broken { li { (visible(&broken.to_string(), 300)) } } }
            } } }
        }
    }

    fn rows(&self, mode: Mode) -> Markup {
        html! {
            section.card.grid tabindex="0" role="region" aria-label="Preview" {
                header { h2 { "The first " (self.shown.len()) " of " (counted(self.entities + self.left_out, "entity", "entities")) } }
                table {
                    caption.away { "First entities of the file" }
                    thead { tr {
                        th.n scope="col" { "Line" } th scope="col" { "PartitionKey" } th scope="col" { "RowKey" }
                        th scope="col" { "Import" } th scope="col" { "Properties" }
                    } }
                    tbody { @for shown in &self.shown { tr {
                        td.n { (shown.line) }
                        td { code.key { (visible(&shown.entity.partition_key, CHARACTERS)) } }
                        th scope="row" { code.key { (visible(&shown.entity.row_key, CHARACTERS)) } }
                        td { (outcome(mode, shown.stored)) }
                        td.value.wide { (properties(&shown.entity)) }
                    } } }
                }
            }
        }
    }
}

/// Says that rows follow from entities.
pub(super) fn left_out(count: u64) -> String {
    let rows = counted(count, "row that follows", "rows that follow");
    format!("Left out: {rows} from entities of the design. The write of an entity writes them.")
}

fn properties(entity: &Entity) -> Markup {
    let rest = entity.properties.len().saturating_sub(PROPERTIES);
    html! {
        @for (name, value) in entity.properties.iter().take(PROPERTIES) {
            span.small { (visible(name, CHARACTERS)) " " span.type { (type_name(value.edm_type())) } " " (cell(value.as_ref(), CHARACTERS)) "; " }
        }
        @if rest > 0 { span.dim.small { "+ " (rest) " more" } }
    }
}

/// Renders what happens to an entity.
fn outcome(mode: Mode, stored: Stored) -> Markup {
    let (class, text) = match (mode, stored) {
        (_, Stored::LeftOut) => ("dim", "left out: follows from entities"),
        (_, Stored::Maintained) if mode != Mode::Insert => ("error", "exists, maintained by a design"),
        (Mode::Insert, Stored::Exists | Stored::Maintained) => ("warning", "rejected: exists"),
        (Mode::Replace | Mode::Merge, Stored::Missing) => ("warning", "rejected: missing"),
        (_, Stored::Missing) => ("good", "inserted"),
        (Mode::Merge | Mode::UpsertMerge, _) => ("note", "merged"),
        _ => ("note", "replaced"),
    };
    html! { span class=(class) { (text) } }
}

/// Reads whether the entity exists. A missing table has none.
async fn stored(context: &Context<'_>, table: &TableName, entity: &Entity) -> Result<Stored, TableError> {
    let keys = Keys::of_entity(entity);
    match context.place.tables.get(table, keys.partition, keys.row, None).await {
        Ok(None) => Ok(Stored::Missing),
        Ok(Some(row)) => {
            let treatment = check::treatment(context, table.as_str(), &keys, &row.properties);
            let is_kept = matches!(treatment, Treatment::Refused(_) | Treatment::LeftOut);
            Ok(if is_kept { Stored::Maintained } else { Stored::Exists })
        }
        Err(error) if error.code() == ErrorCode::TableNotFound => Ok(Stored::Missing),
        Err(error) => Err(error),
    }
}
