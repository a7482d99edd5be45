//! The steps of a change of keys: C15, C17, C18. The order is that of the chapter about programs of several versions.

use table_designs::evolution::{Change, ChangeCode, Step};

/// Returns whether the change moves entities to other keys.
pub(in crate::diff) fn is_move(change: &Change) -> bool {
    change.steps.contains(&Step::RegistryFollow)
}

/// Returns the words of a step of a wide entity, which no job of the library moves.
const fn words_of_wide(step: Step) -> &'static str {
    match step {
        Step::Deploy => {
            "end all programs that use the entity: no job of the library moves the rows of wide entities"
        }
        Step::RegistryBoth => {
            "in a program with both structs: read each entity by the old one, write it by the new one, and delete the \
             old rows"
        }
        Step::RegistryGone => "deploy the programs of the new version",
        _ => "",
    }
}

/// Returns the words of a step. They are empty for states that the job of another step passes through.
pub(super) fn words(step: Step, code: ChangeCode, entity: &str) -> String {
    match step {
        _ if code == ChangeCode::C19 => words_of_wide(step).to_owned(),
        Step::Deploy => format!(
            "keep the old struct with the same `entity_type` (in the same table, the new struct needs another one), \
             implement `MovedFrom` for `{entity}`, and deploy programs that use `tables.moving::<{entity}>()` on a \
             handle with the registry; types with aggregates, lookups, blobs or encryption \
             cannot be moved in this way"
        ),
        Step::RegistryFollow => format!(
            "when the last program that uses the old struct directly has ended, list the entities that cannot be \
             moved, and change them: `tables.migration::<{entity}>().check().run()`"
        ),
        Step::RegistryBoth => {
            format!("move the entities: `tables.migration::<{entity}>().run_to(MoveState::New)`")
        }
        Step::RegistryGone => format!(
            "delete the markers at the old keys: `tables.migration::<{entity}>().run()`. In the state `gone`, deploy \
             programs that use the verbs of `Tables`, and remove the old struct"
        ),
        _ => String::new(),
    }
}
