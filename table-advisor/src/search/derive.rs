//! The workload of a design.

use super::super::facts::Facts;
use crate::{Model, path::Path};
use table_designs::schema::{Identity, Order, Query, Requirement, Schema, Workload};
use table_schema::{
    design::{EntityDesign, FieldKind, Origin, RowKind},
    template::{Template, TemplateField},
};

/// Returns the workload of a design: its entities without keys, and its queries, relations and load. The fields of the
/// primary key identify an entity.
///
/// ```
/// use table_advisor::search::workload_of;
///
/// let design = table_codegen::read(
///     "tables = 1\n\
///      [entity.Ticket]\ntable = \"Tickets\"\npartition = \"{tenant:05}\"\nrow = \"{opened:inverted_ticks}_{number:08}\"\n\
///      [entity.Ticket.fields]\ntenant = \"u32\"\nnumber = \"u32\"\nopened = \"datetime\"\n\
///      [query.newest]\nfind = \"Ticket\"\nwhere = \"tenant = ?\"\nlatest = 20\nrate = \"9/s\"\n",
///     "design.toml",
/// )?;
/// let workload = workload_of(&design);
/// assert_eq!(workload.id_of("Ticket"), ["tenant", "opened", "number"]);
/// let order = workload.requirements[0].order.as_ref();
/// assert!(order.is_some_and(|order| order.field == "opened" && order.is_descending));
/// # Ok::<(), table_codegen::Diagnostics>(())
/// ```
#[must_use]
pub fn workload_of(design: &Schema) -> Workload {
    let model = Model::new(design);
    let mut workload = Workload { content: design.clone(), ..Workload::default() };
    workload.identities = design.entities.iter().map(identity).collect();
    for entity in &mut workload.content.entities {
        let EntityDesign { name, about, keep, fields, .. } = entity.clone();
        *entity = EntityDesign { about, keep, fields, ..EntityDesign::new(name) };
    }
    for (query, of_design) in workload.content.queries.iter_mut().zip(&design.queries) {
        let order = of_design.latest.and_then(|_| newest(&model, of_design));
        let order = order.map(|field| Order { field, is_descending: true });
        let limit = of_design.latest.or(of_design.limit);
        *query = Query { limit, latest: None, page: None, using: None, ..of_design.clone() };
        workload.requirements.push(Requirement { order, ..Requirement::default() });
    }
    workload
}

/// Returns what identifies an entity: the fields of its keys, and those of its unique indexes. Fields of table names are
/// known in addition.
fn identity(entity: &EntityDesign) -> Identity {
    let kinds = entity.row_kinds();
    let fields = |templates: &[&Template]| {
        let mut fields: Vec<String> = Vec::new();
        for hole in templates.iter().flat_map(|template| template.holes()) {
            let is_field = entity.field(&hole.field).is_some_and(|field| !field.optional);
            if is_field && !fields.contains(&hole.field) {
                fields.push(hole.field.clone());
            }
        }
        fields
    };
    let keys = |kind: &RowKind| fields(&[&kind.partition, &kind.row]);
    let mut id = kinds.first().map(keys).unwrap_or_default();
    if id.is_empty() {
        id.extend(entity.fields.iter().find(|field| !field.optional).map(|field| field.name.clone()));
    }
    let mut knows = kinds.first().map(|own| fields(&[&own.table])).unwrap_or_default();
    knows.retain(|field| !id.contains(field));
    let is_unique = |kind: &&RowKind| {
        let Origin::Index(number) = kind.origin else { return false };
        let index = entity.indexes.get(number);
        index.is_some_and(|index| index.unique && !index.sparse && index.when.is_none())
    };
    let unique = kinds.iter().filter(is_unique).map(keys).filter(|fields| !fields.is_empty()).collect();
    Identity { id, unique, knows }
}

/// Returns the field by which a query returns the newest entities: of its path, otherwise of another path, otherwise a time.
fn newest(model: &Model<'_>, query: &Query) -> Option<String> {
    let accesses = || model.accesses().iter().filter(|access| access.query == query.name);
    let own = accesses().filter_map(|access| model.path_of(access)).map(|(_, path)| path);
    let facts = model.facts.iter().find(|facts| facts.entity.name == query.find)?;
    let all = model.rows().filter(|(of, _)| of.entity.name == query.find).map(|(_, path)| path);
    own.chain(all).find_map(|path| descending(facts, path)).or_else(|| {
        let time =
            |field: &&table_schema::design::FieldDesign| field.kind == FieldKind::Time && !field.optional;
        facts.entity.fields.iter().find(time).map(|field| field.name.clone())
    })
}

/// Returns the field of a row key with the newest values first.
fn descending(facts: &Facts<'_>, path: &Path<'_>) -> Option<String> {
    let is_newest = |hole: &&TemplateField| hole.exact && hole.shape.is_descending();
    let hole = path.kind.row.holes().find(is_newest)?;
    facts.entity.field(&hole.field).map(|field| field.name.clone())
}
