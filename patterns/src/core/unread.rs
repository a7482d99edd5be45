//! Properties of a row that its type does not declare. Typed writes keep them.

use table_model::{Name, Properties, RowRef, Value};

use crate::{
    AccessPath,
    core::{
        blob::reference::Reference,
        cross_partition_row::{SHOWN, SOURCE, STATE, TOKEN},
        reserved::{ENTITY_TYPE, TRANSACTION, entity_type},
        stamps,
    },
    design::{Design, Index},
};

/// Properties of a row that its type does not declare, for example those that a newer program added. Most rows have
/// none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unread(Option<Box<Properties>>);

impl Unread {
    pub(crate) const NONE: Self = Self(None);

    /// Returns the properties of a row that no version of its type declares, from the current version to the one that
    /// wrote the row.
    pub(crate) fn of(design: &'static Design, path: AccessPath, row: RowRef<'_>) -> Self {
        let writer = design.written_by(entity_type(row));
        let index = path.index(design).map(|index| index.name);
        let declares = |version: &Design, name: &str| {
            // An index row also contains the parts of the entity's key.
            let index = index.and_then(|index| version.index(index));
            version.stores(name) || index.is_some_and(|(_, index)| index.holds(name))
        };
        let is_known = |name: &str| {
            let mut version = Some(design);
            while let Some(known) = version {
                if declares(known, name) {
                    return true;
                }
                version = known.older.filter(|_| !std::ptr::eq(known, writer));
            }
            false
        };
        // A type without `EntityType` does not know the type of the row.
        let is_type = |name: &str| name == ENTITY_TYPE && design.entity_type.is_none();
        let is_unread = |name: &str| is_type(name) || !is_of_library(name) && !is_known(name);
        let names = row.properties.iter().filter(|(name, _)| is_unread(name));
        Self::holding(names.map(|(name, value)| (name.to_owned(), value.to_value())).collect())
    }

    fn holding(properties: Properties) -> Self {
        Self((!properties.is_empty()).then(|| Box::new(properties)))
    }

    /// Returns `true` if there are none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Iterates over the properties.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Name, &Value)> {
        let properties = self.0.iter().flat_map(|properties| properties.iter());
        properties.map(|(name, value)| (name, value))
    }

    /// Returns the properties.
    pub(crate) fn to_properties(&self) -> Properties {
        self.0.as_deref().cloned().unwrap_or_default()
    }

    /// Returns the properties whose names do not satisfy the predicate.
    pub(crate) fn without(&self, is_such: impl Fn(&str) -> bool) -> Self {
        let kept = self.iter().filter(|(name, _)| !is_such(name));
        Self::holding(kept.map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    /// Returns the name of a property whose value belongs to its row: an encrypted value, or the name of a blob.
    pub(crate) fn bound(&self) -> Option<&str> {
        let is_blob =
            |value: &Value| matches!(value, Value::String(text) if Reference::parse(text).is_some());
        self.first(|value| is_sealed(value) || is_blob(value))
    }

    /// Returns the name of a property whose value is encrypted.
    pub(crate) fn sealed(&self) -> Option<&str> {
        self.first(is_sealed)
    }

    fn first(&self, is_such: impl Fn(&Value) -> bool) -> Option<&str> {
        self.iter().find(|(_, value)| is_such(value)).map(|(name, _)| &**name)
    }

    /// Adds the properties to those that a row is written with, before those of the library.
    pub(crate) fn add_to(&self, properties: &mut Properties) {
        if !self.is_empty() {
            set_all(properties, self.iter());
        }
    }
}

/// Sets properties of a row. New ones are inserted before those of the library, which readers expect at the end.
pub(crate) fn set_all<'v>(properties: &mut Properties, values: impl Iterator<Item = (&'v Name, &'v Value)>) {
    let library = [TRANSACTION, ENTITY_TYPE].map(|name| Some((name, properties.remove(name)?)));
    for (name, value) in values {
        properties.set(name.clone(), value.clone());
    }
    for (name, value) in library.into_iter().flatten() {
        properties.remove(name);
        properties.push_new(name, value);
    }
}

/// Returns whether a value has the form of an encrypted value: version 1, and the size of an empty one at least.
fn is_sealed(value: &Value) -> bool {
    const SMALLEST: usize = 33;
    matches!(value, Value::Binary(bytes) if bytes.first() == Some(&1) && bytes.len() >= SMALLEST)
}

/// Returns whether the row of an index contains a property that the type does not declare. A part of the entity's key is
/// never taken from such a property.
pub(crate) fn is_copied(index: &Index, name: &str) -> bool {
    index.whole && !is_of_library(name) && !index.holds(name)
}

/// Returns whether the library sets a property of this name with each write of a row.
pub(crate) fn is_of_library(name: impl AsRef<[u8]>) -> bool {
    let name = name.as_ref();
    let is = |known: &str| name == known.as_bytes();
    is(ENTITY_TYPE) || name.first() == Some(&b'_') && LIBRARY.into_iter().any(is)
}

const LIBRARY: [&str; 7] = [TRANSACTION, STATE, SOURCE, SHOWN, TOKEN, stamps::ALL, stamps::OWN];
