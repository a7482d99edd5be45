mod totals;

use super::{Effect, Plan, Step, WriteKind};
use crate::{
    facts::{Facts, real, slots, up, whole},
    model::Model,
    path::Path,
};
use table_designs::{language::Rate, schema::RelationKind};
use table_schema::design::{FieldKind, LookupPlace};

/// Queue requests per wake-up message: put, get, delete.
const QUEUE_REQUESTS: f64 = 3.0;

/// A write of the load.
struct Write<'w> {
    kind: WriteKind,
    fields: Option<&'w [String]>,
    slots: Option<u64>,
    rate: f64,
}

impl Write<'_> {
    /// Returns whether the write changes a field.
    fn touches(&self, field: &str) -> bool {
        self.fields.is_none_or(|fields| fields.iter().any(|name| name == field))
    }
}

/// Returns the plans of all writes of the load.
pub(crate) fn plans(model: &Model<'_>) -> Vec<Plan> {
    let mut plans = Vec::new();
    for (number, facts) in model.facts.iter().enumerate() {
        let (Some(load), Some(paths)) = (facts.load(), model.paths.get(number)) else { continue };
        if paths.is_empty() {
            continue;
        }
        let mut plan = |kind, rate: Option<Rate>, fields, slots| {
            let Some(rate) = rate else { return };
            let write = Write { kind, fields, slots, rate: rate.per_second() };
            plans.push(Planner { model, facts, paths, write }.plan());
        };
        plan(WriteKind::Insert, load.insert, None, None);
        plan(WriteKind::Upsert, load.upsert, None, None);
        plan(WriteKind::Delete, load.delete, None, None);
        for update in &load.updates {
            plan(WriteKind::Update, Some(update.rate), update.fields.as_deref(), update.slots);
        }
        plan(WriteKind::Archive, load.archive, None, None);
    }
    plans
}

/// Returns the plan of the deletion of an entity.
pub(crate) fn deletion<'m, 's>(
    model: &'m Model<'s>,
    facts: &'m Facts<'s>,
    paths: &'m [Path<'s>],
    rate: f64,
) -> Plan {
    let write = Write { kind: WriteKind::Delete, fields: None, slots: None, rate };
    Planner { model, facts, paths, write }.plan()
}

struct Planner<'p, 's> {
    model: &'p Model<'s>,
    facts: &'p Facts<'s>,
    paths: &'p [Path<'s>],
    write: Write<'p>,
}

/// The steps of a plan under construction.
#[derive(Default)]
struct Steps {
    transaction: Vec<Step>,
    follow: Vec<Step>,
    /// The fraction of the writes that something follows.
    queued: f64,
    reads: f64,
}

impl Steps {
    /// Adds a step that follows every write.
    fn follow(&mut self, step: Step) {
        self.follow.push(step);
        self.queued = 1.0;
    }
}

impl Planner<'_, '_> {
    fn plan(&self) -> Plan {
        let mut steps = Steps::default();
        if self.write.kind == WriteKind::Archive {
            self.archive(&mut steps);
        } else {
            self.entity(&mut steps);
            for path in self.paths.iter().skip(1) {
                match path.lookup {
                    Some((number, lookup)) => self.lookup(path, number, lookup, &mut steps),
                    None => self.index(path, &mut steps),
                }
            }
            self.totals(&mut steps);
            self.embeds(&mut steps);
            self.blobs(&mut steps);
            self.children(&mut steps);
        }
        self.sum(steps)
    }

    fn sum(&self, steps: Steps) -> Plan {
        let Steps { transaction, follow, queued, reads } = steps;
        let operations: f64 = transaction.iter().map(|step| step.times).sum();
        let most_operations = transaction.iter().map(|step| up(step.most).max(1.0)).sum();
        let overhead = self.model.schema.targets.egt_overhead * operations;
        let bytes = transaction.iter().map(|step| step.bytes * step.times).sum::<f64>() + overhead;
        let rows = || transaction.iter().chain(&follow).filter(|step| !step.effect.is_of_blob());
        let is_archive = self.write.kind == WriteKind::Archive;
        let copies = real(self.paths.iter().filter(|path| path.lookup.is_none()).count());
        let amplification = if is_archive { 1.0 + copies } else { rows().map(|step| step.times).sum() };
        let own = match self.write.kind {
            WriteKind::Delete | WriteKind::Archive => self.own_size() * self.facts.parts,
            _ => {
                transaction.iter().filter(|step| self.is_own(step)).map(|step| step.bytes * step.times).sum()
            }
        };
        let written: f64 = rows().map(|step| step.bytes * step.times).sum();
        let first = if transaction.is_empty() { 0.0 } else { 1.0 };
        Plan {
            entity: self.facts.entity.name.clone(),
            kind: self.write.kind,
            fields: self.write.fields.map(<[String]>::to_vec),
            requests: first + reads + follow.iter().map(|step| step.times).sum::<f64>(),
            queue_requests: QUEUE_REQUESTS * queued,
            amplification,
            byte_amplification: if own > 0.0 { written / own } else { 0.0 },
            rate: self.write.rate,
            is_inside: self.is_inside(),
            transaction,
            follow,
            reads,
            operations,
            most_operations,
            bytes,
        }
    }

    fn own_size(&self) -> f64 {
        self.paths.first().map_or(0.0, |path| path.size(None))
    }

    fn is_own(&self, step: &Step) -> bool {
        let name = &self.facts.entity.name;
        step.what == *name
            || step.what.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with(" part "))
    }

    fn step(&self, path: &Path<'_>, what: impl Into<String>, effect: Effect, bytes: f64) -> Step {
        step(self.facts, path, what, effect, bytes)
    }

    fn entity(&self, steps: &mut Steps) {
        let Some(path) = self.paths.first() else { return };
        let name = &self.facts.entity.name;
        let (effect, bytes) = match (self.write.kind, self.write.fields) {
            (WriteKind::Update, Some(fields)) => {
                let bytes = path.keys + self.changed(fields);
                steps.transaction.push(self.step(path, name, Effect::Merge, bytes));
                return;
            }
            (WriteKind::Update, None) => (Effect::Replace, path.size(None)),
            (WriteKind::Upsert, _) => (Effect::InsertOrReplace, path.size(None)),
            (WriteKind::Delete, _) => (Effect::Delete, path.keys),
            _ => (Effect::Insert, path.size(None)),
        };
        let mut part = 0.0;
        while part < self.facts.parts {
            let what = if self.facts.parts > 1.0 { format!("{name} part {part}") } else { name.clone() };
            steps.transaction.push(self.step(path, what, effect, bytes));
            part += 1.0;
        }
    }

    /// Returns the size of the properties that an update changes: for a series, the given number of slots.
    fn changed(&self, fields: &[String]) -> f64 {
        let of = |name: &String| {
            let field = self.facts.entity.field(name)?;
            let count = self.write.slots.filter(|_| field.series.is_some());
            let count = count.map_or(slots(field), |count| usize::try_from(count).unwrap_or(usize::MAX));
            Some(self.facts.some_slots(field, count.min(slots(field))))
        };
        fields.iter().filter_map(of).sum()
    }

    fn index(&self, path: &Path<'_>, steps: &mut Steps) {
        let in_key = |field: &String| {
            let mut holes =
                path.kind.partition.holes().chain(path.kind.row.holes()).chain(path.kind.table.holes());
            holes.any(|hole| hole.field == *field)
        };
        let stored = |field: &String| path.stored.iter().any(|(stored, _)| stored.name == *field);
        let insert = if path.is_near { Effect::Insert } else { Effect::InsertOrReplace };
        let [share, moved] = self.indexed(path);
        let (whole, kept) = (path.size(None), share - moved);
        let mut again = 0.0;
        // Operations with their sizes and the fractions of the writes that perform them.
        let effects = match (self.write.kind, self.write.fields) {
            (WriteKind::Insert, _) => vec![(insert, whole, share)],
            (WriteKind::Upsert, _) => vec![(Effect::InsertOrReplace, whole, share)],
            (WriteKind::Delete, _) => vec![(Effect::Delete, path.keys, share)],
            (WriteKind::Update, None) => {
                vec![(Effect::Delete, path.keys, moved), (Effect::InsertOrReplace, whole, share)]
            }
            (WriteKind::Update, Some(fields)) => {
                let copied: Vec<String> = fields.iter().filter(|field| stored(field)).cloned().collect();
                let merged = if copied.is_empty() { 0.0 } else { kept };
                let is_moved = fields.iter().any(in_key);
                again = if is_moved { kept } else { 0.0 };
                vec![
                    (Effect::Delete, path.keys, moved + again),
                    (insert, whole, moved + again),
                    (Effect::Merge, path.keys + self.changed(&copied), if is_moved { 0.0 } else { merged }),
                ]
            }
            (WriteKind::Archive, _) => Vec::new(),
        };
        let queued = effects.iter().map(|(_, _, times)| times).sum::<f64>() - again;
        for (effect, bytes, times) in effects.into_iter().filter(|(_, _, times)| *times > 0.0) {
            let step = Step { times, ..self.step(path, path.name, effect, bytes) };
            if path.is_near { steps.transaction.push(step) } else { steps.follow.push(step) }
        }
        if !path.is_near {
            steps.queued = steps.queued.max(queued);
        }
    }

    /// Returns the fraction of entities with a row in an index, and the fraction of writes that remove it: those that
    /// change a field of the condition. As many add a row.
    fn indexed(&self, path: &Path<'_>) -> [f64; 2] {
        let Some(index) = path.index else { return [1.0, 0.0] };
        let share = self.facts.selected(index.when.as_ref());
        [share, share * (1.0 - self.unchanged(index.when.as_ref()))]
    }

    fn lookup(
        &self,
        path: &Path<'_>,
        number: usize,
        lookup: &table_schema::design::LookupDesign,
        steps: &mut Steps,
    ) {
        let moves = |fields: &[String]| fields.iter().any(|field| lookup.on.contains(field));
        let bytes = self.facts.list_size(lookup, number, self.facts.members(lookup));
        let write = if lookup.place == LookupPlace::Blob { Effect::PutBlob } else { Effect::InsertOrReplace };
        // A member row is inserted and deleted; a list is read and replaced.
        let (add, remove) = match (lookup.has_member_rows(), path.is_near) {
            (true, true) => (Effect::Insert, Effect::Delete),
            (true, false) => (Effect::InsertOrReplace, Effect::Delete),
            (false, _) => (write, write),
        };
        let effects: &[Effect] = match (self.write.kind, self.write.fields) {
            (WriteKind::Insert, _) => &[add],
            (WriteKind::Upsert, _) => &[write],
            (WriteKind::Delete, _) => &[remove],
            (_, Some(fields)) if moves(fields) => &[remove, add],
            _ => &[],
        };
        for effect in effects {
            let bytes = if *effect == Effect::Delete { path.keys } else { bytes };
            let step = self.step(path, path.name, *effect, bytes);
            if lookup.place == LookupPlace::Partition {
                steps.transaction.push(step);
                steps.reads += if lookup.has_member_rows() { 0.0 } else { 1.0 };
            } else {
                steps.follow(step);
            }
        }
    }

    /// Adds updates of fields that other entities copy from this entity.
    fn embeds(&self, steps: &mut Steps) {
        if !matches!(self.write.kind, WriteKind::Upsert | WriteKind::Update) {
            return;
        }
        for (owner, paths) in self.model.facts.iter().zip(&self.model.paths) {
            let Some(path) = paths.first() else { continue };
            for embed in owner.entity.embeds.iter().filter(|embed| embed.from == self.facts.entity.name) {
                let changed = embed.fields.iter().filter(|field| self.write.touches(field));
                let sizes = changed.filter_map(|name| {
                    let units = table_schema::key::units(&embed.name) + 1 + table_schema::key::units(name);
                    Some(8.0 + 2.0 * real(units) + self.facts.value(self.facts.entity.field(name)?))
                });
                let bytes: f64 = sizes.sum();
                if bytes > 0.0 {
                    let what = format!("{}.{}", owner.entity.name, embed.name);
                    let mut merge = step(owner, path, what, Effect::Merge, path.keys + bytes);
                    merge.times = owner.count / self.facts.count;
                    merge.most = 1.0;
                    self.beside(path, merge, 0.0, steps);
                }
            }
        }
    }

    /// Returns whether a path is in the partition of the entity.
    fn is_beside(&self, path: &Path<'_>) -> bool {
        self.paths.first().is_some_and(|own| own.kind.shares_partition(&path.kind))
    }

    /// Adds a step on a row of another entity: to the transaction if the partition is the same, otherwise to the
    /// asynchronous steps.
    fn beside(&self, path: &Path<'_>, step: Step, reads: f64, steps: &mut Steps) {
        if self.is_beside(path) {
            steps.transaction.push(step);
            steps.reads += reads;
        } else {
            steps.follow(step);
        }
    }

    fn blobs(&self, steps: &mut Steps) {
        for field in self.facts.entity.fields.iter().filter(|field| field.kind == FieldKind::Blob) {
            let effect = match self.write.kind {
                WriteKind::Delete => Effect::DeleteBlob,
                WriteKind::Update if !self.write.touches(&field.name) => continue,
                _ => Effect::PutBlob,
            };
            steps.follow(Step {
                what: format!("blob {}", field.name),
                effect,
                bytes: self.facts.bytes(field),
                times: 1.0,
                most: 1.0,
                group: None,
                new: [0.0, 1.0],
                any: [0.0, 1.0],
            });
        }
    }

    /// Adds the entities that are inserted in the same transaction.
    fn children(&self, steps: &mut Steps) {
        if self.write.kind != WriteKind::Insert {
            return;
        }
        let name = &self.facts.entity.name;
        for relation in
            self.model.schema.relations.iter().filter(|relation| relation.atomic && relation.from == *name)
        {
            let found = self
                .model
                .facts
                .iter()
                .zip(&self.model.paths)
                .find(|(facts, _)| facts.entity.name == relation.to);
            let Some((child, paths)) = found else { continue };
            let many = relation.many.unwrap_or(1.0);
            let most = relation.most.map_or(many, whole);
            for path in paths.iter().filter(|path| path.is_near || path.is_own()) {
                let (what, effect, bytes) = match path.lookup {
                    Some((number, lookup)) => {
                        let bytes = child.list_size(lookup, number, child.members(lookup));
                        if lookup.has_member_rows() {
                            (path.name, Effect::Insert, bytes)
                        } else {
                            steps.reads += many;
                            (path.name, Effect::InsertOrReplace, bytes)
                        }
                    }
                    None if path.is_own() => (child.entity.name.as_str(), Effect::Insert, path.size(None)),
                    None => (path.name, Effect::Insert, path.size(None)),
                };
                let insert = step(child, path, what, effect, bytes);
                let times = many * path.index.map_or(1.0, |index| child.selected(index.when.as_ref()));
                steps.transaction.push(Step { times, most, ..insert });
            }
        }
    }

    fn archive(&self, steps: &mut Steps) {
        let Some(path) = self.paths.first() else { return };
        let to = self.facts.entity.archive.as_ref().map_or("archive", |archive| archive.to.as_str());
        steps.reads = 1.0;
        steps.follow(self.step(path, to, Effect::InsertOrReplace, path.size(None)));
        let what = format!("{} and its copies", self.facts.entity.name);
        steps.follow(self.step(path, what, Effect::Delete, 0.0));
        for step in &mut steps.follow {
            step.group = None;
        }
    }

    /// Returns whether the entity is inserted in the transaction of its parent.
    fn is_inside(&self) -> bool {
        let relations = self.model.schema.relations.iter();
        let inside = |relation: &table_designs::schema::Relation| {
            relation.atomic && relation.kind != RelationKind::Join && relation.to == self.facts.entity.name
        };
        self.write.kind == WriteKind::Insert && relations.into_iter().any(inside)
    }
}

fn step(facts: &Facts<'_>, path: &Path<'_>, what: impl Into<String>, effect: Effect, bytes: f64) -> Step {
    let partition = &path.kind.partition;
    Step {
        what: what.into(),
        effect,
        bytes,
        times: 1.0,
        most: 1.0,
        group: Some(path.group()).filter(|_| !effect.is_of_blob()),
        new: [facts.busiest_share(partition), facts.active(partition)],
        any: [facts.largest_share(partition), facts.keys(partition)],
    }
}
