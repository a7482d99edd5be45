//! Times that the library sets: of the creation and of the last change of an entity.

use super::in_own_key;
use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, FieldDesign, FieldKind, Place, TemplateText},
    template::Template,
};

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    for (number, field) in design.fields.iter().enumerate() {
        let Some(stamp) = field.stamp else { continue };
        let place = Place::FieldWord(number, stamp.word());
        let name = &field.name;
        let earlier = || design.fields.iter().take(number).find(|other| other.stamp == Some(stamp));
        if let Some((reason, help)) = unfit(design, field) {
            let message = format!("`{name}` {reason} and cannot be set when the entity is written");
            mistakes.push(RuleViolation::new(Code::D020, place, message).help(help));
        } else if let Some(first) = earlier() {
            let message = format!("`{}` and `{name}` are both `{}`", first.name, stamp.word());
            mistakes.push(RuleViolation::new(Code::D028, place, message).help("remove one of them"));
        }
    }
}

/// Returns why the library cannot set the field, and the remedy.
fn unfit(design: &EntityDesign, field: &FieldDesign) -> Option<(&'static str, &'static str)> {
    let time = "use a field of the type `Timestamp` or `Option<Timestamp>`";
    if !matches!(field.kind, FieldKind::Time | FieldKind::Unknown) || field.series.is_some() || field.flatten
    {
        return Some(("is not a time", time));
    }
    if field.skip {
        return Some(("is not stored", "remove `skip`"));
    }
    if field.encrypted {
        return Some(("is encrypted", "remove `encrypt`"));
    }
    if field.from_source {
        return Some(("is maintained by another entity", "remove one of the attributes"));
    }
    if in_own_key(design, &field.name) || is_in_rows(design, &field.name) {
        return Some(("is part of a key", "use another field for the key, which the program sets"));
    }
    let is_read = design.contributions.iter().any(|one| one.of.as_ref() == Some(&field.name));
    is_read.then_some(("is aggregated in another entity", "aggregate another field, which the program sets"))
}

/// Returns whether keys of indexes or lists contain the field.
pub(crate) fn is_in_rows(design: &EntityDesign, name: &str) -> bool {
    let templates = design.template_texts().filter_map(|(_, text)| TemplateText::template(text));
    templates.flat_map(Template::holes).any(|hole| hole.field == name)
        || design.lookups.iter().any(|lookup| lookup.on.iter().any(|on| on == name))
}
