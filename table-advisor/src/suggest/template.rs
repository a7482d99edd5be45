//! Changes of template text.

use super::super::facts::Facts;
use table_schema::{
    design::{FieldDesign, FieldKind, TemplateText},
    template::{DateFormat, Shape, Template, TemplateField},
};

/// Returns the template text. Replaces each field for which `of` returns a string.
pub(super) fn with_holes(template: &Template, of: impl Fn(&TemplateField) -> Option<String>) -> String {
    let mut text = String::new();
    for segment in template.segments() {
        let written = || template.text().get(segment.span.clone()).unwrap_or_default().to_owned();
        text += &segment.hole().and_then(&of).unwrap_or_else(written);
    }
    text
}

/// Formats a template field with another shape.
pub(super) fn shaped(field: &str, shape: Shape) -> String {
    TemplateField { field: field.to_owned(), shape, exact: false }.to_string()
}

/// Returns the template field of an entity field in a new key: as in the key of the entity, otherwise in the format of
/// its type. Returns `None` if the field is not allowed in keys.
pub(crate) fn hole(facts: &Facts<'_>, name: &str) -> Option<String> {
    let field = facts.entity.field(name).filter(|field| is_keyed(field))?;
    let keys = [&facts.entity.partition, &facts.entity.row].into_iter().flatten();
    let mut own = keys.filter_map(TemplateText::template).flat_map(Template::holes);
    // A key that truncates a time does not order times.
    if let Some(own) =
        own.find(|hole| hole.field == name && !matches!(hole.shape.ascending(), Shape::Date(_)))
    {
        return Some(own.to_string());
    }
    Some(match &field.kind {
        FieldKind::Int { .. } => match facts.said_distinct(name) {
            Some(distinct) => {
                // All values in conditions must fit. A negative one does not fit into digits.
                let mut literals = facts.literals(name).map(|text| text.parse().ok().map(digits));
                let widest = literals.try_fold(0, |widest: u8, digits| Some(widest.max(digits?)));
                match widest {
                    Some(widest) => shaped(name, Shape::Padded(widest.max(digits(distinct) + 1))),
                    None => table_schema::rules::default_hole(field),
                }
            }
            None => table_schema::rules::default_hole(field),
        },
        FieldKind::Text { .. } => shaped(name, Shape::Esc),
        _ => table_schema::rules::default_hole(field),
    })
}

/// Returns the template field with the newest values first.
pub(super) fn newest_first(facts: &Facts<'_>, name: &str) -> Option<String> {
    facts.entity.field(name).filter(|field| is_time(field)).map(|_| shaped(name, Shape::InvertedTicks))
}

pub(super) const fn is_time(field: &FieldDesign) -> bool {
    matches!(field.kind, FieldKind::Time | FieldKind::Date)
}

/// Returns the template field of a period of a time field.
pub(crate) fn period(name: &str, unit: table_schema::template::DateUnit) -> String {
    shaped(name, Shape::Date(DateFormat::new(unit)))
}

/// Returns the template field of a shard of several, with at least two digits.
pub(crate) fn shard_hole(count: u32) -> String {
    let digits = (count - 1).to_string().len().max(2);
    format!("{{shard:0{digits}}}")
}

/// Returns whether a value of the field is allowed in keys.
fn is_keyed(field: &FieldDesign) -> bool {
    let is_value = !matches!(field.kind, FieldKind::Binary { .. } | FieldKind::Json { .. } | FieldKind::Blob);
    is_value && !field.encrypted && !field.skip && !field.flatten && field.series.is_none()
}

/// Returns the number of digits of a count.
fn digits(count: u64) -> u8 {
    u8::try_from(count.max(1).ilog10()).map_or(u8::MAX, |power| power + 1)
}
