//! Meeting the consistency requirements of a query.

use table_model::TableName;

use super::{One, PointQuery, Rows};
use crate::{
    Error, FromRow, InPartition, TableEntity, Tables,
    apply::reader::{apply_all, apply_of_entity},
    core::{entity_types::EntityInfo, spec::consistency::Fresh},
};

/// Maximum number of attempts to apply a commit if the response to a write is lost. Each attempt reads the current
/// rows, and each write is conditional on the ETag that was read, so no write is applied twice.
const ATTEMPTS: u32 = 4;

impl Fresh {
    /// Applies the required commits. A call after a failure continues with the remaining commits.
    pub(super) async fn prepare(
        &mut self,
        tables: &Tables,
        of: Option<(EntityInfo, usize)>,
    ) -> Result<(), Error> {
        if let Some((kind, _)) = of {
            tables.kinds().learn(kind)?;
        }
        let mut attempt = 1;
        loop {
            match self.follow(tables).await {
                Err(error) if error.is_outcome_unknown() && attempt < ATTEMPTS => attempt += 1,
                other => return other,
            }
        }
    }

    /// Applies the remaining commits.
    async fn follow(&mut self, tables: &Tables) -> Result<(), Error> {
        while let Some((entity, token)) = self.after.last() {
            apply_of_entity(tables, entity, token.as_deref()).await?;
            self.after.pop();
        }
        while let Some(partition) = self.settled.last().cloned() {
            let (table, partition_key) = partition?;
            apply_all(tables, &table, &partition_key).await?;
            self.settled.pop();
        }
        Ok(())
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
