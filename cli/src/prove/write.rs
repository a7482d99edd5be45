//! Execution of the writes of a load.

use std::collections::HashSet;

use table_advisor::{Effect, Plan, WriteKind};
use table_designs::schema::{Relation, Schema};
use table_patterns::{FieldValues, Tables};

use super::{
    Subject,
    measure::Line,
    query::{CALLS, float},
    random::Random,
    service::Counts,
};
use crate::error::CommandError;

/// What earlier writes of a type used.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// Entities that were deleted.
    deleted: usize,
    /// Values that updates of unique fields set.
    pub(super) drawn: usize,
    /// Keys that no two entities share, set by updates.
    pub(super) keys: HashSet<Vec<Option<usize>>>,
}

/// A kind of write, and the entities of all types.
pub(super) struct Write<'s> {
    pub(super) tables: &'s Tables,
    pub(super) schema: &'s Schema,
    pub(super) subjects: &'s [Subject<'s>],
    pub(super) subject: &'s Subject<'s>,
    pub(super) plan: &'s Plan,
}

impl Write<'_> {
    /// Runs the write. Returns the comparison, or the reason why it is not executed.
    pub(super) async fn run(&self, used: &mut Used) -> Result<Result<Line, String>, CommandError> {
        let Self { subject, plan, .. } = self;
        if plan.is_inside {
            return Ok(Err("it is a part of the insert of another entity".to_owned()));
        }
        let population = &subject.population;
        let fields = plan.fields.clone().unwrap_or_else(|| self.other_fields());
        let mut random = Random::of(&plan.name());
        let calls = match plan.kind {
            WriteKind::Delete => CALLS.min(population.count.saturating_sub(used.deleted)),
            WriteKind::Upsert | WriteKind::Archive => {
                return Ok(Err(format!(
                    "the write `{}` is not executed without the type",
                    plan.kind.as_str()
                )));
            }
            WriteKind::Insert | WriteKind::Update => CALLS,
        };
        let mut sum = Counts::default();
        let add = |sum: &mut Counts| {
            let counts = subject.counting.take();
            sum.reads += counts.reads;
            sum.writes += counts.writes;
            sum.protocol += counts.protocol;
            sum.rows += counts.rows;
            sum.row_bytes += counts.row_bytes;
            sum.library_bytes += counts.library_bytes;
        };
        for call in 0..calls {
            if plan.kind == WriteKind::Insert {
                let values = population.row(population.count + call);
                let children = match self.children(&values, call) {
                    Ok(children) => children,
                    Err(reason) => return Ok(Err(reason)),
                };
                subject.counting.take();
                if children.is_empty() {
                    subject.entities.insert(&values).await?;
                } else {
                    let mut transaction = self.tables.transact().insert_fields(&subject.entities, &values);
                    for (child, values) in &children {
                        transaction = transaction.insert_fields(&child.entities, values);
                    }
                    transaction.commit().await?;
                }
                add(&mut sum);
                continue;
            }
            let row = if plan.kind == WriteKind::Delete {
                used.deleted += 1;
                population.count - used.deleted
            } else {
                random.below(population.count.saturating_sub(used.deleted).max(1))
            };
            let Some(stored) = subject.entities.get(&population.row(row)).await? else {
                return Ok(Err("an entity is missing".to_owned()));
            };
            if plan.kind == WriteKind::Delete {
                subject.counting.take();
                subject.entities.delete(&stored).await?;
            } else {
                let changes = match population.changes(row, &fields, stored.fields(), used, &mut random) {
                    Ok(changes) => changes,
                    Err(reason) => return Ok(Err(reason)),
                };
                subject.counting.take();
                subject.entities.update(&stored, &changes).await?;
            }
            add(&mut sum);
        }
        Ok(Ok(self.compare(calls, &sum)))
    }

    /// Returns the fields that an update of all fields changes.
    fn other_fields(&self) -> Vec<String> {
        let columns = self.subject.population.columns.iter().map(|column| column.name.clone());
        columns.filter(|name| !self.subject.key.contains(name)).collect()
    }

    /// Returns whether an update sets a field that not all entities have.
    fn sets_partial(&self) -> bool {
        let mut fields = self.plan.fields.iter().flatten();
        fields.any(|field| {
            self.subject.population.column(field).is_some_and(super::population::Column::is_partial)
        })
    }

    /// Returns the entities that are inserted in the same transaction.
    fn children(
        &self,
        parent: &FieldValues,
        call: usize,
    ) -> Result<Vec<(&Subject<'_>, FieldValues)>, String> {
        let is_own = |relation: &&Relation| relation.atomic && relation.from == self.subject.entity.name;
        let mut children = Vec::new();
        for relation in self.schema.relations.iter().filter(is_own) {
            let child = self.subjects.iter().find(|subject| subject.entity.name == relation.to);
            let child =
                child.ok_or_else(|| format!("`{}` of its transaction is not executed", relation.to))?;
            let many = many(relation);
            for number in 0..many {
                let mut values = child.population.row(child.population.count + call * many + number);
                for (from, to) in &relation.on {
                    values.extend(parent.get(from).map(|value| (to.clone(), value.clone())));
                }
                let rest = child.key.iter().find(|name| relation.on.iter().all(|(_, to)| to != *name));
                if let Some((name, column)) =
                    rest.and_then(|name| Some((name.clone(), child.population.column(name)?)))
                {
                    values.insert(name, column.encoder.value(number));
                }
                children.push((child, values));
            }
        }
        Ok(children)
    }

    fn compare(&self, calls: usize, sum: &Counts) -> Line {
        let plan = self.plan;
        let mut line = Line::new(plan.name(), calls);
        let each = |count: u64| float(count) / crate::text::real(calls.max(1));
        let bytes = |bytes: f64| bytes / crate::text::real(calls.max(1));
        let steps = || plan.transaction.iter().chain(&plan.follow);
        let predicted: f64 = steps().map(|step| step.bytes * step.times).sum();
        let replaces = plan.transaction.iter().any(|step| step.effect == Effect::Merge)
            && steps().any(|step| step.effect == Effect::Delete);
        let is_copied = plan.follow.iter().any(|step| step.effect == Effect::Merge);
        let reason = match (replaces, is_copied) {
            (true, _) => {
                Some("an update that moves index rows replaces the entity; the model counts a merge")
            }
            (_, true) => Some("rows in other partitions are written completely; the model counts a merge"),
            _ if self.sets_partial() => Some("an update sets a field that only some entities have"),
            _ => None,
        };
        let explanation = reason.map(str::to_owned);
        line.add("requests", plan.requests - plan.reads, each(sum.writes), None);
        let rewritten = replaces.then(|| {
            "an update that moves index rows also writes those that it does not move; the model does not count them"
                .to_owned()
        });
        line.add("rows", steps().map(|step| step.times).sum(), each(sum.rows), rewritten);
        line.add_bytes("bytes", predicted, bytes(sum.row_bytes), explanation);
        let [protocol, reads, library] =
            [each(sum.protocol), each(sum.reads), bytes(sum.library_bytes)].map(table_advisor::plain);
        if sum.protocol + sum.reads > 0 {
            line.explained.push(format!(
                "besides, {reads} reads and {protocol} writes of the protocol of rows in other partitions, which the \
                 model does not count"
            ));
        }
        if sum.library_bytes > 0.0 {
            line.explained.push(format!("besides, {library} bytes of the library's properties"));
        }
        line
    }
}

/// Returns the number of children that are inserted with a parent.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at most 99 fit into a transaction"
)]
pub(super) fn many(relation: &Relation) -> usize {
    relation.many.unwrap_or(1.0).round().clamp(0.0, 99.0) as usize
}
