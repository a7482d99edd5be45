use std::{path::Path, sync::Arc};

use table_store::embedded::{OpenOptions, Store};

use super::Tables;
use crate::Error;

impl Tables {
    /// On one file of this machine, made if it is not there. The file stays locked until the last clone of the handle
    /// is gone.
    ///
    /// For settings see [`OpenOptions`]: `Tables::from(OpenOptions::new().create(false).open(path)?)`.
    ///
    /// # Errors
    /// [`Error::Open`] says what is wrong with the file and what to do; the file is as it was.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Store::open(path)?.into())
    }

    /// In memory: gone with the last clone of the handle.
    pub fn in_memory() -> Result<Self, Error> {
        Ok(OpenOptions::new().in_memory()?.into())
    }
}

/// With the store's own queues and blobs.
impl From<Store> for Tables {
    fn from(store: Store) -> Self {
        Self::with(store.clone()).with_queues(store.clone()).with_blobs(store)
    }
}

impl From<table_store::embedded::OpenError> for Error {
    fn from(error: table_store::embedded::OpenError) -> Self {
        Self::Open(Arc::new(error))
    }
}
