//! Ranges over old keys, which meet markers.

use std::marker::PhantomData;

use futures_util::{StreamExt, TryStreamExt, stream};
use table_model::{Filter, RowRef};

use super::{
    Keys, Marker, Moved, MovedFrom, Moving, Session, in_place::is_new, is_leftover, marker_filter, marker_of,
    read::Found, session::ATTEMPTS,
};
use crate::{
    AccessPath, Address, Error, FromRow, MoveState, Pending, Query, RangeQuery, RegistryError, Source,
    Stored, TableEntity,
    core::{
        entity::Writable,
        entity_types::of_types,
        error::DecodeError,
        spec::{Spec, visible::visible},
    },
};

/// Number of markers that are followed concurrently.
const AT_ONCE: usize = 16;

/// Row type of a range over old keys.
struct OldRows<E>(PhantomData<fn() -> E>);

/// A row at an old key.
enum OldRow<E: MovedFrom> {
    Live(Stored<E::Old>),
    /// An entity that was moved and kept its key.
    InPlace(Box<Stored<E>>),
    /// What a move writes at new keys, or an entity at a new key. Its marker stands for it.
    Other,
    /// A marker, with the keys of its row.
    Marker(Marker, String, String),
}

impl<E: MovedFrom> FromRow for OldRows<E> {
    type Out = OldRow<E>;

    fn from_row(source: Source<'_>, row: RowRef<'_>) -> Result<OldRow<E>, DecodeError> {
        match (marker_of(row), row.partition_key, row.row_key) {
            (Some(marker), Some(partition_key), Some(row_key)) => {
                Ok(OldRow::Marker(marker, partition_key.to_owned(), row_key.to_owned()))
            }
            _ if is_leftover::<E>(row) => Ok(OldRow::Other),
            _ if is_new::<E>(row) => {
                let stored = <E as FromRow>::from_row(source, row)?;
                let is_in_place = Keys::of(&*stored).is_ok_and(|keys| keys.are_equal());
                Ok(if is_in_place { OldRow::InPlace(Box::new(stored)) } else { OldRow::Other })
            }
            _ => <E::Old as FromRow>::from_row(source, row).map(OldRow::Live),
        }
    }
}

impl<'t, E: MovedFrom> Moving<'t, E> {
    /// Reads the entities of a range over old keys, in the order of the old keys, until all entities are moved. Moved
    /// entities cost one more request each, up to 16 concurrently.
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
    /// # let tables = Tables::in_memory()?.with_registry();
    /// let orders = tables.moving::<Order>();
    /// orders.insert(&Order { customer: "contoso".into(), number: 7, total: 100 }).await?;
    /// assert_eq!(orders.all(&OrderV1::rows("contoso")).await?.len(), 1);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`RegistryError::MoveState`] if the query uses an index or a condition, or if old keys are no longer
    /// sufficient, and the errors of [`Query::all`].
    pub fn all(&self, query: &impl Query<Row = E::Old>) -> Pending<'t, Vec<Moved<E>>> {
        let (tables, spec) = (self.tables, query.spec().clone());
        Box::pin(async move {
            let with_deleted = spec.clauses.visible.is_none();
            let take =
                spec.paging.take.map_or(usize::MAX, |take| usize::try_from(take).unwrap_or(usize::MAX));
            for _ in 0..ATTEMPTS {
                let session = Session::<E>::of(tables).await?;
                let query = session.old_rows(spec.clone())?;
                let rows = query.all(tables).await?;
                let found = stream::iter(rows).map(|row| session.follow(row)).buffered(AT_ONCE);
                let found: Vec<_> = found.try_filter_map(|found| async { Ok(found) }).try_collect().await?;
                if session.is_valid() {
                    let shown = found.into_iter().map(|found| {
                        let is_shown = with_deleted || is_visible(&found)?;
                        Ok(is_shown.then_some(found))
                    });
                    return shown.filter_map(Result::transpose).take(take).collect();
                }
            }
            let table = crate::core::table::table_of(E::DESIGN)?;
            let address = Address { table, partition_key: String::new(), row_key: String::new() };
            Err(Error::Contended { address: Box::new(address), attempts: ATTEMPTS })
        })
    }
}

/// Returns whether an entity is not soft-deleted. The query excludes those that are not moved.
fn is_visible<E: MovedFrom>(entity: &Moved<E>) -> Result<bool, Error> {
    let condition = visible(E::DESIGN).filter(|_| entity.is_moved());
    condition.map_or(Ok(true), |condition| Ok(condition.matches(&(**entity).contents()?.0)))
}

impl<E: MovedFrom> Session<'_, E> {
    /// Returns the query for the rows and markers of a range.
    fn old_rows(&self, mut spec: Spec) -> Result<RangeQuery<E::Old, OldRows<E>>, Error> {
        let refuse = |reason| {
            let (entity, state, step) = (E::DESIGN.name, self.state, "a range over old keys");
            Err(RegistryError::MoveState { entity, state, step, reason }.into())
        };
        if matches!(self.state, MoveState::New | MoveState::Gone) {
            return refuse("entities are at their new keys; query the new type");
        }
        if self.is_unmarked() {
            return refuse("markers are missing until the step back is complete; retry later");
        }
        if spec.subject.path != AccessPath::Own || spec.filter.is_some() {
            return refuse(
                "markers contain no properties; query by the key of the old type, without a condition",
            );
        }
        // A scan requests the entity types of the old type. Markers have another one.
        if spec.clauses.scanned.is_some() {
            let types = spec.request(None)?.within(None);
            // So have entities that were moved and kept their keys.
            let moved = of_types(E::DESIGN.entity_types());
            let moved = moved.map_or_else(marker_filter, |types| types.or(marker_filter()));
            spec.filter = types.map(|types| Ok(Filter::or(types, moved)));
            spec.clauses.scanned = None;
        }
        // Markers of deleted entities do not count.
        spec.paging.take = None;
        Ok(RangeQuery::from_spec(spec))
    }

    /// Returns the entity that a row at an old key stands for.
    async fn follow(&self, row: OldRow<E>) -> Result<Option<Moved<E>>, Error> {
        let (marker, partition_key, row_key) = match row {
            OldRow::Live(stored) => return Ok(Some(Moved::old(stored))),
            OldRow::InPlace(stored) => return Ok(Some(Moved::new(*stored))),
            OldRow::Other => return Ok(None),
            OldRow::Marker(marker, partition_key, row_key) => (marker, partition_key, row_key),
        };
        let table = crate::core::table::table_of(<E::Old as TableEntity>::DESIGN)?;
        let keys = Keys { old: Address { table, partition_key, row_key }, new: marker.to.clone() };
        for _ in 0..ATTEMPTS {
            match self.find_marked(&keys, &marker).await? {
                Found::Entity(entity) => return Ok(Some(entity)),
                Found::Nothing => return Ok(None),
                Found::Again => {}
            }
        }
        Err(super::read::contended(&keys))
    }
}
