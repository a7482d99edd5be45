//! Meeting the consistency requirements of a query.

use table_model::TableName;

use super::{One, PointQuery, Rows, clause::Clause};
use crate::{
    Error, FromRow, InPartition, Pending, TableEntity, Tables,
    apply::reader::{apply_all, apply_of_entity},
    core::spec::{Spec, consistency::Fresh},
};

/// Maximum number of attempts to apply a commit if the response to a write is lost. Each attempt reads the current
/// rows, and each write is conditional on the ETag that was read, so no write is applied twice.
const ATTEMPTS: u32 = 4;

/// The clause of a query that requires commits to be applied.
#[derive(Debug)]
pub(crate) struct Freshness(Fresh);

impl Freshness {
    pub(crate) fn of(spec: &Spec) -> Option<Box<dyn Clause>> {
        let fresh = &spec.clauses.fresh;
        fresh.asks().then(|| Box::new(Self(fresh.clone())) as _)
    }

    /// Applies the remaining commits. A call after a failure continues with the remaining commits.
    async fn apply(&mut self, tables: &Tables) -> Result<(), Error> {
        let mut attempt = 1;
        loop {
            match self.apply_once(tables).await {
                Err(error) if error.is_outcome_unknown() && attempt < ATTEMPTS => attempt += 1,
                other => return other,
            }
        }
    }

    async fn apply_once(&mut self, tables: &Tables) -> Result<(), Error> {
        let Self(fresh) = self;
        while let Some((entity, token)) = fresh.after.last() {
            apply_of_entity(tables, entity, token.as_deref()).await?;
            fresh.after.pop();
        }
        while let Some(partition) = fresh.settled.last().cloned() {
            let (table, partition_key) = partition?;
            apply_all(tables, &table, &partition_key).await?;
            fresh.settled.pop();
        }
        Ok(())
    }
}

impl Clause for Freshness {
    fn prepare<'a>(&'a mut self, tables: &'a Tables) -> Option<Pending<'a, ()>> {
        self.0.asks().then(|| Box::pin(self.apply(tables)) as _)
    }
}

impl<E: TableEntity, Parts, R: FromRow> InPartition for Rows<E, Parts, R, One> {
    fn partition(&self) -> Result<(TableName, String), Error> {
        self.home()
    }
}

impl<E: 'static, R: FromRow> InPartition for PointQuery<E, R> {
    fn partition(&self) -> Result<(TableName, String), Error> {
        self.address().map(|address| (address.table, address.partition_key))
    }
}
