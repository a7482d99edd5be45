//! Attributes of fields.

use super::in_own_key;
use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, FieldDesign, FieldKind, Place, Series},
};

/// Maximum size of a property in bytes.
const MOST_INLINE: u64 = 64 << 10;

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    for (number, field) in design.fields.iter().enumerate().filter(|(_, field)| !field.skip) {
        stored_anyway(design, number, field, mistakes);
        if let Some(over) = field.blob.as_ref().and_then(|blob| blob.over)
            && !(1..=MOST_INLINE).contains(&over.bytes())
        {
            let message = format!("a property holds 1 to {MOST_INLINE} bytes, not {}", over.bytes());
            let mistake = RuleViolation::new(Code::D024, Place::FieldWord(number, "inline"), message);
            mistakes
                .push(mistake.help("write inline = 30720, the default").file_help("blob = \"over 30KiB\""));
        }
        if field.series == Some(Series::Slots(0)) {
            let message = format!("`{}` has no slots", field.name);
            let mistake = RuleViolation::new(Code::D024, Place::FieldType(number), message);
            mistakes.push(
                mistake.help("a series has at least one slot: write `[i32; 24]`").file_help("series = 24"),
            );
        }
        if let Some(default) = field.default.as_ref().filter(|default| !is_supported(field, default)) {
            let message = format!("the default {default} of `{}` is not supported yet", field.name);
            let help = "make the field optional, use 0, false, the empty string or a word of the enum, or name a \
                        function with `default_function`";
            mistakes.push(
                RuleViolation::new(Code::D045, Place::FieldWord(number, "default"), message).help(help),
            );
        }
    }
}

/// Checks `store`, which is only needed for fields that can be decoded from the keys.
fn stored_anyway(
    design: &EntityDesign,
    number: usize,
    field: &FieldDesign,
    mistakes: &mut Vec<RuleViolation>,
) {
    if field.store && !field.from_source && !in_own_key(design, &field.name) {
        let message = format!("`{}` is not part of a key, so it is always stored", field.name);
        mistakes.push(
            RuleViolation::new(Code::D036, Place::FieldWord(number, "store"), message).help("remove `store`"),
        );
    }
}

/// Returns whether a default is that of the type, a word of an enum, or the call of a function. Strings of design files are quoted.
fn is_supported(field: &FieldDesign, default: &str) -> bool {
    default == FieldDesign::DEFAULT_OF_TYPE
        || field.default_function().is_some()
        || match field.kind {
            FieldKind::Bool => default == "false",
            FieldKind::Int { .. } | FieldKind::Float { .. } => {
                default.parse::<f64>().is_ok_and(|number| number == 0.0)
            }
            FieldKind::Text { .. } => default == "\"\"",
            FieldKind::Enum { .. } => field.series.is_none() && field.default_word().is_some(),
            _ => false,
        }
}
