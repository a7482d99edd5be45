use std::{borrow::Borrow, fmt, ops::Deref, str::FromStr};

/// The name of a storage account: 3 to 24 lowercase letters and digits.
///
/// ```
/// use table_rest::AccountName;
///
/// let name: AccountName = "devstoreaccount1".parse()?;
/// assert_eq!(name, AccountName::emulator());
/// assert!("Dev-Store".parse::<AccountName>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountName(String);

/// Error for a string that is not a valid account name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid account name; expected 3 to 24 lower-case letters and digits")]
pub struct AccountNameError;

impl AccountName {
    /// Returns the emulator account, whose key is public.
    #[must_use]
    pub fn emulator() -> Self {
        Self(String::from("devstoreaccount1"))
    }

    /// Returns `true` for the emulator account, whose key is public.
    #[must_use]
    pub fn is_emulator(&self) -> bool {
        self.0 == "devstoreaccount1"
    }

    /// Returns the name as a string slice.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for AccountName {
    type Err = AccountNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let legal = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let fits = (3..=24).contains(&text.len()) && text.bytes().all(legal);
        if fits { Ok(Self(String::from(text))) } else { Err(AccountNameError) }
    }
}

impl Deref for AccountName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AccountName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Names compare and hash like their strings, as `Borrow` requires.
impl Borrow<str> for AccountName {
    fn borrow(&self) -> &str {
        &self.0
    }
}
