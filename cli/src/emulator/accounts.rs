//! The accounts of the environment variable `AZURITE_ACCOUNTS`, in the form that the README of Azurite documents
//! ("Customized Storage Accounts & Keys"): `account1:key1[:key2];account2:key1[:key2];...`.

use std::env;

use table_rest::auth::AccountKey;

use crate::serve::{Account, AccountError};

const VARIABLE: &str = "AZURITE_ACCOUNTS";

/// Returns the accounts of the environment; by default the account of all emulators.
pub(super) fn of_environment() -> Result<Vec<Account>, AccountError> {
    let text = env::var_os(VARIABLE).map(|text| text.into_string().map_err(|_| AccountError::Form));
    read(&text.transpose()?.unwrap_or_default())
}

fn read(text: &str) -> Result<Vec<Account>, AccountError> {
    let mut accounts: Vec<Account> = Vec::new();
    for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let account = account(part)?;
        if accounts.iter().any(|known| known.name == account.name) {
            return Err(AccountError::Repeated);
        }
        accounts.push(account);
    }
    if accounts.is_empty() {
        return Ok(vec![Account::emulator()]);
    }
    Ok(accounts)
}

/// Parses an account. Unlike those of a server, its keys may be short.
fn account(text: &str) -> Result<Account, AccountError> {
    let mut parts = text.split(':').map(str::trim);
    let name = parts.next().unwrap_or_default().parse()?;
    let keys = parts.map(|key| padded(key).parse()).collect::<Result<Vec<AccountKey>, _>>()?;
    if matches!(keys.len(), 1 | 2) { Ok(Account { name, keys }) } else { Err(AccountError::Form) }
}

/// Returns a Base64 string with its padding, which Azurite does not require.
fn padded(key: &str) -> String {
    let bare = key.trim_end_matches('=');
    let missing = bare.len().next_multiple_of(4) - bare.len();
    format!("{bare}{}", "=".repeat(missing))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(String, usize)> {
        let accounts = read(text).unwrap();
        accounts.into_iter().map(|account| (account.name.to_string(), account.keys.len())).collect()
    }

    #[test]
    fn accounts_are_separated_by_semicolons_and_have_one_key_or_two() {
        let known = [("devstoreaccount1".to_owned(), 1)];
        assert_eq!(names(""), known);
        assert_eq!(names(" ; "), known);
        assert!(read("").unwrap()[0].keys.contains(&AccountKey::emulator()));
        assert_eq!(names("one:a2V5"), [("one".to_owned(), 1)]);
        let two = [("one".to_owned(), 2), ("two".to_owned(), 1)];
        assert_eq!(names("one:a2V5:b3RoZXI=;two:a2V5;"), two);
        assert_eq!(names("one:a2V5:b3RoZXI ; two:a2V5"), two);
        assert!(matches!(read("one:a2V5;one:b3RoZXI="), Err(AccountError::Repeated)));
    }

    #[test]
    fn what_is_wrong_is_said_without_showing_it() {
        for text in [
            "one",
            "one:",
            "one:a2V5:a2V5:c2VjcmV0",
            "ONE:c2VjcmV0",
            ":c2VjcmV0",
            "one:c2VjcmV0!",
            "c2VjcmV0",
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(!error.contains("c2VjcmV0"), "{error}");
        }
    }
}
