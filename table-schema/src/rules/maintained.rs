//! Fields that other entities maintain, checked at the target.

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, FieldDesign, FieldKind, Place, Which},
};

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    for (number, field) in design.fields.iter().enumerate().filter(|(_, field)| field.from_source) {
        let before = mistakes.len();
        other_words(number, field, mistakes);
        if mistakes.len() == before {
            mistakes.extend(value(number, field));
        }
        in_keys(design, field, mistakes);
    }
}

/// Checks for attributes that specify another storage form.
fn other_words(number: usize, field: &FieldDesign, mistakes: &mut Vec<RuleViolation>) {
    for (is, word) in [
        (field.skip, "skip"),
        (matches!(field.kind, FieldKind::Json { .. }), "json"),
        (field.store, "store"),
        (field.series.is_some(), "series"),
        (field.encrypted, "encrypt"),
        (field.default.is_some(), "default"),
        (field.kind == FieldKind::Blob, "blob"),
    ] {
        if is {
            let message = format!("`{}` is maintained by another entity: `{word}` has no effect", field.name);
            let place = Place::FieldWord(number, word);
            mistakes
                .push(RuleViolation::new(Code::D042, place, message).help("remove one of the attributes"));
        }
    }
}

/// Checks that the type can represent the absence of a value.
fn value(number: usize, field: &FieldDesign) -> Option<RuleViolation> {
    let is_total = field.kind == FieldKind::Int { bits: 64, signed: true };
    (!field.optional && !is_total).then(|| {
        let message = format!("the type of `{}` cannot represent a missing value", field.name);
        RuleViolation::new(Code::D042, Place::FieldType(number), message)
            .help("use `i64` for a count or a sum, an `Option` for a maximum, a minimum or a copy")
    })
}

/// Checks that no key contains the field: its rows would not move when another entity changes the value.
fn in_keys(design: &EntityDesign, field: &FieldDesign, mistakes: &mut Vec<RuleViolation>) {
    let name = &field.name;
    let message = || format!("`{name}` is maintained by another entity and cannot be part of a key");
    let help = "use another field";
    for (which, text) in design.template_texts() {
        let lists = matches!(which, Which::LookupTable(_) | Which::LookupPartition(_) | Which::LookupRow(_));
        for segment in text.template().iter().flat_map(|template| template.segments()) {
            if segment.hole().is_some_and(|hole| !lists && hole.field == *name) {
                let range = segment.span.clone();
                mistakes
                    .push(RuleViolation::in_template(design, Code::D042, which, range, message()).help(help));
            }
        }
    }
    for (number, lookup) in design.lookups.iter().enumerate() {
        for (item, _) in lookup.on.iter().enumerate().filter(|(_, on)| *on == name) {
            let place = Place::LookupOn(number, item);
            mistakes.push(RuleViolation::new(Code::D042, place, message()).help(help));
        }
    }
}
