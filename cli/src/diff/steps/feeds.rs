//! The steps of a change feed that is added or removed: C09, C10.

use table_designs::evolution::{Change, ChangeCode, Step};

/// Returns the words of a step that has its own ones.
pub(super) fn words(step: Step, change: &Change, entity: &str) -> Option<String> {
    let is_new = change.code == ChangeCode::C09;
    Some(match step {
        Step::Deploy if is_new => "deploy programs that declare the feed".to_owned(),
        Step::AddIndex => format!(
            "with the registry: call `tables.register_changes::<{entity}>()`, and wait for 150 seconds; without it: end \
             the last older program. Then read the feed, and the existing entities by a scan"
        ),
        Step::DropIndex => format!(
            "end the readers of the feed; with the registry: call `tables.unregister_changes::<{entity}>()` in a program \
             that declares it, and wait for 30 seconds"
        ),
        Step::Deploy => "deploy programs without `changes`; records remain until they are deleted".to_owned(),
        _ => return None,
    })
}
