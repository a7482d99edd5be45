use std::{fmt, path::PathBuf, time::Duration};

use table_model::{ErrorCode, Result, TableError, limits::KeyLength};
use tokio_postgres::Config;

use crate::Postgres;

/// Name of the schema of the database that contains the tables, if none is given.
const SCHEMA: &str = "table_patterns";

/// Options of a connection to a database.
///
/// ```
/// use std::time::Duration;
/// use table_postgres::PostgresOptions;
///
/// let options = PostgresOptions::new("postgres://tables@db1,db2/tables?target_session_attrs=read-write")?
///     .schema("orders")?
///     .connections(32)
///     .statement_timeout(Duration::from_secs(10));
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone)]
pub struct PostgresOptions {
    pub(crate) config: Config,
    pub(crate) schema: String,
    pub(crate) connections: usize,
    pub(crate) statement_timeout: Duration,
    pub(crate) connect_timeout: Duration,
    pub(crate) segment_time: Duration,
    pub(crate) root_certificates: Option<PathBuf>,
    pub(crate) key_length: KeyLength,
}

impl PostgresOptions {
    /// Creates options from a URL, `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, or a string of pairs `key=value`. Several
    /// hosts are separated by commas; `target_session_attrs=read-write` selects the primary.
    ///
    /// # Errors
    /// `InvalidInput` if the string is invalid. The message does not contain it, as it can contain a password.
    pub fn new(url: &str) -> Result<Self> {
        // Certificates are always verified, so these two names of other clients mean the same.
        let url = ["verify-full", "verify-ca"]
            .iter()
            .fold(url.to_owned(), |url, mode| url.replace(&format!("sslmode={mode}"), "sslmode=require"));
        let config: Config = url.parse().map_err(|_| {
            invalid(
                "The address of the database is not valid. Use postgres://USER:PASSWORD@HOST:PORT/DATABASE, and escape \
                 special characters of the password by %.",
            )
        })?;
        if config.get_hosts().is_empty() {
            return Err(invalid("The address of the database has no host."));
        }
        Ok(Self {
            config,
            schema: SCHEMA.to_owned(),
            connections: 16,
            statement_timeout: Duration::from_secs(30),
            connect_timeout: Duration::from_secs(5),
            segment_time: Duration::from_secs(5),
            root_certificates: None,
            key_length: KeyLength::Strict,
        })
    }

    /// Sets the schema of the database that contains the tables. It is created if it does not exist. Defaults to
    /// `table_patterns`.
    ///
    /// # Errors
    /// `InvalidInput` if the name is not 1 to 40 lower-case letters, digits or `_`, starting with a letter.
    pub fn schema(mut self, name: impl Into<String>) -> Result<Self> {
        let name = name.into();
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if !(1..=40).contains(&name.len())
            || !name.starts_with(|first: char| first.is_ascii_lowercase())
            || !name.bytes().all(allowed)
        {
            return Err(invalid(
                "The name of the schema is not valid. Use 1 to 40 lower-case letters, digits and `_`, starting with a \
                 letter.",
            ));
        }
        self.schema = name;
        Ok(self)
    }

    /// Sets the maximum number of connections. Defaults to 16.
    #[must_use]
    pub const fn connections(mut self, count: usize) -> Self {
        self.connections = count;
        self
    }

    /// Sets the time after which the database cancels a statement. Defaults to 30 seconds.
    #[must_use]
    pub const fn statement_timeout(mut self, time: Duration) -> Self {
        self.statement_timeout = time;
        self
    }

    /// Sets the time to wait for a connection. Defaults to 5 seconds.
    #[must_use]
    pub const fn connect_timeout(mut self, time: Duration) -> Self {
        self.connect_timeout = time;
        self
    }

    /// Sets the time after which a segment of a query ends. Defaults to 5 seconds, as in the service.
    #[must_use]
    pub const fn segment_time(mut self, time: Duration) -> Self {
        self.segment_time = time;
        self
    }

    /// Trusts the certificates of a PEM file instead of those of the system. TLS is used as `sslmode` of the address says:
    /// `disable`, `prefer` (default), or `require`. Certificates are always verified, as by `verify-full` of other clients.
    #[must_use]
    pub fn root_certificates(mut self, file: impl Into<PathBuf>) -> Self {
        self.root_certificates = Some(file.into());
        self
    }

    /// Sets the limit for keys. Defaults to 512 characters (UTF-16 units).
    #[must_use]
    pub const fn key_length(mut self, length: KeyLength) -> Self {
        self.key_length = length;
        self
    }

    /// Connects to the database, and creates the schema if it does not exist.
    ///
    /// # Errors
    /// As [`Postgres::connect`].
    pub async fn connect(self) -> Result<Postgres> {
        Postgres::open(self).await
    }
}

/// Prints no address, as it can contain a password.
impl fmt::Debug for PostgresOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresOptions")
            .field("schema", &self.schema)
            .field("connections", &self.connections)
            .finish_non_exhaustive()
    }
}

pub(crate) fn invalid(message: impl Into<String>) -> TableError {
    TableError::with_message(ErrorCode::InvalidInput, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_address_is_not_repeated() {
        for url in ["postgres://user:secret@host:port/db", "host", "postgres://", "password=secret"] {
            let error = PostgresOptions::new(url).unwrap_err();
            assert_eq!(error.code(), ErrorCode::InvalidInput, "{url}");
            assert!(!error.to_string().contains("secret"), "{error}");
        }
        let options = PostgresOptions::new("postgres://user:secret@host/db").unwrap();
        assert!(!format!("{options:?}").contains("secret"));
    }

    #[test]
    fn a_schema_is_a_plain_name() {
        let options = || PostgresOptions::new("host=localhost").unwrap();
        assert!(options().schema("orders_2").is_ok());
        for name in ["", "2", "Orders", "a\"b", "a-b", &"a".repeat(41)] {
            assert!(options().schema(name).is_err(), "{name}");
        }
    }
}
