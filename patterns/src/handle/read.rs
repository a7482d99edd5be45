use table_model::{ErrorCode, Name, Rows};

use super::{Pending, Tables};
use crate::{Address, Error};

impl Tables {
    /// Reads one row by its keys. Returns no rows if the row or its table does not exist.
    pub(crate) fn read<'a>(&'a self, address: &'a Address, select: Option<&'a [Name]>) -> Pending<'a, Rows> {
        let found = self.service.find(&address.table, &address.partition_key, &address.row_key, select);
        Box::pin(async move {
            match found.await {
                Err(error) if error.code() == ErrorCode::TableNotFound => Ok(Rows::new()),
                other => other.map_err(Error::from),
            }
        })
    }
}
