//! Unknown attributes and fields, reported uniformly.

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, FieldDesign, Place},
    suggest::closest,
};

/// Creates the violation for an unknown attribute or key. `known` contains the words that are valid at that location.
///
/// ```
/// use table_schema::{design::Place, rules::unknown_word};
///
/// let mistake = unknown_word(Place::Entity, "partiton", &["name", "partition", "row"]);
/// assert_eq!(mistake.to_string(), "unknown attribute `partiton`\n\nhelp: did you mean `partition`?");
/// ```
pub fn unknown_word(place: Place, word: &str, known: &[&str]) -> RuleViolation {
    let help = match closest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("supported: {}", known.join(", ")),
    };
    RuleViolation::new(Code::D004, place, format!("unknown attribute `{word}`")).help(help)
}

/// Creates the violation for a field in a list that the entity does not have.
pub fn unknown_field(design: &EntityDesign, place: Place, field: &str) -> RuleViolation {
    RuleViolation::new(Code::D021, place, no_field(design, field)).help(nearest_field(design, field))
}

pub(super) fn no_field(design: &EntityDesign, field: &str) -> String {
    format!("`{}` has no field `{field}`", design.name)
}

pub(super) fn nearest_field(design: &EntityDesign, field: &str) -> String {
    let is_in = |known: &&FieldDesign| {
        let inner = field.strip_prefix(&*known.property);
        known.flatten && inner.is_some_and(|inner| inner.starts_with('_'))
    };
    if let Some(known) = design.fields.iter().find(is_in) {
        let name = &known.name;
        return format!(
            "the derive does not see the fields of the nested struct `{name}`; declare it in the entity"
        );
    }
    let names: Vec<&str> = design.fields.iter().map(|field| field.name.as_str()).collect();
    match closest(field, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("fields: {}", names.join(", ")),
    }
}
