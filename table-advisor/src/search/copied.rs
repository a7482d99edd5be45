//! Fields that an entity copies from another entity, and what keeps them equal.

use super::{
    case::{Case, count, facts, load_of, readable},
    key::entity_word,
    step::{Purpose, Step},
};
use table_designs::{
    language::Rate,
    schema::{Query, Schema, Update, Values, Workload},
};
use table_schema::design::FieldDesign;

/// Returns the name of the field that contains a field of a referenced entity.
pub(super) fn copied_name(reference: &str, field: &str) -> String {
    format!("{reference}_{field}")
}

/// Copies fields of a referenced entity, with the reads and writes that keep the copies equal.
pub(super) fn copy(workload: &Workload, cases: &mut [Case], holder: &str, reference: &str, fields: &[&str]) {
    let content = &workload.content;
    let Some((relation, source)) = workload.reference(holder, reference) else { return };
    let (Some(own), Some(id)) = (content.entity(holder), relation.on.first().map(|(id, _)| id)) else {
        return;
    };
    let (own_count, source_facts) = (facts(content, own).count, facts(content, source));
    let refreshed = changes(content, &source.name, fields);
    let Some(number) = content.entities.iter().position(|entity| entity.name == holder) else { return };
    let Some(case) = cases.get_mut(number) else { return };
    let names: Vec<String> = fields.iter().map(|field| copied_name(reference, field)).collect();
    for (name, field) in names.iter().zip(fields) {
        let Some(of) = source.field(field) else { continue };
        let property = name.clone();
        let about = Some(format!("Copy of `{}.{field}`, by `{reference}`.", source.name));
        case.entity.fields.push(FieldDesign { name: name.clone(), property, about, ..of.clone() });
        let values = load_of(content, &source.name).values_of(field).cloned().unwrap_or_default();
        let distinct = Some(count(source_facts.distinct(field)));
        case.load.values.push(Values { field: name.clone(), distinct, within: None, ..values });
    }
    // A changed reference changes the copies too.
    let mut copies =
        [case.load.insert, case.load.upsert].into_iter().flatten().map(Rate::per_second).sum::<f64>();
    for update in &mut case.load.updates {
        if let Some(changed) =
            update.fields.as_mut().filter(|changed| changed.iter().any(|one| one == reference))
        {
            changed.extend(names.iter().cloned());
            copies += update.rate.per_second();
        }
    }
    let word = entity_word(holder);
    for (rate, changed) in &refreshed {
        let changed: Vec<String> = changed.iter().map(|field| copied_name(reference, field)).collect();
        case.volatile.extend(changed.iter().cloned());
        let rate = readable(rate * own_count / source_facts.count);
        case.load.updates.push(Update { rate, fields: Some(changed), slots: None });
    }
    let owners: f64 = refreshed.iter().map(|(rate, _)| rate).sum();
    if owners > 0.0 {
        let query = Query {
            name: format!("owners_{word}_{reference}"),
            find: holder.to_owned(),
            filter: format!("{reference} = ?").parse().ok(),
            select: Some(vec![reference.to_owned()]),
            rate: Some(readable(owners)),
            ..Query::default()
        };
        case.steps.push(Step::new(Purpose::Owners, query));
    }
    let source_case = cases.iter_mut().find(|case| case.entity.name == source.name);
    if let Some(case) = source_case.filter(|_| copies > 0.0) {
        let query = Query {
            name: format!("copy_{word}_{reference}"),
            find: source.name.clone(),
            filter: format!("{id} = ?").parse().ok(),
            select: Some(fields.iter().map(|field| (*field).to_owned()).collect()),
            rate: Some(readable(copies)),
            ..Query::default()
        };
        case.steps.push(Step::new(Purpose::Copy, query));
    }
}

/// Returns the writes of an entity that change some fields, with their rates and the changed fields.
fn changes<'f>(schema: &Schema, entity: &str, fields: &[&'f str]) -> Vec<(f64, Vec<&'f str>)> {
    let load = load_of(schema, entity);
    let updates = load.updates.iter().map(|update| {
        let is_changed = |field: &&str| {
            update.fields.as_ref().is_none_or(|changed| changed.iter().any(|one| one == field))
        };
        (update.rate.per_second(), fields.iter().copied().filter(is_changed).collect())
    });
    let upserts = load.upsert.map(|rate| (rate.per_second(), fields.to_vec()));
    updates.chain(upserts).filter(|(_, changed): &(f64, Vec<&str>)| !changed.is_empty()).collect()
}
