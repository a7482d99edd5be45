//! Properties of a row that its type does not declare. Typed writes keep them.

use table_model::{Name, Properties, RowRef, Value};

use crate::{
    AccessPath,
    core::{
        reserved::{ENTITY_TYPE, TRANSACTION},
        row::entity_type,
    },
    design::Design,
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
        let names = row.properties.iter().filter(|(name, _)| !is_of_library(name) && !is_known(name));
        let unread: Properties = names.map(|(name, value)| (name.to_owned(), value.to_value())).collect();
        Self((!unread.is_empty()).then(|| Box::new(unread)))
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
    for (name, value) in values.filter(|(name, _)| !is_of_library(name.as_bytes())) {
        properties.set(name.clone(), value.clone());
    }
    for (name, value) in library.into_iter().flatten() {
        properties.push_new(name, value);
    }
}

/// Returns whether the library stores a property of this name in rows of entities.
pub(crate) fn is_of_library(name: impl AsRef<[u8]>) -> bool {
    let name = name.as_ref();
    name.first() == Some(&b'_') || name == ENTITY_TYPE.as_bytes()
}
