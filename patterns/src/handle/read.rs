use table_model::{ErrorCode, Name, Rows};

use super::Tables;
use crate::{Address, Error};

impl Tables {
    /// Reads one row by its keys. Returns no rows if the row or its table does not exist.
    pub(crate) async fn read(&self, address: &Address, select: Option<&[Name]>) -> Result<Rows, Error> {
        match self.service.find(&address.table, &address.partition_key, &address.row_key, select).await {
            Err(error) if error.code() == ErrorCode::TableNotFound => Ok(Rows::new()),
            other => other.map_err(Error::from),
        }
    }
}
