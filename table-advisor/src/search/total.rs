//! Totals: entities with a count or a sum that the library maintains, which a query reads instead of all rows.

use std::collections::BTreeSet;

use super::{
    case::{count, facts, load_of, table_name},
    key::{Key, Part, entity_word, equality, template},
    site::is_valid,
    step::{Purpose, Step, may_be_late},
};
use crate::facts::Facts;
use table_designs::{
    language::Rate,
    schema::{EntityLoad, Query, Requirement, Schema, Value, Values, Workload},
};
use table_schema::{
    design::{EntityDesign, FieldKind, TotalDesign},
    language::{Comparison, Test, When},
    static_design::Aggregate,
};

/// Writes per second of one total. All writers of a total wait for each other.
const WRITES: f64 = 10.0;

/// A total that a query reads, or several totals of the same fields in one entity.
#[derive(Clone, Debug)]
pub(super) struct Total {
    /// The aggregated entity.
    pub source: String,
    /// The entity with the totals, without keys.
    pub entity: EntityDesign,
    pub load: EntityLoad,
    /// `true` if it is in the partition of the source, and otherwise is updated later.
    pub is_near: bool,
    /// The queries that read them.
    pub steps: Vec<Step>,
    /// Writes per second of the busiest entity.
    writes: f64,
}

/// Adds a total. Totals of the same fields are in one entity, as far as its writers allow it.
pub(super) fn add(totals: &mut Vec<Total>, mut new: Total) {
    let fields = |total: &Total| -> BTreeSet<String> {
        total.entity.fields.iter().map(|field| field.name.clone()).collect()
    };
    let names = fields(&new);
    let is_shared = |known: &&mut Total| {
        known.source == new.source
            && known.is_near == new.is_near
            && fields(known) == names
            && known.writes + new.writes <= WRITES
    };
    let Some(known) = totals.iter_mut().find(is_shared) else {
        totals.push(new);
        return;
    };
    for total in new.entity.totals {
        let own = &mut known.entity.totals;
        if own.iter().any(|one| TotalDesign { name: total.name.clone(), ..one.clone() } == total) {
            continue;
        }
        let is_free = |name: &String| own.iter().all(|one| one.name != *name) && !names.contains(name);
        let queries = new.steps.iter().map(|step| step.query.name.clone());
        let numbered = (2_u32..).map(|number| format!("{}_{number}", total.name));
        let name = std::iter::once(total.name.clone()).chain(queries).chain(numbered).find(is_free);
        own.push(TotalDesign { name: name.unwrap_or_default(), ..total });
        known.writes += new.writes;
    }
    new.steps.iter_mut().for_each(|step| step.query.find.clone_from(&known.entity.name));
    known.steps.append(&mut new.steps);
}

/// Returns the totals that can answer a query: in the partition of the source, and elsewhere.
pub(super) fn totals(workload: &Workload, query: &Query, requirement: &Requirement) -> Vec<Total> {
    let of_place = |is_near: bool| {
        let is_slow =
            requirement.deadline.is_some_and(|most| most.milliseconds < workload.limits.round.milliseconds);
        let is_allowed = is_near || may_be_late(workload, query, requirement.late);
        (is_allowed && !is_slow).then(|| total(workload, query, requirement, is_near))?
    };
    [true, false].into_iter().filter_map(of_place).collect()
}

fn total(workload: &Workload, query: &Query, requirement: &Requirement, is_near: bool) -> Option<Total> {
    let content = &workload.content;
    let source = content.entity(&query.find)?;
    let filter = query.filter.as_ref()?;
    let [only] = filter.alternatives.as_slice() else { return None };
    let (fields, when) = grouped(source, &only.tests)?;
    let (by, field, name) = match requirement.value.as_ref()? {
        Value::Count => (Aggregate::Count, None, "count"),
        Value::Sum(field) => (Aggregate::Sum, Some(field.clone()), "sum"),
    };
    let load = load_of(content, &source.name);
    // A sum reads a property, which a field of the key need not have.
    let is_in_key =
        |field: &String| workload.identity(&source.name).is_some_and(|one| one.id.contains(field));
    // An upsert does not know whether it adds an entity.
    if field.as_ref().is_some_and(is_in_key) || load.upsert.is_some() || fields.iter().any(|own| own == name)
    {
        return None;
    }
    let mut entity = EntityDesign::new(entity_name(content, &query.name));
    entity.about = Some(format!(
        "Insert one for each `{}`: its totals are maintained, and readers see them from then on.",
        fields.join("`, `")
    ));
    entity.fields = fields.iter().filter_map(|name| source.field(name)).cloned().collect();
    let matches = fields.iter().map(|name| (name.clone(), name.clone())).collect();
    entity.totals.push(TotalDesign {
        name: name.to_owned(),
        about: None,
        by,
        entity: source.name.clone(),
        field: field.clone(),
        matches,
        when: when.clone(),
    });
    let source_facts = facts(content, source);
    let distinct: f64 = fields.iter().map(|name| source_facts.distinct(name)).product();
    let own = EntityLoad {
        name: entity.name.clone(),
        count: Some(count(distinct.min(source_facts.count))),
        values: fields.iter().filter_map(|name| values(&source_facts, &load, name)).collect(),
        ..EntityLoad::default()
    };
    // The entity with the total has no fields for the values of its condition.
    let tests = only.tests.iter().filter(|test| fields.contains(&test.field));
    let tests: Vec<String> =
        tests.map(|test| equality(test).unwrap_or_else(|| format!("{} = ?", test.field))).collect();
    let condition = tests.join(" and ").parse().ok();
    let step = Query {
        name: query.name.clone(),
        about: query.about.clone(),
        find: entity.name.clone(),
        filter: Some(condition?),
        rate: query.rate,
        fresh: query.fresh,
        using: Some("primary".to_owned()),
        ..Query::default()
    };
    let mut total = Total {
        source: source.name.clone(),
        entity,
        load: own,
        is_near,
        steps: vec![Step::new(Purpose::Query(query.name.clone()), step)],
        writes: 0.0,
    };
    let tested: Vec<&String> = when.iter().flat_map(|when| &when.equalities).map(|one| &one.field).collect();
    let is_written = |update: &&table_designs::schema::Update| {
        let changed = |name: &String| update.fields.as_ref().is_none_or(|all| all.contains(name));
        fields.iter().chain(&field).chain(tested.iter().copied()).any(changed)
    };
    let updates = load.updates.iter().filter(is_written).map(|update| update.rate);
    let writes = [load.insert, load.delete].into_iter().flatten().chain(updates).map(Rate::per_second);
    let writes = writes.sum::<f64>() * source_facts.selected(when.as_ref());
    total.writes = content.load.peak * writes * total.busiest(content)?;
    (total.writes <= WRITES).then_some(total)
}

/// Returns the fields of the key, and the condition. The fields of parameters are in the key; if there is none, so are those
/// that are compared with a value. `None` if a test has no single value, or if a field cannot be in the key of a total: an
/// enum is a type of its entity.
fn grouped(source: &EntityDesign, tests: &[Test]) -> Option<(Vec<String>, Option<When>)> {
    let has_parameter = tests.iter().any(|test| test.value.is_none());
    let (mut fields, mut values): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for test in tests {
        let field = source.field(&test.field).filter(|field| !field.optional && field.series.is_none())?;
        if test.comparison != Comparison::Equal {
            return None;
        }
        match equality(test).filter(|_| has_parameter) {
            Some(value) => values.push(value),
            None if matches!(field.kind, FieldKind::Enum { .. }) || fields.contains(&field.name) => {
                return None;
            }
            None => fields.push(field.name.clone()),
        }
    }
    let when = (!values.is_empty()).then(|| values.join(" and ").parse()).transpose().ok()?;
    Some((fields, when))
}

/// Returns the assumptions about the values of a field, as they are for the source.
fn values(source: &Facts<'_>, load: &EntityLoad, field: &str) -> Option<Values> {
    let is_bool = source.entity.field(field)?.kind == FieldKind::Bool;
    let known = load.values_of(field).cloned().unwrap_or_default();
    let distinct = Some(count(source.distinct(field))).filter(|_| !is_bool);
    Some(Values { field: field.to_owned(), distinct, within: None, rising: None, ..known })
}

/// Returns the name of a query as the name of an entity: `open_count` becomes `OpenCount`.
fn entity_name(content: &Schema, query: &str) -> String {
    let words = query.split('_').map(|word| {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
    });
    let name: String = words.collect();
    if content.entity(&name).is_some() { format!("{name}Total") } else { name }
}

impl Total {
    fn parts(&self) -> Vec<Part> {
        self.entity.fields.iter().map(|field| Part::new(&field.name)).collect()
    }

    /// Returns the fraction of the writes that concern the busiest total.
    fn busiest(&self, content: &Schema) -> Option<f64> {
        let owner = self.elsewhere(content)?;
        let facts = Facts::new(content, &owner, Some(&self.load), false);
        Some(facts.largest_share(&facts.primary()?.partition))
    }

    /// Returns the entity in a table of its own.
    fn elsewhere(&self, content: &Schema) -> Option<EntityDesign> {
        let facts = Facts::new(content, &self.entity, Some(&self.load), false);
        let mut owner = self.entity.clone();
        owner.table = Some(table_name(&owner.name).into());
        owner.partition = Some(template(&facts, None, &self.parts())?.into());
        owner.row = Some(entity_word(&owner.name).into());
        is_valid(&owner).then_some(owner)
    }

    /// Returns the entity with keys, for a source with keys. `None` if it cannot be in the partition of the source.
    pub(super) fn keyed(&self, content: &Schema, source: &EntityDesign, key: &Key) -> Option<EntityDesign> {
        if !self.is_near {
            return self.elsewhere(content);
        }
        let parts = self.parts();
        let has_prefix = source.row.as_ref()?.template().is_some_and(|row| !row.lead().is_empty());
        let is_one = source.table.as_ref()?.template().is_some_and(|table| table.holes().next().is_none());
        if !has_prefix || !is_one || !key.partition.iter().all(|part| parts.contains(part)) {
            return None;
        }
        let rest: Vec<Part> = parts.into_iter().filter(|part| !key.partition.contains(part)).collect();
        let facts = Facts::new(content, &self.entity, Some(&self.load), false);
        let mut owner = self.entity.clone();
        owner.table.clone_from(&source.table);
        owner.partition.clone_from(&source.partition);
        owner.row = Some(template(&facts, Some(&entity_word(&owner.name)), &rest)?.into());
        is_valid(&owner).then_some(owner)
    }
}
