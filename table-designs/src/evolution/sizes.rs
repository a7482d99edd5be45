//! Maximum lengths and series: C25, C26.

use super::{
    Change, ChangeCode, OldPrograms, Verdict,
    step::{READERS_FIRST, Step},
    types::values,
};
use table_schema::design::{FieldDesign, FieldKind, Series};

pub(super) fn length(subject: &str, old: &FieldDesign, new: &FieldDesign) -> Option<Change> {
    let (before, after) = match (values(old), values(new)) {
        (FieldKind::Text { max: old }, FieldKind::Text { max: new })
        | (FieldKind::Binary { max: old }, FieldKind::Binary { max: new })
        | (FieldKind::Json { max: old }, FieldKind::Json { max: new }) => (*old, *new),
        _ => return None,
    };
    if before == after {
        return None;
    }
    let told = |max: Option<usize>| max.map_or_else(|| "unlimited".to_owned(), |max| max.to_string());
    let change = format!("maximum length {} → {}", told(before), told(after));
    let grows = after.is_none_or(|after| before.is_some_and(|before| before < after));
    Some(if grows {
        let reason = format!("{change}: older programs reject longer values");
        let change = Change::new(ChangeCode::C25, subject, Verdict::Ordered, READERS_FIRST, reason);
        change.old(OldPrograms::RefuseValues)
    } else {
        let reason = format!("{change}: stored values may be longer");
        let steps = [Step::VerifyLimits, Step::Deploy];
        Change::new(ChangeCode::C25, subject, Verdict::Ordered, &steps, reason)
    })
}

/// Compares the slots of a series. The names of all slots have as many digits as the greatest slot, so another number
/// of digits renames every slot.
pub(super) fn slots(subject: &str, old: &FieldDesign, new: &FieldDesign) -> Option<Change> {
    let (Some(Series::Slots(before)), Some(Series::Slots(after))) = (old.series, new.series) else {
        return None;
    };
    let refused =
        |reason: String| Some(Change::refused(ChangeCode::C26, subject, reason).old(OldPrograms::Keep));
    if after < before {
        return refused(format!(
            "{before} → {after} slots: the values of the last slots would be lost; use another name"
        ));
    }
    if old.series.and_then(Series::digits) != new.series.and_then(Series::digits) {
        return refused(format!(
            "{before} → {after} slots: slot names get more digits, so no stored slot would be found; use another \
             name"
        ));
    }
    (after > before).then(|| {
        let reason = format!("{before} → {after} slots: older programs keep the additional slots");
        let change = Change::new(ChangeCode::C26, subject, Verdict::Safe, &[Step::Deploy], reason);
        change.old(OldPrograms::Keep)
    })
}
