//! The retention period of a change feed.

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, Place},
};

/// The shortest retention period in seconds. A request takes effect within minutes, and its outcome is read from the
/// record, which must still exist.
const SHORTEST: u64 = 3_600;

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let Some(changes) = design.changes.filter(|changes| changes.keep.seconds() < SHORTEST) else { return };
    let message = format!("the change feed keeps its records for {}, which is less than 1h", changes.keep);
    mistakes
        .push(RuleViolation::new(Code::D024, Place::Word("changes"), message).help("write keep = \"7d\""));
}
