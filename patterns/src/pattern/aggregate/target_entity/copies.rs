//! Copies of source fields in the row of an aggregate entity. There is one copy: of the source with the smallest key
//! among those with a copy. The result does not depend on the order of changes, so it can be recomputed at any time.
//!
//! The properties of a copy are the `slots` of the field. The first slot contains the address of the source, and
//! indicates that there is a copy. Each of the other slots may be absent.

use std::cmp::Ordering;

use table_model::{Properties, Value, key};

use crate::{
    core::{copies::is_copied, cross_partition_row::parse_source},
    design::{Design, Total},
};

/// Applies the change of one source. Returns `true` if the source to copy must be determined from all sources.
pub(super) fn change(
    slots: &[&'static str],
    kept: &mut Properties,
    old: &Properties,
    new: &Properties,
) -> bool {
    let Some(marker) = slots.first() else { return false };
    let (is_kept, before, now) = (kept.get(marker), old.get(marker), new.get(marker));
    if is_kept.is_some() && before == is_kept && now != before {
        return true;
    }
    if now.is_some_and(|now| is_kept.is_none_or(|kept| compare(now, kept) != Ordering::Greater)) {
        copy(slots, kept, Some(new));
    }
    false
}

/// Copies the source with the smallest key.
pub(super) fn look(slots: &[&'static str], kept: &mut Properties, sources: &[Properties]) {
    let Some(marker) = slots.first() else { return };
    let all = sources.iter().filter_map(|source| Some((source.get(marker)?, source)));
    let first = all.min_by(|(left, _), (right, _)| compare(left, right));
    copy(slots, kept, first.map(|(_, source)| source));
}

/// Applies a patch of a source to its copy.
pub(crate) fn patch(total: &Total, sink: &'static Design, adds: &mut Properties, patch: &Properties) {
    if !is_copied(total, sink, adds) {
        return;
    }
    for (name, value) in patch {
        if let Some(slot) = total.copy_of(sink, name) {
            adds.set(slot, value.clone());
        }
    }
}

fn copy(slots: &[&'static str], kept: &mut Properties, source: Option<&Properties>) {
    for slot in slots {
        kept.remove(slot);
        if let Some(value) = source.and_then(|source| source.get(slot)) {
            kept.set(*slot, value.clone());
        }
    }
}

/// Compares sources by their keys, in the order of the service.
fn compare(left: &Value, right: &Value) -> Ordering {
    let (Value::String(left), Value::String(right)) = (left, right) else { return Ordering::Equal };
    match (parse_source(left), parse_source(right)) {
        (Some(left), Some(right)) => key::compare(&left.partition_key, &right.partition_key)
            .then_with(|| key::compare(&left.row_key, &right.row_key))
            .then_with(|| left.table.as_str().cmp(right.table.as_str())),
        // Values written by other programs sort last.
        (left_is_one, right_is_one) => right_is_one.is_some().cmp(&left_is_one.is_some()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SLOTS: [&str; 3] = ["_src_boss", "boss_name", "boss_age"];

    /// Contribution of one source: nothing, or a name and optionally an age.
    type Adds = Option<(u8, Option<u8>)>;

    fn adds(at: usize, adds: Adds) -> Properties {
        let mut properties = Properties::new();
        if let Some((name, age)) = adds {
            properties.set("_src_boss", format!(r#"["Bosses","p","r{at}"]"#));
            properties.set("boss_name", i32::from(name));
            if let Some(age) = age {
                properties.set("boss_age", i32::from(age));
            }
        }
        properties
    }

    proptest! {
        #[test]
        fn changes_one_by_one_leave_the_copy_of_the_first(
            mut sources in prop::collection::vec(any::<Adds>(), 4),
            changes in prop::collection::vec((0_usize..4, any::<Adds>()), 1..12),
        ) {
            let all = |sources: &[Adds]| {
                sources.iter().enumerate().map(|(at, source)| adds(at, *source)).collect::<Vec<_>>()
            };
            let mut kept = Properties::new();
            look(&SLOTS, &mut kept, &all(&sources));
            for (at, new) in changes {
                let old = std::mem::replace(&mut sources[at], new);
                if change(&SLOTS, &mut kept, &adds(at, old), &adds(at, new)) {
                    look(&SLOTS, &mut kept, &all(&sources));
                }
                let first = sources.iter().position(Option::is_some);
                let expected = first.map(|at| adds(at, sources[at])).unwrap_or_default();
                for slot in SLOTS {
                    prop_assert_eq!(kept.get(slot), expected.get(slot), "{}", slot);
                }
            }
        }
    }

    #[test]
    fn sources_are_compared_by_their_keys_and_not_by_their_texts() {
        let text = |partition: &str, row: &str| Value::from(format!(r#"["Bosses","{partition}","{row}"]"#));
        assert_eq!(compare(&text("a", "b"), &text("a!", "a")), Ordering::Less);
        assert_eq!(compare(&text("a", "b"), &text("a", "a")), Ordering::Greater);
        assert_eq!(compare(&text("a", "b"), &text("a", "b")), Ordering::Equal);
        assert_eq!(compare(&text("z", "z"), &Value::from("what")), Ordering::Less);
    }
}
