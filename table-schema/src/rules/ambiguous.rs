//! Rule 1: keys can be decoded, and no range contains rows of another value.

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, FieldKind, Which},
    template::{Segment, SegmentKind, TemplateField},
};

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    for (which, text) in design.template_texts() {
        // A separate rule requires fixed-width template fields in table names.
        if matches!(which, Which::Table | Which::IndexTable(_) | Which::LookupTable(_)) {
            continue;
        }
        let Some(template) = text.template().map(|template| design.resolve(template)) else { continue };
        for pair in template.segments().windows(2) {
            let [left, right] = pair else { continue };
            if let Some(mistake) = left.hole().and_then(|hole| unended(design, which, hole, left, right)) {
                mistakes.push(mistake);
            }
        }
    }
}

/// Checks that text of unbounded length is last in the key or ends at a separator. Otherwise two entities could share a
/// key. Even if the key could be parsed from the right, the prefix of `ab` would match the rows of `ab0`.
fn unended(
    design: &EntityDesign,
    which: Which,
    hole: &TemplateField,
    left: &Segment,
    right: &Segment,
) -> Option<RuleViolation> {
    if !is_variable(design, hole) {
        return None;
    }
    let range = left.span.start..right.span.end;
    match &right.kind {
        SegmentKind::Field(next) => {
            let message =
                format!("the end of `{}` cannot be told from the start of `{}`", hole.field, next.field);
            let help = format!("put a separator between them: {hole}_{next}");
            Some(RuleViolation::in_template(design, Code::K11, which, range, message).help(help))
        }
        SegmentKind::Literal(text) => {
            let first = text.chars().next().filter(|first| !is_separator(*first))?;
            let message = format!("`{first}` can be part of `{}`, so it cannot end it", hole.field);
            let range = right.span.start..right.span.start + first.len_utf8();
            let mistake = RuleViolation::in_template(design, Code::K11, which, range, message);
            Some(mistake.help("separate with punctuation, `_` for example"))
        }
    }
}

/// Numbers and times without a format violate another rule and have a fixed width once that is fixed.
fn is_variable(design: &EntityDesign, hole: &TemplateField) -> bool {
    hole.shape.is_text()
        && design.field(&hole.field).is_some_and(|field| {
            matches!(field.kind, FieldKind::Text { .. } | FieldKind::Enum { .. } | FieldKind::Unknown)
        })
}

const fn is_separator(character: char) -> bool {
    character.is_ascii_punctuation() || character == ' '
}
