//! Performs the steps of a plan, from the first one that is not complete.

use std::fmt::Write;

use serde_json::{Map, Value, json};
use table_designs::{
    evolution::{Action, IndexName, Task},
    schema::Schema,
};
use table_patterns::{
    Designed, DifferenceKind, IndexCheck, Job, LeftCommits, RemovedRows, Sweep, Tables, VerifyReport,
};

use super::{
    Migration,
    index::Ended,
    means::tables,
    older::older,
    outcome::{JobResult, Outcome, Stop},
    position::Position,
    record::Record,
    retire::retirement,
    sweep::paced,
};
use crate::{error::CommandError, location::Location, progress::Progress, text::counted};

/// A migration that is being performed.
#[derive(Debug)]
pub(super) struct Execution<'e> {
    pub(super) migration: &'e Migration<'e>,
    pub(super) place: &'e Location,
    pub(super) record: Record,
    outcome: &'e mut Outcome,
    /// The entity whose versions this run has checked already, with the result.
    pub(super) checked: Option<(String, JobResult)>,
}

impl<'e> Execution<'e> {
    pub(super) const fn new(
        migration: &'e Migration<'e>,
        place: &'e Location,
        record: Record,
        outcome: &'e mut Outcome,
    ) -> Self {
        Self { migration, place, record, outcome, checked: None }
    }

    pub(super) async fn run(mut self) -> Result<(), CommandError> {
        let migration = self.migration;
        let mut is_told = self.accept_done()?;
        // Another run must not continue the record that this one replaces.
        if !self.record.is_stored() {
            self.record.save(self.place).await?;
        }
        while let Some(step) = migration.plan.steps.get(self.record.done()) {
            let number = self.record.done() + 1;
            match &step.action {
                Action::Job(task) => {
                    if !self.job(number, task).await? {
                        return Ok(());
                    }
                }
                _ if is_told => {
                    let result = self.declared(number, step).await?;
                    self.outcome.results.push((number, result));
                    is_told = false;
                }
                _ => {
                    self.outcome.stop = Some(Stop::Person);
                    return Ok(());
                }
            }
            self.record.advance();
            self.record.save(self.place).await?;
            self.outcome.done = self.record.done();
        }
        Ok(())
    }

    /// Returns whether the user declared the next step as done.
    fn accept_done(&self) -> Result<bool, CommandError> {
        let Some(number) = self.migration.arguments.done else { return Ok(false) };
        let (next, steps) = (self.record.done() + 1, &self.migration.plan.steps);
        let is_job = |number: usize| {
            let step = number.checked_sub(1).and_then(|at| steps.get(at));
            step.is_none_or(|step| matches!(step.action, Action::Job(_)))
        };
        if number == 0 || number > steps.len() {
            return Err(CommandError::Called(format!(
                "--done {number}: the plan has {}",
                counted(steps.len(), "step")
            )));
        }
        if is_job(number) {
            let message = format!("--done {number}: step {number} is a job, which this command performs");
            return Err(CommandError::Called(message));
        }
        // A repeated command changes nothing.
        if number < next {
            return Ok(false);
        }
        // Jobs before the step are performed first.
        match (next..number).find(|earlier| !is_job(*earlier)) {
            Some(earlier) => {
                Err(CommandError::Called(format!("--done {number}: step {earlier} is not done")))
            }
            None => Ok(true),
        }
    }

    /// Performs a job. Returns whether it is complete.
    async fn job(&mut self, number: usize, task: &Task) -> Result<bool, CommandError> {
        let result = match task {
            Task::AddIndex(of) => {
                let designed = self.online(self.migration.new, of)?;
                self.online_change(of, designed.add_index(&of.index), "readable").await?
            }
            Task::DropIndex(of) => {
                let designed = self.online(self.migration.old, of)?;
                self.online_change(of, designed.drop_index(&of.index), "removed").await?
            }
            Task::CheckUnique(of) => Some(self.check_unique(of).await?),
            Task::CheckVersions(entity) => self.check_versions(number, entity).await?,
            Task::Reindex(of) => Some(self.reindex(of).await?),
            Task::DeleteRows(of) => Some(self.delete_rows(of).await?),
            Task::Repair(entity) => Some(self.verify(entity, true).await?),
            Task::Verify(entity) => Some(self.verify(entity, false).await?),
            other => return Err(CommandError::Unfinished(format!("unknown job `{}`", other.as_str()))),
        };
        let Some(result) = result else { return Ok(false) };
        let is_failed = result.is_failed;
        self.outcome.results.push((number, result));
        if is_failed {
            self.outcome.stop = Some(Stop::Failed);
            // The next run processes all rows again.
            self.record.position = Position::default();
            self.record.save(self.place).await?;
        }
        Ok(!is_failed)
    }

    /// Performs an online change. Returns `None` if it must be continued.
    async fn online_change(
        &mut self,
        of: &IndexName,
        change: table_patterns::IndexChange,
        state: &str,
    ) -> Result<Option<JobResult>, CommandError> {
        let name = format!("{}.{}", of.entity, of.index);
        Ok(match self.change(&name, change).await? {
            Ended::Done => Some(JobResult {
                text: state.to_owned(),
                counts: counts([("state", json!(state))]),
                ..JobResult::default()
            }),
            Ended::Failed(result) => Some(result),
            Ended::Stopped(stop) => {
                self.outcome.stop = Some(stop);
                None
            }
        })
    }

    async fn check_unique(&self, of: &IndexName) -> Result<JobResult, CommandError> {
        let designed = tables(self.place).design(self.migration.new, &of.entity)?;
        unique(&designed, &of.index, self.migration.arguments.max_rate).await
    }

    /// Checks that no row has an older version. If the programs use the registry, their writes of older versions are
    /// rejected before the check that counts. Returns `None` if the job must be continued.
    async fn check_versions(
        &mut self,
        number: usize,
        entity: &str,
    ) -> Result<Option<JobResult>, CommandError> {
        let (schema, step) = (self.migration.new, self.migration.plan.steps.get(number - 1));
        let result = match self.checked.take_if(|(of, _)| of == entity) {
            Some((_, result)) => result,
            None => older(schema, entity, step, self.place).await?.result,
        };
        let retirement = match step {
            Some(step) if !result.is_failed => retirement(self.place, schema, step).await?,
            _ => None,
        };
        let Some(retirement) = retirement else { return Ok(Some(result)) };
        Ok(match self.retire(entity, retirement).await? {
            Ended::Done => Some(self.retired(entity).await?),
            Ended::Failed(result) => Some(result),
            Ended::Stopped(reason) => {
                self.outcome.stop = Some(reason);
                None
            }
        })
    }

    async fn reindex(&mut self, of: &IndexName) -> Result<JobResult, CommandError> {
        let designed = self.designed(&of.entity).await?;
        let report = self
            .sweep(designed.reindex(&of.index), |report| Position {
                entities: report.entities,
                changed: report.written,
                left: report.without_count,
                ..Position::default()
            })
            .await?;
        let position = &self.record.position;
        let Position { runs, entities, changed, left, .. } = *position;
        let written = format!("{}, {} written", counted(entities, "entity"), position.changed("row"));
        let text = if left == 0 { written } else { format!("{written}, {left} without a row") };
        Ok(JobResult {
            text,
            counts: counts([
                ("entities", json!(entities)),
                ("written", json!(changed)),
                ("without", json!(left)),
                ("runs", json!(runs)),
            ]),
            failures: report.without,
            left,
            is_failed: left > 0,
        })
    }

    async fn delete_rows(&mut self, of: &IndexName) -> Result<JobResult, CommandError> {
        let tables = tables(self.place);
        let designed = tables.design(self.migration.old, &of.entity)?;
        if self.record.position.cursor.is_none() {
            // No program without the declaration can apply a commit that refers to the index.
            let pass = tables.catch_up().await?;
            let names = [of.entity.as_str(), designed.design().stored_name()];
            let is_of = |left: &&LeftCommits| {
                names.contains(&left.entity.as_str())
                    && left.index.as_ref().is_none_or(|index| *index == of.index)
            };
            if let Some(left) = pass.reasons.iter().find(is_of) {
                return Ok(JobResult { text: left.to_string(), is_failed: true, ..JobResult::default() });
            }
        }
        let rows = |report: &RemovedRows| Position {
            changed: report.removed,
            left: report.left_count,
            ..Position::default()
        };
        let report = self.sweep(designed.remove_index_rows(&of.index), rows).await?;
        let Position { runs, changed, left, .. } = self.record.position;
        let mut text = format!("{} deleted", self.record.position.changed("row"));
        let counts = counts([("deleted", json!(changed)), ("left", json!(left)), ("runs", json!(runs))]);
        // A program that still declares the index writes its rows again. The rows that the job left do not count.
        let again = removable(&designed, &of.index, self.migration.arguments.max_rate).await?.removed;
        if again > 0 {
            let again = counted(again, "row");
            _ = write!(
                text,
                ", and {again} written since then; end the programs that still declare `{}`",
                of.index
            );
        }
        text.push_str(&unknown(left));
        Ok(JobResult { text, counts, failures: report.left, left, is_failed: again > 0 || left > 0 })
    }

    async fn verify(&mut self, entity: &str, repair: bool) -> Result<JobResult, CommandError> {
        let designed = self.designed(entity).await?;
        if self.record.position.cursor.is_none() {
            // An interrupted job leaves commits whose index rows are not written yet.
            designed.tables().catch_up().await?;
        }
        // Without a check before, rows of older versions may exist. A design does not describe them.
        let is_checked = self.migration.plan.steps.iter().any(
            |step| matches!(&step.action, Action::Job(Task::CheckVersions(checked)) if checked == entity),
        );
        let older = |report: &VerifyReport| {
            if is_checked { 0 } else { report.count_of(DifferenceKind::OtherVersion) }
        };
        let sweep = if repair { designed.verify().repair() } else { designed.verify() };
        let report: VerifyReport = self
            .sweep(sweep, |report| Position {
                entities: report.entities,
                rows: report.rows,
                changed: report.repaired,
                lagging: report.lagging,
                left: report.count() - report.repaired - older(report),
                ..Position::default()
            })
            .await?;
        let position = &self.record.position;
        let Position { runs, entities, rows, changed, lagging, left, .. } = *position;
        let mut seen = format!("{}, {}", counted(entities, "entity"), counted(rows, "index row"));
        if lagging > 0 {
            _ = write!(seen, ", {lagging} lagging");
        }
        let older = older(&report);
        if older > 0 {
            let older = counted(older, "entity");
            _ = write!(
                seen,
                ", {older} of other versions, which `tables.verify::<{entity}>()` of a program verifies"
            );
        }
        let repaired = if repair { format!(", {} repaired", position.changed("row")) } else { String::new() };
        let fed = self.migration.new.entities.iter().filter(|target| {
            target.totals.iter().any(|total| total.entity == entity)
                || target.embeds.iter().any(|embed| embed.from == entity)
        });
        let fed = fed.map(|target| format!("its totals and copied fields in `{}`", target.name));
        let unjudged: Vec<String> = designed.unjudged().iter().map(ToString::to_string).chain(fed).collect();
        let text = match left {
            0 if repair => format!("{seen}{repaired}"),
            0 => format!("{seen}, no differences"),
            left => format!("{seen}{repaired}, {} left", counted(left, "difference")),
        };
        // A program verifies these, with the types.
        let text = if repair || unjudged.is_empty() {
            text
        } else {
            format!(
                "{text}; call `tables.verify::<{entity}>()` for what was not verified: {}",
                unjudged.join("; ")
            )
        };
        let all =
            [("entities", entities), ("rows", rows), ("repaired", changed), ("left", left), ("runs", runs)];
        let all = all.map(|(name, count)| (name, json!(count)));
        Ok(JobResult {
            text,
            counts: counts(all).into_iter().chain([("not_verified".to_owned(), json!(unjudged))]).collect(),
            failures: report.differences,
            left,
            is_failed: left > 0,
        })
    }

    /// Returns an entity of the new design, on a handle that uses the registry if the programs use it.
    async fn designed(&self, entity: &str) -> Result<Designed, CommandError> {
        let designed = tables(self.place).design(self.migration.new, entity)?;
        Ok(designed.with_registry_if_registered().await?)
    }

    /// Returns an entity on a handle with the registry.
    fn online(&self, schema: &Schema, of: &IndexName) -> Result<Designed, CommandError> {
        let tables: Tables = tables(self.place).with_registry();
        Ok(tables.design(schema, &of.entity)?)
    }
}

/// Returns what a job says about rows at keys of an index that it must not delete.
pub(super) fn unknown(rows: u64) -> String {
    match rows {
        0 => String::new(),
        1 => "; 1 row at such a key may be an entity, or has a property of another client, so it remains"
            .to_owned(),
        rows => format!(
            "; {rows} rows at such keys may be entities, or have properties of another client, so they remain"
        ),
    }
}

/// Counts the rows that the removal of an index would delete.
pub(super) async fn removable(
    designed: &Designed,
    index: &str,
    max_rate: Option<u32>,
) -> Result<RemovedRows, CommandError> {
    counting(designed.remove_index_rows(index).dry_run(), max_rate).await
}

/// Runs a job that changes nothing.
pub(super) async fn counting<J: Job>(
    sweep: Sweep<J>,
    max_rate: Option<u32>,
) -> Result<J::Report, CommandError>
where
    J::Report: Clone,
{
    let (mut sweep, progress) = (paced(sweep, max_rate), Progress::of_unknown());
    while sweep.paced_step().await? {
        progress.count(sweep.rows(), "rows");
        tokio::task::yield_now().await;
    }
    Ok(sweep.report().clone())
}

/// Finds equal values of a unique index.
pub(super) async fn unique(
    designed: &Designed,
    index: &str,
    max_rate: Option<u32>,
) -> Result<JobResult, CommandError> {
    let report = counting(designed.check_index(index), max_rate).await?;
    let IndexCheck { entities, included, without, without_count, .. } = report;
    let text = match without_count {
        0 => format!("{}, no equal values", counted(entities, "entity")),
        count => format!("{}, {count} without a row", counted(entities, "entity")),
    };
    let all = [("entities", entities), ("included", included), ("without", without_count)];
    Ok(JobResult {
        text,
        counts: counts(all.map(|(name, count)| (name, json!(count)))),
        failures: without,
        left: without_count,
        is_failed: without_count > 0,
    })
}

pub(super) fn counts<const N: usize>(all: [(&str, Value); N]) -> Map<String, Value> {
    all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
