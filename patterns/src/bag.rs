//! Rows of whatever kind, property by property.

use table_store::{Name, Properties, RowRef, TableName, Value};

use crate::{
    Address, BlobError, Error, FromRow, Loaded, Patch, PointQuery, Source, Stored, TableValue, ValueError,
    derived::TRANSACTION,
    entity::{ENTITY_TYPE, Writable},
    error::{DecodeError, PropertyOf, RowProblem},
    large::{BlobPlace, Reference},
    patch::PatchTarget,
    properties::PropertyError,
    sealing::Secrets,
    write::Old,
};

/// A row as a bag of properties, for code that does not know its type (`G-HET-2`).
///
/// ```
/// use table_patterns::prelude::*;
///
/// # fn main() -> table_patterns::Result<()> {
/// let tables = Tables::in_memory()?;
/// let mut department = Entity::new("Employees", "Sales", "department")?;
/// department.set("EmployeeCount", 6);
/// tables.blocking().insert(&department)?;
///
/// // Raise the count, only if nobody else writes in between (G-HET-3).
/// let point = Entity::point("Employees", "Sales", "department");
/// if let Some(mut department) = tables.blocking().get(&point)? {
///     let count: i32 = department.get("EmployeeCount")?.unwrap_or_default();
///     department.set("EmployeeCount", count + 1);
///     tables.blocking().merge(department.changes())?;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    address: Address,
    properties: Properties,
    /// Names that were set since it was read.
    set: Vec<Name>,
    /// Names that were removed since it was read.
    removed: Vec<Name>,
}

impl Entity {
    /// A bag without properties.
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
        Ok(Self { address, properties: Properties::new(), set: Vec::new(), removed: Vec::new() })
    }

    /// Asks for one row.
    pub fn point(
        table: impl Into<String>,
        partition_key: impl Into<String>,
        row_key: impl Into<String>,
    ) -> PointQuery<Self> {
        PointQuery::at(Self::new(table, partition_key, row_key).map(|bag| bag.address), "Entity")
    }

    /// The table, and the keys in it.
    pub const fn address(&self) -> &Address {
        &self.address
    }

    /// The PartitionKey.
    pub fn partition_key(&self) -> &str {
        &self.address.partition_key
    }

    /// The RowKey.
    pub fn row_key(&self) -> &str {
        &self.address.row_key
    }

    /// The `EntityType`, if it has one.
    pub fn entity_type(&self) -> Option<&str> {
        match self.properties.get(ENTITY_TYPE) {
            Some(Value::String(name)) => Some(name),
            _ => None,
        }
    }

    /// A property as a Rust type; `Ok(None)` if it is absent.
    pub fn get<T: TableValue>(&self, name: &str) -> Result<Option<T>, Error> {
        let value = self.properties.get(name).cloned().map(T::from_value).transpose();
        value.map_err(|why| {
            PropertyOf { entity: "Entity", property: format!("{name} of {}", self.address), why }.into()
        })
    }

    /// A property as it is stored.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.properties.get(name)
    }

    /// Sets a property. For a type that is not an EDM type by itself: `set("Size", size.to_value()?)`.
    pub fn set(&mut self, name: impl Into<Name>, value: impl Into<Value>) {
        let name = name.into();
        self.removed.retain(|known| *known != name);
        if !self.set.contains(&name) {
            self.set.push(name.clone());
        }
        self.properties.set(name, value);
    }

    /// Takes a property out. It goes from the store by `replace`; a merge cannot remove.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let value = self.properties.remove(name)?;
        self.set.retain(|known| known != name);
        self.removed.push(name.to_owned().into());
        Some(value)
    }

    /// All properties, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.properties.iter().map(|(name, value)| (name.as_ref(), value))
    }

    /// Rejects a property that was set to a reference to the blob of another entity. What was read is left as it is.
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

    /// How many properties it has.
    pub fn len(&self) -> usize {
        self.properties.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }
}

impl Stored<Entity> {
    /// What was set since it was read, as a patch that goes through only if nobody else wrote in between.
    pub fn changes(&self) -> Patch<Entity, Loaded> {
        let bag: &Entity = self;
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

impl Writable for Entity {
    fn whereabouts(&self) -> Result<Address, Error> {
        Ok(self.address.clone())
    }

    fn properties(&self) -> Result<Properties, Error> {
        self.check_blobs()?;
        Ok(self.properties.clone())
    }

    fn has_unknown_rows(&self) -> bool {
        self.properties.get(TRANSACTION).is_some()
    }

    fn secrets() -> Secrets {
        Secrets::Resolved
    }

    fn stored(source: Source<'_>, row: RowRef<'_>) -> Result<Stored<Self>, Error> {
        Ok(Self::from_row(source, row)?)
    }
}

impl PatchTarget for Entity {
    fn entity_type() -> Option<&'static str> {
        None
    }

    fn has_rules() -> bool {
        false
    }

    fn secrets() -> Secrets {
        Secrets::Resolved
    }
}

impl FromRow for Entity {
    type Out = Stored<Self>;

    fn from_row(source: Source<'_>, row: RowRef<'_>) -> Result<Stored<Self>, DecodeError> {
        let (Some(partition_key), Some(row_key)) = (row.partition_key, row.row_key) else {
            return Err(DecodeError {
                entity: "Entity",
                partition_key: String::new(),
                row_key: String::new(),
                problem: Box::new(RowProblem::NoKeys),
            });
        };
        let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
        let address = Address { table: source.table.clone(), partition_key, row_key };
        let mut properties = row.properties.to_properties();
        if let Err(problem) = open(source, &address, &mut properties) {
            let Address { partition_key, row_key, .. } = address;
            let problem = Box::new(RowProblem::Property(problem));
            return Err(DecodeError { entity: "Entity", partition_key, row_key, problem });
        }
        let bag = Self { address, properties, set: Vec::new(), removed: Vec::new() };
        Ok(Stored::new(bag, row.etag.clone(), row.timestamp.unwrap_or(table_store::Timestamp::MIN)))
    }
}

/// Opens the properties that the handle's resolver names.
fn open(source: Source<'_>, address: &Address, properties: &mut Properties) -> Result<(), PropertyError> {
    let Some(sealing) = source.sealing else { return Ok(()) };
    let place = address.place();
    let names = properties.iter().map(|(name, _)| name);
    let names: Vec<Name> = names.filter(|name| sealing.resolves(place, name)).cloned().collect();
    for name in names {
        let Some(stored) = properties.get(&name) else { continue };
        match sealing.open(place, &name, stored.as_ref()) {
            Ok(value) => properties.set(name, value),
            Err(why) => return Err(PropertyError { property: name, why: ValueError::Sealed(why) }),
        }
    }
    Ok(())
}
