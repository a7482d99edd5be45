//! Builds the row derivation of a design.

use std::sync::{Mutex, PoisonError};

use table_designs::schema::Schema;
use table_model::Value;
use table_schema::{
    catalogue::Severity,
    design::{EntityDesign, FieldDesign, FieldKind, IndexDesign, Origin, Series},
    rules,
    template::Template,
};

use super::{
    DesignError, Unverifiable, UnverifiableReason, codec,
    entity::{DesignedEntity, DesignedField, DesignedIndex, Storage},
};
use crate::{
    core::{entity_types::EntityInfo, key::PART, shard::SHARD},
    design::{Declaration, Design},
};

/// Result for a design. It is never dropped, so the cache is searched first.
struct Known {
    entity: EntityDesign,
    has_keys: bool,
    built: Built,
}

/// What is built from a design.
#[derive(Clone, Copy, Debug)]
pub(super) struct Built {
    pub(super) kind: EntityInfo,
    pub(super) by: &'static DesignedEntity,
    pub(super) unjudged: &'static [Unverifiable],
}

static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());

/// Returns an entity of a design, for a handle with or without keys.
pub(super) fn designed(schema: &Schema, name: &str, has_keys: bool) -> Result<Built, DesignError> {
    let entity = schema.stored_entity(name).ok_or_else(|| DesignError::NoSuchEntity {
        entity: name.to_owned(),
        known: schema.entities.iter().map(|entity| entity.name.clone()).collect(),
    })?;
    let mut all = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let is_it = |known: &&Known| known.has_keys == has_keys && known.entity == entity;
    if let Some(known) = all.iter().find(is_it) {
        return Ok(known.built);
    }
    let built = Making::of(&entity, has_keys)?.whole()?;
    all.push(Known { entity, has_keys, built });
    Ok(built)
}

/// A field that can be decoded.
struct Decodable<'e> {
    field: &'e FieldDesign,
    storage: Storage,
    default: Option<Value>,
}

/// An entity that is being built.
struct Making<'e> {
    entity: &'e EntityDesign,
    /// Fields that can be decoded.
    fields: Vec<Decodable<'e>>,
    /// Fields that cannot be decoded.
    blind: Vec<(&'e str, UnverifiableReason)>,
    unjudged: Vec<Unverifiable>,
}

impl<'e> Making<'e> {
    fn of(entity: &'e EntityDesign, has_keys: bool) -> Result<Self, DesignError> {
        let is_error = |mistake: &table_schema::RuleViolation| mistake.code.severity() == Severity::Error;
        if let Some(mistake) = rules::check(entity).into_iter().find(is_error) {
            let (entity, mistake) = (entity.name.clone(), Box::new(mistake));
            return Err(DesignError::RuleViolation { entity, mistake });
        }
        let mut making = Self { entity, fields: Vec::new(), blind: Vec::new(), unjudged: Vec::new() };
        for field in entity.fields.iter().filter(|field| !field.skip) {
            match decodable(entity, field, has_keys) {
                Ok(designed) => making.fields.push(designed),
                Err(reason) => making.blind.push((&field.name, reason)),
            }
        }
        let kept = entity.totals.iter().map(|total| (total.name.clone(), &total.entity));
        let copied = entity.embeds.iter().map(|embed| (embed.name.clone(), &embed.from));
        let kept = kept
            .chain(copied)
            .map(|(name, of)| Unverifiable { name, reason: UnverifiableReason::Total { of: of.clone() } });
        making.unjudged.extend(kept);
        Ok(making)
    }

    fn whole(mut self) -> Result<Built, DesignError> {
        let entity = self.entity;
        let keys = [&entity.partition, &entity.row].into_iter().flatten().filter_map(|text| text.template());
        let names: Vec<String> = keys.flat_map(Template::holes).map(|hole| hole.field.clone()).collect();
        let is_part =
            |name: &str| entity.wide.is_some() && name == PART || entity.shard.is_some() && name == SHARD;
        if let Some(field) = names.into_iter().find(|name| self.number(name).is_none() && !is_part(name)) {
            return Err(DesignError::NoType { entity: entity.name.clone(), field });
        }
        let mut judged = EntityDesign { indexes: Vec::new(), lookups: Vec::new(), ..entity.clone() };
        let mut designed: Vec<DesignedIndex> = Vec::new();
        let skip = |unjudged: &mut Vec<Unverifiable>, name: &String, reason| {
            unjudged.push(Unverifiable { name: name.clone(), reason });
        };
        for (number, index) in entity.indexes.iter().enumerate() {
            match self.index(number, index) {
                Ok(one) => {
                    designed.push(one);
                    judged.indexes.push(index.clone());
                }
                Err(reason) => skip(&mut self.unjudged, &index.name, reason),
            }
        }
        for (number, lookup) in entity.lookups.iter().enumerate() {
            match self.lookup(number) {
                Ok(one) => {
                    designed.push(one);
                    judged.lookups.push(lookup.clone());
                }
                Err(reason) => skip(&mut self.unjudged, &lookup.name, reason),
            }
        }
        // The templates exist, because the rules were checked before.
        let spread = || DesignError::Spread { entity: entity.name.clone() };
        let design = Design::of(&judged).ok_or_else(spread)?;
        let is_judged =
            judged.indexes.len() + judged.lookups.len() == entity.indexes.len() + entity.lookups.len();
        let whole = if is_judged { design } else { Design::of(entity).ok_or_else(spread)? };
        let skipped = whole.indexes.iter().filter(|index| design.index(index.name).is_none()).collect();
        let fields = self.fields.into_iter().filter_map(|one| one.of(design)).collect();
        let by = &*Box::leak(Box::new(DesignedEntity { design, fields, indexes: designed, skipped }));
        Ok(Built { kind: EntityInfo::by(design, by), by, unjudged: self.unjudged.leak() })
    }

    /// Returns the number of a field that can be decoded.
    fn number(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|one| one.field.name == name)
    }

    /// Returns the number of a field that must be decoded.
    fn needed(&self, name: &str) -> Result<usize, UnverifiableReason> {
        let reason = || self.blind.iter().find(|(blind, _)| *blind == name).map(|(_, reason)| reason.clone());
        self.number(name)
            .ok_or_else(|| reason().unwrap_or(UnverifiableReason::NoType { field: name.to_owned() }))
    }

    fn index(&self, number: usize, index: &IndexDesign) -> Result<DesignedIndex, UnverifiableReason> {
        let entity = self.entity;
        let kinds = entity.row_kinds();
        let Some(kind) = kinds.iter().find(|kind| kind.origin == Origin::Index(number)) else {
            return Err(UnverifiableReason::Condition);
        };
        let mut has_optional = false;
        for hole in kind.partition.holes().chain(kind.row.holes()) {
            let field = self.needed(&hole.field)?;
            has_optional |= self.fields.get(field).is_some_and(|one| one.field.optional);
        }
        // The condition is a function of the program, which a design does not contain.
        if index.sparse && index.when.is_none() && !has_optional {
            return Err(UnverifiableReason::Condition);
        }
        let mut designed = DesignedIndex { leads_back: true, ..DesignedIndex::default() };
        for field in entity.copied_fields(index, kind) {
            let number = self.needed(&field.name)?;
            if entity.stored_fields().all(|stored| stored.name != field.name) {
                designed.own.push(number);
            }
        }
        for one in index.when.iter().flat_map(|when| &when.equalities) {
            let number = self.needed(&one.field)?;
            let value =
                self.fields.get(number).and_then(|one_of| codec::literal(&one_of.field.kind, &one.value));
            designed.when.push((number, value.ok_or(UnverifiableReason::Condition)?));
        }
        Ok(designed)
    }

    fn lookup(&self, number: usize) -> Result<DesignedIndex, UnverifiableReason> {
        let entity = self.entity;
        let parts = entity.lists(number).zip(entity.member_row(number));
        let Some((lists, row)) = parts else { return Err(UnverifiableReason::Condition) };
        for hole in lists.partition.holes().chain(row.holes()) {
            self.needed(&hole.field)?;
        }
        let is_near = entity
            .lookups
            .get(number)
            .is_some_and(|lookup| lookup.place == table_schema::design::LookupPlace::Partition);
        let is_exact = |name: &str| {
            let mut holes = lists.partition.holes().chain(row.holes());
            holes.any(|hole| hole.exact && hole.field == name)
        };
        let own = [&entity.partition, &entity.row].into_iter().flatten().filter_map(|text| text.template());
        let leads_back = !is_near && own.flat_map(Template::holes).all(|hole| is_exact(&hole.field));
        Ok(DesignedIndex { leads_back, ..DesignedIndex::default() })
    }
}

/// Returns a field, if it can be decoded.
fn decodable<'e>(
    entity: &EntityDesign,
    field: &'e FieldDesign,
    has_keys: bool,
) -> Result<Decodable<'e>, UnverifiableReason> {
    let name = || field.name.clone();
    if field.from_source {
        return Err(UnverifiableReason::KeptByOthers { field: name() });
    }
    if field.kind == FieldKind::Blob {
        return Err(UnverifiableReason::InBlob { field: name() });
    }
    if field.encrypted && !has_keys {
        return Err(UnverifiableReason::Encrypted { field: name() });
    }
    if codec::type_name(&field.kind).is_none() || matches!(field.series, Some(Series::Unknown)) {
        return Err(UnverifiableReason::NoType { field: name() });
    }
    let default = match field.default.as_ref().filter(|_| !field.optional) {
        Some(_) => {
            Some(codec::default_of(field).ok_or_else(|| UnverifiableReason::Default { field: name() })?)
        }
        None => None,
    };
    let is_recovered = entity.recovered_fields().any(|known| known.name == field.name);
    let is_stored = entity.stored_fields().any(|known| known.name == field.name);
    let storage = match (is_recovered, is_stored) {
        (true, false) => Storage::Key,
        (true, true) => Storage::KeyAndProperty,
        (false, _) => Storage::Property,
    };
    Ok(Decodable { field, storage, default })
}

impl Decodable<'_> {
    /// Returns the field with the names of the layout.
    fn of(self, design: &'static Design) -> Option<DesignedField> {
        let Declaration::InMemory(declared) = design.declaration else { return None };
        let field = declared.field(&self.field.name)?;
        Some(DesignedField {
            name: &field.name,
            property: &field.property,
            slots: design.property_of(&field.name).map_or(&[], |property| property.slots),
            kind: &field.kind,
            storage: self.storage,
            is_optional: field.optional,
            default: self.default,
            is_sealed: field.encrypted,
        })
    }
}
