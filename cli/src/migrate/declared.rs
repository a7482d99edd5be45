//! Checks of steps that the user declares as done. A deployment, and what a design does not describe, is not checked.

use std::time::Duration;

use table_designs::evolution::{Action, Change, ChangeCode, IndexName, PlannedStep, Step};
use table_patterns::{Designed, IndexState, IndexStatus};

use super::{
    execute::{Execution, counting, counts},
    keys::{entities, has_type_of_its_own, rows_of_index},
    means::{designed, entity_of},
    older::older,
    outcome::JobResult,
};
use crate::{error::CommandError, text::counted};

/// What a check found about a step.
#[derive(Debug)]
enum Found {
    /// The step is done.
    Done(String),
    /// The step is not done.
    Open(String),
    /// The store does not show whether the step is done, for this reason.
    Unknown(String),
}

impl Execution<'_> {
    /// Checks a step that the user declares as done, and returns the result to print.
    ///
    /// # Errors
    /// Returns what was found if the step is not done.
    pub(super) async fn declared(
        &mut self,
        number: usize,
        step: &PlannedStep<'_>,
    ) -> Result<JobResult, CommandError> {
        let (mut told, mut is_checked): (Vec<String>, bool) = (Vec::new(), true);
        for (of, change) in step.changes.iter().copied() {
            let found = match &step.action {
                Action::Program(_) => self.look(of, change).await?,
                _ => Found::Unknown("the command does not know which programs run".to_owned()),
            };
            let text = match found {
                Found::Done(text) => text,
                Found::Open(text) => {
                    let message = format!("--done {number}: step {number} is not done: {text}");
                    return Err(CommandError::Unfinished(message));
                }
                Found::Unknown(reason) => {
                    is_checked = false;
                    format!("not checked, recorded on your word: {reason}")
                }
            };
            if !told.contains(&text) {
                told.push(text);
            }
        }
        let counts = counts([("checked", serde_json::json!(is_checked))]);
        Ok(JobResult { text: told.join("; "), counts, ..JobResult::default() })
    }

    /// Checks the job of a program for a change.
    async fn look(&mut self, step: Step, change: &Change) -> Result<Found, CommandError> {
        use ChangeCode::{C09, C10, C11, C15, C17, C18, C32};
        let unknown = "a design does not describe what the job of the program writes";
        match (step, change.code) {
            (Step::Upgrade, _) if change.is_by_version() => self.upgraded(change).await,
            (Step::Backfill, C15 | C17 | C18) => self.moved(change).await,
            (Step::AddIndex | Step::DropIndex, C09 | C10) if change.is_feed() => {
                self.feed(step, change).await
            }
            (Step::AddIndex | Step::Reindex, C09 | C11) => self.added(change).await,
            (Step::DropIndex, C10) => self.dropped(change).await,
            (Step::Purge, C32) => self.purged(change).await,
            _ => Ok(Found::Unknown(unknown.to_owned())),
        }
    }

    async fn upgraded(&mut self, change: &Change) -> Result<Found, CommandError> {
        let entity = entity_of(change);
        let result = older(self.migration.new, entity, None, self.place).await?.result;
        if result.is_failed {
            let text = result.text;
            return Ok(Found::Open(format!(
                "{text}; if a program of an older version still writes such rows, `tables.retire::<{entity}>()` rejects it, \
                 and upgrades them"
            )));
        }
        let text = result.text.clone();
        self.checked = Some((entity.to_owned(), result));
        Ok(Found::Done(text))
    }

    /// Checks that no entity is soft-deleted.
    async fn purged(&self, change: &Change) -> Result<Found, CommandError> {
        let entity = entity_of(change);
        let unknown = || format!("a design does not describe the rows of `{entity}`");
        let Some(designed) = designed(self.place, self.migration.old, entity)? else {
            return Ok(Found::Unknown(unknown()));
        };
        let Ok(sweep) = designed.purge(Duration::ZERO) else { return Ok(Found::Unknown(unknown())) };
        let left = counting(sweep.dry_run(), self.migration.arguments.max_rate).await?;
        Ok(match left.deleted + left.failed.len() as u64 {
            0 => Found::Done(format!("no entity of `{entity}` is soft-deleted")),
            rows => Found::Open(format!(
                "{} of `{entity}` {} soft-deleted; `purge` or `undelete` them with the older design",
                counted(rows, "entity"),
                remain(rows)
            )),
        })
    }

    /// Checks that no entity is at its old keys.
    async fn moved(&self, change: &Change) -> Result<Found, CommandError> {
        let (entity, old, new) = (entity_of(change), self.migration.old, self.migration.new);
        let primary = |schema: &table_designs::schema::Schema| {
            schema.stored_entity(entity).and_then(|entity| entity.row_kinds().into_iter().next())
        };
        let (Some(before), Some(after)) = (primary(old), primary(new)) else {
            return Ok(Found::Unknown(format!("a design does not describe the keys of `{entity}`")));
        };
        if before.can_meet(&after) && !has_type_of_its_own(old, new, entity) {
            let reason = format!("old and new keys of `{entity}` have the same form, and its rows one type");
            return Ok(Found::Unknown(reason));
        }
        let left = entities(self.place, old, entity).await?.unwrap_or_default();
        let remedy =
            format!("complete `tables.migration::<{entity}>().run()`, which ends in the state `gone`");
        Ok(match (left.rows, left.leftovers) {
            (0, 0) => Found::Done(format!("no row of `{entity}` is at an old key")),
            (0, leftovers) => Found::Open(format!(
                "{} of the move {} at old keys of `{entity}`; {remedy}",
                counted(leftovers, "marker"),
                remain(leftovers)
            )),
            (rows, _) => {
                let (counted, remain, table) = (counted(rows, "row"), remain(rows), before.table.text());
                Found::Open(format!("{counted} of `{entity}` {remain} at old keys in `{table}`; {remedy}"))
            }
        })
    }

    /// Checks that the registry contains a change feed, or no longer contains it.
    async fn feed(&self, step: Step, change: &Change) -> Result<Found, CommandError> {
        let entity = entity_of(change);
        let is_registered = match designed(self.place, self.migration.new, entity)? {
            Some(designed) => designed.registered_changes().await?,
            None => None,
        };
        let call = |word: &str| format!("call `tables.{word}_changes::<{entity}>()`");
        Ok(match (is_registered, step) {
            (None, _) => Found::Unknown(format!("`{entity}` is not in the registry")),
            (Some(false), Step::AddIndex) => Found::Open(format!(
                "the registry does not contain the feed of `{entity}`; {}",
                call("register")
            )),
            (Some(true), Step::DropIndex) => {
                Found::Open(format!("the registry contains the feed of `{entity}`; {}", call("unregister")))
            }
            (Some(true), _) => Found::Done(format!("the registry contains the feed of `{entity}`")),
            (Some(false), _) => Found::Done(format!("the registry does not contain the feed of `{entity}`")),
        })
    }

    /// Checks that an index has its rows.
    async fn added(&self, change: &Change) -> Result<Found, CommandError> {
        let (new, subject) = (self.migration.new, &change.subject);
        let IndexName { entity, index } = name(change);
        let designed = designed(self.place, new, &entity)?;
        if let Some(states) = registered(designed.as_ref()).await? {
            let call = format!("`tables.add_index::<{entity}>(\"{index}\").run()`");
            return Ok(match state_of(&states, &index) {
                Some(IndexState::Readable) => Found::Done(format!("{subject} is readable")),
                Some(state) => Found::Open(format!("{subject} is {state} in the registry; continue {call}")),
                None => Found::Open(format!("the registry does not contain {subject}; call {call}")),
            });
        }
        let is_sparse = new.stored_entity(&entity).is_none_or(|stored| {
            let index = stored.indexes.iter().find(|one| one.name == index);
            // Entities without a value of the key have no row.
            index.is_none_or(|index| index.sparse || index.condition.is_some() || index.when.is_some())
        });
        let rows = rows_of_index(self.place, new, &name(change)).await?;
        let entities = entities(self.place, new, &entity).await?.map(|counted| counted.rows);
        let Some((rows, entities)) = rows.zip(entities) else {
            return Ok(Found::Unknown(format!("a design does not describe the rows of {subject}")));
        };
        let found = format!("{} and {} of {subject}", counted(entities, "entity"), counted(rows, "row"));
        if rows < entities && (!is_sparse || rows == 0) {
            return Ok(Found::Open(format!(
                "the store contains {found}; call `tables.reindex::<{entity}>(\"{index}\").run()`, then \
                 `tables.verify::<{entity}>().repair().run()`"
            )));
        }
        Ok(Found::Unknown(format!("the store contains {found}, whose contents a design does not describe")))
    }

    /// Checks that no row of an index is left, and that the registry does not contain it.
    async fn dropped(&self, change: &Change) -> Result<Found, CommandError> {
        let (old, subject) = (self.migration.old, &change.subject);
        let IndexName { entity, index } = name(change);
        let designed = designed(self.place, old, &entity)?;
        let mut call = format!("`tables.remove_index_rows::<{entity}>(\"{index}\").run()`");
        if let Some(states) = registered(designed.as_ref()).await? {
            call = format!("`tables.drop_index::<{entity}>(\"{index}\").run()`");
            if let Some(state) = state_of(&states, &index) {
                return Ok(Found::Open(format!("{subject} is {state} in the registry; complete {call}")));
            }
        }
        Ok(match rows_of_index(self.place, old, &name(change)).await? {
            Some(0) => Found::Done(format!("no row of {subject} is left")),
            Some(rows) => {
                let (counted, remain) = (counted(rows, "row"), remain(rows));
                Found::Open(format!("{counted} of {subject} {remain}; call {call}"))
            }
            None => Found::Unknown(format!("a design does not describe the rows of {subject}")),
        })
    }
}

/// Returns the states of the indexes if the entity is in the registry.
async fn registered(designed: Option<&Designed>) -> Result<Option<Vec<IndexStatus>>, CommandError> {
    match designed {
        Some(designed) => Ok(designed.registered().await?),
        None => Ok(None),
    }
}

fn state_of(states: &[IndexStatus], index: &str) -> Option<IndexState> {
    states.iter().find(|status| status.index == index).map(|status| status.state)
}

fn remain(count: u64) -> &'static str {
    if count == 1 { "remains" } else { "remain" }
}

fn name(change: &Change) -> IndexName {
    let (entity, index) = change.subject.split_once('.').unwrap_or((&change.subject, ""));
    IndexName { entity: entity.to_owned(), index: index.to_owned() }
}
