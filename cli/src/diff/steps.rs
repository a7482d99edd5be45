//! Steps of a deployment as commands, or as instructions if no command exists.

mod copies;
mod feeds;
mod moves;

use table_designs::evolution::{Change, ChangeCode, OldPrograms, Step};

pub(super) use moves::is_move;

/// A step for the terminal: an instruction, a command of `tables`, or both.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) words: String,
    pub(super) command: Option<String>,
}

/// Returns a step of a change. `newer` is the file of the newer design.
pub(super) fn told(step: Step, change: &Change, newer: &str) -> Told {
    let (entity, part) = change.subject.split_once('.').unwrap_or((&change.subject, ""));
    let command =
        |words: &str, options: &str| Some(format!("tables {words} --design {newer} --store STORE{options}"));
    // Commands on designs skip aggregates and copied fields of other entities.
    let is_total = change.code == ChangeCode::C28;
    let is_index =
        matches!(change.code, ChangeCode::C09 | ChangeCode::C11 | ChangeCode::C12 | ChangeCode::C14);
    // An index that replaces another one needs another name, which the design does not contain yet.
    let added = match change.code {
        ChangeCode::C12 | ChangeCode::C14 => "NEW_NAME",
        _ => part,
    };
    let is_oldest = change.is_retirement();
    let words = match change.code {
        _ if change.is_feed() => feeds::words(step, change, entity),
        ChangeCode::C11 => copies::words(step, change, (entity, part)),
        _ if is_move(change) => {
            return Told { words: moves::words(step, change.code, entity), command: None };
        }
        _ => None,
    };
    let words = words.unwrap_or_else(|| self::words(step, change, (entity, part, added)));
    let command = match step {
        Step::Retire if is_oldest => Some(format!("tables versions {entity} --store STORE")),
        Step::Verify if is_index || change.code == ChangeCode::C32 => {
            command(&format!("verify {entity}"), " --repair")
        }
        Step::Verify if !is_total => command(&format!("verify {entity}"), ""),
        Step::Backfill | Step::Reindex if is_index => command(&format!("reindex {entity} {added}"), ""),
        Step::DuplicatesDryRun | Step::VerifyLimits => Some("tables export TABLE --store STORE".to_owned()),
        _ => None,
    };
    Told { words, command }
}

fn words(step: Step, change: &Change, (entity, part, added): (&str, &str, &str)) -> String {
    let code = change.code;
    let is_version = change.is_by_version();
    let is_index = matches!(code, ChangeCode::C09 | ChangeCode::C12 | ChangeCode::C14);
    let text = match step {
        Step::Deploy | Step::DeployReaders | Step::DeployWriters => {
            return deployment(step, change, (entity, part, added));
        }
        Step::AddIndex => {
            return format!(
                "with the registry: call `tables.add_index::<{entity}>(\"{added}\").run()`, which writes and \
                 verifies the rows; skip the next two steps"
            );
        }
        Step::DropIndex => {
            return format!(
                "with the registry, when no program reads by it: call \
                 `tables.drop_index::<{entity}>(\"{part}\").run()`, which deletes its rows"
            );
        }
        Step::AddTotal => "when the last older program has ended, let writers maintain the values",
        Step::DropTotal => "let writers stop maintaining the values, and delete the contributions",
        Step::Backfill if code == ChangeCode::C28 => {
            return "compute the values, for each entity E that contributes to them: \
                    `tables.verify::<E>().repair().run()`"
                .to_owned();
        }
        Step::Backfill if is_index => {
            "without the registry, when the last older program has ended, write the rows:"
        }
        Step::Reindex => "rewrite the rows of the index:",
        Step::Rewrite => "read and replace each entity, all its rows in one transaction",
        Step::UpgradeDryRun => "list the rows that cannot be converted, and correct them",
        Step::Upgrade | Step::Seal if is_version || raises_version(change) => {
            return format!("rewrite the rows of the older version: `tables.upgrade::<{entity}>().run()`");
        }
        Step::Upgrade if matches!(code, ChangeCode::C20 | ChangeCode::C27) => {
            "no program reads both forms under one version: raise `version`, and `upgrade` rewrites the values"
        }
        Step::Upgrade => "read and replace each entity, so that no row has the old form",
        Step::Seal => {
            "no program reads both forms under one version: raise `version`, and `upgrade` encrypts the values"
        }
        Step::DuplicatesDryRun => {
            "find entities with equal values in the rows, and change them; later, `tables reindex` lists those \
             that remain:"
        }
        Step::Verify if code == ChangeCode::C28 => {
            return "compare the values with the entities that contribute to them: `tables.verify::<E>().run()`"
                .to_owned();
        }
        Step::Verify if is_index => {
            "without the registry, compare the rows, and repair those that older programs left:"
        }
        Step::Verify if code == ChangeCode::C32 => "compare the index rows, and repair them:",
        Step::Purge => {
            return format!(
                "delete or restore all soft-deleted entities, while programs and the older design declare the field: \
                 `tables.purge::<{entity}>(Duration::ZERO).run()`, `tables expire {entity} --purge 0s` with the older \
                 design, or `tables.undelete`"
            );
        }
        Step::Verify => "compare the rows with the entities:",
        Step::VerifyLimits => "find longer values in the rows, and shorten them:",
        Step::Retire if change.is_retirement() => {
            "check archives, and backups that can be restored, and that no row of an older version is left in the \
             store; then deploy:"
        }
        Step::Retire => "remove the older struct when no row of its version is left",
        Step::StopReading if change.steps.first() == Some(&Step::Deploy) => {
            "wait until the last program that uses the field has ended"
        }
        Step::StopReading => "stop using the field in all programs, but still declare it, and deploy them",
        Step::Gone => {
            "if stored values must be removed: replace each entity with `tables.overwrite(&entity)`, which types with \
             indexes, blobs or `created` do not support"
        }
        Step::BorderDate => "choose a date from which the new tables are used, and read both until then",
        Step::DeleteType => "delete its rows, and check that none is left",
        other => other.as_str(),
    };
    text.to_owned()
}

/// Returns whether a value changes its form, for which the entity needs a new version.
fn raises_version(change: &Change) -> bool {
    matches!(change.code, ChangeCode::C20 | ChangeCode::C27) && change.rewrite && !change.is_by_version()
}

/// Returns a deployment of programs.
fn deployment(step: Step, change: &Change, (entity, part, added): (&str, &str, &str)) -> String {
    let code = change.code;
    let is_version = change.is_by_version();
    let is_by_row = change.old_programs == OldPrograms::RefuseRows;
    let text = match step {
        Step::Deploy if matches!(code, ChangeCode::C12 | ChangeCode::C14) => {
            return format!(
                "declare the new index as `{added}` next to `{part}`, and deploy all programs; at the end, remove \
                 `{part}` as in C10"
            );
        }
        Step::Deploy if code == ChangeCode::C10 => {
            return format!(
                "deploy programs without the declaration; without the registry, do this first, then call \
                 `tables.remove_index_rows::<{entity}>(\"{part}\").run()` with a struct that still declares it"
            );
        }
        Step::Deploy if code == ChangeCode::C08 => {
            "deploy programs that do not declare the field; they keep its stored values"
        }
        Step::Deploy => "deploy the programs of the new version",
        Step::DeployReaders if code == ChangeCode::C13 => {
            "without the registry: deploy programs without `unique`, first those that read by the index; with the \
             registry, an index keeps its definition: replace it as in C14"
        }
        Step::DeployWriters if code == ChangeCode::C13 => {
            "without the registry, when the last older program has ended: write equal values"
        }
        Step::DeployReaders if code == ChangeCode::C25 => {
            "deploy the higher limit to all programs that check lengths; the library does not check them"
        }
        Step::DeployWriters if code == ChangeCode::C25 => "then deploy programs that write longer values",
        Step::DeployReaders if code == ChangeCode::C29 && !change.rewrite => {
            "deploy programs that only read; they read rows with and without `EntityType`"
        }
        Step::DeployWriters if code == ChangeCode::C29 && !change.rewrite => {
            "then deploy programs that write, and replace each entity, so that all rows have the same form"
        }
        Step::DeployReaders if code == ChangeCode::C29 => {
            "deploy programs that write the old `EntityType` and also read the new one: with the old name, and \
             the new one in `aliases`"
        }
        Step::DeployWriters if code == ChangeCode::C29 => {
            "then deploy programs that write the new `EntityType`, with the old name in `aliases`; stored rows \
             get it when they are replaced"
        }
        Step::DeployReaders if raises_version(change) => {
            return format!(
                "raise `version` of `{entity}`, because no program reads both forms under one version; deploy the \
                 programs that only read: with the older struct in `from(..)`, they read both versions"
            );
        }
        Step::DeployReaders if is_version => {
            return format!(
                "deploy the programs that only read `{entity}`: with the older struct in `from(..)`, they read both \
                 versions"
            );
        }
        Step::DeployWriters if is_version || raises_version(change) => {
            "deploy the programs that write: each write has the new version, and older programs that still run reject \
             such rows; to avoid this, end the older programs first"
        }
        Step::DeployReaders if code == ChangeCode::C05 && is_by_row => {
            return format!("deploy the programs that only read `{entity}`: they read both property types");
        }
        Step::DeployWriters if code == ChangeCode::C05 && is_by_row => {
            "deploy the programs that write: each write has the new property type, and older programs that still run \
             reject such rows; to avoid this, end the older programs first"
        }
        Step::DeployReaders if code == ChangeCode::C05 => {
            "deploy the wider type to all programs, and write no value that does not fit the older one"
        }
        Step::DeployWriters if code == ChangeCode::C05 => {
            "when the last older program has ended, write any value"
        }
        Step::DeployReaders => "deploy programs that read the new form and write the old one",
        _ => "when the last older program has ended, deploy programs that write the new form",
    };
    text.to_owned()
}
