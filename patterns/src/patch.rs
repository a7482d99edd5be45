//! Changes of some properties of an entity.

use std::{fmt, marker::PhantomData};

use table_store::{Condition, Properties};

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

/// A patch by key: no version is asked for. The fields that a key or a copy depends on have no setter on it.
#[derive(Clone, Copy, Debug)]
pub struct ByKey;

/// A patch of what was read: it goes through only if the entity still has the version that was read. The rows of its
/// indexes in its partition change with it.
#[derive(Clone, Debug)]
pub struct Loaded(Option<Old>);

/// In which of its two states a patch is: [`ByKey`] or [`Loaded`].
pub trait PatchState: sealed::Sealed + Send + 'static {}

mod sealed {
    use super::Merge;
    use crate::{
        derived::{NO_TOKEN, TRANSACTION},
        large::Blobs,
        write::{CopyWrite, Far, FeedChange},
    };

    pub trait Sealed {
        /// Whether it is known what the entity was.
        const IS_LOADED: bool;

        /// Sets when the merge may go ahead, and what it does to the rows of indexes.
        fn settle(self, merge: &mut Merge);
    }

    impl Sealed for super::ByKey {
        const IS_LOADED: bool = false;

        /// Its setters are those of properties that no index holds.
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

/// Which properties of an entity to change, behind the typed setters of the generated patch.
///
/// It is sent as a merge: what it does not name is kept. A merge cannot remove a property; that is what
/// [`replace`](crate::Tables::replace) does.
#[must_use = "a patch does nothing until it is merged"]
pub struct Patch<E, S = ByKey> {
    address: Result<Address, Error>,
    properties: Result<Properties, Error>,
    /// The values of blob fields, of each the last that was set.
    puts: Vec<Put>,
    state: S,
    entity: PhantomData<fn() -> E>,
}

// By hand: an entity need be neither `Clone` nor `Debug` for its patch to be both.
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
    /// A patch of the entity at `address`, whatever its version.
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

    /// The same patch with these properties, or the reason why there are none.
    pub(crate) fn with(mut self, properties: Result<Properties, Error>) -> Self {
        self.properties = properties;
        self
    }
}

impl<E: TableEntity, S> Patch<E, S> {
    /// Sets a property; a value that it cannot hold is reported when the patch is sent.
    #[doc(hidden)]
    pub fn set<T, Form>(&mut self, field: &Field<T, Form>, value: &T) {
        self.write(|into| field.put(value, into));
    }

    /// Sets one slot of a series; one that it does not have is reported when the patch is sent.
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
                    // What was set before may have been short enough for the property, and this is not.
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

/// What [`Tables::merge`](crate::Tables::merge) takes: a generated patch, a [`Patch`], or the changes of a bag.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a patch",
    label = "not a patch",
    note = "write `merge(Employee::patch(..).age(35))`, or `merge(stored.patch().age(35))`"
)]
pub trait IntoMerge {
    /// What is sent.
    #[doc(hidden)]
    fn into_merge(self) -> Result<Merge, Error>;
}

/// A patch, ready to send.
#[derive(Debug)]
#[doc(hidden)]
pub struct Merge {
    pub(crate) address: Address,
    pub(crate) properties: Properties,
    pub(crate) condition: Condition,
    /// The merges of the rows that the entity's indexes keep in its partition.
    pub(crate) copies: Vec<CopyWrite>,
    /// The rows in other partitions that follow.
    pub(crate) far: Far,
    /// The values of blob fields that it sets, and what becomes of them.
    pub(crate) puts: Vec<Put>,
    pub(crate) blobs: Blobs,
    pub(crate) entity_type: Option<&'static str>,
    pub(crate) has_rules: bool,
    /// What it changes of what the entity adds to sinks in its partition.
    pub(crate) feeds: Vec<FeedChange>,
    /// How the entity is read, if others keep values in it.
    pub(crate) sink: Option<ReadOld>,
    /// Which properties are sealed.
    pub(crate) secrets: Secrets,
    /// How a wide entity is dealt out, and what was read of it.
    pub(crate) layout: Option<Layout>,
    pub(crate) old: Option<Old>,
    /// The entity's design; none of a bag.
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

/// What a patch is of: an entity, or a bag.
#[doc(hidden)]
pub trait PatchTarget {
    /// What an insert by merge writes as `EntityType`.
    fn entity_type() -> Option<&'static str>;

    /// Whether a write is more than its own row.
    fn has_rules() -> bool;

    /// How it is read, if others keep values in it.
    fn sink() -> Option<ReadOld> {
        None
    }

    /// Why a patch cannot set these properties, if it cannot.
    fn check(_properties: &Properties, _is_loaded: bool) -> Result<(), Error> {
        Ok(())
    }

    /// Which of its properties are sealed.
    fn secrets() -> Secrets;

    /// Its design; none of a bag.
    fn design() -> Option<&'static Design> {
        None
    }

    /// Its design, where it is split over several rows.
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
    /// The entity that an insert-or-merge sends: with its type, as it may be the first write of the row.
    pub(crate) fn into_first_write(self) -> (Address, Properties) {
        let mut properties = self.properties;
        if let Some(entity_type) = self.entity_type {
            properties.set(ENTITY_TYPE, entity_type);
        }
        (self.address, properties)
    }
}
