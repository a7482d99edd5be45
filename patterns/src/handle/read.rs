use table_model::{ErrorCode, Name, Rows, TableError};

use super::Tables;
use crate::{Address, Error};

/// Maximum number of times that a row is read again because it has changed since.
const CHANGED: u32 = 8;

impl Tables {
    /// Reads one row by its keys. Returns no rows if the row or its table does not exist.
    pub(crate) async fn read(&self, address: &Address, select: Option<&[Name]>) -> Result<Rows, Error> {
        match self.service.find(&address.table, &address.partition_key, &address.row_key, select).await {
            Err(error) if error.code() == ErrorCode::TableNotFound => Ok(Rows::new()),
            other => other.map_err(Error::from),
        }
    }

    /// Reads a row that proves the outcome of a write. A failover does not lose the version that is returned.
    pub(crate) async fn read_proof(&self, address: &Address) -> Result<Rows, Error> {
        let Address { table, partition_key, row_key } = address;
        for _ in 0..CHANGED {
            let rows = self.read(address, None).await?;
            let Some(row) = rows.get(0) else { return Ok(rows) };
            if self.service.confirm(table, partition_key, row_key, row.etag).await? {
                return Ok(rows);
            }
        }
        Err(TableError::from(ErrorCode::ServerBusy).into())
    }
}
