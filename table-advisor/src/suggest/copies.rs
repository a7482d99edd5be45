//! Changes of copies: fewer copies, fewer fields, or other fields.

use super::{
    super::{Model, facts::Facts, path::Path},
    Proposal,
    change::Edit,
};
use table_designs::{language::Rate, schema::Query};
use table_schema::{
    design::{CopiedFields, IndexDesign},
    template::Template,
};

/// Fraction of the row size above which a field should be omitted.
const HALF: f64 = 0.5;

/// Proposes a query without the field that dominates its result size.
pub(super) fn selected(model: &Model<'_>, query: &str) -> Vec<Proposal> {
    let access = model.accesses().iter().find(|access| access.query == query);
    let Some((facts, path)) = access.and_then(|access| model.path_of(access)) else { return Vec::new() };
    let heaviest = path.stored.iter().max_by(|one, other| one.1.total_cmp(&other.1));
    let Some((heaviest, size)) = heaviest.filter(|(_, size)| *size >= HALF * path.size(None) * path.parts)
    else {
        return Vec::new();
    };
    // A row must keep at least one field.
    if path.stored.len() < 2 || *size <= 0.0 {
        return Vec::new();
    }
    let others = facts.entity.fields.iter().filter(|field| !field.skip && field.name != heaviest.name);
    let fields = others.map(|field| field.name.clone()).collect();
    let provided = Some(format!("if `{query}` does not want `{}`", heaviest.name));
    vec![Proposal { edits: vec![Edit::Select { query: query.to_owned(), fields }], provided }]
}

/// Proposes an index that contains the fields for which a query reads the entity.
pub(super) fn completed(model: &Model<'_>, query: &str) -> Vec<Proposal> {
    let access = model.accesses().iter().find(|access| access.query == query);
    let Some((facts, path)) = access.and_then(|access| model.path_of(access)) else { return Vec::new() };
    let Some((index, query)) = path.index.zip(model.schema.query(query)) else { return Vec::new() };
    let copy = match (&query.select, &index.copy) {
        (None, _) | (_, CopiedFields::All) => CopiedFields::All,
        (Some(select), CopiedFields::Only(copied)) => {
            let wanted = |name: &str| select.iter().chain(copied).any(|known| known == name);
            CopiedFields::Only(chosen(facts, path, wanted))
        }
    };
    let edit = Edit::index(facts.entity, IndexDesign { copy, ..index.clone() });
    vec![Proposal::new(vec![edit])]
}

/// Proposes the removal of an index or lookup. A unique index is required even if no query reads it.
pub(super) fn dropped(model: &Model<'_>, subject: &str) -> Vec<Proposal> {
    let Some((facts, path)) = path(model, subject) else { return Vec::new() };
    let is_named = model
        .schema
        .queries
        .iter()
        .any(|query| query.find == facts.entity.name && query.using.as_deref() == Some(path.name));
    if is_named || path.index.is_some_and(|index| index.unique) {
        return Vec::new();
    }
    let edit = Edit::Without { entity: facts.entity.name.clone(), name: path.name.to_owned() };
    vec![Proposal::new(vec![edit])]
}

/// Proposes that all indexes of an entity contain only the fields that queries select or test.
pub(super) fn narrowed(model: &Model<'_>, subject: &str) -> Vec<Proposal> {
    let name = subject.split('.').next().unwrap_or_default();
    let Some(place) = model.facts.iter().position(|facts| facts.entity.name == name) else {
        return Vec::new();
    };
    let Some((facts, paths)) = model.facts.get(place).zip(model.paths.get(place)) else { return Vec::new() };
    let edits = paths.iter().filter_map(|path| {
        let (index, wanted) = (path.index?, wanted(model, facts, path)?);
        let copy = CopiedFields::Only(chosen(facts, path, |name| wanted.contains(&name)));
        let fields = |copy: &CopiedFields| match copy {
            CopiedFields::All => facts.entity.fields.len(),
            CopiedFields::Only(names) => names.len(),
        };
        let is_narrower = fields(&copy) < fields(&index.copy);
        is_narrower.then(|| Edit::index(facts.entity, IndexDesign { copy, ..index.clone() }))
    });
    let edits: Vec<Edit> = edits.collect();
    if edits.is_empty() { Vec::new() } else { vec![Proposal::new(edits)] }
}

/// Proposes an index without frequently updated fields.
pub(super) fn steadied(model: &Model<'_>, subject: &str) -> Vec<Proposal> {
    let Some((facts, path)) = path(model, subject) else { return Vec::new() };
    let Some(index) = path.index else { return Vec::new() };
    let updates = facts.load().map(|load| load.updates.as_slice()).unwrap_or_default();
    let often = updates.iter().filter(|update| Rate::per_second(update.rate) >= 1.0);
    let changed: Vec<&String> = often.flat_map(|update| update.fields.iter().flatten()).collect();
    let copied = |name: &str| match &index.copy {
        CopiedFields::All => true,
        CopiedFields::Only(names) => names.iter().any(|known| known == name),
    };
    let steady = |name: &str| copied(name) && !changed.iter().any(|known| *known == name);
    let copy = CopiedFields::Only(chosen(facts, path, steady));
    let edit = Edit::index(facts.entity, IndexDesign { copy, ..index.clone() });
    vec![Proposal::new(vec![edit])]
}

/// Returns the path that a finding names, for example `Employee.by_badge`.
fn path<'m, 's>(model: &'m Model<'s>, subject: &str) -> Option<(&'m Facts<'s>, &'m Path<'s>)> {
    let (entity, name) = subject.split_once('.')?;
    model.rows().find(|(facts, path)| facts.entity.name == entity && path.name == name)
}

/// Returns the selected fields of an entity, without the fields that can be decoded from the keys of the index and of
/// the entity.
fn chosen(facts: &Facts<'_>, path: &Path<'_>, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let own = facts.primary().map(|primary| [&primary.partition, &primary.row]);
    let holes = || {
        let templates = [&path.kind.partition, &path.kind.row].into_iter().chain(own.into_iter().flatten());
        templates.flat_map(Template::holes)
    };
    let in_key = |name: &str| holes().any(|hole| hole.field == name && hole.exact);
    let fields = facts.entity.fields.iter().filter(|field| !field.skip);
    fields.map(|field| &field.name).filter(|name| is_wanted(name) && !in_key(name)).cloned().collect()
}

/// Returns the fields that queries select from an index or test on it, or `None` if a query selects all fields or no
/// query uses the index.
fn wanted<'m>(model: &'m Model<'_>, facts: &Facts<'_>, path: &Path<'_>) -> Option<Vec<&'m str>> {
    let takes = |query: &&Query| {
        let access = model.accesses().iter().find(|access| access.query == query.name);
        query.find == facts.entity.name
            && access.is_some_and(|access| access.path.split(", ").any(|used| used == path.name))
    };
    let mut wanted: Vec<&str> = Vec::new();
    let mut queries = model.schema.queries.iter().filter(takes).peekable();
    queries.peek()?;
    for query in queries {
        wanted.extend(query.select.as_ref()?.iter().map(String::as_str));
        let tests = query.filter.iter().flat_map(|filter| &filter.alternatives).flat_map(|all| &all.tests);
        wanted.extend(tests.map(|test| test.field.as_str()));
    }
    Some(wanted)
}
