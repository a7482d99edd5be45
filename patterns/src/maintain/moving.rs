//! The job that moves entities to other keys. The protocol of one entity is in `pattern/moving`.

mod back;
mod check;
mod forward;
mod rows;
mod turn;

pub use check::{MoveCheck, MoveCheckReport};

use std::{fmt, marker::PhantomData, time::Duration};

use futures_timer::Delay;

use crate::{
    Address, Error, MoveState, MoveStatus, MovedFrom, Pending, RegistryError, Sweep, TableEntity, Tables,
    design::Design,
};

/// Move of the entities of a type to other keys while programs write them, returned by [`Tables::migration`].
///
/// [`run`](Self::run) performs the complete move. [`step_to`](Self::step_to) processes one page of rows or advances to
/// the next state. The progress is stored in the registry, so a move can be interrupted at any time and continued by any
/// process. Concurrent runs are safe.
#[must_use = "a migration does nothing until it is run"]
pub struct Migration<E> {
    tables: Tables,
    page: Option<u32>,
    per_second: Option<u32>,
    entity: PhantomData<fn() -> E>,
}

/// Result of one step of a [`Migration`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum MigrationStep {
    /// The move is now in this state, or starts another pass in it.
    Advanced(MoveState),
    /// The move remains in its state for at least this duration.
    Wait(Duration),
    /// Number of rows processed by the current pass.
    Rows(u64),
    /// Entities that cannot be moved, at most one page, each with the reason. They remain at their old keys. After they
    /// are repaired, the next step processes the page again.
    Stuck(Vec<(Address, Error)>),
    /// The move is in the requested state.
    Done,
}

impl Tables {
    /// Moves the entities of a type from the keys of an older type while programs write them.
    ///
    /// All programs must first use [`moving`](Self::moving) for these entities, on a handle with the
    /// [registry](Self::with_registry). When the move starts, programs that use the older type directly can no longer
    /// write.
    ///
    /// ```no_run
    /// # use table_patterns::prelude::*;
    /// # use table_patterns::{MoveState, MovedFrom};
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
    /// let tables = Tables::open("orders.tables")?.with_registry();
    /// let report = tables.migration::<Order>().check().run().await?;
    /// assert!(report.stuck.is_empty());
    /// tables.migration::<Order>().max_rows_per_second(500).run_to(MoveState::New).await?;
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn migration<E: MovedFrom>(&self) -> Migration<E> {
        // Rejects unsupported types at compile time.
        let _ = self.moving::<E>();
        Migration { tables: self.clone(), page: None, per_second: None, entity: PhantomData }
    }
}

impl<E: MovedFrom> Migration<E> {
    /// Sets the number of rows per request: 1 to 1,000. The default is 200.
    pub const fn page_size(mut self, rows: u32) -> Self {
        self.page = Some(rows);
        self
    }

    /// Sets the maximum number of rows processed per second.
    pub const fn max_rows_per_second(mut self, per_second: u32) -> Self {
        self.per_second = Some(per_second);
        self
    }

    /// Creates the sweep that checks whether all entities can be moved, and changes nothing. It reads the new key of
    /// each entity.
    pub fn check(&self) -> Sweep<MoveCheck<E>> {
        check::sweep(&self.tables)
    }

    /// Returns the status of the move. `None` in the state `off`.
    ///
    /// # Errors
    /// Returns [`Error::Registry`] if the handle does not use a registry, and [`Error::Service`] if a request fails.
    pub fn status(&self) -> Pending<'_, Option<MoveStatus>> {
        Box::pin(async move {
            let registry = self.tables.registry().ok_or(RegistryError::None)?;
            registry.forget();
            let (old, new) = Self::designs();
            let states = registry.states(&self.tables, old).await?;
            Ok(states.move_of(old, new)?.cloned())
        })
    }

    /// Processes one page of rows or changes the state, forward or back, unless a wait is required.
    ///
    /// A step back is possible from `follow`, while no entity was moved; from `both`, where moved entities remain at
    /// their new keys; and from `new`.
    ///
    /// # Errors
    /// Returns [`RegistryError::MoveState`] if a step back is not possible, [`Error::Registry`] if the handle does not
    /// use a registry, and [`Error::Service`] if a request fails.
    pub fn step_to(&self, target: MoveState) -> Pending<'_, MigrationStep> {
        Box::pin(async move {
            let Some(status) = self.status().await? else {
                return if target == MoveState::Off { self.end().await } else { self.start().await };
            };
            if target < status.state { self.back(&status).await } else { self.forward(&status, target).await }
        })
    }

    /// Moves all entities, and deletes the markers at their old keys.
    ///
    /// # Errors
    /// Returns the errors of [`run_to`](Self::run_to).
    pub fn run(self) -> Pending<'static, ()> {
        self.run_to(MoveState::Gone)
    }

    /// Runs the move until it is in a state, forward or back. It takes some minutes for each state, most of which are
    /// spent waiting until no program uses the previous state.
    ///
    /// # Errors
    /// Returns [`RegistryError::MoveStuck`] if entities cannot be moved, and the errors of [`step_to`](Self::step_to).
    pub fn run_to(self, target: MoveState) -> Pending<'static, ()> {
        Box::pin(async move {
            loop {
                match self.step_to(target).await? {
                    MigrationStep::Done => return Ok(()),
                    MigrationStep::Wait(rest) => Delay::new(rest).await,
                    MigrationStep::Advanced(_) | MigrationStep::Rows(_) => {}
                    MigrationStep::Stuck(entities) => {
                        let (entity, count) = (<E::Old as TableEntity>::DESIGN.name, entities.len());
                        let describe = |(address, error): &(Address, Error)| format!("{address}: {error}");
                        let first = entities.first().map(describe).unwrap_or_default();
                        return Err(RegistryError::MoveStuck { entity, count, first }.into());
                    }
                }
            }
        })
    }

    const fn designs() -> (&'static Design, &'static Design) {
        (<E::Old as TableEntity>::DESIGN, E::DESIGN)
    }
}

impl<E> fmt::Debug for Migration<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Migration").field("page", &self.page).finish_non_exhaustive()
    }
}
