//! Steps of a deployment as commands, or as instructions if no command exists.

use table_schema::evolution::{Change, ChangeCode, Step};

/// A step for the terminal.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// A command of `tables`.
    Command(String),
    /// An instruction.
    Words(String),
}

/// Returns a step of a change as a command or an instruction. `newer` is the file of the newer design.
pub(super) fn told(step: Step, change: &Change, newer: &str) -> Told {
    let (entity, part) = change.subject.split_once('.').unwrap_or((&change.subject, ""));
    let command = |words: &str| Told::Command(format!("tables {words} --design {newer} --store STORE"));
    // Commands on designs skip aggregates and copied fields of other entities.
    let is_total = change.code == ChangeCode::C28;
    let is_index =
        matches!(change.code, ChangeCode::C09 | ChangeCode::C11 | ChangeCode::C12 | ChangeCode::C14);
    // An index with other keys needs another name, which the design does not contain yet.
    let added = if change.code == ChangeCode::C14 { "NEW_NAME" } else { part };
    match step {
        Step::Verify if !is_total => command(&format!("verify {entity}")),
        Step::Backfill | Step::Reindex if is_index => command(&format!("reindex {entity} {added}")),
        Step::AddIndex => {
            Told::Words(format!("add it with the registry: `tables.add_index::<{entity}>(\"{added}\")`"))
        }
        step => Told::Words(words(step, change.code, entity, part)),
    }
}

fn words(step: Step, code: ChangeCode, entity: &str, part: &str) -> String {
    let is_version = matches!(code, ChangeCode::C04 | ChangeCode::C06 | ChangeCode::C07);
    let text = match step {
        Step::Deploy => "deploy the programs of the new version",
        Step::DeployReaders => "deploy programs that read the new form and write the old one",
        Step::DeployWriters => {
            "when the last older program has ended, deploy programs that write the new form"
        }
        Step::DropIndex => {
            return format!("remove it with the registry: `tables.drop_index::<{entity}>(\"{part}\")`");
        }
        Step::AddTotal => "when the last older program has ended, let writers maintain the values",
        Step::DropTotal => "let writers stop maintaining the values, and delete the contributions",
        Step::RegistryDualCopy => "let all writers copy the fields of both versions",
        Step::RegistryFollow => "let all programs follow the markers of moved entities",
        Step::RegistryBoth => "let all writers move an entity before they change it",
        Step::RegistryNew => "let all programs use the new keys only",
        Step::RegistryGone => "delete the old rows and the markers",
        Step::Backfill if code == ChangeCode::C28 => "compute the values from the existing entities",
        Step::Backfill => "move the remaining entities",
        Step::Reindex => "rewrite the rows of the index",
        Step::Rewrite => "read and write each entity, all its rows in one transaction",
        Step::UpgradeDryRun => "list the rows that cannot be converted, and correct them",
        Step::Upgrade if is_version => {
            return format!("rewrite the rows of the older version: `tables.upgrade::<{entity}>()`");
        }
        Step::Upgrade => "read and write each entity, so that no row has the old form",
        Step::Seal => "read and write each entity, so that the values are encrypted",
        Step::DuplicatesDryRun => "list the entities with equal values, and resolve them",
        Step::Verify => {
            return format!("compare the values with the entities: `tables.verify::<{entity}>()`");
        }
        Step::VerifyLimits => "list the values that exceed the new limit, and shorten them",
        Step::Retire => "remove the older struct when no row of its version is left",
        Step::StopReading => "stop using the field in all programs",
        Step::Gone => "remove the property from stored rows, if its values are no longer needed",
        Step::BorderDate => "choose a date from which the new tables are used, and read both until then",
        Step::DeleteType => "delete its rows, and check that none is left",
        other => other.as_str(),
    };
    text.to_owned()
}
