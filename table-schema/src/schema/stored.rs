//! Entities as the generated code stores them, with the choices resolved that a design file leaves open.

use super::Schema;
use crate::{
    design::{CopiedFields, EntityDesign, EntityTypeRule, FieldDesign, FieldKind, TemplateText},
    template::Template,
};

impl Schema {
    /// Returns whether the tables of this entity contain rows of another entity.
    pub fn shares_table(&self, entity: &EntityDesign) -> bool {
        let tables = |entity: &EntityDesign| {
            let text =
                |text: &Option<TemplateText>| text.as_ref().map(|text| text.text().to_ascii_lowercase());
            let indexes = entity.indexes.iter().filter_map(move |index| text(&index.table));
            let lookups = entity.lookups.iter().filter_map(move |lookup| text(&lookup.table));
            text(&entity.table).into_iter().chain(indexes).chain(lookups).collect::<Vec<_>>()
        };
        let own = tables(entity);
        let others = self.entities.iter().filter(|other| other.name != entity.name);
        others.flat_map(tables).any(|table| own.contains(&table))
    }

    /// Returns the entity with this name as its rows are stored: with the `EntityType` rule and the copied fields of
    /// indexes resolved, and with its aggregates and copied fields of other entities appended as fields.
    pub fn stored_entity(&self, name: &str) -> Option<EntityDesign> {
        let mut entity = self.entity(name)?.clone();
        if entity.entity_type == EntityTypeRule::Auto {
            entity.entity_type =
                if self.shares_table(&entity) { EntityTypeRule::Always } else { EntityTypeRule::None };
        }
        entity.name_copies();
        let of =
            |entity: &str, field: &str| self.entity(entity)?.field(field).map(|field| field.kind.clone());
        let mut kept = Vec::new();
        for total in &entity.totals {
            let is_extreme = total.by.is_extreme();
            let kind = total.field.as_ref().filter(|_| is_extreme).and_then(|field| of(&total.entity, field));
            let mut field = FieldDesign::new(
                total.name.as_str(),
                kind.unwrap_or(FieldKind::Int { bits: 64, signed: true }),
            );
            (field.from_source, field.optional) = (true, is_extreme);
            kept.push(field);
        }
        for embed in &entity.embeds {
            for name in &embed.fields {
                let Some(kind) = of(&embed.from, name) else { continue };
                let mut field = FieldDesign::new(format!("{}_{name}", embed.name), kind);
                field.optional = true;
                kept.push(field);
            }
        }
        entity.fields.extend(kept);
        Some(entity)
    }
}

impl EntityDesign {
    /// Replaces [`CopiedFields::All`] by field names if the entity has blob fields or aggregates. Copies contain
    /// neither blobs, which belong to a single row, nor values maintained from other entities.
    pub fn name_copies(&mut self) {
        let is_own = |field: &FieldDesign| field.kind != FieldKind::Blob;
        if self.totals.is_empty() && self.fields.iter().all(is_own) {
            return;
        }
        let keys = [&self.partition, &self.row].into_iter().flatten().filter_map(TemplateText::template);
        let in_key: Vec<String> = keys.flat_map(Template::holes).map(|hole| hole.field.clone()).collect();
        let fields = self.fields.iter().filter(|field| is_own(field) && !in_key.contains(&field.name));
        let fields: Vec<String> = fields.map(|field| field.name.clone()).collect();
        for index in self.indexes.iter_mut().filter(|index| index.copy == CopiedFields::All) {
            index.copy = CopiedFields::Only(fields.clone());
        }
    }
}
