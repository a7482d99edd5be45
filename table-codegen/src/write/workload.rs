//! Formatting of a workload as TOML.

use table_designs::schema::{EntityLoad, FORMAT, Query, Requirement, Value, Workload};

use super::{
    assumed,
    field::value,
    lines::{Lines, text, texts},
};

/// Formats a workload as a file.
///
/// Queries that test or select what no field contains are omitted: a workload has no copies of other entities.
///
/// ```
/// let text = "tables = 1\n[entity.A]\nid = [\"id\"]\n[entity.A.fields]\nid = \"u32\"\n\
///             [query.a]\nfind = \"A\"\nwhere = \"id = ?\"\nrate = \"2/s\"\n";
/// let workload = table_codegen::read_workload(text, "a.toml")?;
/// let written = table_codegen::write_workload(&workload);
/// let again = table_codegen::read_workload(&written, "a.toml")?;
/// assert_eq!(again.content.queries[0].rate, workload.content.queries[0].rate);
/// # Ok::<(), table_codegen::Diagnostics>(())
/// ```
#[must_use]
pub fn write_workload(workload: &Workload) -> String {
    let content = &workload.content;
    let mut lines = Lines::default();
    lines.key("tables", FORMAT);
    if !content.name.is_empty() {
        lines.key("workload", text(&content.name));
    }
    lines.some("about", content.about.as_deref().map(text));
    for (entity, identity) in content.entities.iter().zip(&workload.identities) {
        lines.table(&["entity", &entity.name]);
        lines.some("about", entity.about.as_deref().map(text));
        lines.key("id", texts(&identity.id));
        if !identity.unique.is_empty() {
            let sets: Vec<String> = identity.unique.iter().map(texts).collect();
            lines.key("unique", format!("[{}]", sets.join(", ")));
        }
        lines.some("keep", entity.keep.map(|keep| text(&keep.to_string())));
        lines.table(&["entity", &entity.name, "fields"]);
        for field in entity.fields.iter().filter(|field| !field.skip) {
            lines.key(&field.name, value(field, &entity.fields));
        }
    }
    for relation in &content.relations {
        assumed::relation(&mut lines, relation);
    }
    for (query, requirement) in content.queries.iter().zip(&workload.requirements) {
        if is_known(workload, query) {
            self::query(&mut lines, query, requirement);
        }
    }
    load(&mut lines, workload);
    if let Some(prices) = &content.prices {
        assumed::prices(&mut lines, prices);
    }
    assumed::targets(&mut lines, &content.targets);
    limits(&mut lines, workload);
    lines.finish()
}

/// Returns whether a query names only fields of its entity, and of those that it references.
fn is_known(workload: &Workload, query: &Query) -> bool {
    let tests = query.filter.iter().flat_map(|filter| &filter.alternatives).flat_map(|all| &all.tests);
    let mut names = tests.map(|test| &test.field).chain(query.select.iter().flatten());
    names.all(|name| match name.split_once('.') {
        Some((reference, _)) => workload.reference(&query.find, reference).is_some(),
        None => {
            name == "*" || workload.content.entity(&query.find).is_some_and(|one| one.field(name).is_some())
        }
    })
}

fn query(lines: &mut Lines, query: &Query, requirement: &Requirement) {
    // A query with a value selects what the value requires.
    let select = query.select.clone().filter(|_| requirement.value.is_none());
    assumed::query(lines, &Query { select, ..query.clone() });
    let sign = |is_descending| if is_descending { "-" } else { "" };
    let order = requirement.order.as_ref();
    let order = order.map(|order| text(&format!("{}{}", sign(order.is_descending), order.field)));
    lines.some("order", order);
    let value = requirement.value.as_ref().map(|value| match value {
        Value::Count => text("count"),
        Value::Sum(field) => text(&format!("sum({field})")),
    });
    lines.some("value", value);
    lines.some("late", requirement.late.map(|late| text(&late.to_string())));
    lines.some("deadline", requirement.deadline.map(|deadline| text(&deadline.to_string())));
}

/// Writes the load of entities. The number of partitions depends on keys.
fn load(lines: &mut Lines, workload: &Workload) {
    let knows =
        |entity: &str| workload.identity(entity).map(|one| &one.knows).filter(|knows| !knows.is_empty());
    let mut load = workload.content.load.clone();
    load.entities.retain(|one| workload.content.entity(&one.name).is_some());
    for entity in &workload.content.entities {
        if knows(&entity.name).is_some() && load.entities.iter().all(|one| one.name != entity.name) {
            load.entities.push(EntityLoad { name: entity.name.clone(), ..EntityLoad::default() });
        }
    }
    load.entities.iter_mut().for_each(|one| one.partitions = None);
    assumed::load(lines, &load, |entity| knows(entity).map(texts));
}

fn limits(lines: &mut Lines, workload: &Workload) {
    let (limits, default) = (&workload.limits, table_designs::schema::Limits::default());
    if *limits == default {
        return;
    }
    lines.table(&["limits"]);
    lines.some("hottest", limits.hottest);
    lines.some("partition_gib", limits.partition_gib);
    let rows = limits.rows_per_result;
    lines.some("yield", (rows.to_bits() != default.rows_per_result.to_bits()).then_some(rows));
    lines.some("round", (limits.round != default.round).then(|| text(&limits.round.to_string())));
    lines.some("copies", limits.copies);
    lines.some("usd", limits.usd);
    lines.some("storage_gib", limits.storage_gib);
}
