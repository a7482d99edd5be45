//! The verbs of the [`Tables`] handle, and the loop that sends a transaction.

mod attempt;
mod blocking;
mod run;
mod send;
mod soft_delete;
mod update;
mod verbs;

pub use blocking::Blocking;

use crate::{Pending, TableEntity, Tables, core::table::table_of, design::Design};

impl Tables {
    /// Returns the same verbs without futures. Each call blocks the current thread until its result is available.
    pub const fn blocking(&self) -> Blocking<'_> {
        Blocking::new(self)
    }

    /// Creates the entity's table if it does not exist. Writes create tables automatically; call this to create the
    /// table in advance.
    ///
    /// # Errors
    /// Returns [`Error::PerPeriodTable`](crate::Error::PerPeriodTable) if the entity has a table for each period, or
    /// the error of the service.
    pub fn create<E: TableEntity>(&self) -> Pending<'_, ()> {
        let table = table_of(E::DESIGN);
        Box::pin(async move { Ok(send::create(&**self.service(), &table?).await?) })
    }

    /// Deletes the entity's table with all its rows, of all types, in one step. Returns whether the table existed.
    ///
    /// # Errors
    /// Returns [`Error::PerPeriodTable`](crate::Error::PerPeriodTable) if the entity has a table for each period, or
    /// the error of the service.
    pub fn delete_table<E: TableEntity>(&self) -> Pending<'_, bool> {
        let table = table_of(E::DESIGN);
        Box::pin(async move {
            match self.service().delete_table(&table?).await {
                Ok(()) => Ok(true),
                Err(error) if error.is_not_found() => Ok(false),
                Err(error) => Err(error.into()),
            }
        })
    }

    /// Returns the entity's design. Its `Display` output is a table of keys and properties.
    pub fn describe<E: TableEntity>(&self) -> &'static Design {
        E::DESIGN
    }
}
