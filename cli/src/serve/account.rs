use std::{convert::Infallible, fmt, str::FromStr};

use table_rest::{AccountName, AccountNameError, auth::AccountKey, auth::AccountKeyError};

/// An account as specified on the command line: `NAME:KEY`, or `NAME:KEY:KEY` during a key rotation.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    pub(crate) name: AccountName,
    pub(crate) keys: Vec<AccountKey>,
}

impl Account {
    /// Returns the account of all emulators.
    pub(crate) fn emulator() -> Self {
        Self { name: AccountName::emulator(), keys: vec![AccountKey::emulator()] }
    }
}

/// An unparsed account. The argument parser would print a rejected string, and this one contains keys.
#[derive(Clone)]
pub(crate) struct AccountText(String);

impl AccountText {
    /// Parses the account.
    ///
    /// # Errors
    ///
    /// See [`AccountError`].
    pub(crate) fn read(&self) -> Result<Account, AccountError> {
        self.0.parse()
    }
}

impl FromStr for AccountText {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for AccountText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccountText(..)")
    }
}

/// Error of an invalid account. It contains no part of the string, because a misplaced part may be a key.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub(crate) enum AccountError {
    #[error("expected NAME:KEY or NAME:KEY:KEY, and `;` between accounts")]
    Form,
    #[error("an account name is repeated; two keys of one account are NAME:KEY:KEY")]
    Repeated,
    #[error(transparent)]
    Name(#[from] AccountNameError),
    #[error(transparent)]
    Key(#[from] AccountKeyError),
    #[error(
        "a key must have at least 32 bytes, because a shorter one can be found by trial; use 64 random bytes"
    )]
    Short,
}

impl FromStr for Account {
    type Err = AccountError;

    fn from_str(text: &str) -> Result<Self, AccountError> {
        let (name, keys) = text.split_once(':').ok_or(AccountError::Form)?;
        let keys = keys.split(':').map(str::parse).collect::<Result<Vec<AccountKey>, _>>()?;
        if keys.len() > 2 {
            return Err(AccountError::Form);
        }
        if keys.iter().any(AccountKey::is_short) {
            return Err(AccountError::Short);
        }
        Ok(Self { name: name.parse()?, keys })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_key_or_two_stand_behind_the_name() {
        let [one, two] =
            ["b25lIGtleSBvZiB0aGUgYWNjb3VudCwgMzIgYnl0ZXM=", "dGhlIG90aGVyIGtleSwgYWxzbyBvZiAzMiBieXRlcy4="];
        let account: Account = format!("company:{one}").parse().unwrap();
        assert_eq!((account.name.as_str(), account.keys.len()), ("company", 1));
        assert_eq!(format!("company:{one}:{two}").parse::<Account>().unwrap().keys.len(), 2);
    }

    #[test]
    fn what_is_wrong_is_said_without_showing_it() {
        for text in [
            "c2VjcmV0",
            "company:",
            "company:%c2VjcmV0",
            "c2VjcmV0:company",
            "company:a2V5:a2V5:c2VjcmV0",
            "company:c2VjcmV0",
        ] {
            let error = text.parse::<Account>().unwrap_err().to_string();
            assert!(!error.contains("c2VjcmV0"), "{error}");
        }
    }
}
