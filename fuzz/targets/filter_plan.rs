//! The rows in the ranges of a plan that satisfy its residual are exactly the rows that satisfy the filter.

#![no_main]

use std::cmp::Ordering;

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use table_fuzz::{filters, texts::utf16_order};
use table_store::{Entity, Plan, key, plan::Cut};

/// Returns `true` if the entity is above the cut, computed without the key order of the crate.
fn is_above(cut: &Cut, entity: &Entity) -> bool {
    let to = |partition: &str, row: &str| {
        utf16_order(&entity.partition_key, partition).then_with(|| utf16_order(&entity.row_key, row))
    };
    match cut {
        Cut::Start => true,
        Cut::Before(partition, row) => to(partition, row) != Ordering::Less,
        Cut::After(partition, row) => to(partition, row) == Ordering::Greater,
        Cut::AfterPartition(partition) => utf16_order(&entity.partition_key, partition) == Ordering::Greater,
        Cut::End => false,
    }
}

fn check(input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let keys_only = input.arbitrary()?;
    let filter = filters::tree(input, keys_only)?;
    let plan = Plan::of(Some(&filter));
    for pair in plan.ranges.windows(2) {
        assert!(pair[0].upper < pair[1].lower, "{plan}");
    }
    for _ in 0..12 {
        let mut entity = filters::entity(input)?;
        // Stored keys never contain these characters, and a plan may rely on that.
        entity.partition_key.retain(|at| !key::is_forbidden(at));
        entity.row_key.retain(|at| !key::is_forbidden(at));
        let ranges = plan
            .ranges
            .iter()
            .filter(|range| is_above(&range.lower, &entity) && !is_above(&range.upper, &entity));
        let ranges = ranges.count();
        assert!(ranges <= 1, "{entity:?} is read twice: {plan}");
        let passes = plan.residual.as_ref().is_none_or(|residual| filters::satisfies(residual, &entity));
        let expected = filters::satisfies(&filter, &entity);
        assert_eq!(ranges == 1 && passes, expected, "{entity:?} by {filter} as {plan}");
    }
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    let _ = check(&mut Unstructured::new(data));
});
