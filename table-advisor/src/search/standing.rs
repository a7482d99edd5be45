//! The entities of an existing design, in the terms of the search.

use super::{
    case::Case,
    key::{Form, Key, Part},
    step::Step,
};
use crate::Model;
use table_designs::schema::{Freedom, Query, Schema, Workload};
use table_schema::{
    design::{EntityDesign, FieldDesign, IndexDesign, Origin, RowKind, TemplateText},
    template::{DateUnit, Shape, Template, TemplateField},
};

/// An entity as an existing design stores it.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    pub entity: EntityDesign,
    pub key: Key,
    /// The indexes with their keys.
    pub indexes: Vec<(IndexDesign, Key)>,
    /// The queries on the entity, with the keys of their paths.
    queries: Vec<(Query, Key)>,
    pub freedom: Freedom,
}

impl Standing {
    /// Returns an entity of the existing design, if it has the fields of the problem.
    fn of(model: &Model<'_>, case: &Case, freedom: Freedom) -> Option<Self> {
        let design = model.schema;
        let entity = design.entity(&case.entity.name)?;
        let reason = unknown(design, entity);
        let freedom = if reason.is_some() { Freedom::Nothing } else { freedom };
        let kinds = entity.row_kinds();
        let key = key(entity, kinds.first()?, false);
        let of_index = |kind: &RowKind| {
            let Origin::Index(number) = kind.origin else { return None };
            let index = entity.indexes.get(number)?;
            Some((index.clone(), self::key(entity, kind, index.unique)))
        };
        let indexes: Vec<(IndexDesign, Key)> = kinds.iter().filter_map(of_index).collect();
        let queries = design.queries.iter().filter(|query| query.find == entity.name).map(|query| {
            let access = model.accesses().iter().find(|access| access.query == query.name);
            let of = indexes.iter().find(|(index, _)| access.is_some_and(|access| access.path == index.name));
            (query.clone(), of.map_or(&key, |(_, key)| key).clone())
        });
        let queries = queries.collect();
        Some(Self { entity: entity.clone(), key, indexes, queries, freedom })
    }

    /// Returns whether the entity stores all of these fields.
    fn has_fields_of(&self, entity: &EntityDesign) -> bool {
        let stores = |field: &FieldDesign| self.entity.field(&field.name).is_some();
        entity.fields.iter().all(stores)
    }

    /// Returns the query of the design that is this step, with its path.
    pub(super) fn query(&self, step: &Step) -> Option<Query> {
        let (query, key) = self.queries.iter().find(|(query, _)| query.name == step.query.name)?;
        let text = |query: &Query| query.filter.as_ref().map(|filter| filter.text.clone());
        let sorted = |query: &Query| {
            let mut select = query.select.clone();
            if let Some(names) = &mut select {
                names.sort();
            }
            select
        };
        let most = query.latest.or(query.limit);
        // A result in another order is sorted before it is cut.
        let is_in_order = step.is_in_order(key, &self.entity);
        let is_same = text(query) == text(&step.query)
            && sorted(query) == sorted(&step.query)
            && (most.is_none() || most == step.limit && is_in_order);
        let Query { rate, fresh, .. } = step.query;
        let about = if step.order.is_some() { step.about(is_in_order) } else { query.about.clone() };
        is_same.then(|| Query { rate, fresh, about, ..query.clone() })
    }
}

/// Adds to each problem the entity of the existing design.
pub(super) fn attach(workload: &Workload, cases: &mut [Case]) {
    let Some(existing) = &workload.existing else { return };
    let design = &existing.schema;
    let model = Model::new(design);
    for case in cases.iter_mut() {
        case.standing = Standing::of(&model, case, workload.freedom(&case.entity.name));
        if let Some(standing) = &case.standing {
            adopt(case, &standing.entity.clone());
        }
    }
    let mut tables: Vec<String> =
        cases.iter().filter_map(|case| Some(case.together.as_ref()?.table.clone())).collect();
    tables.sort();
    tables.dedup();
    for old in tables {
        // A changed key needs another table.
        let table = unused_table(workload, &old);
        for together in cases.iter_mut().filter_map(|case| case.together.as_mut()) {
            if together.table == old {
                together.table.clone_from(&table);
            }
        }
        let is_member = |case: &&mut Case| case.together.as_ref().is_some_and(|group| group.table == table);
        let standing: Vec<Option<Standing>> =
            cases.iter_mut().filter(is_member).map(|case| case.standing.clone()).collect();
        let Some(all) = standing.into_iter().collect::<Option<Vec<_>>>() else { continue };
        // Entities of common transactions change their keys together.
        let is_kept = all.iter().any(|one| unknown(design, &one.entity).is_some());
        for case in cases.iter_mut().filter(is_member) {
            let (Some(together), Some(own)) = (&mut case.together, &mut case.standing) else { continue };
            if is_kept {
                own.freedom = Freedom::Nothing;
            }
            together.standing = Some(together.partitions.len());
            together.partitions.push(own.key.partition.clone());
            for (other, ..) in &mut together.others {
                if let Some(standing) = all.iter().find(|one| one.entity.name == other.name) {
                    adopt_keys(other, &standing.entity);
                }
            }
        }
    }
}

/// Gives an entity the declarations of the existing design that are not keys.
fn adopt(case: &mut Case, standing: &EntityDesign) {
    let fields = case.entity.fields.iter().map(|field| {
        let known = standing.field(&field.name).filter(|known| known.kind == field.kind);
        known.unwrap_or(field).clone()
    });
    let (fields, keep) = (fields.collect(), case.entity.keep);
    let about = case.entity.about.clone().or_else(|| standing.about.clone());
    let bare = EntityDesign { table: None, partition: None, row: None, ..standing.clone() };
    case.entity = EntityDesign { fields, keep, about, indexes: Vec::new(), ..bare };
}

fn adopt_keys(entity: &mut EntityDesign, standing: &EntityDesign) {
    entity.table.clone_from(&standing.table);
    entity.partition.clone_from(&standing.partition);
    entity.row.clone_from(&standing.row);
}

impl Case {
    /// Returns whether the entity keeps its key.
    pub(super) fn is_fixed(&self) -> bool {
        let is_free = |standing: &Standing| matches!(standing.freedom, Freedom::All | Freedom::NewKey);
        self.standing.as_ref().is_some_and(|standing| !is_free(standing))
    }

    /// Returns the keys of the existing design that the problem has the fields of.
    pub(super) fn standing_keys(&self) -> Vec<Key> {
        let is_known = |part: &Part| {
            let field = self.entity.field(&part.field);
            field.is_some_and(|field| !field.optional) && !self.volatile.contains(&part.field)
        };
        let standing = self.standing.iter().filter(|standing| standing.freedom != Freedom::Nothing);
        let keys = standing.flat_map(|one| one.indexes.iter().map(|(_, key)| key).chain([&one.key]));
        let keys = keys.filter(|key| key.parts().all(is_known));
        keys.map(|key| Key { is_unique: false, ..key.clone() }).collect()
    }

    /// Returns whether the entity keeps its key and has fields that the problem lacks, because other ways to answer queries
    /// copy them.
    pub(super) fn lacks_fields(&self) -> bool {
        let standing = self.standing.as_ref().filter(|_| self.is_fixed());
        standing.is_some_and(|standing| standing.entity.fields.len() > self.entity.fields.len())
    }

    /// Returns the entity of the existing design. An entity that keeps its key stores no other fields.
    pub(super) fn standing(&self) -> Option<&Standing> {
        let standing = self.standing.as_ref()?;
        (!self.is_fixed() || standing.has_fields_of(&self.entity)).then_some(standing)
    }
}

/// Returns why a search must not change an entity: a feature that it does not consider.
pub(super) fn unknown(design: &Schema, entity: &EntityDesign) -> Option<String> {
    let is_of = |other: &EntityDesign| {
        other.totals.iter().any(|total| total.entity == entity.name)
            || other.embeds.iter().any(|embed| embed.from == entity.name)
    };
    // An optional field of a key, or a function of the program. Unique values of some entities are no identity.
    let is_partial = |index: &IndexDesign| {
        let may_lack = |part: &Part| entity.field(&part.field).is_some_and(|field| field.optional);
        let key = index_key(entity, index).unwrap_or_default();
        index.condition.is_some()
            || index.sparse && (index.when.is_none() || index.unique || key.parts().any(may_lack))
    };
    let load = design.load_of(&entity.name);
    let role = entity.roles.iter().next().map_or(("", false), |(role, _)| (role.has(), true));
    let features = [
        ("it has shards", entity.shard.is_some()),
        ("it is a wide entity", entity.wide.is_some()),
        ("it has lookups", !entity.lookups.is_empty()),
        ("it has totals", !entity.totals.is_empty() || !entity.contributions.is_empty()),
        ("it copies fields of another entity", !entity.embeds.is_empty()),
        ("a total or a copied field depends on it", design.entities.iter().any(is_of)),
        ("it has an archive", entity.archive.is_some()),
        ("it has a change feed", entity.changes.is_some()),
        role,
        ("it has versions", entity.declares_version()),
        ("a field is encrypted", entity.fields.iter().any(|field| field.encrypted)),
        ("a field is a series", entity.fields.iter().any(|field| field.series.is_some())),
        ("a field is flattened", entity.fields.iter().any(|field| field.flatten || field.part_of.is_some())),
        ("an index is in another table", entity.indexes.iter().any(|index| index.table.is_some())),
        ("an index leaves out entities otherwise than by `when`", entity.indexes.iter().any(is_partial)),
        ("its number of partitions is declared", load.is_some_and(|load| load.partitions.is_some())),
    ];
    if let Some((reason, _)) = features.into_iter().find(|(_, has)| *has) {
        return Some(reason.to_owned());
    }
    let is_readable = |kind: &RowKind| {
        let holes = kind.partition.holes().chain(kind.row.holes());
        holes.into_iter().all(|hole| part(hole).is_some())
    };
    let kinds = entity.row_kinds();
    if kinds.is_empty() || kinds.len() <= entity.indexes.len() || !kinds.iter().all(is_readable) {
        return Some("a key has a format that the search does not use".to_owned());
    }
    let other = design.entities.iter().find(|other| {
        let table = |entity: &EntityDesign| entity.table.as_ref().map(|table| table.text().to_owned());
        other.name != entity.name && table(other) == table(entity) && !is_together(design, other, entity)
    });
    other.map(|other| format!("it shares a table with `{}`", other.name))
}

/// Returns whether atomic relations connect two entities, directly or over others.
pub(super) fn is_together(design: &Schema, one: &EntityDesign, other: &EntityDesign) -> bool {
    let mut reached = vec![one.name.as_str()];
    let mut at = 0;
    while let Some(name) = reached.get(at).copied() {
        for relation in design.relations.iter().filter(|relation| relation.atomic) {
            let next = match name {
                _ if relation.from == name => relation.to.as_str(),
                _ if relation.to == name => relation.from.as_str(),
                _ => continue,
            };
            if !reached.contains(&next) {
                reached.push(next);
            }
        }
        at += 1;
    }
    reached.contains(&other.name.as_str())
}

/// Returns a table name that the existing design does not use.
pub(super) fn unused_table(workload: &Workload, name: &str) -> String {
    let used = workload.existing.iter().flat_map(|existing| &existing.schema.entities);
    let used: Vec<&str> = used.filter_map(|entity| entity.table.as_ref()).map(TemplateText::text).collect();
    let stem = |table: &str| table.split('{').next().unwrap_or_default().to_lowercase();
    let is_free = |name: &String| used.iter().all(|table| stem(table) != name.to_lowercase());
    let numbered = (2..).map(|number| format!("{name}{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

/// Returns the key of an index of an entity.
pub(super) fn index_key(entity: &EntityDesign, index: &IndexDesign) -> Option<Key> {
    let entity = EntityDesign { indexes: vec![index.clone()], lookups: Vec::new(), ..entity.clone() };
    Some(key(&entity, entity.row_kinds().get(1)?, index.unique))
}

/// Returns the key of rows, as far as the search uses its formats.
fn key(entity: &EntityDesign, kind: &RowKind, is_unique: bool) -> Key {
    // A shard is no field.
    let is_field = |hole: &&TemplateField| entity.field(&hole.field).is_some();
    let parts = |template: &Template| template.holes().filter(is_field).filter_map(part).collect();
    let index = if let Origin::Index(number) = kind.origin { entity.indexes.get(number) } else { None };
    let when = index.and_then(|index| index.when.as_ref()).into_iter().flat_map(|when| &when.equalities);
    let mut when: Vec<String> = when.map(|one| format!("{} = {}", one.field, one.value)).collect();
    when.sort();
    when.dedup();
    Key { partition: parts(&kind.partition), row: parts(&kind.row), when, is_unique }
}

fn part(hole: &TemplateField) -> Option<Part> {
    let form = match hole.shape {
        Shape::Date(format) if !hole.exact => match format.finest() {
            DateUnit::Day => Form::Day,
            DateUnit::Month => Form::Month,
            _ => return None,
        },
        Shape::InvertedDate(_) if !hole.exact => return None,
        shape if shape.is_descending() => Form::Descending,
        _ => Form::Ascending,
    };
    Some(Part { field: hole.field.clone(), form })
}
