//! Fields that index rows cannot contain.

use crate::{
    Mistake,
    catalogue::Code,
    design::{CopiedFields, EntityDesign, FieldKind, Origin, Place},
};

/// Checks the copied fields of each index. A blob belongs to a single row, and index rows are not updated when another
/// entity writes a maintained field.
pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<Mistake>) {
    let kinds = design.row_kinds();
    for (number, index) in design.indexes.iter().enumerate() {
        let Some(kind) = kinds.iter().find(|kind| kind.origin == Origin::Index(number)) else { continue };
        for field in design.copied_fields(index, kind) {
            let why = match field.kind {
                FieldKind::Blob => "is stored in a blob of the entity",
                _ if field.from_source => "is maintained by another entity",
                _ => continue,
            };
            let name = &field.name;
            let message = format!("index `{}` copies `{name}`, which {why}", index.name);
            let listed = match &index.copy {
                CopiedFields::All => None,
                CopiedFields::Only(names) => names.iter().position(|listed| listed == name),
            };
            mistakes.push(match listed {
                Some(item) => Mistake::new(Code::D039, Place::IndexCopy(number, item), message)
                    .help(format!("remove `{name}` from `copy`; `load` on an index row reads the entity")),
                None => Mistake::new(Code::D039, Place::Index(number), message)
                    .help(format!("list the copied fields without `{name}`: copy(..)"))
                    .file_help(format!("list the copied fields without `{name}`: copy = [..]")),
            });
        }
    }
}
