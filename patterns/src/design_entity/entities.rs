use std::collections::BTreeMap;

use table_model::{ETag, Properties, Value};
use table_schema::role::Role;

use super::entity::{DesignedEntity, holes};
use crate::{
    AccessPath, Address, DynamicEntity, Error, FromRow, Pending, TableValue, Tables, Timestamp, Transaction,
    WriteResult,
    core::{entity_types::EntityInfo, old::Old, patch::Merge, table::table_of},
    write::{Intent, Write, key_changed},
};

/// The values of an entity, by the names of its fields in the design. Optional fields can be absent. The slots of a
/// series have the names of their properties.
pub type FieldValues = BTreeMap<String, Value>;

/// Access to the entities of a design by the values of their fields; see [`Designed::entities`](crate::Designed::entities).
#[derive(Clone, Debug)]
pub struct DesignedEntities {
    pub(super) tables: Tables,
    pub(super) kind: EntityInfo,
    pub(super) by: &'static DesignedEntity,
}

/// An entity of a design as it was read: its values and its version.
#[derive(Clone, Debug)]
pub struct StoredFields {
    fields: FieldValues,
    old: Old,
}

impl StoredFields {
    /// Returns the values.
    pub const fn fields(&self) -> &FieldValues {
        &self.fields
    }

    /// Returns the version.
    pub const fn etag(&self) -> &ETag {
        self.old.etag()
    }
}

impl DesignedEntities {
    /// Inserts an entity; see [`Tables::insert`].
    ///
    /// # Errors
    /// Returns [`Error::Property`] for an unknown field or an invalid value, and the errors of [`Tables::insert`].
    pub fn insert(&self, fields: &FieldValues) -> Pending<'_, WriteResult> {
        self.tables.write(self.inserted(fields))
    }

    fn inserted(&self, fields: &FieldValues) -> Result<Intent, Error> {
        Write::insert(self.by.state(self.kind, fields)?).map(Intent::Ready)
    }

    /// Reads an entity by the values of its key fields.
    ///
    /// # Errors
    /// Returns [`Error::Key`] if a value of the key is missing or invalid, and [`Error::Decode`] if the row contains
    /// something else.
    pub fn get(&self, key: &FieldValues) -> Pending<'_, Option<StoredFields>> {
        let address = self.by.address_of(key);
        Box::pin(async move { self.read(&address?).await })
    }

    /// Reads an entity by its keys. Returns `None` if the row does not exist or contains something else.
    ///
    /// # Errors
    /// Returns [`Error::Decode`] if the entity cannot be decoded.
    pub fn at(&self, partition_key: &str, row_key: &str) -> Pending<'_, Option<StoredFields>> {
        let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
        Box::pin(async move {
            self.read(&Address { table: table_of(self.by.design)?, partition_key, row_key }).await
        })
    }

    async fn read(&self, address: &Address) -> Result<Option<StoredFields>, Error> {
        let rows = self.tables.read(address, None).await?;
        let Some(row) = rows.get(0) else { return Ok(None) };
        let source = self.tables.source(address.table());
        let mut old = Old::of_row(self.kind, source, row)?;
        let row = DynamicEntity::from_row(source, row)?;
        let time = |name| Timestamp::take(row.value(name).cloned()).ok();
        if let Some(old) = &mut old {
            old.created = self.by.design.created.and_then(time);
        }
        let fields = self.fields_of(AccessPath::Own, &row);
        Ok(fields.zip(old).map(|(fields, old)| StoredFields { fields, old }))
    }

    /// Returns the values of a row with these keys and properties. Fields of the keys have the values in the keys. Returns
    /// `None` if the keys are not those of the entity.
    pub fn row_fields(
        &self,
        partition_key: &str,
        row_key: &str,
        properties: &Properties,
    ) -> Option<FieldValues> {
        let property = |name: &str| properties.get(name).cloned();
        self.by.values_of(AccessPath::Own, [partition_key, row_key], property)
    }

    /// Returns the values of a row of a path.
    pub(super) fn fields_of(&self, path: AccessPath, row: &DynamicEntity) -> Option<FieldValues> {
        let property = |name: &str| row.value(name).cloned();
        self.by.values_of(path, [row.partition_key(), row.row_key()], property)
    }

    /// Returns the address of an entity with these values.
    ///
    /// # Errors
    /// Returns [`Error::Key`] if a value of the key is missing or invalid.
    pub fn address(&self, fields: &FieldValues) -> Result<Address, Error> {
        self.by.address_of(fields)
    }

    /// Changes fields of an entity if it was not changed since it was read: by a merge, or, if an index row moves or the
    /// entity is soft-deleted, by a replacement.
    ///
    /// # Errors
    /// Returns [`Error::KeyChanged`] if a field of the entity's key changes, [`Error::Property`] for an unknown field or an
    /// invalid value, and the errors of [`Tables::replace`].
    pub fn update(&self, stored: &StoredFields, changes: &FieldValues) -> Pending<'_, WriteResult> {
        self.tables.write(self.updated(stored, changes))
    }

    fn updated(&self, stored: &StoredFields, changes: &FieldValues) -> Result<Intent, Error> {
        let old = stored.old.clone();
        let properties = self.by.properties_of(changes)?;
        // A soft-deleted entity has no rows elsewhere.
        let is_deletion =
            self.by.design.role(Role::SoftDelete).is_some_and(|name| properties.get(name).is_some());
        if is_deletion || changes.keys().any(|field| self.is_in_keys(field)) {
            let mut fields = stored.fields.clone();
            fields.extend(changes.clone());
            return self.replaced(stored, &fields);
        }
        Intent::merge(Merge {
            address: old.address.clone(),
            properties,
            puts: Vec::new(),
            old: Some(old),
            entity: Some(self.kind),
            read: None,
            is_blind: false,
        })
    }

    /// Replaces the values of an entity if it was not changed since it was read; see [`Tables::replace`]. Optional fields
    /// without a value are removed. Properties that the design does not declare remain.
    ///
    /// # Errors
    /// Returns the errors of [`update`](Self::update).
    pub fn replace(&self, stored: &StoredFields, fields: &FieldValues) -> Pending<'_, WriteResult> {
        self.tables.write(self.replaced(stored, fields))
    }

    fn replaced(&self, stored: &StoredFields, fields: &FieldValues) -> Result<Intent, Error> {
        let new = self.by.state(self.kind, fields)?;
        key_changed(&stored.old.address, &new.address)?;
        Write::over(&stored.old, new).map(Intent::Ready)
    }

    /// Returns whether a key, or the existence of an index row, depends on a field.
    fn is_in_keys(&self, field: &str) -> bool {
        let design = self.by.design;
        let own = [&design.partition, &design.row];
        let lists = design.indexes.iter().filter_map(|index| Some(&index.lookup.as_ref()?.list));
        let of_indexes = design.indexes.iter().flat_map(|index| [&index.partition, &index.row]);
        let mut keys = own.into_iter().chain(of_indexes).chain(lists);
        let mut conditions = self.by.indexes.iter().flat_map(|index| &index.when);
        keys.any(|template| holes(template).any(|(name, _)| name == field))
            || conditions
                .any(|(number, _)| self.by.fields.get(*number).is_some_and(|known| known.name == field))
    }

    /// Deletes an entity if it was not changed since it was read; see [`Tables::delete`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::delete`].
    pub fn delete(&self, stored: &StoredFields) -> Pending<'_, ()> {
        self.tables.send_delete(deleted(stored))
    }
}

impl Transaction<'_> {
    /// Adds an insert by field values; see [`DesignedEntities::insert`].
    pub fn insert_fields(self, entities: &DesignedEntities, fields: &FieldValues) -> Self {
        self.then(entities.inserted(fields))
    }

    /// Adds a change of field values; see [`DesignedEntities::update`].
    pub fn update_fields(
        self,
        entities: &DesignedEntities,
        stored: &StoredFields,
        changes: &FieldValues,
    ) -> Self {
        self.then(entities.updated(stored, changes))
    }

    /// Adds a replacement of field values; see [`DesignedEntities::replace`].
    pub fn replace_fields(
        self,
        entities: &DesignedEntities,
        stored: &StoredFields,
        fields: &FieldValues,
    ) -> Self {
        self.then(entities.replaced(stored, fields))
    }

    /// Adds a move of an entity that was read by its design to another key in its partition, with these values.
    pub fn move_fields(
        self,
        entities: &DesignedEntities,
        stored: &StoredFields,
        fields: &FieldValues,
    ) -> Self {
        let moved = entities.by.state(entities.kind, fields).and_then(|new| Write::moved(&stored.old, new));
        match moved {
            Ok(writes) => {
                writes.into_iter().fold(self, |transaction, write| transaction.then(Ok(Intent::Ready(write))))
            }
            Err(error) => self.then(Err(error)),
        }
    }

    /// Adds a delete of an entity that was read by its design; see [`DesignedEntities::delete`].
    pub fn delete_fields(self, stored: &StoredFields) -> Self {
        self.then(deleted(stored))
    }
}

fn deleted(stored: &StoredFields) -> Result<Intent, Error> {
    Write::delete(&stored.old).map(Intent::Ready)
}
