use std::{fmt, marker::PhantomData};

use table_model::QueryClass;

use super::{read, verb::Verb};
use crate::{
    Address, DeleteTarget, EntityKey, Error, Explain, OnePoint, Pending, Stored, TableEntity, Tables,
    core::{
        layout::Layout,
        spec::{Spec, Target},
    },
    query::required,
    write::{Deletion, Intent},
};

/// Query for one wide entity by PartitionKey and RowKey. It reads one range that contains all rows of the entity.
///
/// If a concurrent writer replaces the complete entity during the read, the query is repeated up to five times. It then
/// fails with [`Error::Contended`].
///
/// ```
/// use table_patterns::prelude::*;
///
/// #[derive(TableEntity, Clone, Debug)]
/// #[table(name = "Yearly", partition = "{employee}", row = "{year:04}_{part:02}", wide = 200)]
/// struct Yearly {
///     employee: String,
///     year: u16,
///     #[table(series)]
///     days: [Option<i32>; 365],
/// }
///
/// let year = Yearly::point("jonesj", 2014);
/// assert_eq!(
///     year.explain()?.filter.map(|filter| filter.to_string()).as_deref(),
///     Some("PartitionKey eq 'jonesj' and RowKey ge '2014_00' and RowKey le '2014_99'"),
/// );
/// # Ok::<(), Error>(())
/// ```
#[must_use = "a query does nothing until it runs"]
pub struct WidePoint<E> {
    address: Result<Address, Error>,
    entity: PhantomData<fn() -> E>,
}

impl<E: TableEntity> WidePoint<E> {
    /// Creates a query for the entity whose head is at an address.
    #[doc(hidden)]
    pub const fn at_address(address: Result<Address, Error>) -> Self {
        Self { address, entity: PhantomData }
    }

    /// Creates a query for the entity of a key.
    #[doc(hidden)]
    pub fn of_key(key: &E::Key) -> Self {
        Self::at_address(key.address())
    }

    /// Returns the address of the head.
    ///
    /// # Errors
    /// Returns [`Error::Key`] if a value cannot be part of the key.
    pub fn address(&self) -> Result<Address, Error> {
        self.address.clone()
    }

    /// Reads the entity. Returns `None` if it does not exist.
    ///
    /// # Errors
    /// Returns [`Error::Contended`] if every read overlapped with a concurrent write, [`Error::Decode`] if the entity
    /// cannot be decoded, and [`Error::Service`] if a request fails.
    pub fn get<'t>(&self, tables: &'t Tables) -> Pending<'t, Option<Stored<E>>> {
        let asked = self.asked();
        Box::pin(async move {
            let (layout, address) = asked?;
            read::read(tables, layout, &address).await
        })
    }

    /// Reads an entity that must exist.
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] if it does not exist, and the errors of [`get`](Self::get).
    pub fn require<'t>(&self, tables: &'t Tables) -> Pending<'t, Stored<E>> {
        required(self.get(tables), self.address())
    }

    /// Returns the plan of the query. No store is needed.
    ///
    /// # Errors
    /// Returns [`Error::Key`] if the address is invalid.
    pub fn explain(&self) -> Result<Explain, Error> {
        let target = self.asked().map(|(layout, address)| {
            let range = read::range(layout, &address);
            Target::Keys(address.table, Some(range))
        });
        Explain::of(&Spec::of::<E>(QueryClass::RowRange, target), None)
    }

    fn asked(&self) -> Result<(Layout, Address), Error> {
        let address = self.address()?;
        let layout = Layout::of(E::DESIGN).ok_or_else(|| Error::NotFound(Box::new(address.clone())))?;
        Ok((layout, address))
    }
}

impl<E: TableEntity> DeleteTarget for WidePoint<E> {
    fn target(self) -> Result<Deletion, Error> {
        (&self).target()
    }
}

impl<E: TableEntity> DeleteTarget for &WidePoint<E> {
    fn target(self) -> Result<Deletion, Error> {
        let (layout, address) = self.asked()?;
        Ok(Deletion::of(Intent::Late(Box::new(Verb::delete(layout, address)))))
    }
}

impl<E> Clone for WidePoint<E> {
    fn clone(&self) -> Self {
        Self { address: self.address.clone(), entity: PhantomData }
    }
}

impl<E> fmt::Debug for WidePoint<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WidePoint").field(&self.address).finish()
    }
}

impl<E: TableEntity> OnePoint for WidePoint<E> {
    type Out = Stored<E>;

    fn whereabouts(&self) -> Result<Address, Error> {
        self.address()
    }

    fn find<'t>(&self, tables: &'t Tables) -> Pending<'t, Option<Stored<E>>> {
        self.get(tables)
    }
}
