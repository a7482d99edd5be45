use std::marker::PhantomData;

use table_store::QueryClass;

use super::{Spec, scan, shape::query_type, spec::Target};
use crate::{FromRow, Predicate, TableEntity, key::hole::Named, known::Known};

/// Rows from one RowKey to another in several partitions or tables, in the order of the RowKey. In each of them it
/// reads what it returns, and it costs a request to each.
///
/// The order is kept by reading one table after the other where the RowKey begins with what tells the tables apart,
/// else by reading all places at once and taking the least row: then up to a page of each is read, whatever is taken.
pub struct FanOut<E, R = E> {
    spec: Spec,
    types: PhantomData<fn() -> (E, R)>,
}

/// All rows of a kind in several partitions or tables, or in a range of each, of which some are kept.
pub struct FanOutScan<E, R = E> {
    spec: Spec,
    types: PhantomData<fn() -> (E, R)>,
}

query_type!(FanOut<E, R>, FanOut);
query_type!(FanOutScan<E, R>, FanOutScan);

impl<E: TableEntity, R: FromRow> FanOut<E, R> {
    /// Reads the ranges and keeps what satisfies a condition. It costs what the ranges hold.
    pub fn scan(self, condition: impl FnOnce(&E::Fields) -> Predicate) -> FanOutScan<E, R> {
        FanOutScan::<E, R>::inside(self.spec).filter(condition)
    }

    /// There is no `filter` on a range.
    #[doc(hidden)]
    #[must_use]
    pub fn filter<F>(self, _condition: F) -> Self
    where
        Self: super::range::ReturnsAllItReads,
    {
        self
    }
}

impl<E: TableEntity> FanOutScan<E> {
    /// The rows of this kind with these values in the PartitionKey.
    #[doc(hidden)]
    pub fn of(partition: &[Named<'_>]) -> Self {
        let row = &E::DESIGN.row.form;
        let target = Known::of(E::DESIGN, partition)
            .and_then(|known| known.spread(row.all(), row.open().field(), None))
            .map(|spread| Target::Spread(Box::new(spread)));
        Self::inside(Spec::of::<E>(QueryClass::FanOutScan, target))
    }
}

impl<E: TableEntity, R: FromRow> FanOutScan<E, R> {
    fn inside(mut spec: Spec) -> Self {
        spec.class = QueryClass::FanOutScan;
        Self::from_spec(scan::kind_only(E::DESIGN, spec))
    }

    /// Keeps only rows that satisfy a condition. Several conditions must all hold.
    #[must_use]
    pub fn filter(mut self, condition: impl FnOnce(&E::Fields) -> Predicate) -> Self {
        self.spec.and(scan::filter_of::<E>(condition));
        self
    }
}
