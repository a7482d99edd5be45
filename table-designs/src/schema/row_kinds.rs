//! The kind of a row, by its table, its keys and its `EntityType`.

use super::Schema;
use table_schema::{
    design::{EntityDesign, Origin, RowKind},
    key::{KeyKind, KeyValue},
    static_design::version_in,
    template::{KeyForm, Template},
};

/// The row kinds of all entities of a design.
///
/// ```
/// use table_designs::schema::{RowKinds, Schema};
/// use table_schema::design::{EntityDesign, FieldDesign, FieldKind};
///
/// let mut employee = EntityDesign::new("Employee");
/// employee.table = Some("Employees".into());
/// employee.partition = Some("{department}".into());
/// employee.row = Some("empid_{id:06}".into());
/// employee.fields = vec![
///     FieldDesign::new("department", FieldKind::Text { max: None }),
///     FieldDesign::new("id", FieldKind::Int { bits: 32, signed: false }),
/// ];
/// let kinds = RowKinds::new(&Schema { entities: vec![employee], ..Schema::default() });
/// let in_table = kinds.in_table("Employees").unwrap();
/// let row = in_table.recognize("Sales", "empid_000007", Some("Employee")).unwrap();
/// assert_eq!((row.entity, row.values[1].0), (0, "id"));
/// // Each template, and the position where the key stops matching it.
/// let mismatches = in_table.mismatches("Sales", "empid_7", None);
/// assert_eq!((mismatches[0].template.text(), mismatches[0].at), ("empid_{id:06}", Some(6)));
/// assert_eq!(in_table.entities_in("Sales").next().unwrap().text(), "empid_{id:06}");
/// ```
#[derive(Debug)]
pub struct RowKinds(Vec<Kind>);

/// A row kind.
#[derive(Debug)]
struct Kind {
    /// The index of the entity in the design.
    entity: usize,
    /// The index of the row kind within the entity.
    number: usize,
    templates: RowKind,
    /// For rows of a lookup: the template of separate members.
    member: Option<Template>,
    /// Allowed values of `EntityType`.
    types: Vec<String>,
}

/// The row kinds of one table, in the order of the length of their literals, longest first.
#[derive(Debug)]
pub struct TableKinds<'k>(Vec<Known<'k>>);

#[derive(Debug)]
struct Known<'k> {
    kind: &'k Kind,
    partition: KeyForm<'k>,
    row: KeyForm<'k>,
    member: Option<KeyForm<'k>>,
}

/// A recognized row.
#[derive(Debug)]
pub struct RecognizedRow<'r> {
    /// The index of the entity in the design.
    pub entity: usize,
    /// The index of the row kind in [`EntityDesign::row_kinds`].
    pub kind: usize,
    /// The origin of the row.
    pub origin: Origin,
    /// The template of the `PartitionKey`.
    pub partition: &'r Template,
    /// The template of the `RowKey`.
    pub row: &'r Template,
    /// The values of the keys, by field name.
    pub values: Vec<(&'r str, KeyValue<'r>)>,
}

/// A row kind that a row does not match.
#[derive(Debug)]
pub struct KeyMismatch<'k> {
    /// The index of the entity in the design.
    pub entity: usize,
    /// The name of the row kind: `row`, or the name of an index or lookup.
    pub name: &'k str,
    /// The key that does not match; the `RowKey` if only the `EntityType` differs.
    pub key: KeyKind,
    /// The template of this key.
    pub template: &'k Template,
    /// The byte of the key where it stops matching. `None` if the keys match, and the `EntityType` is that of another
    /// entity.
    pub at: Option<usize>,
}

impl RowKinds {
    /// Collects the row kinds of a design.
    #[must_use]
    pub fn new(schema: &Schema) -> Self {
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

    /// Returns the kinds of a table; `None` if no template matches its name.
    #[must_use]
    pub fn in_table(&self, table: &str) -> Option<TableKinds<'_>> {
        let there = self.0.iter().filter(|kind| has_name(&kind.templates.table.form(KeyKind::Table), table));
        let mut all: Vec<Known<'_>> = there.map(Known::new).collect();
        // A template without a literal prefix would also match rows with one.
        all.sort_by_key(|known| std::cmp::Reverse(known.partition.lead().len() + known.row.lead().len()));
        (!all.is_empty()).then_some(TableKinds(all))
    }
}

/// Returns whether a table name is one of a template. Names are case-insensitive; templates of tables begin with a literal.
fn has_name(form: &KeyForm<'_>, table: &str) -> bool {
    let lead = form.lead();
    table.split_at_checked(lead.len()).is_some_and(|(start, rest)| {
        start.eq_ignore_ascii_case(lead) && form.decode(&format!("{lead}{rest}")).is_ok()
    })
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

    fn is_of_type(&self, entity_type: Option<&str>) -> bool {
        let types = &self.kind.types;
        entity_type.is_none_or(|said| types.is_empty() || types.iter().any(|one| one == said))
    }
}

impl<'k> TableKinds<'k> {
    /// Returns the kind of a row; `None` if it matches no kind of the design.
    #[must_use]
    pub fn recognize<'r>(
        &'r self,
        partition_key: &'r str,
        row_key: &'r str,
        entity_type: Option<&str>,
    ) -> Option<RecognizedRow<'r>> {
        self.0.iter().filter(|known| known.is_of_type(entity_type)).find_map(|known| {
            let Kind { entity, number, templates, member, .. } = known.kind;
            // The template of a list's key would also match the key of a separate member.
            let rows = [known.member.as_ref().zip(member.as_ref()), Some((&known.row, &templates.row))];
            let (row, template) = rows
                .into_iter()
                .flatten()
                .find_map(|(form, template)| Some((form.decode(row_key).ok()?, template)))?;
            let mut values = known.partition.decode(partition_key).ok()?;
            values.extend(row);
            let partition = &templates.partition;
            let (entity, kind, origin) = (*entity, *number, templates.origin);
            Some(RecognizedRow { entity, kind, origin, partition, row: template, values })
        })
    }

    /// Returns why a row matches none of the kinds, one entry for each.
    #[must_use]
    pub fn mismatches(
        &self,
        partition_key: &str,
        row_key: &str,
        entity_type: Option<&str>,
    ) -> Vec<KeyMismatch<'k>> {
        let of = |known: &Known<'k>| {
            let Kind { entity, templates, .. } = known.kind;
            let of_partition =
                known.partition.spans(partition_key).mismatch.map(|at| (KeyKind::Partition, at));
            let of_row = || known.row.spans(row_key).mismatch.map(|at| (KeyKind::Row, at));
            let found = of_partition.or_else(of_row);
            if found.is_none() && known.is_of_type(entity_type) {
                return None;
            }
            let key = found.map_or(KeyKind::Row, |(key, _)| key);
            let template = if key == KeyKind::Partition { &templates.partition } else { &templates.row };
            let at = found.map(|(_, at)| at);
            Some(KeyMismatch { entity: *entity, name: &templates.name, key, template, at })
        };
        self.0.iter().filter_map(of).collect()
    }

    /// Returns the templates of the RowKeys of entities that a partition contains. Empty if the template of another kind
    /// of rows matches its key with a longer literal, as that of an index in partitions of its own.
    pub fn entities_in(&self, partition_key: &str) -> impl Iterator<Item = &'k Template> {
        let there = || self.0.iter().filter(|known| known.partition.decode(partition_key).is_ok());
        let longest = there().map(|known| known.partition.lead().len()).max();
        let own = there().filter(|known| known.kind.templates.origin == Origin::Primary);
        own.filter(move |known| Some(known.partition.lead().len()) == longest)
            .map(|known| &known.kind.templates.row)
    }

    /// Returns the entities with rows in the table, each with the templates of its own keys.
    pub fn entities(&self) -> impl Iterator<Item = (usize, &'k Template, &'k Template)> {
        let own = self.0.iter().filter(|known| known.kind.templates.origin == Origin::Primary);
        own.map(|known| {
            let Kind { entity, templates, .. } = known.kind;
            (*entity, &templates.partition, &templates.row)
        })
    }
}

/// Returns the allowed values of `EntityType` in an entity's rows: its value, older versions of it, older names.
fn types(design: &EntityDesign) -> Vec<String> {
    let Some(own) = design.entity_type_value() else { return Vec::new() };
    let own_name = version_in(&own).0.to_owned();
    let older = (2..design.version).map(|version| format!("{own_name}.v{version}"));
    let older: Vec<String> = older.collect();
    [own, own_name].into_iter().chain(older).chain(design.aliases.iter().cloned()).collect()
}
