use std::{
    env, fmt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use table_model::{ErrorCode, Result, TableError, TableName, limits::KeyLength};
use tokio_postgres::Config;

use crate::{Postgres, address, password_file};

/// Receives the number of entities that a request read, or wrote, in a partition.
pub(crate) type AccessObserver = Arc<dyn Fn(&TableName, &str, u64) + Send + Sync>;

/// Name of the schema of the database that contains the tables, if none is given.
const SCHEMA: &str = "table_patterns";

/// Maximum number of connections.
pub(crate) const CONNECTIONS: usize = 10_000;

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
    pub(crate) create: bool,
    pub(crate) observer: Option<AccessObserver>,
}

impl PostgresOptions {
    /// Creates options from a URL, `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, or a string of pairs `key=value`. Several
    /// hosts are separated by commas; `target_session_attrs=read-write` selects the primary.
    ///
    /// The parameters `schema`, `connections` and `sslrootcert` of a URL are those of [`schema`](Self::schema),
    /// [`connections`](Self::connections) and [`root_certificates`](Self::root_certificates).
    ///
    /// # Errors
    /// `InvalidInput` if the string is invalid. The message does not contain it, as it can contain a password.
    pub fn new(url: &str) -> Result<Self> {
        let (url, parameters) = address::split(url);
        let config: Config = url.parse().map_err(|_| not_an_address())?;
        if config.get_hosts().is_empty() {
            return Err(invalid("The address of the database has no host."));
        }
        // The rest of a password whose `@` is not escaped: it must not be looked up or printed.
        if address::has_unescaped_password(&config) {
            return Err(not_an_address());
        }
        let connections = match parameters.connections.map(|count| count.parse()) {
            None => 16,
            Some(Ok(count @ 1..=CONNECTIONS)) => count,
            Some(_) => {
                return Err(invalid(format!(
                    "The number of connections of the address is not valid. Use 1 to {CONNECTIONS}."
                )));
            }
        };
        let options = Self {
            config,
            schema: String::new(),
            connections,
            statement_timeout: Duration::from_secs(30),
            connect_timeout: Duration::from_secs(5),
            segment_time: Duration::from_secs(5),
            root_certificates: parameters.root_certificates,
            key_length: KeyLength::Strict,
            create: true,
            observer: None,
        };
        options.schema(parameters.schema.as_deref().unwrap_or(SCHEMA))
    }

    /// Returns the address without its password, for messages.
    ///
    /// ```
    /// # use table_postgres::PostgresOptions;
    /// let options = PostgresOptions::new("postgres://tables:secret@db:5432/tables?schema=orders&sslmode=require")?;
    /// assert_eq!(options.address(), "postgres://tables@db:5432/tables?schema=orders");
    /// # Ok::<(), table_model::TableError>(())
    /// ```
    pub fn address(&self) -> String {
        address::shown(&self.config, &self.schema)
    }

    /// Sets the password, unless the address contains one.
    #[must_use]
    pub fn default_password(mut self, password: impl AsRef<[u8]>) -> Self {
        if self.config.get_password().is_none() {
            self.config.password(password);
        }
        self
    }

    /// Sets the password from a file in the format of `~/.pgpass`, unless the address contains one. The first line for one of
    /// the hosts, the database and the user has it; without such a line, there is no password.
    ///
    /// # Errors
    /// `InvalidInput` if the file cannot be read, or other users have access to it.
    pub fn password_file(self, file: impl AsRef<Path>) -> Result<Self> {
        Ok(match password_file::read(file.as_ref(), &self.config)? {
            Some(password) => self.default_password(password),
            None => self,
        })
    }

    /// Sets the password from the environment, as other programs for PostgreSQL do, unless the address contains one: that of
    /// `PGPASSWORD`, or of the file `PGPASSFILE`, which is `~/.pgpass` by default. [`Postgres::connect`] calls it.
    ///
    /// # Errors
    /// As [`password_file`](Self::password_file); `PGPASSFILE` must name a file.
    pub fn environment_password(self) -> Result<Self> {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty());
        if self.config.get_password().is_some() {
            return Ok(self);
        }
        if let Some(password) = set("PGPASSWORD") {
            return Ok(self.default_password(password.as_encoded_bytes()));
        }
        let default =
            || set("HOME").map(|home| PathBuf::from(home).join(".pgpass")).filter(|file| file.is_file());
        match set("PGPASSFILE").map(PathBuf::from).or_else(default) {
            Some(file) => self.password_file(file),
            None => Ok(self),
        }
    }

    /// Returns the password, which no output may contain.
    #[doc(hidden)]
    pub fn password(&self) -> Option<&[u8]> {
        self.config.get_password()
    }

    /// Sets whether [`connect`](Self::connect) creates a missing schema. Defaults to `true`. Without it, a role that can only
    /// read, and a standby, are sufficient for reads.
    #[must_use]
    pub const fn create(mut self, create: bool) -> Self {
        self.create = create;
        self
    }

    /// Sets a function that receives the number of entities that each request read, or successfully wrote, in a partition. It
    /// must return quickly.
    #[must_use]
    pub fn access_observer(
        mut self,
        observer: impl Fn(&TableName, &str, u64) + Send + Sync + 'static,
    ) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Sets the schema of the database that contains the tables. It is created if it does not exist. Defaults to
    /// `table_patterns`.
    ///
    /// # Errors
    /// `InvalidInput` if the name is not 1 to 40 lower-case letters, digits or `_`, or one that PostgreSQL reserves.
    pub fn schema(mut self, name: impl Into<String>) -> Result<Self> {
        let name = name.into();
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if !(1..=40).contains(&name.len())
            || name.starts_with("pg_")
            || name == "information_schema"
            || !name.bytes().all(allowed)
        {
            return Err(invalid(
                "The name of the schema is not valid. Use 1 to 40 lower-case letters, digits and `_`, without `pg_` at the start.",
            ));
        }
        self.schema = name;
        Ok(self)
    }

    /// Sets the maximum number of connections, at most 10,000. Defaults to 16.
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

    /// Returns the schema as an identifier of SQL: a keyword such as `user` is a name only in quotation marks.
    pub(crate) fn quoted_schema(&self) -> String {
        format!("\"{}\"", self.schema)
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

fn not_an_address() -> TableError {
    invalid(
        "The address of the database is not valid. Use postgres://USER:PASSWORD@HOST:PORT/DATABASE, check the names of its \
         parameters, and escape special characters of the password by %.",
    )
}

pub(crate) fn invalid(message: impl Into<String>) -> TableError {
    TableError::with_message(ErrorCode::InvalidInput, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_address_is_not_repeated() {
        for url in [
            "postgres://user:secret@host:port/db",
            "host",
            "postgres://",
            "password=secret",
            "postgres://user:a@secret@host/db",
        ] {
            let error = PostgresOptions::new(url).unwrap_err();
            assert_eq!(error.code(), ErrorCode::InvalidInput, "{url}");
            assert!(!error.to_string().contains("secret"), "{error}");
        }
        let options = PostgresOptions::new("postgres://user:secret@host/db").unwrap();
        assert!(!format!("{options:?}").contains("secret"));
    }

    #[test]
    fn an_address_is_read_as_users_of_psql_write_it() {
        let url = "postgresql://jo:a%40b@db1:1,db2:2/d?sslmode=verify-full&sslrootcert=a%20b.pem&schema=s&connections=3";
        let options = PostgresOptions::new(url).unwrap();
        assert_eq!(options.address(), "postgres://jo@db1:1,db2:2/d?schema=s");
        assert_eq!(options.config.get_ssl_mode(), tokio_postgres::config::SslMode::Require);
        assert_eq!(options.root_certificates.as_deref(), Some("a b.pem".as_ref()));
        assert_eq!((options.connections, options.password()), (3, Some(&b"a@b"[..])));
        assert_eq!(options.default_password("other").password(), Some(&b"a@b"[..]));
        for invalid in [
            "connections=0",
            "connections=x",
            "connections=18446744073709551615",
            "schema=",
            "schema=A",
            "colour=blue",
        ] {
            assert!(PostgresOptions::new(&format!("postgres://db/d?{invalid}")).is_err(), "{invalid}");
        }
        let options = PostgresOptions::new("postgres://db/d").unwrap();
        assert_eq!(options.default_password("other").password(), Some(&b"other"[..]));
    }

    #[test]
    fn a_schema_is_a_plain_name() {
        let options = || PostgresOptions::new("host=localhost").unwrap();
        assert!(options().schema("orders_2").is_ok());
        for name in ["", "Orders", "a\"b", "a-b", "pg_x", "information_schema", &"a".repeat(41)] {
            assert!(options().schema(name).is_err(), "{name}");
        }
    }
}
