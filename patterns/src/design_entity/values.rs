//! Entities as the values of their fields, by name.

use table_model::{Properties, Value};
use table_schema::design::EntityDesign;

use super::{
    FieldValues,
    entity::{DesignedEntity, DesignedField, Held, Storage, Values},
};
use crate::{
    AccessPath, Address, Error, PropertyValueError, Timestamp, ValueError,
    core::{
        entity_types::EntityInfo,
        error::property::PropertyError,
        key::KeyReader,
        new::New,
        properties::Writer,
        reserved::{ENTITY_TYPE, NO_TOKEN, TRANSACTION},
    },
};

impl DesignedEntity {
    /// Returns the first part of an entity that is not written by field values.
    pub(super) fn unwritten(&self, entity: &EntityDesign) -> Option<String> {
        if entity.wide.is_some() {
            return Some("it has several rows".to_owned());
        }
        let is_known = |name: &str| self.fields.iter().any(|field| field.name == name);
        let unknown = entity.stored_fields().find(|field| !is_known(&field.name));
        unknown.map(|field| format!("the design does not specify how `{}` is stored", field.name))
    }

    /// Returns the entity with these values, as it is written.
    pub(super) fn state(&self, kind: EntityInfo, fields: &FieldValues) -> Result<New, Error> {
        let (values, mut properties) = self.encode(fields)?;
        for name in self.design.stamps() {
            // Placeholder for the time, so that index rows with the field have it.
            if properties.get(name).is_none() {
                properties.push_new(name, Timestamp::now());
            }
        }
        if self.design.has_rules() {
            // Placeholder for the token, which is determined when the write is sent.
            properties.push_new(TRANSACTION, NO_TOKEN);
        }
        if let Some(entity_type) = self.design.entity_type {
            properties.push_new(ENTITY_TYPE, entity_type);
        }
        let derived = self.derived(&values, &properties)?;
        Ok(New::of_design(kind, self.address(&values)?, properties, derived))
    }

    /// Returns the address of the entity with these values of the key fields.
    pub(super) fn address_of(&self, fields: &FieldValues) -> Result<Address, Error> {
        let held = |field: &DesignedField| match fields.get(field.name) {
            Some(value) => field.held(Some(value.clone())).map_err(|error| self.invalid(error)),
            None => Ok(Held::default()),
        };
        self.address(&self.fields.iter().map(held).collect::<Result<Values, Error>>()?)
    }

    /// Returns the properties of some fields that are not in the key.
    pub(super) fn properties_of(&self, fields: &FieldValues) -> Result<Properties, Error> {
        self.check_names(fields)?;
        let mut writer = Writer::with_capacity(fields.len());
        for field in &self.fields {
            let names = if field.slots.is_empty() { &[field.name][..] } else { field.slots };
            if names.iter().any(|name| fields.contains_key(*name)) {
                field
                    .write(&mut Held::default(), fields, &mut writer)
                    .map_err(|error| self.invalid(error))?;
            }
        }
        Ok(writer.into_properties())
    }

    /// Returns the values in a row with these keys, whose properties `property` returns. Returns `None` for a row that is
    /// not one of the path.
    pub(super) fn values_of(
        &self,
        path: AccessPath,
        [partition_key, row_key]: [&str; 2],
        property: impl Fn(&str) -> Option<Value>,
    ) -> Option<FieldValues> {
        let (_, partition, row) = path.keys(self.design);
        let mut keys = KeyReader::new((partition, row), partition_key, row_key);
        let held = self.read_holes(partition, row, &mut keys, true)?;
        keys.finish()?;
        let mut values = FieldValues::new();
        let mut put = |name: &str, value: Option<Value>| {
            values.extend(value.map(|value| (name.to_owned(), value)));
        };
        for (field, held) in self.fields.iter().zip(held) {
            for slot in field.slots {
                put(slot, property(slot));
            }
            // Some numbers are valid only in keys.
            let in_key = held.stored.and_then(Result::ok);
            put(field.name, in_key.or_else(|| property(field.property)));
        }
        Some(values)
    }

    fn encode(&self, fields: &FieldValues) -> Result<(Values, Properties), Error> {
        self.check_names(fields)?;
        let mut writer = Writer::with_capacity(self.design.property_count());
        let mut values = vec![Held::default(); self.fields.len()];
        for (field, held) in self.fields.iter().zip(&mut values) {
            field.write(held, fields, &mut writer).map_err(|error| self.invalid(error))?;
        }
        Ok((values, writer.into_properties()))
    }

    fn check_names(&self, fields: &FieldValues) -> Result<(), Error> {
        let is_known =
            |name: &str| self.fields.iter().any(|field| field.name == name || field.slots.contains(&name));
        match fields.keys().find(|name| !is_known(name)) {
            Some(name) => {
                let reason = ValueError::unreadable(name, "a field of the design".to_owned());
                Err(self.invalid(PropertyError { property: name.clone().into(), reason }))
            }
            None => Ok(()),
        }
    }

    /// Returns the error for a value that a field cannot have.
    pub(super) fn invalid(&self, error: PropertyError) -> Error {
        PropertyValueError::new(self.design.name, error).into()
    }
}

impl DesignedField {
    /// Writes the field's properties, and returns its value as encoded in keys.
    fn write(&self, held: &mut Held, fields: &FieldValues, into: &mut Writer) -> Result<(), PropertyError> {
        for slot in self.slots {
            into.put(slot, self.again(fields.get(*slot).cloned()))?;
        }
        if !self.slots.is_empty() {
            return Ok(());
        }
        *held = self.held(fields.get(self.name).cloned())?;
        match self.storage {
            Storage::Key => Ok(()),
            Storage::KeyAndProperty | Storage::Property => {
                into.put(self.property, held.stored.clone().transpose())
            }
        }
    }

    /// Returns a value as encoded in keys.
    pub(super) fn in_key(
        &self,
        value: &Value,
    ) -> Result<table_schema::key::KeyValue<'static>, PropertyError> {
        let held = self.held(Some(value.clone()))?;
        let missing = || PropertyError { property: self.property.into(), reason: ValueError::Missing };
        held.in_key.ok_or_else(missing)
    }
}
