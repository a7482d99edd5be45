//! Entities that move to other keys while programs write them.
//!
//! An entity is at its new key if a live row is there; otherwise at its old key if a row is there; otherwise at its new
//! key if a marker at the old key and a copy at the new key name the same version. The registry contains the state of
//! the move. The protocol was checked with a model (`docs/model-checks.md`, `rekey`). An entity whose two keys are equal
//! is replaced in place.

mod conversions;
mod in_place;
mod insert;
mod keys;
mod range;
mod read;
mod relocate;
mod rows;
mod session;
mod values;
mod write;

pub(crate) use in_place::assert_convertible;
pub(crate) use keys::Keys;
pub(crate) use relocate::Relocated;
pub(crate) use rows::{AtNew, AtOld, is_leftover, leftover_type, marker_filter};
pub(crate) use session::Session;
pub(crate) use values::{assert_same, has_any as has_unique_values};

use std::{
    fmt,
    marker::PhantomData,
    ops::{Deref, DerefMut},
};

use crate::{
    Stored, TableEntity, Tables,
    core::marker::{Marker, marker_of},
};

/// An entity type whose entities move from the keys of an older type. The older type stays in the program until the
/// move is complete.
///
/// The conversions of the entities keep all values that the program requires. The conversion of the keys returns the
/// old key of each new key. The old and the new key of an entity must determine each other; entities for which this is
/// not true are not moved.
///
/// ```
/// # use table_patterns::prelude::*;
/// # use table_patterns::MovedFrom;
/// #[derive(TableEntity, Clone, Debug)]
/// #[table(name = "Orders", partition = "{customer}", row = "{number:04}", entity_type = "Order")]
/// struct OrderV1 { customer: String, number: u32, total: i64 }
///
/// #[derive(TableEntity, Clone, Debug)]
/// #[table(name = "AllOrders", partition = "{customer}", row = "order_{number:08}", entity_type = "Order")]
/// struct Order { customer: String, number: u32, total: i64 }
///
/// impl From<OrderV1> for Order {
///     fn from(OrderV1 { customer, number, total }: OrderV1) -> Self {
///         Self { customer, number, total }
///     }
/// }
///
/// impl From<Order> for OrderV1 {
///     fn from(Order { customer, number, total }: Order) -> Self {
///         Self { customer, number, total }
///     }
/// }
///
/// impl From<OrderKey> for OrderV1Key {
///     fn from(OrderKey { customer, number }: OrderKey) -> Self {
///         Self { customer, number }
///     }
/// }
///
/// impl MovedFrom for Order {
///     type Old = OrderV1;
/// }
/// ```
///
/// Types with patterns that a move does not support are rejected when [`Tables::moving`] or [`Tables::migration`] is
/// compiled: wide entities, values in blobs, encrypted fields, aggregates, lookups, tables for each period, and types
/// without `EntityType`. Both types must declare a unique index in other partitions with the same name, table
/// and keys, and the conversions must keep its value.
///
/// ```compile_fail,E0080
/// # use table_patterns::prelude::*;
/// # use table_patterns::MovedFrom;
/// #[derive(TableEntity, Clone, Debug)]
/// #[table(name = "Orders", partition = "{customer}", row = "{number:04}", entity_type = none)]
/// struct OrderV1 { customer: String, number: u32 }
///
/// #[derive(TableEntity, Clone, Debug)]
/// #[table(name = "AllOrders", partition = "{customer}", row = "{number:08}", entity_type = "Order")]
/// struct Order { customer: String, number: u32 }
/// # impl From<OrderV1> for Order {
/// #     fn from(OrderV1 { customer, number }: OrderV1) -> Self { Self { customer, number } }
/// # }
/// # impl From<Order> for OrderV1 {
/// #     fn from(Order { customer, number }: Order) -> Self { Self { customer, number } }
/// # }
/// # impl From<OrderKey> for OrderV1Key {
/// #     fn from(OrderKey { customer, number }: OrderKey) -> Self { Self { customer, number } }
/// # }
/// impl MovedFrom for Order { type Old = OrderV1; }
///
/// # fn main() -> Result<()> {
/// let tables = Tables::in_memory()?.with_registry();
/// tables.moving::<Order>();
/// # Ok(())
/// # }
/// ```
///
/// ```compile_fail,E0080
/// # use table_patterns::prelude::*;
/// # use table_patterns::MovedFrom;
/// #[derive(TableEntity, Clone, Debug)]
/// #[table(name = "Orders", partition = "{customer}", row = "{number:04}", entity_type = "Order")]
/// #[table(index(by_code, table = "Codes", partition = "{code}", row = "code", unique))]
/// struct OrderV1 { customer: String, number: u32, code: String }
///
/// #[derive(TableEntity, Clone, Debug)]
/// #[table(name = "AllOrders", partition = "{customer}", row = "{number:08}", entity_type = "Order")]
/// struct Order { customer: String, number: u32, code: String }
/// # impl From<OrderV1> for Order {
/// #     fn from(OrderV1 { customer, number, code }: OrderV1) -> Self { Self { customer, number, code } }
/// # }
/// # impl From<Order> for OrderV1 {
/// #     fn from(Order { customer, number, code }: Order) -> Self { Self { customer, number, code } }
/// # }
/// # impl From<OrderKey> for OrderV1Key {
/// #     fn from(OrderKey { customer, number }: OrderKey) -> Self { Self { customer, number } }
/// # }
/// impl MovedFrom for Order { type Old = OrderV1; }
///
/// # fn main() -> Result<()> {
/// let tables = Tables::in_memory()?.with_registry();
/// tables.moving::<Order>();
/// # Ok(())
/// # }
/// ```
pub trait MovedFrom: TableEntity + Clone + From<Self::Old> {
    /// The type with the old keys.
    type Old: TableEntity<Key: From<Self::Key>> + Clone + From<Self>;
}

/// Verbs for the entities of a type while they move to other keys, returned by [`Tables::moving`].
///
/// Every verb works in every state of the move, by the new key. After the move, use the verbs of [`Tables`].
pub struct Moving<'t, E> {
    tables: &'t Tables,
    entity: PhantomData<fn() -> E>,
}

/// An entity as it was read during a move: at its old or its new key. It dereferences to the new type.
#[derive(Clone)]
pub struct Moved<E: MovedFrom> {
    value: E,
    at: At<E>,
}

/// The row that was read.
#[derive(Clone)]
enum At<E: MovedFrom> {
    Old(Box<Stored<E::Old>>),
    New(Box<Stored<E>>),
}

impl Tables {
    /// Returns the verbs for the entities of a type while they move from the keys of an older type. The handle must use
    /// the registry: see [`with_registry`](Self::with_registry). [`migration`](Self::migration) moves the entities.
    ///
    /// Registers both types with this handle, as [`register_entity`](Self::register_entity) does, if they have indexes
    /// in other partitions. A worker that applies their commits calls it before it starts.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # use table_patterns::MovedFrom;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Orders", partition = "{customer}", row = "{number:04}", entity_type = "Order")]
    /// # struct OrderV1 { customer: String, number: u32, total: i64 }
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "AllOrders", partition = "{customer}", row = "order_{number:08}", entity_type = "Order")]
    /// # struct Order { customer: String, number: u32, total: i64 }
    /// # impl From<OrderV1> for Order {
    /// #     fn from(OrderV1 { customer, number, total }: OrderV1) -> Self { Self { customer, number, total } }
    /// # }
    /// # impl From<Order> for OrderV1 {
    /// #     fn from(Order { customer, number, total }: Order) -> Self { Self { customer, number, total } }
    /// # }
    /// # impl From<OrderKey> for OrderV1Key {
    /// #     fn from(OrderKey { customer, number }: OrderKey) -> Self { Self { customer, number } }
    /// # }
    /// # impl MovedFrom for Order { type Old = OrderV1; }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::in_memory()?.with_registry();
    /// let orders = tables.moving::<Order>();
    /// orders.insert(&Order { customer: "contoso".into(), number: 7, total: 100 }).await?;
    ///
    /// let key = OrderKey { customer: "contoso".into(), number: 7 };
    /// let Some(mut order) = orders.get(&key).await? else { return Ok(()) };
    /// order.total += 20;
    /// orders.replace(&order).await?;
    /// assert_eq!(orders.get(&key).await?.map(|order| order.total), Some(120));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn moving<E: MovedFrom>(&self) -> Moving<'_, E> {
        const { keys::assert_supported::<E>() };
        self.kinds().learn_move(conversions::pair::<E>());
        Moving { tables: self, entity: PhantomData }
    }
}

impl<E: MovedFrom> Moved<E> {
    fn old(stored: Stored<E::Old>) -> Self {
        Self { value: E::from((*stored).clone()), at: At::Old(Box::new(stored)) }
    }

    fn new(stored: Stored<E>) -> Self {
        Self { value: (*stored).clone(), at: At::New(Box::new(stored)) }
    }

    /// Returns whether the entity was read at its new key.
    pub const fn is_moved(&self) -> bool {
        matches!(self.at, At::New(_))
    }

    /// Returns the entity without its version.
    pub fn into_inner(self) -> E {
        self.value
    }
}

impl<E: MovedFrom> Deref for Moved<E> {
    type Target = E;

    fn deref(&self) -> &E {
        &self.value
    }
}

impl<E: MovedFrom> DerefMut for Moved<E> {
    fn deref_mut(&mut self) -> &mut E {
        &mut self.value
    }
}

impl<E: MovedFrom + fmt::Debug> fmt::Debug for Moved<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Moved")
            .field("value", &self.value)
            .field("is_moved", &self.is_moved())
            .finish_non_exhaustive()
    }
}

impl<E> Clone for Moving<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Moving<'_, E> {}

impl<E> fmt::Debug for Moving<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Moving")
    }
}
