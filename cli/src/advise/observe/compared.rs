use table_advisor::{Assumption, FieldAssumption, plain, size_text};
use table_designs::schema::Schema;
use table_schema::{
    design::{EntityDesign, FieldDesign},
    template::Template,
};

use super::{EntitySeen, Observed, entity, field::FieldSeen, real};

/// Factor from which a measurement differs significantly from the assumption.
const MARKED: f64 = 2.0;

/// An assumption and its measurement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    /// `Employee`, `Employee.by_email`, `Employee.age`.
    pub(crate) of: String,
    /// The counted quantity.
    pub(crate) what: &'static str,
    pub(crate) unit: Unit,
    pub(crate) assumed: f64,
    pub(crate) measured: f64,
    /// `true` if the measurement is exact.
    pub(crate) is_exact: bool,
}

/// The format of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Count,
    Bytes,
    Share,
}

impl Unit {
    pub(crate) fn text(self, number: f64) -> String {
        match self {
            Self::Count => plain(number),
            Self::Bytes => size_text(number),
            Self::Share => format!("{} %", plain(100.0 * number)),
        }
    }
}

impl Line {
    /// Returns the ratio of the measurement to the assumption.
    pub(crate) fn factor(&self) -> f64 {
        if self.assumed > 0.0 { self.measured / self.assumed } else { f64::INFINITY }
    }

    /// Returns whether it is more than twice the assumption, or less than half.
    pub(crate) fn is_marked(&self) -> bool {
        (self.assumed > 0.0 || self.measured > 0.0) && !(1.0 / MARKED..=MARKED).contains(&self.factor())
    }

    /// Returns the factor for readers; empty without an assumption.
    pub(crate) fn factor_text(&self) -> String {
        let factor = self.factor();
        if factor.is_finite() { format!("{}×", plain(factor)) } else { String::new() }
    }

    /// Returns the measurement for readers: `~` precedes an estimate.
    pub(crate) fn measured_text(&self) -> String {
        format!("{}{}", if self.is_exact { "" } else { "~" }, self.unit.text(self.measured))
    }

    /// Returns a word for a marked line.
    pub(crate) fn mark(&self) -> &'static str {
        match self.is_marked() {
            true if self.factor() > 1.0 => "higher",
            true => "lower",
            false => "",
        }
    }
}

/// Returns all comparisons for entities with rows.
pub(super) fn lines(schema: &Schema, assumptions: &[Assumption], observed: &Observed) -> Vec<Line> {
    let mut lines = Vec::new();
    for (design, seen) in schema.entities.iter().zip(&observed.entities) {
        let assumed = assumptions.iter().find(|assumption| assumption.entity == design.name);
        if let Some(assumed) = assumed.filter(|_| seen.entities > 0) {
            of_entity(&mut lines, design, assumed, seen);
            let fields = design.fields.iter().zip(&seen.fields).zip(&assumed.fields);
            for ((field, seen_of), assumed) in fields {
                let is_asked = is_asked(schema, design, &field.name);
                of_field(&mut lines, design, (field, seen_of, seen.entities), assumed, is_asked);
            }
        }
    }
    lines
}

fn of_entity(lines: &mut Vec<Line>, design: &EntityDesign, assumed: &Assumption, seen: &EntitySeen) {
    let exact = |of: &str, what, unit, assumed, measured| Line {
        of: of.to_owned(),
        what,
        unit,
        assumed,
        measured,
        is_exact: true,
    };
    let name = design.name.as_str();
    let (partitions, is_exact) = seen.partitions();
    lines.push(exact(name, "entities", Unit::Count, assumed.entities, real(seen.entities)));
    let partitions = exact(name, "partitions", Unit::Count, assumed.partitions, real(partitions));
    lines.push(Line { is_exact, ..partitions });
    lines.push(exact(name, "largest partition", Unit::Share, assumed.largest_share, seen.largest_share()));
    for (place, kind) in seen.kinds.iter().enumerate() {
        let wanted = if place == 0 { "primary" } else { kind.name.as_str() };
        let Some(assumed) = assumed.rows.iter().find(|rows| rows.name == wanted) else { continue };
        let of = if place == 0 { name.to_owned() } else { format!("{name}.{}", kind.name) };
        if let Some(longest) = assumed.longest {
            lines.push(exact(&of, "lists", Unit::Count, assumed.rows, real(kind.lists)));
            lines.push(exact(&of, "longest list", Unit::Count, longest, real(kind.longest)));
            continue;
        }
        if place > 0 {
            lines.push(exact(&of, "rows", Unit::Count, assumed.rows, real(kind.rows)));
        }
        if kind.rows > 0 {
            lines.push(exact(&of, "row size", Unit::Bytes, assumed.bytes, kind.average()));
        }
    }
}

fn of_field(
    lines: &mut Vec<Line>,
    design: &EntityDesign,
    (field, seen, entities): (&FieldDesign, &FieldSeen, u64),
    assumed: &FieldAssumption,
    is_asked: bool,
) {
    let of = format!("{}.{}", design.name, field.name);
    let mut add = |what, unit, assumed, measured, is_exact| {
        lines.push(Line { of: of.clone(), what, unit, assumed, measured, is_exact });
    };
    if is_asked
        && entity::is_counted(design, &field.name)
        && let Some((distinct, is_exact)) = seen.distinct(field)
    {
        add("distinct values", Unit::Count, assumed.distinct, real(distinct), is_exact);
        // If nearly all values differ, no value is frequent.
        let is_shared = distinct > 1 && real(distinct) < 0.9 * real(entities);
        if let Some(share) = seen.largest_share(field).filter(|_| is_shared) {
            add("most frequent value", Unit::Share, assumed.largest_share, share, is_exact);
        }
    }
    if let Some(((average, _), assumed)) = seen.length(field).zip(assumed.length) {
        add("average length", Unit::Count, assumed, average, true);
    }
    let present = seen.present(field, entities);
    if field.optional || assumed.present < 1.0 || present < 1.0 {
        add("present", Unit::Share, assumed.present, present, true);
    }
}

/// Returns whether a key, a lookup or a condition uses the field.
fn is_asked(schema: &Schema, design: &EntityDesign, field: &str) -> bool {
    let in_template = |template: &Template| template.holes().any(|hole| hole.field == field);
    let queries = schema.queries.iter().filter(|query| query.find == design.name);
    let conditions = queries.flat_map(|query| &query.filter).flat_map(|filter| &filter.alternatives);
    design.row_kinds().iter().any(|kind| in_template(&kind.partition) || in_template(&kind.row))
        || design.lookups.iter().any(|lookup| lookup.on.iter().any(|name| name == field))
        || conditions.flat_map(|all| &all.tests).any(|test| test.field == field)
}
