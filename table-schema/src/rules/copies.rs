//! Fields that index rows cannot contain.

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{CopiedFields, EntityDesign, FieldDesign, FieldKind, IndexDesign, Origin, Place},
};

/// Checks the copied fields of each index. A blob belongs to a single row, and index rows are not updated when another
/// entity writes a maintained field.
pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let kinds = design.row_kinds();
    for (number, index) in design.indexes.iter().enumerate() {
        let Some(kind) = kinds.iter().find(|kind| kind.origin == Origin::Index(number)) else { continue };
        let mut copied = design.copied_fields(index, kind).into_iter();
        if let Some((field, reason)) = copied.find_map(|field| Some((field, why_not(field)?))) {
            mistakes.push(of_field(number, index, field, reason));
        }
    }
}

/// Returns why index rows cannot contain a field.
fn why_not(field: &FieldDesign) -> Option<&'static str> {
    match field.kind {
        FieldKind::Blob => Some("is stored in a blob of the entity"),
        _ if field.from_source => Some("is maintained by another entity"),
        _ => None,
    }
}

fn of_field(number: usize, index: &IndexDesign, field: &FieldDesign, reason: &str) -> RuleViolation {
    let name = &field.name;
    let message = format!("index `{}` copies `{name}`, which {reason}", index.name);
    let listed = match &index.copy {
        CopiedFields::All => None,
        CopiedFields::Only(names) => names.iter().position(|listed| listed == name),
    };
    match listed {
        Some(item) => RuleViolation::new(Code::D039, Place::IndexCopy(number, item), message)
            .help(format!("remove `{name}` from `copy`; `load` on an index row reads the entity")),
        None => RuleViolation::new(Code::D039, Place::Index(number), message)
            .help(format!("list the copied fields without `{name}`: copy(..)"))
            .file_help(format!("list the copied fields without `{name}`: copy = [..]")),
    }
}
