//! Optional and required fields, and defaults: C02, C22, C23.

use super::{
    Change, ChangeCode, OldPrograms, Verdict,
    paired::Pair,
    step::{READERS_FIRST, Step},
};
use table_schema::design::{EntityDesign, FieldDesign};

/// The meaning of a row without the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Absent<'f> {
    /// The row cannot be read.
    Invalid,
    /// There is no value.
    Missing,
    /// The value is the default.
    Default(&'f str),
}

impl<'f> Absent<'f> {
    pub(super) fn of(field: &'f FieldDesign) -> Self {
        match &field.default {
            Some(default) => Self::Default(default),
            None if field.optional => Self::Missing,
            None => Self::Invalid,
        }
    }

    /// Returns the meaning of a row of the other version. A variant of an enum that this version does not have requires
    /// nothing there.
    pub(super) fn in_rows_of(other: &EntityDesign, field: &'f FieldDesign) -> Self {
        match &field.required_if {
            Some(required) if required.applies_to(other, None) => Self::Invalid,
            _ => Self::of(field),
        }
    }

    /// Returns the meanings before and after a change. If both versions contain a field of an enum, only the variants
    /// count whose requirement was changed.
    fn of_both(pair: &Pair<'_>, old: &'f FieldDesign, new: &'f FieldDesign) -> (Self, Self) {
        let (before, after) = (old.required_if.as_ref(), new.required_if.as_ref());
        match (Self::of(old), Self::of(new)) {
            (Self::Missing, Self::Missing)
                if after.is_some_and(|after| after.applies_to(pair.old, before)) =>
            {
                (Self::Missing, Self::Invalid)
            }
            (Self::Missing, Self::Missing)
                if before.is_some_and(|before| before.applies_to(pair.new, after)) =>
            {
                (Self::Invalid, Self::Missing)
            }
            both => both,
        }
    }

    /// Returns whether both defaults are the same value: `0` and `0.0` are.
    fn is_same(self, other: Self) -> bool {
        let number = |text: &str| text.parse::<f64>().ok();
        match (self, other) {
            (Self::Default(one), Self::Default(two)) => {
                one == two
                    || number(one).zip(number(two)).is_some_and(|(one, two)| one.total_cmp(&two).is_eq())
            }
            _ => self == other,
        }
    }
}

/// Compares the meaning of rows without the property.
///
/// Returns `true` if such rows cannot be read by the new version, which a conversion from the older version can supply.
pub(super) fn compare(
    pair: &Pair<'_>,
    old: &FieldDesign,
    new: &FieldDesign,
    changes: &mut Vec<Change>,
) -> bool {
    let subject = pair.subject(&new.property);
    let (before, after) = Absent::of_both(pair, old, new);
    if before.is_same(after) {
        return false;
    }
    let change = match (before, after) {
        (_, Absent::Invalid) if pair.is_raised() => return true,
        (_, Absent::Invalid) => Change::refused(
            ChangeCode::C22,
            subject,
            "rows without it cannot be read; add a default, or raise `version` and convert",
        ),
        (Absent::Default(default), _) => {
            let reason =
                format!("rows without it mean {default}, and would change their value; keep the default");
            Change::refused(ChangeCode::C02, subject, reason)
        }
        (Absent::Invalid, Absent::Missing) => {
            let reason = "older programs reject rows without it";
            let change = Change::new(ChangeCode::C23, subject, Verdict::Ordered, READERS_FIRST, reason);
            change.old(OldPrograms::RefuseRows)
        }
        (_, Absent::Default(default)) => {
            let reason = format!("rows without it mean {default}");
            let change = Change::new(ChangeCode::C02, subject, Verdict::Safe, &[Step::Deploy], reason);
            change.old(OldPrograms::Keep)
        }
        (_, Absent::Missing) => return false,
    };
    changes.push(change);
    false
}
