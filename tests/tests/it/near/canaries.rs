//! Writes with one injected bug each: the same check must find them; otherwise its other results prove nothing.

use table_store::{Condition, Operation};
use table_tests::tampering::Tampering;

use super::program::{CALM, SMALL, run};

/// Number of schedules within which each bug must be found.
const SEEDS: u64 = 100;

fn is_found(change: impl Fn(&mut Vec<Operation>) + Copy + Send + Sync + 'static) {
    let found = (0..SEEDS).find(|seed| {
        let size = if seed % 2 == 0 { CALM } else { SMALL };
        let outcome = run(*seed, size, |store| Tampering::new(store, change));
        !outcome.mistakes.is_empty()
    });
    println!("found by seed {:?}", found.unwrap());
}

/// Removes operations after the first operation, which is the entity itself.
fn without(operations: &mut Vec<Operation>, is_out: impl Fn(&Operation) -> bool) {
    let mut is_first = true;
    operations.retain(|operation| std::mem::take(&mut is_first) || !is_out(operation));
}

fn is_delete(operation: &Operation) -> bool {
    matches!(operation, Operation::Delete { .. })
}

/// Replaces the condition by existence.
fn unconditional(operation: &mut Operation) {
    match operation {
        Operation::Replace(_, condition)
        | Operation::Merge(_, condition)
        | Operation::Delete { condition, .. } => {
            *condition = Condition::Exists;
        }
        _ => {}
    }
}

#[test]
fn an_old_row_that_is_forgotten_is_found() {
    is_found(|operations| without(operations, |one| is_delete(one) && one.row_key().starts_with("mail_")));
}

#[test]
fn an_old_member_that_is_forgotten_is_found() {
    is_found(|operations| without(operations, |one| is_delete(one) && one.row_key().starts_with("name_")));
}

#[test]
fn a_copy_that_is_not_written_again_is_found() {
    is_found(|operations| {
        without(operations, |one| {
            matches!(one, Operation::Replace(..)) && one.row_key().starts_with("mail_")
        });
    });
}

#[test]
fn a_copy_that_a_patch_forgets_is_found() {
    is_found(|operations| {
        without(operations, |one| matches!(one, Operation::Merge(..)) && one.row_key().starts_with("mail_"));
    });
}

#[test]
fn an_entity_that_is_written_without_its_condition_is_found() {
    is_found(|operations| {
        let own = operations.iter_mut().filter(|one| !one.row_key().starts_with("city_"));
        own.for_each(unconditional);
    });
}

#[test]
fn a_list_that_is_written_without_its_condition_is_found() {
    is_found(|operations| {
        let lists = operations.iter_mut().filter(|one| one.row_key().starts_with("city_"));
        lists.for_each(unconditional);
    });
}
