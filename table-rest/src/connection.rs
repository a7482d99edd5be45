//! Connection strings: the endpoints and the credential of an account.

mod endpoints;
mod error;
mod setting;

pub use error::ConnectionStringError;

use std::{fmt, str::FromStr};

use zeroize::Zeroizing;

use crate::{
    AccountName, ServiceKind,
    auth::AccountKey,
    connection::{
        endpoints::Endpoints,
        setting::{Setting, Settings},
    },
};

/// A parsed connection string. `Debug` shows neither key nor signature.
///
/// ```
/// use table_rest::{ServiceKind, connection::ConnectionString};
///
/// let cloud: ConnectionString = "AccountName=acme;AccountKey=a2V5;EndpointSuffix=core.windows.net".parse()?;
/// assert_eq!(cloud.endpoint(ServiceKind::Table), Some("https://acme.table.core.windows.net"));
/// let local: ConnectionString = "UseDevelopmentStorage=true".parse()?;
/// assert_eq!(local.endpoint(ServiceKind::Table), Some("http://127.0.0.1:10002/devstoreaccount1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionString {
    account: Option<AccountName>,
    credential: Credential,
    endpoints: Endpoints,
}

/// The credential of a connection string.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Credential {
    /// An account key, which grants full access.
    Key(AccountName, AccountKey),
    /// A shared access signature: a query, without `?`.
    Signature(Zeroizing<String>),
    /// No credential, for public data.
    Anonymous,
}

impl ConnectionString {
    /// Creates a connection string for an account key, without endpoints.
    #[must_use]
    pub fn new(account: AccountName, key: AccountKey) -> Self {
        let credential = Credential::Key(account.clone(), key);
        Self { account: Some(account), credential, endpoints: Endpoints::default() }
    }

    /// Sets the endpoint of a service, such as `http://127.0.0.1:10002/acme`.
    ///
    /// # Errors
    ///
    /// Returns an error if the URL is not a valid service endpoint.
    pub fn with_endpoint(mut self, kind: ServiceKind, url: &str) -> Result<Self, ConnectionStringError> {
        self.endpoints.set_primary(kind, url)?;
        Ok(self)
    }

    /// Returns the account name, or `None` if only endpoints contain it.
    #[must_use]
    pub const fn account(&self) -> Option<&AccountName> {
        self.account.as_ref()
    }

    /// Returns the credential.
    #[must_use]
    pub const fn credential(&self) -> &Credential {
        &self.credential
    }

    /// Returns the endpoint of a service without a trailing `/`, or `None` if the string does not specify it.
    #[must_use]
    pub fn endpoint(&self, kind: ServiceKind) -> Option<&str> {
        self.endpoints.primary(kind)
    }

    /// Returns the read-only secondary endpoint of a service.
    #[must_use]
    pub fn secondary(&self, kind: ServiceKind) -> Option<&str> {
        self.endpoints.secondary(kind)
    }

    /// Returns the connection string, secrets included. Parsing the result returns an equal value.
    #[must_use]
    pub fn expose(&self) -> Zeroizing<String> {
        let mut text = Zeroizing::new(String::new());
        let mut push = |setting: Setting, value: &str| {
            for part in [setting.name(), "=", value, ";"] {
                text.push_str(part);
            }
        };
        // Some clients recognize a key only in a string that starts this way.
        let first = ServiceKind::ALL.into_iter().find_map(|kind| self.endpoint(kind));
        if let (Credential::Key(..), Some((scheme, _))) =
            (&self.credential, first.and_then(|url| url.split_once("://")))
        {
            push(Setting::DefaultEndpointsProtocol, scheme);
        }
        if let Some(account) = &self.account {
            push(Setting::AccountName, account);
        }
        match &self.credential {
            Credential::Key(_, key) => push(Setting::AccountKey, &key.expose()),
            Credential::Signature(signature) => push(Setting::SharedAccessSignature, signature),
            Credential::Anonymous => {}
        }
        for kind in ServiceKind::ALL {
            let [primary, secondary] = Setting::endpoints(kind);
            if let Some(url) = self.endpoint(kind) {
                push(primary, url);
            }
            if let Some(url) = self.secondary(kind) {
                push(secondary, url);
            }
        }
        text
    }
}

impl FromStr for ConnectionString {
    type Err = ConnectionStringError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let settings = Settings::read(text)?;
        if let Some(endpoints) = Endpoints::of_emulator(&settings)? {
            let account = AccountName::emulator();
            return Ok(Self { endpoints, ..Self::new(account, AccountKey::emulator()) });
        }
        let account: Option<AccountName> = settings.parse(Setting::AccountName)?;
        let key: Option<AccountKey> = settings.parse(Setting::AccountKey)?;
        let signature = settings.get(Setting::SharedAccessSignature);
        let signature =
            signature.map(|query| query.trim_start_matches('?')).filter(|query| !query.is_empty());
        let credential = match (&account, key, signature) {
            (_, Some(_), Some(_)) => return Err(ConnectionStringError::TwoCredentials),
            (Some(account), Some(key), None) => Credential::Key(account.clone(), key),
            (None, Some(_), None) => return Err(ConnectionStringError::Missing("AccountName")),
            (_, None, Some(query)) => Credential::Signature(Zeroizing::new(String::from(query))),
            (_, None, None) => Credential::Anonymous,
        };
        let endpoints = Endpoints::read(&settings, account.as_ref())?;
        Ok(Self { account, credential, endpoints })
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(account, key) => f.debug_tuple("Key").field(account).field(key).finish(),
            Self::Signature(_) => f.write_str("Signature(..)"),
            Self::Anonymous => f.write_str("Anonymous"),
        }
    }
}

#[cfg(test)]
mod tests;
