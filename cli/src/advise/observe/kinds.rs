//! The type of a row, by its table, its keys and its `EntityType`.

use table_schema::{
    design::{EntityDesign, Origin, RowKind},
    key::{KeyKind, KeyValue},
    schema::Schema,
    template::{KeyForm, Template},
};
use table_store::{rows::RowRef, value::ValueRef};

const ENTITY_TYPE: &str = "EntityType";

/// All row types of a design.
#[derive(Debug)]
pub(super) struct Kinds(Vec<Kind>);

/// A row type.
#[derive(Debug)]
pub(super) struct Kind {
    /// The index of the entity in the design.
    entity: usize,
    /// The index of the row type within the entity.
    number: usize,
    templates: RowKind,
    /// For rows of a lookup: the template of separate members.
    member: Option<Template>,
    /// Allowed values of `EntityType`.
    types: Vec<String>,
}

/// The possible types of rows in one table, in the order of the length of their literals, longest first.
#[derive(Debug)]
pub(super) struct TableKinds<'k>(Vec<Known<'k>>);

#[derive(Debug)]
struct Known<'k> {
    kind: &'k Kind,
    partition: KeyForm<'k>,
    row: KeyForm<'k>,
    member: Option<KeyForm<'k>>,
}

/// A recognized row.
#[derive(Debug)]
pub(super) struct Recognised<'r> {
    pub(super) entity: usize,
    pub(super) kind: usize,
    pub(super) origin: Origin,
    /// The values of its keys, by field name.
    pub(super) values: Vec<(&'r str, KeyValue<'r>)>,
}

impl Kinds {
    pub(super) fn of(schema: &Schema) -> Self {
        let of = |(entity, design): (usize, &EntityDesign)| {
            let types = types(design);
            let kinds = design.row_kinds().into_iter().enumerate();
            let kind = |(number, kind): (usize, RowKind)| {
                let member = match kind.origin {
                    Origin::Lookup(lookup) => design.member_row(lookup),
                    Origin::Primary | Origin::Index(_) => None,
                };
                Kind { entity, number, templates: kind, member, types: types.clone() }
            };
            kinds.map(kind).collect::<Vec<_>>()
        };
        Self(schema.entities.iter().enumerate().flat_map(of).collect())
    }

    /// Returns the types of a table; `None` if no template matches its name.
    pub(super) fn in_table(&self, table: &str) -> Option<TableKinds<'_>> {
        let there =
            self.0.iter().filter(|kind| kind.templates.table.form(KeyKind::Table).decode(table).is_ok());
        let mut all: Vec<Known<'_>> = there.map(Known::new).collect();
        // A template without a literal prefix would also match rows with one.
        all.sort_by_key(|known| std::cmp::Reverse(known.partition.lead().len() + known.row.lead().len()));
        (!all.is_empty()).then_some(TableKinds(all))
    }
}

impl<'k> Known<'k> {
    fn new(kind: &'k Kind) -> Self {
        Self {
            kind,
            partition: kind.templates.partition.form(KeyKind::Partition),
            row: kind.templates.row.form(KeyKind::Row),
            member: kind.member.as_ref().map(|member| member.form(KeyKind::Row)),
        }
    }
}

impl TableKinds<'_> {
    /// Returns the type of a row; `None` if it matches no type of the design.
    pub(super) fn recognise<'r>(&'r self, row: &RowRef<'r>) -> Option<Recognised<'r>> {
        let (partition, key) = (row.partition_key?, row.row_key?);
        let said = match row.properties.get(ENTITY_TYPE) {
            Some(ValueRef::String(said)) => Some(said),
            _ => None,
        };
        self.0.iter().find_map(|known| {
            let Kind { entity, number, templates, types, .. } = known.kind;
            if said.is_some_and(|said| !types.is_empty() && !types.iter().any(|one| one == said)) {
                return None;
            }
            // The template of a list's key would also match the key of a separate member.
            let rows = [known.member.as_ref(), Some(&known.row)];
            let row = rows.into_iter().flatten().find_map(|form| form.decode(key).ok())?;
            let mut values = known.partition.decode(partition).ok()?;
            values.extend(row);
            Some(Recognised { entity: *entity, kind: *number, origin: templates.origin, values })
        })
    }
}

/// Returns the allowed values of `EntityType` in an entity's rows: its value, older versions of it, older names.
fn types(design: &EntityDesign) -> Vec<String> {
    let Some(own) = design.entity_type_value() else { return Vec::new() };
    let older = (2..design.version).map(|version| format!("{}.v{version}", design.name));
    [own, design.name.clone()].into_iter().chain(older).chain(design.aliases.iter().cloned()).collect()
}
