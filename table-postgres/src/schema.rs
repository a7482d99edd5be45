//! The tables of this crate in the database, and their version.

use table_model::{ErrorCode, Result, TableError, token::TokenKey};

use crate::{PostgresOptions, blobs::CREATE, client::Client, failure::Failure, options::invalid};

/// Version of the layout that this version writes. Version 1 has no blobs and settings.
const VERSION: i32 = 2;

/// Number of writers at the same time. Each has timestamps of its own: the ticks with one remainder.
pub(crate) const WRITERS: i64 = 64;

/// Time of the database in ticks, as an expression of SQL.
pub(crate) const NOW: &str =
    "((extract(epoch FROM clock_timestamp()) * 10000000)::int8 + 621355968000000000)";

/// Creates the columns and the table of settings.
const SETTINGS: &str = "ALTER TABLE SCHEMA.tables ADD COLUMN policies bytea NOT NULL DEFAULT '';
    ALTER TABLE SCHEMA.queues ADD COLUMN policies bytea NOT NULL DEFAULT '';
    CREATE TABLE SCHEMA.services (name text PRIMARY KEY, properties bytea NOT NULL);";

/// Serializes the creation of the schema by several processes.
const LOCK: &str = "SELECT pg_advisory_xact_lock(1952541292, hashtext($1))";

/// Creates the schema unless it exists, and checks its version. Returns the key of continuation tokens.
pub(crate) async fn open(client: &mut Client, options: &PostgresOptions) -> Result<TokenKey> {
    let (schema, quoted) = (options.schema.as_str(), options.quoted_schema());
    if let Some(key) = token_key(client, &quoted).await? {
        return Ok(key);
    }
    if !options.create && is_older(client, &quoted).await? {
        return Err(invalid(format!(
            "The schema {schema} was created by an older version. `tables serve`, and a program that may create the schema, \
             extend it; older programs then reject it."
        )));
    }
    if !options.create {
        let message = format!("The database contains no schema {schema} with tables.");
        return Err(TableError::with_message(ErrorCode::ResourceNotFound, message));
    }
    create(client, schema, &quoted).await.map_err(TableError::from)?;
    extend(client, schema, &quoted).await.map_err(TableError::from)?;
    token_key(client, &quoted).await?.ok_or_else(|| invalid(format!("The schema {schema} is incomplete.")))
}

/// Returns `true` if there are tables of an older version.
async fn is_older(client: &Client, quoted: &str) -> Result<bool> {
    match client.query_opt(&format!("SELECT version FROM {quoted}.meta"), &[]).await {
        Ok(row) => Ok(row.is_some_and(|row| row.get::<_, i32>(0) < VERSION)),
        Err(Failure::NoTable) => Ok(false),
        Err(failure) => Err(failure.into()),
    }
}

async fn token_key(client: &Client, schema: &str) -> Result<Option<TokenKey>> {
    let query = format!("SELECT version, token_key FROM {schema}.meta");
    let row = match client.query_opt(&query, &[]).await {
        Ok(row) => row,
        Err(Failure::NoTable) => None,
        Err(failure) => return Err(failure.into()),
    };
    let Some(row) = row else { return Ok(None) };
    let version: i32 = row.get(0);
    if version < VERSION {
        return Ok(None);
    }
    if version > VERSION {
        return Err(TableError::with_message(
            ErrorCode::InvalidInput,
            format!(
                "The schema {schema} has version {version}; this program supports {VERSION}. Use a newer program, or another \
                 schema."
            ),
        ));
    }
    let key: &[u8] = row.get(1);
    key.try_into()
        .map(TokenKey)
        .map(Some)
        .map_err(|_| invalid(format!("The schema {schema} has no valid token key.")))
}

/// Extends a schema of version 1 to version 2, in one transaction.
async fn extend(client: &mut Client, schema: &str, quoted: &str) -> Result<(), Failure> {
    let transaction = client.transaction().await?;
    transaction.query_one(LOCK, &[&schema]).await?;
    let update = format!("UPDATE {quoted}.meta SET version = $1 WHERE version = 1");
    if transaction.execute(&update, &[&VERSION]).await? == 1 {
        for create in [CREATE, SETTINGS] {
            transaction.batch_execute(&create.replace("SCHEMA", quoted)).await?;
        }
    }
    transaction.commit().await?;
    Ok(())
}

/// Creates a schema of version 1.
async fn create(client: &mut Client, schema: &str, quoted: &str) -> Result<(), Failure> {
    let mut key = [0; 32];
    getrandom::fill(&mut key)
        .map_err(|error| Failure::Refused(invalid(format!("no random numbers: {error}"))))?;
    let transaction = client.transaction().await?;
    transaction.query_one(LOCK, &[&schema]).await?;
    let exists = "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = 'meta')";
    if transaction.query_one(exists, &[&schema]).await?.get(0) {
        return Ok(());
    }
    // A role without the right to create schemas can use an existing one.
    let exists = "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)";
    if !transaction.query_one(exists, &[&schema]).await?.get::<_, bool>(0) {
        transaction.batch_execute(&format!("CREATE SCHEMA {quoted}")).await?;
    }
    let tables = format!(
        "CREATE TABLE {quoted}.meta (version int4 NOT NULL, token_key bytea NOT NULL);
         CREATE TABLE {quoted}.tables (id int4 GENERATED ALWAYS AS IDENTITY (START 16) PRIMARY KEY,
             folded text COLLATE \"C\" NOT NULL UNIQUE, name text NOT NULL);
         CREATE TABLE {quoted}.queues (id int4 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
             name text COLLATE \"C\" NOT NULL UNIQUE, metadata_names text[] NOT NULL, metadata_values text[] NOT NULL);
         CREATE TABLE {quoted}.writers (remainder int8 PRIMARY KEY, holder bytea NOT NULL, expires timestamptz NOT NULL,
             reserved int8 NOT NULL);
         INSERT INTO {quoted}.writers SELECT n, '', '-infinity', 0 FROM generate_series(0, {WRITERS} - 1) AS n;"
    );
    transaction.batch_execute(&tables).await?;
    let insert = format!("INSERT INTO {quoted}.meta (version, token_key) VALUES ($1, $2)");
    transaction.execute(&insert, &[&1_i32, &key.as_slice()]).await?;
    transaction.commit().await?;
    Ok(())
}
