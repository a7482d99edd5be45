use std::{
    convert::Infallible,
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
};

use clap::Args;
use table_rest::{AccountName, client::Account};
use table_store::OpenOptions;

use super::{Location, StoreLocationError, database, folder, kind::Kind};

/// The location of the data: the same for every command on data.
#[derive(Clone, Debug, Args)]
pub(crate) struct LocationArguments {
    /// Store file, data directory of `tables serve`, connection string, signed URL, or address of a database:
    /// `postgres://USER@HOST/DATABASE?schema=SCHEMA`
    #[arg(long, value_name = "STORE", env = "TABLES_STORE", hide_env_values = true)]
    store: Where,

    /// Account to use if the data directory contains several, or for {account} in the address of a database
    #[arg(long, value_name = "NAME")]
    account: Option<AccountName>,
}

impl LocationArguments {
    /// Creates a location from an option with another name.
    pub(crate) fn of(store: Where, account: Option<AccountName>) -> Self {
        Self { store, account }
    }

    /// Opens an existing store for a command that only reads. A file is not changed, and may be on read-only media.
    ///
    /// # Errors
    ///
    /// See [`StoreLocationError`]. No error contains credentials.
    pub(crate) fn open_to_read(&self) -> Result<Location, StoreLocationError> {
        self.open_with(&OpenOptions::new().read_only(true), false)
    }

    /// Opens an existing store for a command that also writes. A file must not have a kept log.
    ///
    /// # Errors
    ///
    /// See [`StoreLocationError`]. No error contains credentials.
    pub(crate) fn open(&self) -> Result<Location, StoreLocationError> {
        self.open_with(&OpenOptions::new().create(false), false)
    }

    /// Returns whether the location is the data directory of a server.
    pub(super) fn is_folder(&self) -> bool {
        matches!(Kind::of(&self.store.0), Kind::Path(path) if path.is_dir())
    }

    /// Checks a location that is not a path, without a request.
    #[cfg(feature = "mcp")]
    pub(crate) fn check(&self) -> Result<(), StoreLocationError> {
        match Kind::of(&self.store.0) {
            Kind::Path(_) => Ok(()),
            Kind::Database(url) => database::options(url, self.account.as_ref()).map(drop),
            _ => self.open_to_read().map(drop),
        }
    }

    /// Returns the account key, the signature or the password of the location, which no output may contain.
    #[cfg(feature = "mcp")]
    pub(crate) fn secret(&self) -> Option<String> {
        if let Kind::Database(url) = Kind::of(&self.store.0) {
            let options = database::options(url, self.account.as_ref()).ok()?;
            let password = options.password().filter(|password| !password.is_empty())?;
            return Some(String::from_utf8_lossy(password).into_owned());
        }
        let settings = self.store.0.split([';', '?', '&']).filter_map(|setting| setting.split_once('='));
        let mut secrets = settings
            .filter(|(name, _)| matches!(name.trim().to_ascii_lowercase().as_str(), "accountkey" | "sig"));
        // Without its padding a secret must not be empty either: everything would contain it.
        secrets
            .next()
            .map(|(_, secret)| secret.trim().to_owned())
            .filter(|secret| secret.bytes().any(|byte| byte != b'='))
    }

    /// Opens a location. `create` creates the schema of a database if it does not exist; the options are those of a file.
    pub(super) fn open_with(
        &self,
        options: &OpenOptions,
        create: bool,
    ) -> Result<Location, StoreLocationError> {
        let path = match Kind::of(&self.store.0) {
            Kind::Database(url) => {
                let options = database::options(url, self.account.as_ref())?;
                if self.account.is_some() && !url.contains(database::ACCOUNT) {
                    return Err(StoreLocationError::NoFolder);
                }
                return Location::of_database(options.create(create));
            }
            Kind::SignedUrl(url) => return self.account_of(Account::from_signed_url(url)),
            Kind::ConnectionString(text) => {
                let location = self.account_of(Account::from_connection_string(text))?;
                return Ok(Location { connection: text.parse().ok(), ..location });
            }
            Kind::Unsigned => return Err(StoreLocationError::Unsigned),
            Kind::Malformed => return Err(StoreLocationError::Malformed),
            Kind::Empty => return Err(StoreLocationError::Unspecified),
            Kind::Path(_) => self.path("")?,
        };
        Location::of_file(&path, options)
    }

    fn account_of(&self, account: table_store::Result<Account>) -> Result<Location, StoreLocationError> {
        if self.account.is_some() {
            return Err(StoreLocationError::NoFolder);
        }
        Location::of_account(&account?)
    }

    /// Returns whether both locations are the same existing file.
    pub(crate) fn is_same_file(&self, other: &Self) -> bool {
        let file = |location: &Self| location.path("").ok()?.canonicalize().ok();
        file(self).is_some_and(|file_of_self| file(other) == Some(file_of_self))
    }

    /// Returns the path of the store's file, for operations that support only files, without checking its existence.
    /// `instead` says how the operation is done on a database.
    ///
    /// # Errors
    ///
    /// Returns [`StoreLocationError::NoFile`] if the location is behind the protocol, [`StoreLocationError::IsDatabase`] if it
    /// is a database.
    pub(crate) fn path(&self, instead: &'static str) -> Result<PathBuf, StoreLocationError> {
        let path = match Kind::of(&self.store.0) {
            Kind::Path(path) => path,
            Kind::Database(_) => return Err(StoreLocationError::IsDatabase(instead)),
            Kind::Malformed => return Err(StoreLocationError::Malformed),
            Kind::Empty => return Err(StoreLocationError::Unspecified),
            _ => return Err(StoreLocationError::NoFile),
        };
        match (path.is_dir(), &self.account) {
            (true, account) => folder::file(path, account.as_ref()),
            (false, Some(_)) => Err(StoreLocationError::NoFolder),
            (false, None) => Ok(path.to_owned()),
        }
    }
}

/// Rejects a connection string or URL in place of the path of a store file. It may contain a key, so it is not shown.
pub(crate) fn require_path(path: &Path, instead: &'static str) -> Result<(), StoreLocationError> {
    match path.to_str().map(Kind::of) {
        None | Some(Kind::Path(_)) => Ok(()),
        Some(Kind::Database(_)) => Err(StoreLocationError::IsDatabase(instead)),
        Some(Kind::Empty) => Err(StoreLocationError::Unspecified),
        Some(_) => Err(StoreLocationError::NoFile),
    }
}

/// A location as specified by the user. It may contain a key, so it is never shown.
#[derive(Clone)]
pub(crate) struct Where(String);

impl Where {
    /// Returns the address of a database.
    pub(crate) fn database(&self) -> Option<&str> {
        match Kind::of(&self.0) {
            Kind::Database(url) => Some(url),
            _ => None,
        }
    }
}

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

#[cfg(all(test, feature = "mcp"))]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_a_key_or_a_signature() {
        for (store, secret) in [
            ("AccountName=a;AccountKey=a2V5==;TableEndpoint=http://a/", Some("a2V5==")),
            ("https://a/?sv=1&SIG=x%3D", Some("x%3D")),
            ("https://a/?sig===", None),
            ("AccountName=a;AccountKey=", None),
            ("company.tables", None),
            ("postgres://jo:a%40b@db/d", Some("a@b")),
            ("postgres://jo@db/d", None),
        ] {
            let location = LocationArguments::of(store.parse().unwrap(), None);
            assert_eq!(location.secret().as_deref(), secret, "{store}");
        }
    }
}
