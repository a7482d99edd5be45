//! Templates that are missing, invalid, or reference missing fields.

use super::words::{nearest_field, no_field};
use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, Place, RESERVED_HOLES, TemplateText, Which},
};

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    missing(design, mistakes);
    for (which, text) in design.template_texts() {
        unreadable(design, which, text, mistakes);
        unknown_fields(design, which, text, mistakes);
        reserved_row(design, which, text, mistakes);
    }
}

/// Checks that the key templates exist. Keys have no defaults, because a default would be stored permanently.
fn missing(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    if design.table.is_none() && design.partition.is_none() && design.row.is_none() {
        let message = format!("`{}` has no keys", design.name);
        let help = "add #[table(name = \"...\", partition = \"{...}\", row = \"{...}\")]";
        mistakes.push(RuleViolation::new(Code::D006, Place::Entity, message).help(help));
        return;
    }
    for (text, word, example) in [
        (&design.table, "name", "Employees"),
        (&design.partition, "partition", "{department}"),
        (&design.row, "row", "{id:06}"),
    ] {
        if text.is_none() {
            let help = format!("add it: #[table({word} = \"{example}\")]");
            mistakes
                .push(RuleViolation::new(Code::D006, Place::Entity, format!("missing `{word}`")).help(help));
        }
    }
}

fn unreadable(design: &EntityDesign, which: Which, text: &TemplateText, mistakes: &mut Vec<RuleViolation>) {
    if let Some(error) = text.error() {
        let mistake =
            RuleViolation::in_template(design, error.code(), which, error.span(), error.to_string());
        mistakes.push(mistake.help(error.help()));
    }
}

fn unknown_fields(
    design: &EntityDesign,
    which: Which,
    text: &TemplateText,
    mistakes: &mut Vec<RuleViolation>,
) {
    for segment in text.template().iter().flat_map(|template| template.segments()) {
        let Some(hole) = segment.hole() else { continue };
        if design.field(&hole.field).is_none() && !RESERVED_HOLES.contains(&hole.field.as_str()) {
            let message = no_field(design, &hole.field);
            let mistake =
                RuleViolation::in_template(design, Code::D008, which, segment.span.clone(), message);
            mistakes.push(mistake.help(nearest_field(design, &hole.field)));
        }
    }
}

/// Checks for reserved row keys. The library stores its own rows below `"`, under row keys that start with `!`; ranges
/// start above them.
fn reserved_row(design: &EntityDesign, which: Which, text: &TemplateText, mistakes: &mut Vec<RuleViolation>) {
    let is_row = matches!(which, Which::Row | Which::IndexRow(_) | Which::LookupRow(_));
    let template = text.template().filter(|template| is_row && template.lead().starts_with('!'));
    if let Some(segment) = template.and_then(|template| template.segments().first()) {
        let start = segment.span.start;
        let message = "row keys that start with `!` are reserved for the library";
        let mistake = RuleViolation::in_template(design, Code::D022, which, start..start + 1, message);
        mistakes.push(mistake.help("start with another character"));
    }
}
