//! The problem of one entity: its fields, its load and its steps.

use std::collections::BTreeSet;

use super::{
    key::{Key, Part, entity_word, template},
    reach::{Answer, Copied},
    standing::Standing,
    step::Step,
    total::{self, Total},
};
use crate::facts::{Facts, up, whole};
use table_designs::{
    language::{Rate, RateUnit},
    schema::{EntityLoad, Identity, Query, Relation, Schema, Update, Workload},
};
use table_schema::design::EntityDesign;

/// The problem of one entity. It is independent of other entities, except those of the same transactions.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// The entity with copied fields and without keys.
    pub entity: EntityDesign,
    pub load: EntityLoad,
    pub identity: Identity,
    pub steps: Vec<Step>,
    /// Copied fields that change with their source. They cannot be in keys.
    pub volatile: BTreeSet<String>,
    /// The totals of the entity.
    pub totals: Vec<Total>,
    /// The entities that are written in the same transactions.
    pub together: Option<Together>,
    /// The entity in the existing design.
    pub standing: Option<Standing>,
}

/// The entities of common transactions: they share a table and the form of the partition.
#[derive(Clone, Debug)]
pub(super) struct Together {
    pub table: String,
    pub relations: Vec<Relation>,
    /// The possible partitions.
    pub partitions: Vec<Vec<Part>>,
    /// The other entities, with a key for each possible partition.
    pub others: Vec<(EntityDesign, EntityLoad, Vec<Key>)>,
    /// The fraction of the load of a partition that each entity may use.
    pub share: f64,
    /// The number of the partition of the existing design, with which all entities keep their keys.
    pub standing: Option<usize>,
}

impl Case {
    /// Returns the partition of some fields, in the order of their declaration. Entities of common transactions agree
    /// on the order.
    pub(super) fn partition(&self, fields: &[&str]) -> Vec<Part> {
        let is_same = |partition: &&Vec<Part>| {
            partition.len() == fields.len()
                && partition.iter().all(|part| fields.contains(&part.field.as_str()))
        };
        let common = self.together.as_ref().and_then(|together| together.partitions.iter().find(is_same));
        let declared = || {
            let names = self.entity.fields.iter().map(|field| field.name.as_str());
            names.filter(|name| fields.contains(name)).map(Part::new).collect()
        };
        common.cloned().unwrap_or_else(declared)
    }

    /// Returns the writes of programs per second that must know the key.
    pub(super) fn located(&self) -> f64 {
        let other = [self.load.delete, self.load.archive].into_iter().flatten().map(Rate::per_second);
        let own = self.load.updates.iter().filter(|update| !self.is_of_source(update));
        own.map(|update| update.rate.per_second()).sum::<f64>() + other.sum::<f64>()
    }

    /// Returns whether an update only refreshes copied fields.
    fn is_of_source(&self, update: &Update) -> bool {
        let fields = update.fields.as_deref().unwrap_or_default();
        !fields.is_empty() && fields.iter().all(|field| self.volatile.contains(field))
    }

    /// Returns whether an update changes a field.
    pub(super) fn changes(&self, field: &str) -> bool {
        let fields = self.load.updates.iter().filter_map(|update| update.fields.as_ref());
        fields.flatten().any(|changed| changed == field)
    }

    /// Returns the schema of the entity without keys and queries.
    pub(super) fn bare(&self, workload: &Workload) -> Schema {
        let queries = self.steps.iter().map(|step| step.query.clone()).collect();
        let mut schema = Schema { entities: vec![self.entity.clone()], queries, ..Schema::default() };
        schema.load.peak = workload.content.load.peak;
        schema.load.horizon = workload.content.load.horizon;
        schema.load.entities.push(self.load.clone());
        schema
    }

    /// Returns the schema of this entity with keys and some queries.
    pub(super) fn schema(
        &self,
        workload: &Workload,
        entity: EntityDesign,
        at: usize,
        queries: Vec<Query>,
    ) -> Schema {
        let content = &workload.content;
        let mut schema = Schema {
            entities: vec![entity],
            queries,
            prices: content.prices.clone(),
            targets: content.targets.clone(),
            ..self.bare(workload)
        };
        if let Some(together) = &self.together {
            schema.relations.clone_from(&together.relations);
            for (other, load, keys) in &together.others {
                let mut other = other.clone();
                if let Some(key) = keys.get(at) {
                    keyed(&mut other, &together.table, key, true, content);
                }
                schema.entities.push(other);
                schema.load.entities.push(load.clone());
            }
        }
        schema
    }
}

/// Returns the facts about an entity without keys.
pub(super) fn facts<'s>(schema: &'s Schema, entity: &'s EntityDesign) -> Facts<'s> {
    Facts::new(schema, entity, schema.load_of(&entity.name), false)
}

/// Sets the keys of an entity. Returns `None` if a field is not allowed in keys.
pub(super) fn keyed(
    entity: &mut EntityDesign,
    table: &str,
    key: &Key,
    has_prefix: bool,
    schema: &Schema,
) -> Option<()> {
    let word = entity_word(&entity.name);
    let bare = EntityDesign { partition: None, row: None, ..entity.clone() };
    let facts = facts(schema, &bare);
    let or_word = |parts: &[Part], has_prefix: bool| {
        template(&facts, (parts.is_empty() || has_prefix).then_some(word.as_str()), parts)
    };
    entity.shard = key.shard();
    entity.table = Some(table.into());
    entity.partition = Some(or_word(&key.partition, false)?.into());
    entity.row = Some(or_word(&key.row, has_prefix)?.into());
    Some(())
}

/// Returns the table name of an entity.
pub(super) fn table_name(entity: &str) -> String {
    let stem = entity.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    match stem {
        // A name of a table has at least three characters.
        _ if entity.len() < 2 => format!("{entity}Table"),
        Some(stem) => format!("{stem}ies"),
        None if entity.ends_with(['s', 'x']) || entity.ends_with("ch") || entity.ends_with("sh") => {
            format!("{entity}es")
        }
        None => format!("{entity}s"),
    }
}

/// Returns the problems of all entities for some answers to the queries. Each entity of common transactions may use
/// `share` of the load of a partition.
pub(super) fn cases(workload: &Workload, answers: &[&Answer], share: f64) -> Vec<Case> {
    let mut cases: Vec<Case> = workload
        .content
        .entities
        .iter()
        .zip(&workload.identities)
        .map(|(entity, identity)| Case {
            entity: entity.clone(),
            load: load_of(&workload.content, &entity.name),
            identity: identity.clone(),
            steps: Vec::new(),
            volatile: BTreeSet::new(),
            totals: Vec::new(),
            together: None,
            standing: None,
        })
        .collect();
    let position = |name: &str| workload.content.entities.iter().position(|entity| entity.name == name);
    let mut copied: Vec<&Copied> = Vec::new();
    for answer in answers {
        for (entity, step) in &answer.steps {
            if let Some(case) = position(entity).and_then(|number| cases.get_mut(number)) {
                case.steps.push(step.clone());
            }
        }
        for total in &answer.totals {
            if let Some(case) = position(&total.source).and_then(|number| cases.get_mut(number)) {
                total::add(&mut case.totals, total.clone());
            }
        }
        copied.extend(answer.copied.iter().filter(|one| !copied.contains(one)).collect::<Vec<_>>());
    }
    copied.sort();
    copied.dedup();
    for (holder, reference) in copied.iter().map(|one| (&one.holder, &one.reference)).collect::<BTreeSet<_>>()
    {
        let fields: Vec<&str> = copied
            .iter()
            .filter(|one| one.holder == *holder && one.reference == *reference)
            .map(|one| one.field.as_str())
            .collect();
        super::copied::copy(workload, &mut cases, holder, reference, &fields);
    }
    for case in &mut cases {
        explicit(workload, case);
    }
    super::together::join(workload, &mut cases, share);
    super::standing::attach(workload, &mut cases);
    cases
}

pub(super) fn load_of(schema: &Schema, name: &str) -> EntityLoad {
    let load = schema.load_of(name).cloned();
    load.unwrap_or_else(|| EntityLoad { name: name.to_owned(), ..EntityLoad::default() })
}

/// Lists the selected fields of queries for all fields, so that they do not include copied fields.
fn explicit(workload: &Workload, case: &mut Case) {
    let own = workload.content.entity(&case.entity.name);
    let own = own.filter(|own| own.fields.len() < case.entity.fields.len());
    for step in case.steps.iter_mut().filter(|step| step.query.select.is_none()) {
        step.query.select = own.map(|own| own.fields.iter().map(|field| field.name.clone()).collect());
    }
}

/// Returns a rate in the first unit that makes it a whole number.
pub(super) fn readable(per_second: f64) -> Rate {
    let of = |unit: RateUnit| Rate { number: per_second * f64::from(unit.seconds()), unit };
    let rounded = RateUnit::ALL.into_iter().map(of).map(|rate| Rate { number: rate.number.round(), ..rate });
    let is_equal = |rate: &Rate| rate.number > 0.0 && (rate.per_second() / per_second - 1.0).abs() < 1e-12;
    rounded.into_iter().find(is_equal).unwrap_or_else(|| Rate::of_second(per_second))
}

/// Converts a number of values, at least one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at least 1, and estimates saturate"
)]
pub(super) fn count(number: f64) -> u64 {
    let number = up(number).max(1.0);
    if number < whole(u64::MAX) { number as u64 } else { u64::MAX }
}
