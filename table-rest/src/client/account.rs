use std::{borrow::Cow, fmt, sync::Arc};

use azure_core::{
    credentials::TokenCredential,
    http::{
        Pipeline, RetryOptions,
        policies::{Policy, auth::BearerTokenAuthorizationPolicy},
    },
};
use table_model::{ErrorCode, Result, TableError};

use super::{
    Backend, BlobClient, Endpoint, QueueClient, Settings, SharedKeyPolicy, TableClient,
    empty_pages::EmptyPages, sender::Sender, transport,
};
use crate::{
    AccountName, ServiceKind,
    auth::AccountKey,
    connection::{ConnectionString, Credential},
};

/// A storage account: the endpoints of its services and a credential. Creating an account sends no request.
///
/// ```
/// use table_rest::client::Account;
///
/// // Azurite, or our own server, on this machine.
/// let account = Account::development();
/// let tables = account.tables()?;
/// assert_eq!(tables.endpoint().root(), "http://127.0.0.1:10002/devstoreaccount1");
///
/// // From the portal's "Access keys".
/// let text = "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=a2V5;EndpointSuffix=core.windows.net";
/// let tables = Account::from_connection_string(text)?.tables()?;
/// assert_eq!(tables.endpoint().root(), "https://acme.table.core.windows.net");
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone)]
pub struct Account {
    /// Endpoints, indexed by the position of the service in [`ServiceKind::ALL`].
    endpoints: [Option<Endpoint>; 3],
    access: Access,
    settings: Settings,
}

/// The credential of an account. A shared access signature is part of the endpoints instead.
#[derive(Clone)]
enum Access {
    Key(AccountName, AccountKey),
    Token(Arc<dyn TokenCredential>),
    Anonymous,
}

impl Account {
    /// Creates an account from a connection string.
    ///
    /// # Errors
    ///
    /// Returns `InvalidInput` with a description if the connection string is invalid.
    pub fn from_connection_string(text: &str) -> Result<Self> {
        let parsed: ConnectionString = text.parse().map_err(|error| {
            TableError::with_message(
                ErrorCode::InvalidInput,
                format!("The connection string is invalid: {error}."),
            )
        })?;
        Self::from_parsed(&parsed)
    }

    /// Creates an account from a parsed connection string.
    ///
    /// # Errors
    ///
    /// Returns `InvalidUri` if an endpoint is invalid.
    pub fn from_parsed(text: &ConnectionString) -> Result<Self> {
        let mut account = Self::with_access(match text.credential() {
            Credential::Key(name, key) => Access::Key(name.clone(), key.clone()),
            _ => Access::Anonymous,
        });
        for (place, kind) in account.endpoints.iter_mut().zip(ServiceKind::ALL) {
            let Some(root) = text.endpoint(kind) else { continue };
            let endpoint = Endpoint::parse(root)?;
            *place = Some(match text.credential() {
                Credential::Signature(signature) => endpoint.with_signature(signature),
                _ => endpoint,
            });
        }
        Ok(account)
    }

    /// Returns the emulator account on this machine, as `UseDevelopmentStorage=true` does.
    #[must_use]
    pub fn development() -> Self {
        let mut account = Self::with_access(Access::Key(AccountName::emulator(), AccountKey::emulator()));
        for (place, kind) in account.endpoints.iter_mut().zip(ServiceKind::ALL) {
            let root = format!("http://127.0.0.1:{}/{}", kind.port(), AccountName::emulator());
            *place = Endpoint::parse(&root).ok();
        }
        account
    }

    /// Creates an account with Microsoft Entra tokens, from the endpoint of one service. For Azure, the other endpoints
    /// are derived from it; elsewhere, set them with [`with_endpoint`](Self::with_endpoint). Tokens are sent over
    /// `https` only.
    ///
    /// # Errors
    ///
    /// Returns `InvalidUri` if the endpoint is invalid.
    pub fn with_credential(endpoint: &str, credential: Arc<dyn TokenCredential>) -> Result<Self> {
        Self::with_access(Access::Token(credential)).around(endpoint)
    }

    /// Creates an account with an account key, from the endpoint of one service. The other endpoints are derived as in
    /// [`with_credential`](Self::with_credential).
    ///
    /// # Errors
    ///
    /// Returns `InvalidUri` if the endpoint is invalid.
    pub fn with_shared_key(endpoint: &str, name: AccountName, key: AccountKey) -> Result<Self> {
        Self::with_access(Access::Key(name, key)).around(endpoint)
    }

    /// Creates an account from a signed URL: the address of one service with a shared access signature as its query.
    /// For Azure, the other endpoints are derived from it; the signature need not cover them. The signature of a table
    /// may follow the address of the table.
    ///
    /// # Errors
    ///
    /// Returns `InvalidUri` if the URL is invalid.
    pub fn from_signed_url(url: &str) -> Result<Self> {
        Self::with_access(Access::Anonymous).around(&without_table(url))
    }

    fn with_access(access: Access) -> Self {
        Self { endpoints: [None, None, None], access, settings: Settings::default() }
    }

    /// Sets the endpoint of one service and derives the others where possible.
    fn around(mut self, endpoint: &str) -> Result<Self> {
        let given = Endpoint::parse(endpoint)?;
        let kind_of = |endpoint: &Endpoint| {
            ServiceKind::ALL.into_iter().find(|kind| endpoint.host().contains(&format!(".{kind}.")))
        };
        let kind = kind_of(&given).unwrap_or(ServiceKind::Table);
        for (place, other) in self.endpoints.iter_mut().zip(ServiceKind::ALL) {
            if other == kind {
                *place = Some(given.clone());
            } else if Backend::of(&given) == Backend::Azure {
                let (from, to) = (format!(".{kind}."), format!(".{other}."));
                *place = Some(given.with_root(&given.root().replacen(&from, &to, 1))?);
            }
        }
        Ok(self)
    }

    /// Sets the endpoint of a service and replaces an existing one. A query is a shared access signature.
    ///
    /// # Errors
    ///
    /// Returns `InvalidUri` if the URL is invalid.
    pub fn with_endpoint(mut self, kind: ServiceKind, url: &str) -> Result<Self> {
        let endpoint = Endpoint::parse(url)?;
        for (place, _) in self.endpoints.iter_mut().zip(ServiceKind::ALL).filter(|(_, known)| *known == kind)
        {
            *place = Some(endpoint.clone());
        }
        Ok(self)
    }

    /// Sets the settings of clients created from now on.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Returns the endpoint of a service, if configured.
    #[must_use]
    pub fn endpoint(&self, kind: ServiceKind) -> Option<&Endpoint> {
        self.endpoints.iter().zip(ServiceKind::ALL).find(|(_, known)| *known == kind)?.0.as_ref()
    }

    /// Returns the backend, as configured or detected.
    #[must_use]
    pub fn backend(&self) -> Backend {
        let known = || self.endpoint(ServiceKind::Table).or_else(|| self.endpoints.iter().flatten().next());
        self.settings.backend.or_else(|| known().map(Backend::of)).unwrap_or(Backend::Azurite)
    }

    /// Creates a client for the tables of the account.
    ///
    /// # Errors
    ///
    /// Returns `InvalidUri` if the table endpoint is not configured.
    pub fn tables(&self) -> Result<TableClient> {
        let sender = self.sender(ServiceKind::Table)?;
        let backend = self.backend();
        let mut capabilities = backend.capabilities();
        // An address that is not known can be that of the server of this crate: its responses confirm the order.
        capabilities.reads_backward |= backend == Backend::Azurite && self.settings.backend.is_none();
        Ok(TableClient::new(sender, capabilities, self.settings.lost))
    }

    /// Creates a client for the queues of the account.
    ///
    /// # Errors
    ///
    /// Returns `InvalidUri` if the queue endpoint is not configured. Cosmos DB has no queues.
    pub fn queues(&self) -> Result<QueueClient> {
        Ok(QueueClient::new(self.sender(ServiceKind::Queue)?))
    }

    /// Creates a client for the blobs of the account.
    ///
    /// # Errors
    ///
    /// Returns `InvalidUri` if the blob endpoint is not configured. Cosmos DB has no blobs.
    pub fn blobs(&self) -> Result<BlobClient> {
        Ok(BlobClient::new(self.sender(ServiceKind::Blob)?))
    }

    fn sender(&self, kind: ServiceKind) -> Result<Sender> {
        let endpoint = self.endpoint(kind).cloned().ok_or_else(|| {
            let message = format!(
                "The account has no endpoint of the {kind} service; configure one with `with_endpoint`."
            );
            TableError::with_message(ErrorCode::InvalidUri, message)
        })?;
        let mut options = self.settings.pipeline.clone();
        // `Sender` retries instead; its rules depend on the request.
        options.retry = RetryOptions::none();
        let below = match options.transport.take() {
            Some(below) => below,
            None => transport::shared(endpoint.root().starts_with("https:"))?,
        };
        options.transport = Some(transport::quiet(below, &endpoint));
        let policies: Vec<Arc<dyn Policy>> = match &self.access {
            Access::Key(name, key) => vec![Arc::new(SharedKeyPolicy::new(kind, name.clone(), key.clone()))],
            Access::Token(credential) => {
                let scope = match Backend::of(&endpoint) {
                    Backend::Cosmos => "https://cosmos.azure.com/.default",
                    _ => "https://storage.azure.com/.default",
                };
                vec![Arc::new(BearerTokenAuthorizationPolicy::new(Arc::clone(credential), [scope]))]
            }
            Access::Anonymous => Vec::new(),
        };
        let (name, version) = (Some(env!("CARGO_PKG_NAME")), Some(env!("CARGO_PKG_VERSION")));
        let pipeline = Pipeline::new(name, version, options, Vec::new(), policies, None);
        Ok(Sender {
            kind,
            endpoint,
            pipeline,
            retry: self.settings.retry,
            clock: Arc::clone(&self.settings.clock),
            trace: self.settings.trace.clone(),
            empty_pages: EmptyPages::default(),
        })
    }
}

/// Omits the credential.
impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let access = match &self.access {
            Access::Key(..) => "a key",
            Access::Token(_) => "tokens",
            Access::Anonymous => "none, or a signature",
        };
        f.debug_struct("Account")
            .field("endpoints", &self.endpoints)
            .field("access", &access)
            .finish_non_exhaustive()
    }
}

/// Returns a signed URL without the table in its path, if the signature is for this table. On a host that is not that of
/// an account, the first part of the path is the account.
fn without_table(url: &str) -> Cow<'_, str> {
    let parts = || {
        let (address, query) = url.split_once('?')?;
        let table = query.split('&').find_map(|field| field.strip_prefix("tn="))?;
        let (root, last) = address.trim_end_matches('/').rsplit_once('/')?;
        let (host, account) =
            root.split_once("://").map(|(_, rest)| rest.split_once('/').unwrap_or((rest, "")))?;
        let is_in_root = host.contains(".table.") || !account.is_empty();
        (is_in_root && last.eq_ignore_ascii_case(table)).then(|| format!("{root}?{query}"))
    };
    parts().map_or(Cow::Borrowed(url), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots(account: &Account) -> [Option<&str>; 3] {
        ServiceKind::ALL.map(|kind| account.endpoint(kind).map(Endpoint::root))
    }

    #[test]
    fn the_endpoints_of_azure_follow_from_one_of_them() {
        let account =
            Account::from_signed_url("https://a1.table.core.windows.net/?sv=2019-02-02&sig=s3cr3t").unwrap();
        assert_eq!(
            roots(&account),
            [
                Some("https://a1.blob.core.windows.net"),
                Some("https://a1.queue.core.windows.net"),
                Some("https://a1.table.core.windows.net"),
            ]
        );
        assert!(ServiceKind::ALL.iter().all(|kind| account.endpoint(*kind).unwrap().is_signed()));
        assert!(!format!("{account:?}").contains("s3cr3t"));
    }

    #[test]
    fn a_signed_url_may_contain_its_table() {
        for (url, root) in [
            ("https://a1.table.core.windows.net/People?tn=people&sig=x", "https://a1.table.core.windows.net"),
            ("http://127.0.0.1:1/a1/People/?sv=1&tn=People&sig=x", "http://127.0.0.1:1/a1"),
            ("http://127.0.0.1:1/people?tn=people&sig=x", "http://127.0.0.1:1/people"),
            ("http://127.0.0.1:1/a1/people?tn=others&sig=x", "http://127.0.0.1:1/a1/people"),
        ] {
            let account = Account::from_signed_url(url).unwrap();
            assert_eq!(account.endpoint(ServiceKind::Table).map(Endpoint::root), Some(root), "{url}");
        }
    }

    #[test]
    fn cosmos_has_tables_only() {
        let account = Account::from_signed_url("https://a1.table.cosmos.azure.com:443/").unwrap();
        assert_eq!(roots(&account), [None, None, Some("https://a1.table.cosmos.azure.com")]);
        assert_eq!(account.backend(), Backend::Cosmos);
        assert_eq!(account.queues().unwrap_err().code(), ErrorCode::InvalidUri);
        assert!(account.tables().is_ok());
    }

    #[test]
    fn a_signature_in_a_connection_string_goes_along_with_every_request() {
        let text =
            "TableEndpoint=https://a1.table.core.windows.net/;SharedAccessSignature=?sv=2019-02-02&sig=x%3D";
        let account = Account::from_connection_string(text).unwrap();
        let url = account.endpoint(ServiceKind::Table).unwrap().url("/people", "").unwrap();
        assert_eq!(url.as_str(), "https://a1.table.core.windows.net/people?sv=2019-02-02&sig=x%3D");
    }

    #[test]
    fn what_is_wrong_with_a_connection_string_is_said_without_its_secrets() {
        let error = Account::from_connection_string("AccountName=a1;AccountKey=s3cr3t!").unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidInput);
        assert!(!error.message().contains("s3cr3t"), "{error}");
    }
}
