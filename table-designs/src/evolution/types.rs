//! Types of fields: how a new type relates to the old one.

use table_schema::design::{FieldDesign, FieldKind};

/// The relation of the new type of a field to the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypeChange {
    /// The same type, possibly with another maximum length or other words.
    Same,
    /// Each old value is a value of the new type.
    Wider {
        /// `true` if the property type does not change.
        same_edm: bool,
    },
    /// Some old values may not fit.
    Narrower,
    /// Values of another kind.
    Other,
}

/// Returns the type of the values, in the row or in a blob.
pub(super) fn values(field: &FieldDesign) -> &FieldKind {
    field.blob.as_ref().map_or(&field.kind, |blob| &blob.holds)
}

/// Compares the types of a field. Types that the front end cannot see are assumed to be equal.
pub(super) fn relation(old: &FieldDesign, new: &FieldDesign) -> TypeChange {
    if old.series.is_some() != new.series.is_some() || old.flatten != new.flatten {
        return TypeChange::Other;
    }
    let (before, after) = (values(old), values(new));
    let widened = |is_wider: bool, is_narrower: bool| match (is_wider, is_narrower) {
        (true, true) => TypeChange::Same,
        (true, false) => TypeChange::Wider { same_edm: before.edm() == after.edm() },
        (false, _) => TypeChange::Narrower,
    };
    match (before, after) {
        (FieldKind::Unknown, _)
        | (_, FieldKind::Unknown)
        | (FieldKind::Text { .. }, FieldKind::Text { .. })
        | (FieldKind::Binary { .. }, FieldKind::Binary { .. })
        | (FieldKind::Json { .. }, FieldKind::Json { .. })
        | (FieldKind::Enum { .. }, FieldKind::Enum { .. }) => TypeChange::Same,
        (FieldKind::Int { .. }, FieldKind::Int { .. }) => widened(holds(after, before), holds(before, after)),
        (FieldKind::Float { bits: old }, FieldKind::Float { bits: new }) => widened(new >= old, old >= new),
        (FieldKind::Date, FieldKind::Time) => TypeChange::Wider { same_edm: true },
        (FieldKind::Time, FieldKind::Date) | (FieldKind::Text { .. }, FieldKind::Enum { .. }) => {
            TypeChange::Narrower
        }
        (FieldKind::Enum { .. }, FieldKind::Text { max }) => {
            let longest = before.longest_text().unwrap_or(0);
            widened(max.is_none_or(|max| longest <= max), false)
        }
        (before, after) if before == after => TypeChange::Same,
        _ => TypeChange::Other,
    }
}

/// Returns whether the range of an integer type contains that of another.
const fn holds(outer: &FieldKind, inner: &FieldKind) -> bool {
    let (
        FieldKind::Int { bits: outer, signed: outer_signed },
        FieldKind::Int { bits: inner, signed: inner_signed },
    ) = (outer, inner)
    else {
        return false;
    };
    match (*outer_signed, *inner_signed) {
        (true, true) | (false, false) => *outer >= *inner,
        (true, false) => *outer > *inner,
        (false, true) => false,
    }
}
