//! Untyped entities: rows of any type, as a set of properties.

use std::{any::type_name, collections::BTreeMap, fmt};

use table_model::{Name, Properties, RowRef, TableName, Value};

use crate::{
    Address, BlobError, Error, FromRow, Loaded, Patch, Source, Stored, TableValue, ValueError,
    core::{
        blob::{name::BlobPlace, put::Put, reference::Reference},
        entity::Writable,
        error::{DecodeError, PropertyValueError, RowError, property::PropertyError},
        old::Old,
        patch::PatchTarget,
        reserved::{ENTITY_TYPE, TRANSACTION},
    },
};

/// An untyped entity: a row as a set of properties, for code that does not use its type (`G-HET-2`).
///
/// ```
/// use table_patterns::prelude::*;
///
/// # fn main() -> table_patterns::Result<()> {
/// let tables = Tables::in_memory()?;
/// let mut department = DynamicEntity::new("Employees", "Sales", "department")?;
/// department.set("EmployeeCount", 6);
/// tables.blocking().insert(&department)?;
///
/// // Raise the count, only if nobody else writes in between (G-HET-3).
/// let point = DynamicEntity::point("Employees", "Sales", "department");
/// if let Some(mut department) = tables.blocking().get(&point)? {
///     let count: i32 = department.get("EmployeeCount")?.unwrap_or_default();
///     department.set("EmployeeCount", count + 1);
///     tables.blocking().merge(department.changes())?;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct DynamicEntity {
    address: Address,
    properties: Properties,
    /// Names of the properties that were set since the entity was read.
    set: Vec<Name>,
    /// Names of the properties that were removed since the entity was read.
    removed: Vec<Name>,
    /// Names of the properties that were decrypted. Errors and `Debug` do not show their values.
    decrypted: Vec<Name>,
}

impl DynamicEntity {
    /// Creates an entity without properties.
    ///
    /// # Errors
    /// Returns [`Error::Service`] if the table name is invalid.
    pub fn new(
        table: impl Into<String>,
        partition_key: impl Into<String>,
        row_key: impl Into<String>,
    ) -> Result<Self, Error> {
        let address = Address {
            table: TableName::new(table)?,
            partition_key: partition_key.into(),
            row_key: row_key.into(),
        };
        Ok(Self::of(address, Properties::new(), Vec::new()))
    }

    const fn of(address: Address, properties: Properties, decrypted: Vec<Name>) -> Self {
        Self { address, properties, set: Vec::new(), removed: Vec::new(), decrypted }
    }

    fn is_decrypted(&self, name: &str) -> bool {
        self.decrypted.iter().any(|decrypted| decrypted == name)
    }

    /// Returns the address: the table and both keys.
    pub const fn address(&self) -> &Address {
        &self.address
    }

    /// Returns the partition key.
    pub fn partition_key(&self) -> &str {
        &self.address.partition_key
    }

    /// Returns the row key.
    pub fn row_key(&self) -> &str {
        &self.address.row_key
    }

    /// Returns the `EntityType` property, if present.
    pub fn entity_type(&self) -> Option<&str> {
        match self.properties.get(ENTITY_TYPE) {
            Some(Value::String(name)) => Some(name),
            _ => None,
        }
    }

    /// Decodes a property into a Rust type. Returns `Ok(None)` if the property does not exist.
    ///
    /// # Errors
    /// Returns [`Error::Property`] if the value cannot be decoded as `T`.
    pub fn get<T: TableValue>(&self, name: &str) -> Result<Option<T>, Error> {
        let Some(value) = self.properties.get(name).cloned() else { return Ok(None) };
        let found = value.edm_type();
        T::from_value(value).map(Some).map_err(|reason| {
            let is_hidden = self.is_decrypted(name);
            let reason = if is_hidden { reason.hidden(type_name::<T>(), Some(found)) } else { reason };
            PropertyValueError { entity: "Entity", property: format!("{name} of {}", self.address), reason }
                .into()
        })
    }

    /// Returns the stored value of a property.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.properties.get(name)
    }

    /// Sets a property. For a Rust type that is not an EDM type: `set("Size", size.to_value()?)`.
    pub fn set(&mut self, name: impl Into<Name>, value: impl Into<Value>) {
        let name = name.into();
        self.removed.retain(|known| *known != name);
        if !self.set.contains(&name) {
            self.set.push(name.clone());
        }
        self.properties.set(name, value);
    }

    /// Removes a property and returns its value. Write the entity with `replace` to remove the property from the store;
    /// a merge cannot remove properties.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let value = self.properties.remove(name)?;
        self.set.retain(|known| known != name);
        self.removed.push(name.to_owned().into());
        Some(value)
    }

    /// Returns an iterator over all properties, in stored order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.properties.iter().map(|(name, value)| (name.as_ref(), value))
    }

    /// Rejects a property that was set to a reference to the blob of another entity. Properties that were read are not
    /// checked.
    fn check_blobs(&self) -> Result<(), Error> {
        for property in &self.set {
            let Some(Value::String(text)) = self.properties.get(property) else { continue };
            let Some(Reference { name: blob, .. }) = Reference::of_text(text) else { continue };
            if BlobPlace::is_name(&blob) && !BlobPlace::is_of(&self.address, &blob) {
                let (owner, property) = (Box::new(self.address.clone()), property.to_string());
                return Err(BlobError::NotOwned { owner, property, blob }.into());
            }
        }
        Ok(())
    }

    /// Returns the number of properties.
    pub fn len(&self) -> usize {
        self.properties.len()
    }

    /// Returns whether the entity has no properties.
    pub fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }
}

impl PartialEq for DynamicEntity {
    fn eq(&self, other: &Self) -> bool {
        // Whether a value was encrypted in the store is not part of the entity.
        let Self { address, properties, set, removed, decrypted: _ } = self;
        (address, properties, set, removed) == (&other.address, &other.properties, &other.set, &other.removed)
    }
}

impl fmt::Debug for DynamicEntity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.properties.iter().map(|(name, value)| {
            let value: &dyn fmt::Debug = if self.is_decrypted(name) { &"<encrypted>" } else { value };
            (name, value)
        });
        let properties: BTreeMap<_, _> = shown.collect();
        f.debug_struct("DynamicEntity")
            .field("address", &self.address)
            .field("properties", &properties)
            .field("set", &self.set)
            .field("removed", &self.removed)
            .finish_non_exhaustive()
    }
}

impl Stored<DynamicEntity> {
    /// Returns the properties that were set since the entity was read, as a patch that is applied only if no other
    /// client changed the entity.
    ///
    /// The patch fails with [`Error::RemovedByMerge`] if a property was removed.
    pub fn changes(&self) -> Patch<DynamicEntity, Loaded> {
        let bag: &DynamicEntity = self;
        let properties = match bag.removed.first() {
            Some(property) => Err(Error::RemovedByMerge {
                address: Box::new(bag.address.clone()),
                property: property.to_string(),
            }),
            None => bag.check_blobs().map(|()| {
                let set = bag.properties.iter().filter(|(name, _)| bag.set.contains(name));
                set.map(|(name, value)| (name.clone(), value.clone())).collect()
            }),
        };
        Patch::loaded(Old::of(self)).with(properties)
    }
}

impl Writable for DynamicEntity {
    fn whereabouts(&self) -> Result<Address, Error> {
        Ok(self.address.clone())
    }

    fn contents(&self) -> Result<(Properties, Vec<Put>), Error> {
        self.check_blobs()?;
        Ok((self.properties.clone(), Vec::new()))
    }

    fn has_unknown_rows(&self) -> bool {
        self.properties.get(TRANSACTION).is_some()
    }

    fn stored(source: Source<'_>, row: RowRef<'_>) -> Result<Stored<Self>, Error> {
        Ok(Self::from_row(source, row)?)
    }
}

impl PatchTarget for DynamicEntity {}

impl FromRow for DynamicEntity {
    type Out = Stored<Self>;

    fn select_keys() -> Option<Vec<Name>> {
        Some(vec!["PartitionKey".into(), "RowKey".into()])
    }

    fn from_row(source: Source<'_>, row: RowRef<'_>) -> Result<Stored<Self>, DecodeError> {
        let (Some(partition_key), Some(row_key)) = (row.partition_key, row.row_key) else {
            return Err(DecodeError {
                entity: "Entity",
                partition_key: String::new(),
                row_key: String::new(),
                problem: Box::new(RowError::NoKeys),
            });
        };
        let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
        let address = Address { table: source.table.clone(), partition_key, row_key };
        let mut properties = row.properties.to_properties();
        let decrypted = match open(source, &address, &mut properties) {
            Ok(decrypted) => decrypted,
            Err(problem) => {
                let Address { partition_key, row_key, .. } = address;
                let problem = Box::new(RowError::Property(problem));
                return Err(DecodeError { entity: "Entity", partition_key, row_key, problem });
            }
        };
        let bag = Self::of(address, properties, decrypted);
        Ok(Stored::new(bag, row.etag.clone(), row.timestamp.unwrap_or(table_model::Timestamp::MIN)))
    }
}

/// Decrypts the properties that the handle's resolver selects, and returns their names.
fn open(
    source: Source<'_>,
    address: &Address,
    properties: &mut Properties,
) -> Result<Vec<Name>, PropertyError> {
    let Some(sealing) = source.sealing else { return Ok(Vec::new()) };
    let place = address.place();
    let names = properties.iter().map(|(name, _)| name);
    let names: Vec<Name> = names.filter(|name| sealing.resolves(place, name)).cloned().collect();
    for name in &names {
        let Some(stored) = properties.get(name) else { continue };
        match sealing.open(place, name, stored.as_ref()) {
            Ok(value) => properties.set(name.clone(), value),
            Err(reason) => {
                return Err(PropertyError { property: name.clone(), reason: ValueError::Encrypted(reason) });
            }
        }
    }
    Ok(names)
}
