//! Addresses of databases: `postgres://USER@HOST/DATABASE?schema=SCHEMA`.

use std::{env, path::PathBuf};

use table_postgres::PostgresOptions;
use table_rest::AccountName;

use super::StoreLocationError;

/// The part of an address that is replaced by the name of an account, so that each has a schema of its own.
pub(crate) const ACCOUNT: &str = "{account}";

/// Returns the options of the database at an address. A password that is not in it is that of `PGPASSWORD`, or of the file
/// `PGPASSFILE`, which is `~/.pgpass` by default.
pub(crate) fn options(
    url: &str,
    account: Option<&AccountName>,
) -> Result<PostgresOptions, StoreLocationError> {
    let url = match account {
        Some(account) => url.replace(ACCOUNT, account.as_str()),
        None if url.contains(ACCOUNT) => return Err(StoreLocationError::NoAccount),
        None => url.to_owned(),
    };
    let options = PostgresOptions::new(&url).map_err(StoreLocationError::Address)?;
    let options = match env::var("PGPASSWORD") {
        Ok(password) if !password.is_empty() => options.default_password(password),
        _ => options,
    };
    match password_file().filter(|_| options.password().is_none()) {
        Some(file) => options.password_file(file).map_err(StoreLocationError::Address),
        None => Ok(options),
    }
}

/// Returns the file of passwords: it must exist if the user names it.
fn password_file() -> Option<PathBuf> {
    if let Some(file) = env::var_os("PGPASSFILE").filter(|file| !file.is_empty()) {
        return Some(file.into());
    }
    let file = PathBuf::from(env::var_os("HOME")?).join(".pgpass");
    file.is_file().then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_the_schema_of_an_account() {
        let account: AccountName = "acme".parse().unwrap();
        let address = "postgres://db/tables?schema={account}";
        assert_eq!(
            options(address, Some(&account)).unwrap().address(),
            "postgres://db:5432/tables?schema=acme"
        );
        assert!(matches!(options(address, None), Err(StoreLocationError::NoAccount)));
        let error = options("postgres://u:s3cr3t@db/tables?shema=acme", None).unwrap_err().to_string();
        assert!(error.contains("not valid") && !error.contains("s3cr3t"), "{error}");
    }
}
