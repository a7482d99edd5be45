//! Point reads, and the failures of reads.

use table_model::{
    Name, PropertiesRef, Result, Rows, StorageFault, TableName, Timestamp, key,
    query::check_select,
    rows::{RowHead, Selection},
};

use crate::{
    bounds::ordered,
    catalogue::Known,
    connections::take,
    failure::Failure,
    postgres::Inner,
    record::{damaged, decode},
};

/// An entity as it is stored.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) timestamp: Timestamp,
    pub(crate) record: Vec<u8>,
}

impl Stored {
    pub(crate) fn properties(&self, keys: (&[u8], &[u8])) -> Result<PropertiesRef<'_>, StorageFault> {
        decode(keys, &self.record).map(|(properties, _)| properties)
    }
}

/// Converts the column of a timestamp.
pub(crate) fn timestamp(keys: (&[u8], &[u8]), ticks: i64) -> Result<Timestamp, StorageFault> {
    Timestamp::from_ticks(ticks).ok_or_else(|| damaged(keys, "its timestamp is invalid"))
}

impl Inner {
    pub(crate) async fn find(
        &self,
        table: &TableName,
        (partition_key, row_key): (&str, &str),
        select: Option<&[Name]>,
    ) -> Result<Rows, Failure> {
        key::check_both(partition_key, row_key, self.options.key_length)?;
        check_select(select)?;
        let (p, r) = (ordered(partition_key), ordered(row_key));
        let stored = self.get_by_name(table, (&p, &r)).await?;
        let mut rows = Rows::new();
        if let Some(stored) = stored {
            let (properties, packed) = decode((&p, &r), &stored.record)?;
            let head = RowHead::whole(partition_key, row_key, stored.timestamp);
            rows.push_selected(head, properties, packed, &mut Selection::new(select))
                .map_err(|error| damaged((&p, &r), &error.to_string()))?;
        }
        Ok(rows)
    }

    async fn get_by_name(&self, table: &TableName, keys: (&[u8], &[u8])) -> Result<Option<Stored>, Failure> {
        let mut tries = Tries::default();
        loop {
            let known = self.table(table).await?;
            match self.get(&known, keys).await {
                Ok(stored) => return Ok(stored),
                Err(failure) => tries.after(failure, self, table)?,
            }
        }
    }

    /// Reads an entity.
    pub(crate) async fn get(&self, known: &Known, keys: (&[u8], &[u8])) -> Result<Option<Stored>, Failure> {
        let client = take(&self.pool).await?;
        let statement = client.prepare_cached(&known.statements.get).await?;
        let row = client.query_opt(&statement, &[&keys.0, &keys.1]).await?;
        row.map(|row| Ok(Stored { timestamp: timestamp(keys, row.get(0))?, record: row.get(1) })).transpose()
    }
}

impl Inner {
    /// Closes all idle connections: if one has failed, the others probably have, too.
    pub(crate) fn drop_idle(&self) {
        self.pool.retain(|_, _| false);
    }
}

/// Failures of a read, which is repeated once if the table was deleted and created again, and once if the connection
/// failed: it may have failed before the read.
#[derive(Debug, Default)]
pub(crate) struct Tries {
    looked_up: bool,
    reconnected: bool,
}

impl Tries {
    pub(crate) fn after(
        &mut self,
        failure: Failure,
        inner: &Inner,
        table: &TableName,
    ) -> Result<(), Failure> {
        match failure {
            Failure::NoTable if !self.looked_up => {
                self.looked_up = true;
                inner.names.forget(table);
            }
            Failure::Unknown(_) | Failure::Again if !self.reconnected => {
                self.reconnected = true;
                inner.drop_idle();
            }
            failure => return Err(failure),
        }
        inner.counts.retried();
        Ok(())
    }
}
