//! The steps of a change of copied fields: C11.

use table_designs::evolution::{Change, Step};

/// Returns the words of a step that has its own ones.
pub(super) fn words(step: Step, change: &Change, (entity, part): (&str, &str)) -> Option<String> {
    let is_renamed = change.steps.contains(&Step::DropIndex);
    Some(match step {
        Step::AddIndex => format!(
            "with the registry, before the new version: in the programs that run, declare NEW_NAME with the keys of \
             `{part}`, and either without `copy(..)`, which copies all fields, or with a `copy(..)` that does not \
             contain the field; deploy them, call `tables.add_index::<{entity}>(\"NEW_NAME\").run()`, and read by it"
        ),
        Step::DropIndex => format!(
            "with the registry, when no program reads by `{part}`: call \
             `tables.drop_index::<{entity}>(\"{part}\").run()`, and deploy programs without it"
        ),
        Step::Deploy if is_renamed => {
            "deploy the programs of the new version; with the registry, they declare NEW_NAME as before, instead of \
             `PART`, and the last two steps are not needed"
                .replace("PART", part)
        }
        Step::Deploy => "without the registry: deploy the programs of the new version".to_owned(),
        Step::RegistryDualCopy => format!(
            "with the registry, an index keeps its definition: declare the new list as NEW_NAME next to `{part}`, and \
             replace `{part}` as in C14; skip the other steps"
        ),
        Step::Reindex => {
            "without the registry, when the last older program has ended, rewrite the rows:".to_owned()
        }
        Step::Verify => "without the registry, compare the rows, and repair those that differ:".to_owned(),
        Step::DeployReaders => {
            "without the registry: deploy programs that do not read the field from the index".to_owned()
        }
        Step::DeployWriters => format!(
            "then deploy programs with the shorter list; with the registry, an index keeps its definition: replace \
             `{part}` by one with another name as in C14"
        ),
        _ => return None,
    })
}
