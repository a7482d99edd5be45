//! Fields in the conditions of indexes and contributions.

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, FieldDesign, FieldKind, Place},
    language::When,
};

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let mut check = |when: &Option<When>, condition: &Option<String>, place| {
        let compared = when.iter().flat_map(|when| &when.equalities).map(|one| (&one.field, false));
        let tested = condition.iter().map(|name| (name, true));
        mistakes.extend(
            compared.chain(tested).filter_map(|(name, is_bool)| unfit(design, name, is_bool, &place)),
        );
    };
    for (number, index) in design.indexes.iter().enumerate() {
        check(&index.when, &index.condition, Place::IndexWord(number, "when"));
    }
    for (number, contribution) in design.contributions.iter().enumerate() {
        check(&contribution.when, &contribution.condition, Place::ContributionWord(number, "when"));
    }
}

/// Checks a field of a condition. With `is_bool`, the field is the condition.
fn unfit(design: &EntityDesign, name: &str, is_bool: bool, place: &Place) -> Option<RuleViolation> {
    let field = design.field(name)?;
    let (message, help) = if field.encrypted {
        let message = format!("`{name}` is encrypted and cannot be part of a condition");
        (
            message,
            "the existence of a row would reveal the value: remove `encrypt`, or the condition".to_owned(),
        )
    } else if field.series.is_some() || field.flatten || field.kind == FieldKind::Blob {
        (
            format!("`{name}` has no single value and cannot be part of a condition"),
            "use another field".to_owned(),
        )
    } else if is_bool && !is_condition(field) {
        let help = format!("write when = has_{name}, and a function: fn has_{name}(&self) -> bool");
        (format!("`{name}` is not a `bool` and cannot be a condition"), help)
    } else {
        return None;
    };
    Some(RuleViolation::new(Code::D040, place.clone(), message).help(help))
}

const fn is_condition(field: &FieldDesign) -> bool {
    !field.optional && matches!(field.kind, FieldKind::Bool | FieldKind::Unknown)
}
