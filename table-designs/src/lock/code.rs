//! The stored form of the entities in code, or in a design file.

use std::iter::successors;

use super::{FrontEnd, Lock, LockedVersion, forms};
use crate::{compiled, schema::Schema};
use table_schema::{
    design::{EmbedDesign, EntityDesign, EntityTypeRule},
    static_design::{Aggregate, Contribution, Design},
};

impl Lock {
    /// Creates the lock of derived entities, with the older versions that they read.
    pub fn of_designs(designs: &[&'static Design]) -> Self {
        let versions = designs.iter().flat_map(|design| successors(Some(*design), |design| design.older));
        let mut lock = Self::of_forms(
            FrontEnd::Rust,
            versions.map(|design| (design.name.to_owned(), version_of(design))),
        );
        for source in designs {
            for feed in source.feeds {
                lock.maintain(source, feed);
            }
        }
        lock
    }

    /// Creates the lock of the entities of a design file. Older versions are read in Rust only and are not contained.
    pub fn of_schema(schema: &Schema) -> Self {
        let stored_name = |name: &str| {
            let entity = schema.entity(name);
            entity.and_then(EntityDesign::stored_as).unwrap_or(name).to_owned()
        };
        let entities = schema.entities.iter().map(|entity| {
            let mut design = entity.clone();
            let rule = schema.stored_entity(&entity.name).map(|stored| stored.entity_type);
            design.entity_type = match rule {
                Some(EntityTypeRule::None) => EntityTypeRule::None,
                _ => design.entity_type_value().map_or(EntityTypeRule::None, EntityTypeRule::Named),
            };
            design.name = stored_name(&entity.name);
            for total in &mut design.totals {
                total.entity = stored_name(&total.entity);
            }
            for embed in &mut design.embeds {
                embed.from = stored_name(&embed.from);
            }
            (entity.name.clone(), design)
        });
        Self::of_forms(FrontEnd::File, entities)
    }

    /// Creates the lock of entities with their stored names. Each has the name of its type in code.
    fn of_forms(front_end: FrontEnd, entities: impl Iterator<Item = (String, EntityDesign)>) -> Self {
        let mut lock = Self { front_end: Some(front_end), ..Self::default() };
        for (_, design) in forms::named(entities.collect()) {
            let version = LockedVersion { design, retired: None, removed: Vec::new() };
            lock.versions.insert(version.key(), version);
        }
        lock
    }

    /// Adds the values that a source maintains in its target, if the lock contains the target.
    fn maintain(&mut self, source: &Design, feed: &Contribution) {
        let target = (feed.sink)();
        let key = (target.stored_name().to_owned(), target.version());
        let Some(version) = self.versions.get_mut(&key) else { return };
        for total in feed.totals {
            if total.by == Aggregate::Copy {
                version.design.embeds.extend(copied(source, target, total.field));
            } else {
                let mut total = compiled::total(source, target, total);
                source.stored_name().clone_into(&mut total.entity);
                // Both forms of an entity that is moved contribute the same.
                if !version.design.totals.contains(&total) {
                    version.design.totals.push(total);
                }
            }
        }
    }
}

fn version_of(design: &Design) -> EntityDesign {
    let mut entity = compiled::entity(design, &mut Vec::new());
    design.stored_name().clone_into(&mut entity.name);
    entity.version = design.version();
    entity.entity_type =
        design.entity_type.map_or(EntityTypeRule::None, |name| EntityTypeRule::Named(name.to_owned()));
    entity.aliases = design.aliases.iter().map(|&alias| alias.to_owned()).collect();
    for field in &mut entity.fields {
        let has_default = design.has_default(&field.property);
        if has_default && !field.optional && field.default.is_none() {
            field.default = Some("Default::default()".to_owned());
        }
        let was = design.renamed.iter().find(|(name, _)| *name == field.property);
        field.was = was.map(|(_, before)| (*before).to_owned());
    }
    entity
}

/// Returns the fields that are copied into a field of the target.
fn copied(source: &Design, target: &Design, field: &str) -> Option<EmbedDesign> {
    let property = target.property_of(field)?;
    let name_of =
        |slot: &&'static str| slot.strip_prefix(property.name)?.strip_prefix('_').map(str::to_owned);
    Some(EmbedDesign {
        name: property.name.to_owned(),
        about: None,
        from: source.stored_name().to_owned(),
        matches: compiled::key_pairs(target),
        fields: property.slots.iter().filter_map(name_of).collect(),
    })
}
