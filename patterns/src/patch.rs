//! Patches: changes of some properties of an entity.

use std::{fmt, marker::PhantomData};

use table_model::{Condition, Properties};

use crate::{
    Address, Error, Field, Large, Series, TableEntity,
    design::Design,
    entity::ENTITY_TYPE,
    error::PropertyOf,
    large::{Blobs, Put},
    properties::{PropertyError, Writer},
    sealing::Secrets,
    sink::copies::copied_property,
    wide::Layout,
    write::{CopyWrite, Far, FeedChange, Old, ReadOld},
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
pub trait PatchState: sealed::Sealed + Send + 'static {}

mod sealed {
    use super::Merge;
    use crate::{
        derived::{NO_TOKEN, TRANSACTION},
        large::Blobs,
        write::{CopyWrite, Far, FeedChange},
    };

    pub trait Sealed {
        /// `true` if the previous state of the entity is available.
        const IS_LOADED: bool;

        /// Sets the condition of the merge, and its changes of index rows.
        fn settle(self, merge: &mut Merge);
    }

    impl Sealed for super::ByKey {
        const IS_LOADED: bool = false;

        /// All setters are of properties that no index contains.
        fn settle(self, _merge: &mut Merge) {}
    }

    impl Sealed for super::Loaded {
        const IS_LOADED: bool = true;

        fn settle(self, merge: &mut Merge) {
            let Some(old) = self.0 else { return };
            merge.condition = old.condition_of_entity();
            if merge.layout.is_some() {
                merge.old = Some(old);
                return;
            }
            merge.copies = CopyWrite::merge(&old, &merge.properties);
            merge.far = Far::of_patch(&old, |name| merge.properties.get(name).is_some());
            merge.feeds = FeedChange::of_patch(&old, &merge.properties);
            let puts = std::mem::take(&mut merge.puts);
            merge.blobs = Blobs::patch(&old, puts, &mut merge.properties, &mut merge.far.touches);
            if !merge.copies.is_empty() || !merge.far.touches.is_empty() {
                merge.properties.set(TRANSACTION, NO_TOKEN);
            }
            merge.old = Some(old);
        }
    }
}

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

    /// Sets one slot of a series. A missing slot is reported when the patch is sent.
    #[doc(hidden)]
    pub fn set_slot<T: 'static, const N: usize>(&mut self, series: &Series<[T; N]>, slot: usize, value: &T) {
        self.write(|into| series.put_slot(slot, value, into));
    }

    /// Sets the value of a blob field.
    #[doc(hidden)]
    pub fn set_blob<T>(&mut self, field: &Large<T>, value: &T) {
        self.write(|into| field.put(value, into));
    }

    fn write(&mut self, put: impl FnOnce(&mut Writer) -> Result<(), PropertyError>) {
        let Ok(properties) = &mut self.properties else { return };
        let mut writer = Writer::with_capacity(1);
        match put(&mut writer) {
            Ok(()) => {
                let (written, puts) = writer.into_parts();
                for put in puts {
                    // The previous value may have been short enough for the property. This value is not.
                    properties.remove(&put.property);
                    self.puts.retain(|other| other.property != put.property);
                    self.puts.push(put);
                }
                for (name, value) in written {
                    properties.set(name, value);
                }
            }
            Err(error) => self.properties = Err(PropertyOf::new(E::DESIGN.name, error).into()),
        }
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
}

/// A patch that is ready to send.
#[derive(Debug)]
#[doc(hidden)]
pub struct Merge {
    pub(crate) address: Address,
    pub(crate) properties: Properties,
    pub(crate) condition: Condition,
    /// Merges of the entity's index rows in its partition.
    pub(crate) copies: Vec<CopyWrite>,
    /// Affected rows in other partitions.
    pub(crate) far: Far,
    /// Values of blob fields that the patch sets, and the resulting changes of blobs.
    pub(crate) puts: Vec<Put>,
    pub(crate) blobs: Blobs,
    pub(crate) entity_type: Option<&'static str>,
    pub(crate) has_rules: bool,
    /// Changes of the entity's contributions to aggregates in its partition.
    pub(crate) feeds: Vec<FeedChange>,
    /// Reader for the entity, if other entities keep values in its row.
    pub(crate) sink: Option<ReadOld>,
    /// Properties that are encrypted.
    pub(crate) secrets: Secrets,
    /// Distribution of a wide entity over its rows, and its previous state.
    pub(crate) layout: Option<Layout>,
    pub(crate) old: Option<Old>,
    /// Design of the entity. `None` for an untyped entity.
    pub(crate) design: Option<&'static Design>,
}

impl<E: PatchTarget, S: PatchState> IntoMerge for Patch<E, S> {
    fn into_merge(self) -> Result<Merge, Error> {
        let mut merge = Merge {
            address: self.address?,
            properties: self.properties?,
            condition: Condition::Exists,
            copies: Vec::new(),
            far: Far::NONE,
            puts: self.puts,
            blobs: Blobs::NONE,
            entity_type: E::entity_type(),
            has_rules: E::has_rules(),
            feeds: Vec::new(),
            sink: E::sink(),
            secrets: E::secrets(),
            layout: E::wide().and_then(Layout::of),
            old: None,
            design: E::design(),
        };
        E::check(&merge.properties, S::IS_LOADED)?;
        self.state.settle(&mut merge);
        Ok(merge)
    }
}

/// Types that can be patched: entity types and the untyped entity.
#[doc(hidden)]
pub trait PatchTarget {
    /// Returns the `EntityType` that an insert-or-merge writes.
    fn entity_type() -> Option<&'static str>;

    /// Returns whether a write affects more than the entity's own row.
    fn has_rules() -> bool;

    /// Returns the reader for the entity, if other entities keep values in its row.
    fn sink() -> Option<ReadOld> {
        None
    }

    /// Returns an error if a patch must not set a property.
    fn check(_properties: &Properties, _is_loaded: bool) -> Result<(), Error> {
        Ok(())
    }

    /// Returns which of the properties are encrypted.
    fn secrets() -> Secrets;

    /// Returns the design, or `None` for an untyped entity.
    fn design() -> Option<&'static Design> {
        None
    }

    /// Returns the design, if the entity is split over several rows.
    fn wide() -> Option<&'static Design> {
        None
    }
}

impl<E: TableEntity> PatchTarget for E {
    fn entity_type() -> Option<&'static str> {
        E::DESIGN.entity_type
    }

    fn has_rules() -> bool {
        E::DESIGN.has_rules()
    }

    fn sink() -> Option<ReadOld> {
        (!E::DESIGN.fed.is_empty()).then(ReadOld::of::<E>)
    }

    fn check(properties: &Properties, is_loaded: bool) -> Result<(), Error> {
        let entity = E::DESIGN;
        let sets = |name: &str| properties.get(name).is_some();
        if !is_loaded && let Some((property, sink)) = copied_property(entity, sets) {
            return Err(Error::CopiedElsewhere { entity: entity.name, property, sink: sink.name });
        }
        for feed in entity.feeds {
            let sink = (feed.sink)();
            let stored = sink.key.iter().filter_map(|field| entity.property_of(field.field));
            if let Some(property) =
                stored.map(|stored| stored.name).find(|name| properties.get(name).is_some())
            {
                return Err(Error::DecidesSink { entity: entity.name, property, sink: sink.name });
            }
        }
        Ok(())
    }

    fn secrets() -> Secrets {
        Secrets::of(E::DESIGN)
    }

    fn design() -> Option<&'static Design> {
        Some(E::DESIGN)
    }

    fn wide() -> Option<&'static Design> {
        E::DESIGN.wide.map(|_| E::DESIGN)
    }
}

impl Merge {
    /// Returns the entity of an insert-or-merge, with its `EntityType`, because it may be the first write of the row.
    pub(crate) fn into_first_write(self) -> (Address, Properties) {
        let mut properties = self.properties;
        if let Some(entity_type) = self.entity_type {
            properties.set(ENTITY_TYPE, entity_type);
        }
        (self.address, properties)
    }
}
