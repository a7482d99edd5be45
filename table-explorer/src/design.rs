//! The design of the stored entities.

mod failure;
mod kind;
mod pattern;
mod plan;

pub(crate) use kind::{KindOfRow, Sort, color};
pub(crate) use pattern::Pattern;
pub(crate) use plan::{import, invalid, moved, preview, send};

use table_advisor::{Access, Model};
use table_designs::schema::{RowKinds, Schema, TableKinds};
use table_model::{Properties, Row, Value};
use table_patterns::{DesignError, Designed, DesignedEntities, Tables};
use table_schema::design::{EntityDesign, FieldDesign};

use crate::{Place, show::plain};

const ENTITY_TYPE: &str = "EntityType";

/// A design beside the places that are explored.
#[derive(Debug)]
pub(crate) struct Design {
    pub(crate) schema: Schema,
    /// 16 hexadecimal digits, as in generated code.
    pub(crate) hash: String,
    kinds: RowKinds,
    /// The access path of each query.
    accesses: Vec<Access>,
}

impl Design {
    pub(crate) fn new(schema: Schema) -> Self {
        let (hash, kinds) = (table_codegen::design_hash(&schema), RowKinds::new(&schema));
        let accesses = Model::new(&schema).accesses().to_vec();
        Self { schema, hash, kinds, accesses }
    }

    /// Returns the row kinds of a table. `None` if the design has no rows in it.
    pub(crate) fn in_table(&self, table: &str) -> Option<TableKinds<'_>> {
        self.kinds.in_table(table)
    }

    /// Returns the entity of a kind of rows that contain one.
    pub(crate) fn entity(&self, sort: Sort) -> Option<&EntityDesign> {
        match sort {
            Sort::Entity(number) => self.schema.entities.get(number),
            _ => None,
        }
    }

    /// Returns an entity of the design on the services of a place.
    pub(crate) fn designed(&self, place: &Place, entity: &EntityDesign) -> Result<Designed, DesignError> {
        let (tables, queues, blobs) = (place.tables.clone(), place.queues.clone(), place.blobs.clone());
        Tables::from_services(tables, queues, blobs).design(&self.schema, &entity.name)
    }

    /// Returns an entity as [`designed`](Self::designed) does, compared with its index rows by a program that knows all
    /// entities of the design. Also returns the names of those that are not known, with the reasons.
    pub(crate) fn verified(
        &self,
        place: &Place,
        entity: &EntityDesign,
    ) -> Result<(Designed, Vec<(String, DesignError)>), DesignError> {
        let designed = self.designed(place, entity)?;
        let unknown = designed.tables().register_design(&self.schema);
        Ok((designed, unknown))
    }

    /// Returns access to the entities of a place, and the handle that maintains the indexes of its registry. The error is the reason why
    /// they are read-only.
    pub(crate) async fn entities(
        &self,
        place: &Place,
        entity: &EntityDesign,
    ) -> Result<(Tables, DesignedEntities), String> {
        let designed = self.designed(place, entity).map_err(|error| error.to_string())?;
        let designed = designed.with_registry_if_registered().await.map_err(|error| error.to_string())?;
        let entities = designed.entities().map_err(|error| error.to_string())?;
        Ok((designed.tables().clone(), entities))
    }

    /// Returns whether a row with these keys requires other rows, or follows from others, so that it is not written alone.
    pub(crate) fn has_rules(&self, table: &str, keys: (&str, &str), properties: &Properties) -> bool {
        match self.kind(table, keys, properties).sort {
            Sort::Foreign => false,
            Sort::Entity(number) => self.schema.entities.get(number).is_some_and(|entity| {
                let is_source = |other: &EntityDesign| {
                    other.totals.iter().any(|total| total.entity == entity.name)
                        || other.embeds.iter().any(|embed| embed.from == entity.name)
                };
                !entity.indexes.is_empty()
                    || !entity.lookups.is_empty()
                    || entity.changes.is_some()
                    || entity.wide.is_some()
                    || self.schema.entities.iter().any(is_source)
            }),
            _ => true,
        }
    }

    /// Returns why a row that is not of the design is read-only: a row of the design can have its keys.
    pub(crate) fn other_type(
        &self,
        table: &str,
        keys: (&str, &str),
        properties: &Properties,
    ) -> Option<String> {
        let found = entity_type(properties)?;
        let kind = self.kind(table, keys, &Properties::new());
        (kind.sort != Sort::Foreign).then(|| {
            format!(
                "The keys are those of `{}`, which has another EntityType than `{}`. Change the row in a program with \
                 its type, or start the explorer with --raw to change it alone.",
                kind.label,
                plain(found)
            )
        })
    }

    /// Returns why the rows of an entity are read-only.
    pub(crate) fn reason(
        &self,
        place: &Place,
        entity: &EntityDesign,
        properties: &Properties,
    ) -> Option<String> {
        let own = entity.entity_type_value();
        if let (Some(found), Some(own)) = (entity_type(properties), &own)
            && found != own
        {
            return Some(format!(
                "This entity has the version `{found}`, and the design has `{own}`. Upgrade it in a program with its type."
            ));
        }
        if let Some(table) = entity.table.as_ref().filter(|_| entity.has_table_per_period()) {
            return Some(format!(
                "The entities of `{}` are in a table for each period, `{}`. Change them in a program with their type.",
                entity.name,
                table.text()
            ));
        }
        let designed = self.designed(place, entity).and_then(|designed| designed.entities().map(drop));
        designed.err().map(|error| error.to_string())
    }
}

/// Returns whether the page of an entity can change the field: it is in no key of the entity, and no program sets it.
pub(crate) fn is_editable(entity: &EntityDesign, field: &FieldDesign) -> bool {
    let mut keys = [&entity.partition, &entity.row].into_iter().flatten().filter_map(|text| text.template());
    let in_key = keys.any(|template| template.holes().any(|hole| hole.field == field.name));
    !in_key && field.stamp.is_none() && !field.skip && !field.from_source
}

/// Returns the field that is stored in a property, and its name in values: slots of a series have names of their own.
pub(crate) fn field_of<'e>(entity: &'e EntityDesign, property: &str) -> Option<(&'e FieldDesign, String)> {
    entity.stored_fields().find_map(|field| {
        let is_slot = field.has_slot(property);
        (is_slot || field.property == property)
            .then(|| (field, if is_slot { property } else { &field.name }.to_owned()))
    })
}

/// Returns a row with the properties only that its page can change.
pub(crate) fn editable(entity: &EntityDesign, mut row: Row) -> Row {
    let is_shown = |name: &str| field_of(entity, name).is_some_and(|(field, _)| is_editable(entity, field));
    row.properties = row.properties.iter().filter(|(name, _)| is_shown(name)).cloned().collect();
    row
}

/// Returns the `EntityType` of a row.
pub(crate) fn entity_type(properties: &Properties) -> Option<&str> {
    match properties.get(ENTITY_TYPE) {
        Some(Value::String(name)) => Some(name),
        _ => None,
    }
}
