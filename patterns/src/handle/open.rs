use std::{path::Path, sync::Arc};

use table_store::{OpenOptions, Store};

use super::Tables;
use crate::Error;

impl Tables {
    /// Opens a store in one local file, created if missing. The file stays locked until the last clone of the handle is
    /// dropped.
    ///
    /// Use [`OpenOptions`] for settings: `Tables::from(OpenOptions::new().create(false).open(path)?)`.
    ///
    /// ```no_run
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::open("company.tables")?;
    /// tables.insert(&employee(1)).await?;
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::Open`], which describes the cause and the remedy. The file is unchanged.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Store::open(path)?.into())
    }

    /// Creates a store in memory. Its data is lost when the last clone of the handle is dropped.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::in_memory()?;
    /// tables.insert(&employee(1)).await?;
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::Open`] if the store cannot be created.
    pub fn in_memory() -> Result<Self, Error> {
        Ok(OpenOptions::new().in_memory()?.into())
    }
}

/// Uses the tables, queues and blobs of the store.
impl From<Store> for Tables {
    fn from(store: Store) -> Self {
        Self::new(store.clone()).with_queues(store.clone()).with_blobs(store)
    }
}

impl From<table_store::OpenError> for Error {
    fn from(error: table_store::OpenError) -> Self {
        Self::Open(Arc::new(error))
    }
}
