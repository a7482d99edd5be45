use std::path::PathBuf;

use clap::Args;
use table_store::{KeepLog, OpenOptions};

use super::{Location, LocationArguments, StoreLocationError};

/// The location of the data of a command that writes. A store file with a kept log is written only with this log, or after
/// its end.
#[derive(Clone, Debug, Args)]
pub(crate) struct WritableLocation {
    #[command(flatten)]
    location: LocationArguments,

    #[command(flatten)]
    kept_log: KeptLogArguments,
}

/// The kept log of a store file that is written.
#[derive(Clone, Debug, Args)]
pub(crate) struct KeptLogArguments {
    /// Continue the kept log of the store file in DIR; with a data directory, DIR is that of `tables serve --keep-log`
    #[arg(long, value_name = "DIR")]
    pub(crate) keep_log: Option<PathBuf>,

    /// End the kept log of the store file: a backup cannot be restored to a later time than this
    #[arg(long, conflicts_with = "keep_log")]
    pub(crate) end_kept_log: bool,
}

impl WritableLocation {
    /// Creates a location from options with other names.
    pub(crate) fn of(location: LocationArguments, kept_log: KeptLogArguments) -> Self {
        Self { location, kept_log }
    }

    /// Returns the location without its kept log, for reads.
    #[cfg(feature = "mcp")]
    pub(crate) const fn location(&self) -> &LocationArguments {
        &self.location
    }

    /// Opens an existing store.
    ///
    /// # Errors
    ///
    /// See [`StoreLocationError`]. No error contains credentials.
    pub(crate) fn open(&self) -> Result<Location, StoreLocationError> {
        self.location.open_with(&self.options()?.create(false), false)
    }

    /// Opens a store; a missing file is created.
    pub(crate) fn open_or_create(&self) -> Result<Location, StoreLocationError> {
        self.location.open_with(&self.options()?, true)
    }

    /// Opens an existing store for reading, without its kept log. `reason` says which arguments cause this.
    pub(crate) fn open_to_read(&self, reason: &'static str) -> Result<Location, StoreLocationError> {
        if self.kept_log.end_kept_log {
            return Err(StoreLocationError::EndsByReading(reason));
        }
        self.options()?;
        self.location.open_to_read()
    }

    /// Returns the path of the store's file; see [`LocationArguments::path`].
    pub(crate) fn path(&self, instead: &'static str) -> Result<PathBuf, StoreLocationError> {
        self.location.path(instead)
    }

    /// Returns the options with which the store's file is written.
    pub(crate) fn options(&self) -> Result<OpenOptions, StoreLocationError> {
        let options = OpenOptions::new();
        let KeptLogArguments { keep_log, end_kept_log } = &self.kept_log;
        if keep_log.is_none() && !end_kept_log {
            return Ok(options);
        }
        let path = self.path("it archives its own log (WAL)").map_err(|error| match error {
            StoreLocationError::NoFile => StoreLocationError::NoKeptLog,
            error => error,
        })?;
        let Some(folder) = keep_log else { return Ok(options.end_kept_log()) };
        let account = path.file_stem().filter(|_| self.location.is_folder());
        let folder = account.map_or_else(|| folder.clone(), |account| folder.join(account));
        // The limit is that of the server, which deletes the oldest commits later.
        Ok(options.keep_log(KeepLog::in_folder(folder).most_bytes(u64::MAX)))
    }
}
