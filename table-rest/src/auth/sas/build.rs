use table_model::Timestamp;

use super::{Addresses, Field, SasError, SasToken, Scope, Version};
use crate::{
    AccountName, ServiceKind,
    auth::{AccountKey, KeyRange, ResourceType},
};

/// A builder for shared access signatures. The holder of the URL may perform the specified operations until the
/// signature expires.
///
/// ```
/// use table_rest::AccountName;
/// use table_rest::auth::{AccountKey, sas::Sas};
///
/// let expiry = "2030-01-01T00:00:00Z".parse()?;
/// let readers = Sas::table("people", "r").expiry(expiry);
/// let token = readers.sign(&AccountName::emulator(), &AccountKey::emulator())?;
/// assert!(token.to_string().starts_with("sv=2020-12-06&sp=r&se=2030-01-01T00%3A00%3A00Z&tn=people&sig="));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sas {
    target: Target,
    permissions: String,
    version: Version,
    more: Vec<(Field, String)>,
}

#[derive(Clone, Debug)]
enum Target {
    Account { services: String, resources: String },
    Table(String),
    Queue(String),
    Container(String),
    Blob(String, String),
}

impl Sas {
    /// Creates an account signature for services and resource levels. Permissions are letters of `rwdlacup`.
    pub fn account(services: &[ServiceKind], resources: &[ResourceType], permissions: &str) -> Self {
        let services = services.iter().map(|kind| kind.letter()).collect();
        let resources = resources.iter().map(|resource| resource.letter()).collect();
        Self::new(Target::Account { services, resources }, permissions)
    }

    /// Creates a signature for the entities of a table. Permissions are letters of `raud`, empty if a stored policy
    /// specifies them.
    pub fn table(name: &str, permissions: &str) -> Self {
        Self::new(Target::Table(name.to_owned()), permissions)
    }

    /// Creates a signature for the messages of a queue. Permissions are letters of `raup`.
    pub fn queue(name: &str, permissions: &str) -> Self {
        Self::new(Target::Queue(name.to_owned()), permissions)
    }

    /// Creates a signature for the blobs of a container and their list. Permissions are letters of `racwdl`.
    pub fn container(name: &str, permissions: &str) -> Self {
        Self::new(Target::Container(name.to_owned()), permissions)
    }

    /// Creates a signature for a blob. Permissions are letters of `racwd`.
    pub fn blob(container: &str, name: &str, permissions: &str) -> Self {
        Self::new(Target::Blob(container.to_owned(), name.to_owned()), permissions)
    }

    fn new(target: Target, permissions: &str) -> Self {
        Self { target, permissions: permissions.to_owned(), version: Version::LATEST, more: Vec::new() }
    }

    /// Sets the version of the signing rules, for services that do not support the latest.
    #[must_use]
    pub fn version(mut self, version: Version) -> Self {
        self.version = version;
        self
    }

    /// Sets the start time. Clocks differ, so use a time some minutes ago, or omit it.
    #[must_use]
    pub fn start(self, start: Timestamp) -> Self {
        self.with(Field::Start, seconds(start))
    }

    /// Sets the expiry time, in whole seconds.
    #[must_use]
    pub fn expiry(self, expiry: Timestamp) -> Self {
        self.with(Field::Expiry, seconds(expiry))
    }

    /// Refers to a stored access policy, which adds its values.
    #[must_use]
    pub fn policy(self, id: &str) -> Self {
        self.with(Field::Policy, id)
    }

    /// Restricts the signature to client addresses.
    #[must_use]
    pub fn addresses(self, addresses: Addresses) -> Self {
        self.with(Field::Addresses, addresses.to_string())
    }

    /// Restricts the signature to HTTPS.
    #[must_use]
    pub fn https_only(self) -> Self {
        self.with(Field::Protocol, "https")
    }

    /// Restricts the signature to a key range of the table.
    #[must_use]
    pub fn keys(mut self, range: &KeyRange) -> Self {
        let ends = [
            (Field::StartPartition, Field::StartRow, range.start()),
            (Field::EndPartition, Field::EndRow, range.end()),
        ];
        for (partition, row, end) in ends {
            if let Some((partition_key, row_key)) = end {
                self = self.with(partition, partition_key);
                if let Some(row_key) = row_key {
                    self = self.with(row, row_key);
                }
            }
        }
        self
    }

    /// Sets any parameter and replaces an earlier value.
    #[must_use]
    pub fn with(mut self, field: Field, value: impl Into<String>) -> Self {
        self.more.retain(|(known, _)| *known != field);
        self.more.push((field, value.into()));
        self
    }

    /// Signs the token.
    ///
    /// # Errors
    ///
    /// Returns an error if a parameter is missing, invalid or not allowed for this kind of signature; and for an empty key
    /// of a range, see [`SasError::EmptyKey`].
    pub fn sign(&self, account: &AccountName, key: &AccountKey) -> Result<SasToken, SasError> {
        let scope = self.scope();
        let mut fields = vec![(Field::Version, self.version.to_string())];
        let mut push = |field, value: &str| {
            if !value.is_empty() {
                fields.push((field, value.to_owned()));
            }
        };
        match &self.target {
            Target::Account { services, resources } => {
                push(Field::Services, services);
                push(Field::ResourceTypes, resources);
            }
            Target::Table(name) => push(Field::Table, name),
            Target::Queue(_) | Target::Container(_) | Target::Blob(..) => {}
        }
        push(Field::Resource, scope.resource().unwrap_or_default());
        push(Field::Permissions, &self.permissions);
        fields.retain(|(field, _)| self.more.iter().all(|(other, _)| other != field));
        fields.extend(self.more.iter().cloned());
        let mut token = SasToken::new(fields)?;
        token.check_for(scope)?;
        token.key_range()?;
        if let Some((field, _)) = token.fields().find(|(field, value)| field.is_key() && value.is_empty()) {
            return Err(SasError::EmptyKey(field));
        }
        if token
            .said(Field::Permissions)
            .unwrap_or_default()
            .chars()
            .any(|letter| !scope.permissions().contains(letter))
        {
            return Err(SasError::Value(Field::Permissions));
        }
        if token.get(Field::Policy).is_none() {
            token.terms(None)?;
        }
        token.sign(key, account, scope);
        Ok(token)
    }

    fn scope(&self) -> Scope<'_> {
        match &self.target {
            Target::Account { .. } => Scope::Account,
            Target::Table(name) => Scope::Table(name),
            Target::Queue(name) => Scope::Queue(name),
            Target::Container(name) => Scope::Container(name),
            Target::Blob(container, name) => Scope::Blob(container, name),
        }
    }
}

/// Times are written without fractional seconds, as all services read them.
fn seconds(time: Timestamp) -> String {
    let full = time.to_full_string();
    full.split_once('.').map_or(full.clone(), |(seconds, _)| format!("{seconds}Z"))
}
