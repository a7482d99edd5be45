//! Resolution of names within a workload.

use table_designs::schema::{Identity, Relation, RelationKind, Value, Workload};
use table_schema::{
    catalogue::{Code, Severity},
    design::{EntityDesign, FieldDesign, FieldKind},
    rules,
    suggest::closest,
};

use super::super::{
    names::{entity_at, list, no_field, of_load, relations, value_of_test},
    places::{Told, item_of},
    rules::told_mistake,
    tree::{Entry, Kind, Table},
};
use crate::{diagnostic::Found, source::Spot};

pub(super) fn check(root: &Table, workload: &Workload, found: &mut Vec<Found>) {
    let content = &workload.content;
    for (entity, identity) in content.entities.iter().zip(&workload.identities) {
        let Some(entry) = root.find(&["entity", &entity.name]) else { continue };
        let Some(table) = entry.table() else { continue };
        let told = Told { design: entity, entry, table };
        let mistakes = rules::check_fields(entity);
        let errors = mistakes.iter().filter(|mistake| mistake.severity() == Severity::Error);
        found.extend(errors.map(|mistake| told_mistake(&told, mistake)));
        identified(entry, entity, identity, found);
        let load = root.find(&["load", &entity.name]);
        if let Some(load) = load {
            list(load, "knows", &identity.knows, Code::D021, entity, found);
        }
    }
    relations(root, content, found);
    cycle(root, &content.relations, found);
    of_load(root, content, found);
    for (query, requirement) in content.queries.iter().zip(&workload.requirements) {
        let Some(entry) = root.find(&["query", &query.name]) else { continue };
        let Some(entity) = entity_at(entry, "find", &query.find, content, found) else { continue };
        let scope = Scope { workload, entity };
        if let Some(at) = entry.table().and_then(|table| table.get("where")) {
            let tests =
                query.filter.iter().flat_map(|filter| &filter.alternatives).flat_map(|all| &all.tests);
            for test in tests {
                if let Some(field) =
                    scope.field(Code::D015, &at.value.part(&test.field_span), &test.field, found)
                {
                    value_of_test(at, test, field, found);
                }
            }
        }
        for (item, name) in query.select.iter().flatten().enumerate() {
            let Some(spot) = item_of(entry, "select", item) else { continue };
            match name.strip_suffix(".*") {
                Some(reference) => _ = scope.reference(&spot, reference, found),
                None if name == "*" => {}
                None => _ = scope.field(Code::D021, &spot, name, found),
            }
        }
        if let Some(Value::Sum(name)) = &requirement.value
            && let Some(at) = entry.table().and_then(|table| table.get("value"))
        {
            match entity.field(name) {
                None => found.push(no_field(Code::D021, &at.value.inner(), name, entity)),
                Some(field) if !matches!(field.kind, FieldKind::Int { .. }) => {
                    let mistake =
                        Found::new(Code::D021, &at.value.inner(), format!("`{name}` is no integer"));
                    found.push(mistake.label("has no sum").help("count, or sum an integer"));
                }
                Some(_) => {}
            }
        }
        if let Some(order) = requirement.order.as_ref().filter(|order| entity.field(&order.field).is_none())
            && let Some(at) = entry.table().and_then(|table| table.get("order"))
        {
            found.push(no_field(Code::D021, &at.value.inner(), &order.field, entity));
        }
    }
}

/// Reports common transactions in which an entity is a part of itself, so that no partition contains them.
fn cycle(root: &Table, all: &[Relation], found: &mut Vec<Found>) {
    let Some(closing) = atomic_cycle(all) else { return };
    let Some(entry) = root.find(&["relation", &closing.name]) else { return };
    let at = entry.table().and_then(|table| table.get("atomic")).unwrap_or(entry);
    let Relation { from, to, .. } = closing;
    let mistake =
        Found::new(Code::D005, &at.key, format!("atomic relations lead from `{to}` back to `{from}`"));
    found.push(
        mistake
            .label("an entity would be a part of itself")
            .help("remove `atomic` from one of them: only a parent writes its children in its transaction"),
    );
}

/// Returns a relation that makes an entity a part of itself: those that are `atomic` lead from its child back to its parent.
fn atomic_cycle(relations: &[Relation]) -> Option<&Relation> {
    let is_atomic = |one: &&Relation| one.atomic && one.kind != RelationKind::Join;
    relations.iter().filter(is_atomic).find(|closing| {
        let mut reached = vec![closing.to.as_str()];
        let mut at = 0;
        while let Some(name) = reached.get(at).copied() {
            let next = relations.iter().filter(is_atomic).filter(|one| one.from == name);
            for to in next.map(|one| one.to.as_str()) {
                if !reached.contains(&to) {
                    reached.push(to);
                }
            }
            at += 1;
        }
        reached.contains(&closing.from.as_str())
    })
}

/// Checks the fields of `id` and `unique`, which become keys.
fn identified(entry: &Entry, entity: &EntityDesign, identity: &Identity, found: &mut Vec<Found>) {
    let mut checked = |spot: &Spot, name: &str| match entity.field(name) {
        None => found.push(no_field(Code::D021, spot, name, entity)),
        Some(field) if field.optional => {
            let message = format!("`{name}` may be absent, so it cannot identify an entity");
            found.push(
                Found::new(Code::D033, spot, message)
                    .label("may be absent")
                    .help("remove the `?` of its type"),
            );
        }
        Some(_) => {}
    };
    for (item, name) in identity.id.iter().enumerate() {
        if let Some(spot) = item_of(entry, "id", item) {
            checked(&spot, name);
        }
    }
    let unique = entry.table().and_then(|table| table.get("unique")).map(|unique| &unique.value.kind);
    if let Some(Kind::List(lists)) = unique {
        for (names, list) in identity.unique.iter().zip(lists) {
            let Kind::List(values) = &list.kind else { continue };
            for (name, value) in names.iter().zip(values) {
                checked(&value.inner(), name);
            }
        }
    }
    let at = entry.table().and_then(|table| table.get("id"));
    if let Some(at) = at.filter(|at| matches!(&at.value.kind, Kind::List(values) if values.is_empty())) {
        let mistake = Found::new(Code::D006, &at.value.spot, format!("`{}` has no identity", entity.name));
        found.push(mistake.label("needs a field").help("id = [\"number\"]"));
    }
}

/// The names that a query may use.
struct Scope<'w> {
    workload: &'w Workload,
    entity: &'w EntityDesign,
}

impl<'w> Scope<'w> {
    /// Returns a field of the entity, or of an entity that it references, and reports an unknown field.
    fn field(&self, code: Code, spot: &Spot, name: &str, found: &mut Vec<Found>) -> Option<&'w FieldDesign> {
        let (entity, name) = match name.split_once('.') {
            Some((reference, field)) => (self.reference(spot, reference, found)?, field),
            None => (self.entity, name),
        };
        let field = entity.field(name);
        if field.is_none() {
            found.push(no_field(code, spot, name, entity));
        }
        field
    }

    /// Returns the entity that a field identifies, and reports a field that identifies none.
    fn reference(&self, spot: &Spot, name: &str, found: &mut Vec<Found>) -> Option<&'w EntityDesign> {
        if let Some((_, other)) = self.workload.reference(&self.entity.name, name) {
            return Some(other);
        }
        let own = self.entity.fields.iter().map(|field| field.name.as_str());
        let known: Vec<&str> =
            own.filter(|field| self.workload.reference(&self.entity.name, field).is_some()).collect();
        let message = format!("`{name}` is no reference of `{}`", self.entity.name);
        let mistake = Found::new(Code::D014, spot, message);
        found.push(match closest(name, known.iter().copied()) {
            Some(near) => mistake.label(format!("did you mean `{near}`?")),
            None => mistake.label("unknown reference").help(format!(
                "declare a relation to `{}` whose `on` is `{{ ID = \"{name}\" }}`, where ID identifies the other entity",
                self.entity.name
            )),
        });
        None
    }
}
