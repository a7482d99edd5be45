//! The stored form of the entities in code, or in a design file.

use std::iter::successors;

use table_schema::{
    design::{
        BlobDesign, CopiedFields, EmbedDesign, EntityDesign, EntityTypeRule, FieldDesign, FieldKind,
        IndexDesign, LookupDesign, LookupPlace, Origin, RowKind, TemplateText, TotalDesign,
    },
    language::{Size, SizeUnit},
    static_design::{Aggregate, Contribution, Design, Total, is_plain},
    template::Template,
};

use super::{FrontEnd, Lock, LockedVersion, forms};
use crate::{default_of, kind_by_shape, schema::Schema};

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
                let total = self::total(source, target, total);
                // Both forms of an entity that is moved contribute the same.
                if !version.design.totals.contains(&total) {
                    version.design.totals.push(total);
                }
            }
        }
    }
}

/// Returns the stored form of a design. What a lock compares by design file only, such as the length of text and the
/// conditions in functions, is not part of it.
fn version_of(design: &Design) -> EntityDesign {
    let declared = design.declared();
    let mut entity = EntityDesign {
        table: declared.table.clone(),
        partition: declared.partition.clone(),
        row: declared.row.clone(),
        version: design.version(),
        entity_type: design
            .entity_type
            .map_or(EntityTypeRule::None, |name| EntityTypeRule::Named(name.to_owned())),
        aliases: declared.aliases.clone(),
        shard: declared.shard.clone(),
        wide: declared.wide,
        changes: declared.changes,
        roles: declared.roles.clone(),
        ..EntityDesign::new(design.stored_name())
    };
    let fields = declared.fields.iter().filter(|field| !field.skip && !field.from_source);
    entity.fields = fields.map(|field| stored_field(design, &declared, field)).collect();
    let kinds = declared.row_kinds();
    entity.indexes = kinds.iter().filter_map(|kind| index(&declared, kind)).collect();
    entity.lookups = (0..declared.lookups.len()).filter_map(|number| lookup(&declared, number)).collect();
    entity
}

fn stored_field(design: &Design, declared: &EntityDesign, field: &FieldDesign) -> FieldDesign {
    let mut stored = field.clone();
    let rust_type = design.rust_type_of(&field.name).unwrap_or_default();
    stored.kind = field.kind.unbounded();
    let is_only_key = declared.stored_fields().all(|stored| stored.name != field.name);
    if is_only_key && !is_plain(rust_type) {
        // The lock has always contained the format of such a type, not its words or width.
        let keys =
            [&declared.partition, &declared.row].into_iter().flatten().filter_map(|text| text.template());
        let shape =
            keys.flat_map(Template::holes).find(|hole| hole.field == field.name).map(|hole| hole.shape);
        stored.kind = shape.and_then(kind_by_shape).unwrap_or(FieldKind::Text { max: None });
    }
    let is_option = rust_type.trim_start_matches('[').trim_start().starts_with("Option");
    if matches!(field.kind, FieldKind::Json { .. }) && field.part_of.is_none() {
        // JSON stores an absent value as `null`; only a row that is read as the default lacks the property.
        stored.optional = field.default.is_some() && is_option;
    }
    stored.default = match (&field.default, field.default_function()) {
        (Some(_), None) if !stored.optional => {
            default_of(&stored.kind).or_else(|| Some(FieldDesign::DEFAULT_OF_TYPE.to_owned()))
        }
        (Some(call), Some(_)) if !stored.optional => Some(call.clone()),
        _ => None,
    };
    stored.store = field.store && declared.recovered_fields().any(|known| known.name == field.name);
    if let Some(blob) = &field.blob {
        let over = Size { number: blob.inline() as u64, unit: SizeUnit::Byte };
        stored.blob = Some(BlobDesign { holds: FieldKind::Binary { max: None }, over: Some(over) });
    }
    stored
}

/// Returns the text of a template, unless it is that of the entity.
fn other(text: Option<&TemplateText>, own: Option<&TemplateText>) -> Option<TemplateText> {
    text.filter(|text| Some(*text) != own).cloned()
}

fn index(declared: &EntityDesign, kind: &RowKind) -> Option<IndexDesign> {
    let Origin::Index(number) = kind.origin else { return None };
    let index = declared.indexes.get(number)?;
    let is_optional = |name: &str| declared.field(name).is_some_and(|field| field.optional);
    let is_key = |name: &str| {
        let keys =
            [&declared.partition, &declared.row].into_iter().flatten().filter_map(|text| text.template());
        keys.flat_map(Template::holes).any(|hole| hole.field == name)
    };
    let copied = declared.copied_fields(index, kind).into_iter().filter(|field| !is_key(&field.name));
    Some(IndexDesign {
        name: index.name.clone(),
        table: other(index.table.as_ref(), declared.table.as_ref()),
        partition: other(index.partition.as_ref(), declared.partition.as_ref()),
        row: index.row.clone(),
        unique: index.unique,
        sparse: kind.partition.holes().chain(kind.row.holes()).any(|hole| is_optional(&hole.field)),
        copy: match index.copy {
            CopiedFields::All => CopiedFields::All,
            CopiedFields::Only(_) => CopiedFields::Only(copied.map(|field| field.name.clone()).collect()),
        },
        ..IndexDesign::default()
    })
}

fn lookup(declared: &EntityDesign, number: usize) -> Option<LookupDesign> {
    let (lookup, kind) = (declared.lookups.get(number)?, declared.lists(number)?);
    let is_near = lookup.place == LookupPlace::Partition;
    let keys = kind.partition.holes().filter(|_| !is_near).chain(kind.row.holes());
    let mut on: Vec<String> = Vec::new();
    for hole in keys.filter(|hole| !matches!(hole.field.as_str(), "part" | "shard")) {
        if !on.contains(&hole.field) {
            on.push(hole.field.clone());
        }
    }
    let table = TemplateText::new(kind.table.text());
    Some(LookupDesign {
        name: lookup.name.clone(),
        on,
        place: lookup.place,
        table: Some(table)
            .filter(|table| lookup.place == LookupPlace::Table && Some(table) != declared.table.as_ref()),
        partition: (!is_near).then(|| TemplateText::new(kind.partition.text())),
        row: (lookup.place != LookupPlace::Blob).then(|| TemplateText::new(kind.row.text())),
        ids: lookup.ids.clone(),
        about: None,
    })
}

/// Returns an aggregate as its target declares it.
fn total(source: &Design, target: &Design, total: &Total) -> TotalDesign {
    let of = |name: &&str| source.properties.iter().find(|property| property.name == *name);
    let field = total.of.as_ref().map(|name| of(name).map_or(*name, |property| property.field).to_owned());
    TotalDesign {
        name: total.field.to_owned(),
        about: None,
        by: total.by,
        entity: source.stored_name().to_owned(),
        field,
        matches: key_pairs(target),
        // Only the code contains the condition.
        when: None,
    }
}

fn key_pairs(target: &Design) -> Vec<(String, String)> {
    target.key.iter().map(|key| (key.field.to_owned(), key.field.to_owned())).collect()
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
        matches: key_pairs(target),
        fields: property.slots.iter().filter_map(name_of).collect(),
    })
}
