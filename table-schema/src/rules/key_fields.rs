//! Requirements for key fields.

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, FieldDesign, Place, Which},
};

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    for (which, text) in design.template_texts() {
        for segment in text.template().iter().flat_map(|template| template.segments()) {
            let Some(field) = segment.hole().and_then(|hole| design.field(&hole.field)) else { continue };
            let found = [optional(design, which, field), sealed(field)];
            for (code, message, help) in found.into_iter().flatten() {
                let mistake = RuleViolation::in_template(design, code, which, segment.span.clone(), message);
                let in_file = match (code, which) {
                    (Code::D033, Which::Table | Which::Partition | Which::Row) => "make the field required",
                    (Code::D033, _) => "make the field required, or add sparse = true",
                    _ => help,
                };
                mistakes.push(mistake.help(help).file_help(in_file));
            }
        }
    }
    for (number, lookup) in design.lookups.iter().enumerate() {
        for (item, name) in lookup.on.iter().enumerate() {
            if let Some((code, message, help)) = design.field(name).and_then(sealed) {
                mistakes.push(RuleViolation::new(code, Place::LookupOn(number, item), message).help(help));
            }
        }
    }
}

type Found = Option<(Code, String, &'static str)>;

/// Returns the violation of an optional key field, because keys cannot omit a part. An index may omit the row instead;
/// a lookup has no list for an absent value. A time that the library sets cannot be part of a key at all (D020).
fn optional(design: &EntityDesign, which: Which, field: &FieldDesign) -> Found {
    let may_lack = match which {
        Which::IndexTable(index) | Which::IndexPartition(index) | Which::IndexRow(index) => {
            design.indexes.get(index).is_some_and(|index| index.sparse)
        }
        Which::LookupTable(_) | Which::LookupPartition(_) | Which::LookupRow(_) => true,
        Which::Table | Which::Partition | Which::Row => false,
    };
    (field.optional && !may_lack && field.stamp.is_none()).then(|| {
        (
            Code::D033,
            format!("`{}` is optional; a key cannot leave a part out", field.name),
            "make the field required, or the index `sparse`",
        )
    })
}

/// Returns the violation of an encrypted key field, because keys are transferred, sorted and logged unencrypted.
fn sealed(field: &FieldDesign) -> Found {
    field.encrypted.then(|| {
        (
            Code::W11,
            format!("`{}` is encrypted, so it cannot be part of a key", field.name),
            "keys travel and sort in clear: key by another field",
        )
    })
}
