//! Patches: changes of some properties of an entity.

use std::{fmt, marker::PhantomData};

use table_model::Properties;

use crate::{
    Address, Error, Field, Large, Stored, TableEntity,
    core::{
        blob::put::Put,
        entity_types::EntityInfo,
        error::{PropertyValueError, property::PropertyError},
        old::{Old, ReadOld},
        properties::Writer,
    },
};

/// State of a patch by key, which is applied to any version. It has no setters for fields that a key or an index row
/// depends on.
#[derive(Clone, Copy, Debug)]
pub struct ByKey;

/// State of a patch of an entity that was read, which is applied only if the entity still has that version. Index rows
/// in the same partition are updated with it.
#[derive(Clone, Debug)]
pub struct Loaded(Option<Old>);

/// State of a patch: [`ByKey`] or [`Loaded`].
pub trait PatchState: sealed::Encrypted + Send + 'static {}

mod sealed {
    use super::Merge;

    /// State that the patch refers to.
    pub trait Encrypted {
        fn put_into(self, merge: &mut Merge);
    }

    impl Encrypted for super::ByKey {
        fn put_into(self, _merge: &mut Merge) {}
    }

    impl Encrypted for super::Loaded {
        fn put_into(self, merge: &mut Merge) {
            merge.old = self.0;
        }
    }
}

/// State of a patch that can set fields of index rows: [`Loaded`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "only a patch of a stored entity can set this field",
    label = "this patch has only the key",
    note = "index rows contain the field, or its previous blob must be deleted; read the entity, and write \
            `merge(stored.patch()..)`"
)]
pub trait PatchesStored {}

impl PatchesStored for Loaded {}

/// Never implemented. The trait exists for its diagnostic message, as do the following ones.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a patch cannot set a field of the key",
    label = "part of the key",
    note = "the key identifies the entity; delete the entity, and insert it with the other key"
)]
pub trait PatchesKey {}

#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a patch cannot set a field that determines index rows",
    label = "determines the keys or the existence of index rows",
    note = "use `update` or `replace`, which move the index rows"
)]
pub trait PatchesIndexKey {}

#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a patch cannot set a field that the condition `when = {Condition}` may read",
    label = "may decide which index or aggregate contains the entity",
    note = "use `update` or `replace`, which evaluate the condition"
)]
pub trait PatchesCondition<Condition> {}

#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a patch cannot set a field that other entities maintain",
    label = "an aggregate or a copy of other entities",
    note = "write the entities that the value is computed from"
)]
pub trait PatchesAggregate {}

#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a patch cannot set a time that the library sets",
    label = "set by each write",
    note = "remove `created` or `updated` from the field if the program sets it"
)]
pub trait PatchesStamp {}

impl PatchState for ByKey {}
impl PatchState for Loaded {}

/// Changes of some properties of an entity. The generated patch has typed setters for it.
///
/// It is sent as a merge, which preserves properties that it does not name. A merge cannot remove a property; use
/// [`replace`](crate::Tables::replace) instead.
#[must_use = "a patch does nothing until it is merged"]
pub struct Patch<E, S = ByKey> {
    address: Result<Address, Error>,
    properties: Result<Properties, Error>,
    /// Values of blob fields. Only the last value of each field is kept.
    puts: Vec<Put>,
    state: S,
    entity: PhantomData<fn() -> E>,
}

// Implemented manually, so that `E` need not implement `Clone` or `Debug`.
impl<E, S: Clone> Clone for Patch<E, S> {
    fn clone(&self) -> Self {
        let patch = Self::new(self.address.clone(), self.state.clone()).with(self.properties.clone());
        Self { puts: self.puts.clone(), ..patch }
    }
}

impl<E, S: fmt::Debug> fmt::Debug for Patch<E, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, properties, puts, state, entity: _ } = self;
        f.debug_struct("Patch")
            .field("address", address)
            .field("properties", properties)
            .field("puts", puts)
            .field("state", state)
            .finish()
    }
}

impl<E> Patch<E, ByKey> {
    /// Creates a patch of the entity at `address`, in any version.
    #[doc(hidden)]
    pub fn by_key(address: Result<Address, Error>) -> Self {
        Self::new(address, ByKey)
    }
}

impl<E> Patch<E, Loaded> {
    pub(crate) fn loaded(old: Result<Old, Error>) -> Self {
        match old {
            Ok(old) => Self::new(Ok(old.address.clone()), Loaded(Some(old))),
            Err(error) => Self::new(Err(error), Loaded(None)),
        }
    }
}

impl<E: TableEntity> Stored<E> {
    /// Creates a patch: a merge that succeeds only if no other client changed the entity since it was read.
    pub fn patch(&self) -> E::Patch<Loaded> {
        Patch::loaded(Old::of(self)).into()
    }
}

impl<E, S> Patch<E, S> {
    fn new(address: Result<Address, Error>, state: S) -> Self {
        Self { address, properties: Ok(Properties::new()), puts: Vec::new(), state, entity: PhantomData }
    }

    /// Sets the properties, or the error that is reported when the patch is sent.
    pub(crate) fn with(mut self, properties: Result<Properties, Error>) -> Self {
        self.properties = properties;
        self
    }
}

impl<E: TableEntity, S> Patch<E, S> {
    /// Sets a property. An invalid value is reported when the patch is sent.
    #[doc(hidden)]
    pub fn set<T, Form>(&mut self, field: &Field<T, Form>, value: &T) {
        self.write(|into| field.put(value, into));
    }

    /// Sets the value of a blob field.
    #[doc(hidden)]
    pub fn set_blob<T>(&mut self, field: &Large<T>, value: &T) {
        self.write(|into| field.put(value, into));
    }

    /// Sets properties that are already encoded, or the error that is reported when the patch is sent.
    pub(crate) fn set_all(&mut self, changes: Result<Properties, PropertyError>) {
        match (&mut self.properties, changes) {
            (Ok(properties), Ok(changes)) => {
                for (name, value) in changes {
                    properties.set(name, value);
                }
            }
            (Ok(_), Err(error)) => {
                self.properties = Err(PropertyValueError::new(E::DESIGN.name, error).into());
            }
            (Err(_), _) => {}
        }
    }

    pub(crate) fn write(&mut self, put: impl FnOnce(&mut Writer) -> Result<(), PropertyError>) {
        let Ok(properties) = &mut self.properties else { return };
        let mut writer = Writer::with_capacity(1);
        let written = put(&mut writer).map(|()| {
            let (written, puts) = writer.into_parts();
            for put in puts {
                // The previous value may have been short enough for the property. This value is not.
                properties.remove(&put.property);
                self.puts.retain(|other| other.property != put.property);
                self.puts.push(put);
            }
            written
        });
        self.set_all(written);
    }
}

/// Argument of [`Tables::merge`](crate::Tables::merge): a generated patch, a [`Patch`], or the changes of an untyped
/// entity.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a patch",
    label = "not a patch",
    note = "write `merge(Employee::patch(..).age(35))`, or `merge(stored.patch().age(35))`"
)]
pub trait IntoMerge {
    /// Returns the merge to send.
    #[doc(hidden)]
    fn into_merge(self) -> Result<Merge, Error>;

    /// Sends a patch by key in one request, without reading the row.
    ///
    /// A type that declares a `version` reads the row first, so that a patch never sets properties of one version in a
    /// row of another. Without the read, a row of another version has properties of both, and readers of its version
    /// ignore those of the patch. A patch of an entity that was read has its version as a condition and is not changed.
    ///
    /// ```
    /// use table_patterns::prelude::*;
    ///
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Users", partition = "{tenant}", row = "{id:06}", version = 1)]
    /// struct User { tenant: String, id: u32, visits: i32 }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.insert(&User { tenant: "a".into(), id: 1, visits: 1 }).await?;
    /// // All versions have this property with the same meaning.
    /// tables.merge(User::patch("a", 1).visits(2).blind()).await?;
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    fn blind(self) -> BlindPatch<Self>
    where
        Self: Sized,
    {
        BlindPatch(self)
    }
}

/// A patch that is ready to send.
#[derive(Debug)]
#[doc(hidden)]
pub struct Merge {
    pub(crate) address: Address,
    pub(crate) properties: Properties,
    /// Values of blob fields that the patch sets.
    pub(crate) puts: Vec<Put>,
    /// State that the patch refers to. `None` for a patch by key.
    pub(crate) old: Option<Old>,
    /// Entity type. `None` for an untyped entity.
    pub(crate) entity: Option<EntityInfo>,
    /// Reader for the entity. `None` for an untyped entity.
    pub(crate) read: Option<ReadOld>,
    /// `true` if the row is not read to check its version.
    pub(crate) is_blind: bool,
}

/// A patch by key that is sent without reading the row: see [`IntoMerge::blind`].
#[derive(Clone, Debug)]
#[must_use = "a patch does nothing until it is merged"]
pub struct BlindPatch<P>(P);

impl<P: IntoMerge> IntoMerge for BlindPatch<P> {
    fn into_merge(self) -> Result<Merge, Error> {
        let merge = self.0.into_merge()?;
        let is_fed = merge.entity.is_some_and(|kind| !kind.newest().fed.is_empty());
        // Loaded patches are not blind. The row of a target of other entities may have no entity.
        Ok(Merge { is_blind: merge.old.is_none() && !is_fed, ..merge })
    }
}

impl IntoMerge for Merge {
    fn into_merge(self) -> Result<Merge, Error> {
        Ok(self)
    }
}

impl<E: PatchTarget, S: PatchState> IntoMerge for Patch<E, S> {
    fn into_merge(self) -> Result<Merge, Error> {
        let (address, properties, puts) = (self.address?, self.properties?, self.puts);
        let (entity, read) = (E::patched(), E::read());
        let mut merge = Merge { address, properties, puts, old: None, entity, read, is_blind: false };
        self.state.put_into(&mut merge);
        Ok(merge)
    }
}

/// Types that can be patched: entity types and the untyped entity.
#[doc(hidden)]
pub trait PatchTarget {
    /// Returns the entity type, or `None` for an untyped entity.
    fn patched() -> Option<EntityInfo> {
        None
    }

    /// Returns the reader for the entity, or `None` for an untyped entity.
    fn read() -> Option<ReadOld> {
        None
    }
}

impl<E: TableEntity> PatchTarget for E {
    fn patched() -> Option<EntityInfo> {
        Some(EntityInfo::of::<E>())
    }

    fn read() -> Option<ReadOld> {
        Some(ReadOld::of::<E>())
    }
}
