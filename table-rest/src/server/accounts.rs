use std::collections::HashMap;

use super::ServedAccount;
use crate::AccountName;

/// The accounts of a server, by name.
#[derive(Clone, Debug, Default)]
pub struct Accounts(HashMap<AccountName, ServedAccount>);

impl Accounts {
    /// Returns the account with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&ServedAccount> {
        self.0.get(name)
    }
}

impl FromIterator<ServedAccount> for Accounts {
    fn from_iter<I: IntoIterator<Item = ServedAccount>>(accounts: I) -> Self {
        Self(accounts.into_iter().map(|account| (account.name.clone(), account)).collect())
    }
}
