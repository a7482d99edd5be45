//! The limit of 1 KiB per key.

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, Place, Which},
    key::STRICT_UNITS,
};

/// Checks the maximum key length, which is known if every part is bounded. Keys with unbounded text are checked when
/// they are encoded, before a request is sent.
pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    for (which, text) in design.template_texts() {
        if matches!(which, Which::Table | Which::IndexTable(_) | Which::LookupTable(_)) {
            continue;
        }
        let longest = text.template().and_then(|template| design.longest_key(template));
        if let Some(longest) = longest.filter(|longest| *longest > STRICT_UNITS) {
            let message =
                format!("this key can be {longest} characters long; a key holds {STRICT_UNITS} (1 KiB)");
            let whole = 0..text.text().len();
            mistakes.push(
                RuleViolation::in_template(design, Code::K12, which, whole, message).help("shorten a `max`"),
            );
        }
    }
    for number in 0..design.lookups.len() {
        let longest = design.member_row(number).and_then(|row| design.longest_key(&row));
        if let Some(longest) = longest.filter(|longest| *longest > STRICT_UNITS) {
            let message = format!(
                "the key of a member of this list can be {longest} characters long; a key holds {STRICT_UNITS} (1 KiB)"
            );
            mistakes
                .push(RuleViolation::new(Code::K12, Place::Lookup(number), message).help("shorten a `max`"));
        }
    }
}
