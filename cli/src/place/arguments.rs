use std::{convert::Infallible, fmt, path::PathBuf, str::FromStr};

use clap::Args;
use table_rest::{AccountName, client::Account};

use super::{Place, PlaceError, folder, kind::Kind};

/// Where the data is: the same for every command on data.
#[derive(Clone, Debug, Args)]
pub(crate) struct PlaceArguments {
    /// Where the data is: a store's file, the folder of `tables serve`, a connection string or a signed URL
    #[arg(long, value_name = "PLACE", env = "TABLES_STORE", hide_env_values = true)]
    store: Where,

    /// The account, where a folder holds several
    #[arg(long, value_name = "NAME")]
    account: Option<AccountName>,
}

impl PlaceArguments {
    /// Creates a location from an option with another name.
    pub(crate) fn of(store: Where, account: Option<AccountName>) -> Self {
        Self { store, account }
    }

    /// Opens an existing store.
    ///
    /// # Errors
    ///
    /// See [`PlaceError`]. No error contains credentials.
    pub(crate) fn open(&self) -> Result<Place, PlaceError> {
        self.open_with(false)
    }

    /// Opens a store; a missing file is created.
    pub(crate) fn open_or_create(&self) -> Result<Place, PlaceError> {
        self.open_with(true)
    }

    fn open_with(&self, create: bool) -> Result<Place, PlaceError> {
        let path = match Kind::of(&self.store.0) {
            Kind::SignedUrl(url) => return self.account_of(Account::from_signed_url(url)),
            Kind::ConnectionString(text) => return self.account_of(Account::from_connection_string(text)),
            Kind::Unsigned => return Err(PlaceError::Unsigned),
            Kind::Malformed => return Err(PlaceError::Malformed),
            Kind::Path(_) => self.path()?,
        };
        Place::of_file(&path, create)
    }

    fn account_of(&self, account: table_store::Result<Account>) -> Result<Place, PlaceError> {
        match &self.account {
            Some(_) => Err(PlaceError::NoFolder),
            None => Place::of_account(&account?),
        }
    }

    /// Returns the path of the store's file, for operations that support only files, without checking its existence.
    ///
    /// # Errors
    ///
    /// Returns [`PlaceError::NoFile`] if the location is behind the protocol.
    pub(crate) fn path(&self) -> Result<PathBuf, PlaceError> {
        let path = match Kind::of(&self.store.0) {
            Kind::Path(path) => path,
            Kind::Malformed => return Err(PlaceError::Malformed),
            _ => return Err(PlaceError::NoFile),
        };
        match (path.is_dir(), &self.account) {
            (true, account) => folder::file(path, account.as_ref()),
            (false, Some(_)) => Err(PlaceError::NoFolder),
            (false, None) => Ok(path.to_owned()),
        }
    }
}

/// A location as specified by the user. It may contain a key, so it is never shown.
#[derive(Clone)]
pub(crate) struct Where(String);

impl FromStr for Where {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Where {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Where(..)")
    }
}
