//! Parsing of workload files: entities without keys, queries, load and limits.

mod names;

use table_designs::schema::{Identity, Limits, Order, Query, Requirement, Value, Workload};
use table_schema::{catalogue::Code, design::EntityDesign};

use super::{
    assumed::{self, rate_of},
    field,
    keys::{Keys, Text, text_of, wrong_kind},
    named::{function_name, missing, type_name},
    tree::{Entry, Kind, Table},
};
use crate::{
    diagnostic::{Diagnostics, Found, sorted},
    source::Source,
};

/// Keys of a design that a workload leaves to the search.
const CHOSEN: [&str; 8] = ["table", "partition", "row", "index", "lookup", "embed", "total", "shard"];

/// Reads a workload file, the input of the design search; `name` is its name in diagnostics.
///
/// ```
/// let workload = table_codegen::read_workload(
///     "tables = 1\nworkload = \"tickets\"\n\
///      [entity.Ticket]\nid = [\"tenant\", \"number\"]\n\
///      [entity.Ticket.fields]\ntenant = \"u32\"\nnumber = \"u32\"\nopened = \"datetime\"\n\
///      [query.newest]\nfind = \"Ticket\"\nwhere = \"tenant = ?\"\norder = \"-opened\"\nlimit = 20\n",
///     "tickets.toml",
/// )?;
/// assert_eq!(workload.id_of("Ticket"), ["tenant", "number"]);
/// assert!(workload.requirements[0].order.as_ref().is_some_and(|order| order.is_descending));
/// # Ok::<(), table_codegen::Diagnostics>(())
/// ```
///
/// # Errors
///
/// Returns all diagnostics, sorted by location.
pub fn read_workload(text: &str, name: &str) -> Result<Workload, Diagnostics> {
    let sources = [Source::new(name, text)];
    let mut found = Vec::new();
    let workload = super::tree(&sources, &mut found).map(|root| workload(&root, &mut found));
    match workload {
        Some(workload) if found.is_empty() => Ok(workload),
        _ => Err(Diagnostics(sorted(found, &sources))),
    }
}

fn workload(root: &Table, found: &mut Vec<Found>) -> Workload {
    let mut keys = Keys::of(root);
    keys.entry("tables");
    keys.entry("needs");
    if let Some(entry) = root.get("design") {
        keys.entry("design");
        let mistake = Found::new(Code::D004, &entry.key, "this file is a design, not a workload");
        found.push(
            mistake
                .label("expected `workload`")
                .help("to improve the design, use `tables design --from FILE`"),
        );
        return Workload::default();
    }
    let mut workload = Workload::default();
    workload.content.name = super::file_name(root, &mut keys, "workload", "tickets", found);
    workload.content.about = keys.about(found);
    for (entry, table) in keys.tables("entity", found) {
        let (design, identity) = entity(entry, table, found);
        workload.content.entities.push(design);
        workload.identities.push(identity);
    }
    for (entry, table) in keys.tables("relation", found) {
        workload.content.relations.extend(assumed::relation(entry, table, found));
    }
    for (entry, table) in keys.tables("query", found) {
        let (query, requirement) = query(entry, table, found);
        workload.content.queries.push(query);
        workload.requirements.push(requirement);
    }
    if let Some(table) = keys.table("load", found) {
        load(table, &mut workload, found);
    }
    workload.content.prices = keys.table("prices", found).map(|table| assumed::prices(table, found));
    if let Some(table) = keys.table("targets", found) {
        workload.content.targets = assumed::targets(table, found);
    }
    if let Some(table) = keys.table("limits", found) {
        workload.limits = limits(table, workload.content.targets.partition_entities_s, found);
    }
    keys.finish(found);
    names::check(root, &workload, found);
    let queries = workload.content.queries.iter_mut().zip(&workload.requirements);
    for (query, value) in
        queries.filter_map(|(query, requirement)| Some((query, requirement.value.as_ref()?)))
    {
        let number = workload.content.entities.iter().position(|entity| entity.name == query.find);
        let identity = number.and_then(|number| workload.identities.get(number));
        query.select = match value {
            Value::Count => identity.and_then(|identity| Some(vec![identity.id.first()?.clone()])),
            Value::Sum(field) => Some(vec![field.clone()]),
        };
    }
    if found.is_empty() {
        incomplete(root, &workload, found);
    }
    workload
}

/// Reports a workload without entities or queries, for which every design is equally good.
fn incomplete(root: &Table, workload: &Workload, found: &mut Vec<Found>) {
    let Some(at) = root.get("workload").or_else(|| root.get("tables")) else { return };
    for (is_empty, what, help) in [
        (workload.content.entities.is_empty(), "entities", "[entity.Ticket] with `id` and `fields`"),
        (workload.content.queries.is_empty(), "queries", "[query.ticket] with `find`, `where` and `rate`"),
    ] {
        if is_empty {
            let mistake = Found::new(Code::D006, &at.key, format!("this workload has no {what}"));
            found.push(mistake.label("nothing determines the keys").help(format!("add {help}")));
        }
    }
}

fn entity(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> (EntityDesign, Identity) {
    type_name(entry, found);
    missing(entry, table, "entity", &[("id", "[\"tenant\", \"number\"]")], found);
    let mut design = EntityDesign::new(&entry.name);
    let mut keys = Keys::of(table);
    design.about = keys.about(found);
    let id = keys.names("id", "number", found).unwrap_or_default();
    if let Some(entry) = table.get("id").filter(|_| !id.is_empty()) {
        distinct(&entry.value, "id", &id, found);
    }
    let unique = keys.entry("unique").map(|entry| sets(entry, found)).unwrap_or_default();
    design.keep = keys.parsed("keep", "90d", found);
    design.fields =
        keys.table("fields", found).map(|table| field::all(table, None, found)).unwrap_or_default();
    for chosen in CHOSEN.into_iter().filter_map(|name| table.get(name)) {
        let message = format!("a workload does not declare `{}`", chosen.name);
        let mistake = Found::new(Code::D004, &chosen.key, message).label("chosen by the search");
        found.push(mistake.help(
            "remove it and declare `id`, `unique` and the queries; to improve a design, use `tables design --from FILE`",
        ));
    }
    keys.finish_in(&without(table, &CHOSEN), found);
    (design, Identity { id, unique, knows: Vec::new() })
}

/// Reads lists of fields: `[["reference"]]`.
fn sets(entry: &Entry, found: &mut Vec<Found>) -> Vec<Vec<String>> {
    const HELP: &str = "unique = [[\"reference\"]]";
    let Kind::List(lists) = &entry.value.kind else {
        return wrong_kind(&entry.value, "unique", "a list of lists of fields", HELP, found)
            .unwrap_or_default();
    };
    let mut sets = Vec::new();
    for list in lists {
        let Kind::List(names) = &list.kind else {
            wrong_kind::<()>(list, "unique", "a list of lists of fields", HELP, found);
            continue;
        };
        let names: Vec<Text<'_>> =
            names.iter().filter_map(|value| text_of(value, "unique", HELP, found)).collect();
        let names = field::names(&names);
        distinct(list, "unique", &names, found);
        sets.push(names);
    }
    sets
}

/// Checks that a list names at least one field, and each of them once.
fn distinct(list: &super::tree::Value, name: &str, fields: &[String], found: &mut Vec<Found>) {
    let is_repeated = |(at, field): (usize, &String)| fields.iter().take(at).any(|known| known == field);
    if fields.is_empty() || fields.iter().enumerate().any(is_repeated) {
        let message = format!("`{name}` must contain at least one field, and each field once");
        let mistake =
            Found::new(Code::D005, &list.inner(), message).label("an empty list, or a repeated field");
        found.push(mistake.help("remove the empty list or the repeated field"));
    }
}

fn query(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> (Query, Requirement) {
    const CHANGED: [(&str, &str); 3] = [
        ("latest", "order = \"-opened\" and limit = 20"),
        ("using", "remove it; the search chooses the path"),
        ("page", "remove it; pages have 1,000 entities"),
    ];
    function_name(entry, "a query", found);
    missing(entry, table, "query", &[("find", "\"Ticket\"")], found);
    let mut keys = Keys::of(table);
    let limit = keys.whole("limit", (1, u64::from(u32::MAX)), 20, found);
    let mut query = Query {
        name: entry.name.clone(),
        about: keys.about(found),
        find: keys.text("find", "Ticket", found).map(|text| text.text.to_owned()).unwrap_or_default(),
        filter: keys.parsed("where", "tenant = ?", found),
        select: keys.names("select", "number", found),
        limit: limit.and_then(|limit| u32::try_from(limit).ok()),
        rate: rate_of(&mut keys, "rate", found),
        fresh: keys.bool("fresh", found).unwrap_or(false),
        ..Query::default()
    };
    let order = keys.text("order", "-opened", found).map(|text| {
        let field = text.text.strip_prefix('-');
        Order { field: field.unwrap_or(text.text).to_owned(), is_descending: field.is_some() }
    });
    let deadline = keys.parsed("deadline", "100ms", found);
    let late = late(&mut keys, table, &mut query, found);
    for (name, help) in CHANGED {
        if let Some(other) = table.get(name) {
            let mistake = Found::new(Code::D004, &other.key, format!("a workload has no `{name}`"));
            found.push(mistake.label("belongs to a design").help(help));
        }
    }
    let value = value(&mut keys, table, found);
    keys.finish_in(&without(table, &CHANGED.map(|(name, _)| name)), found);
    (query, Requirement { order, deadline, late, value })
}

/// Reads the number that a query returns: `count`, or `sum(total)`.
fn value(keys: &mut Keys<'_>, table: &Table, found: &mut Vec<Found>) -> Option<Value> {
    const EXAMPLE: &str = "sum(amount)";
    let text = keys.text("value", EXAMPLE, found)?;
    for other in ["select", "order", "limit"].into_iter().filter_map(|name| table.get(name)) {
        let mistake =
            Found::new(Code::D036, &other.key, format!("a query with `value` has no `{}`", other.name));
        found.push(mistake.label("one too many").help("remove one of the two"));
    }
    let field = text.text.strip_prefix("sum(").and_then(|rest| rest.strip_suffix(')'));
    match (text.text, field) {
        ("count", _) => Some(Value::Count),
        (_, Some(field)) => Some(Value::Sum(field.trim().to_owned())),
        _ => {
            let message = format!("`{}` is no value of a query", text.text);
            let mistake = Found::new(Code::D005, &text.value.inner(), message);
            found.push(
                mistake.label("expected `count`, or `sum` of a field").help(format!("value = {EXAMPLE:?}")),
            );
            None
        }
    }
}

/// Reads how old results may be. `0` is the same as `fresh`.
fn late(
    keys: &mut Keys<'_>,
    table: &Table,
    query: &mut Query,
    found: &mut Vec<Found>,
) -> Option<table_designs::language::Delay> {
    if matches!(table.get("late")?.value.kind, Kind::Integer(Some(0))) {
        keys.entry("late");
        query.fresh = true;
        return None;
    }
    keys.parsed("late", "10s", found)
}

/// Reads the load. `knows` exists in workloads only.
fn load(table: &Table, workload: &mut Workload, found: &mut Vec<Found>) {
    let mut rest = table.clone();
    for entry in &mut rest.entries {
        let Kind::Table(of_entity) = &mut entry.value.kind else { continue };
        let knows = Keys::of(of_entity).names("knows", "opened", found);
        let number = workload.content.entities.iter().position(|known| known.name == entry.name);
        if let Some(identity) = number.and_then(|number| workload.identities.get_mut(number)) {
            identity.knows = knows.unwrap_or_default();
        }
        *of_entity = without(of_entity, &["knows"]);
    }
    workload.content.load = assumed::load(&rest, found);
}

fn limits(table: &Table, target: f64, found: &mut Vec<Found>) -> Limits {
    const POSITIVE: (f64, f64) = (f64::MIN_POSITIVE, f64::MAX);
    let mut keys = Keys::of(table);
    let mut limits = Limits::default();
    keys.about(found);
    limits.hottest = match table.get("hottest").map(|entry| &entry.value) {
        Some(value) if matches!(value.kind, Kind::Text { .. }) => {
            keys.entry("hottest");
            let percent = text_of(value, "hottest", "", found)
                .and_then(|text| text.text.strip_suffix('%')?.trim().parse::<f64>().ok())
                .filter(|percent| *percent > 0.0 && percent.is_finite());
            if percent.is_none() {
                let mistake =
                    Found::new(Code::D005, &value.inner(), "`hottest` must be a number or a percentage");
                found.push(
                    mistake
                        .label("expected entities per second, or `50%` of the target")
                        .help("hottest = 1_000"),
                );
            }
            percent.map(|percent| target * percent / 100.0)
        }
        _ => keys.number("hottest", POSITIVE, "1_000", found),
    };
    limits.partition_gib = keys.number("partition_gib", POSITIVE, "10", found);
    let rows = keys.number("yield", (1.0, f64::MAX), "10", found);
    limits.rows_per_result = rows.unwrap_or(limits.rows_per_result);
    limits.round = keys.parsed("round", "10ms", found).unwrap_or(limits.round);
    let copies = keys.whole("copies", (0, 100), 6, found);
    limits.copies = copies.and_then(|copies| u32::try_from(copies).ok());
    limits.usd = keys.number("usd", POSITIVE, "500", found);
    limits.storage_gib = keys.number("storage_gib", POSITIVE, "2_000", found);
    keys.finish(found);
    limits
}

fn without(table: &Table, names: &[&str]) -> Table {
    let entries = table.entries.iter().filter(|entry| !names.contains(&entry.name.as_str()));
    Table { entries: entries.cloned().collect() }
}
