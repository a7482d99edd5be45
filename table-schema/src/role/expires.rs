//! `expires`: the field with the time at which an entity expires.

use super::Description;
use crate::rules::Feature::Wide;

pub(super) const ROLE: Description = Description {
    word: "expires",
    example: "ends",
    event: "an entity expires",
    types: "`Timestamp` or `Option<Timestamp>`",
    sentence: |field| format!("An entity expires at its `{field}`."),
    subject: "an expiry",
    has: "its entities expire",
    is_locked: false,
    is_set_by_library: false,
    excluded: &[(Wide, "remove `expires`: the sweep deletes single rows")],
    unfit: |_, _| None,
};
