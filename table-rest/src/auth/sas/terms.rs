use std::net::IpAddr;

use table_model::{Timestamp, settings::StoredPolicy};

use super::{Addresses, Field, SasError, SasToken, Scope, Version};
use crate::auth::KeyRange;

/// The terms of a signature: permissions, times and restrictions, from its parameters and its stored policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The start time.
    pub start: Option<Timestamp>,
    /// The expiry time.
    pub expiry: Timestamp,
    /// The permission letters.
    pub permissions: String,
    /// The allowed client addresses; `None` allows all.
    pub addresses: Option<Addresses>,
    /// `true` if the signature requires HTTPS.
    pub https_only: bool,
}

impl SasToken {
    /// Checks that the token contains all required parameters of its version and no parameter that `scope` does not
    /// allow.
    ///
    /// # Errors
    ///
    /// Returns the first missing, invalid or disallowed parameter.
    pub fn check_for(&self, scope: Scope<'_>) -> Result<(), SasError> {
        let version = self.version();
        if scope == Scope::Account && version < Version::ACCOUNT {
            return Err(SasError::Version);
        }
        let knows = |field: Field| match field {
            Field::Addresses | Field::Protocol => version >= Version::ACCOUNT,
            Field::EncryptionScope => version >= Version::LATEST,
            _ => true,
        };
        let foreign = self.fields().find(|(field, _)| !scope.has(*field) || !knows(*field));
        if let Some((field, _)) = foreign {
            return Err(SasError::Foreign(field));
        }
        // Each line of the string to sign must contain exactly one value.
        if let Some((field, _)) = self.fields().find(|(_, value)| value.contains(char::is_control)) {
            return Err(SasError::Value(field));
        }
        if let Some(resource) = scope.resource()
            && self.get(Field::Resource) != Some(resource)
        {
            return Err(SasError::Value(Field::Resource));
        }
        Ok(())
    }

    /// Returns the terms of the signature. `policy` is the stored policy that `si` names.
    ///
    /// # Errors
    ///
    /// Returns an error if a value is missing, invalid, or specified in both the token and the policy, or if the policy
    /// does not exist.
    pub fn terms(&self, policy: Option<&StoredPolicy>) -> Result<Terms, SasError> {
        if self.get(Field::Policy).is_some() && policy.is_none() {
            return Err(SasError::NoPolicy);
        }
        let start = self.time(Field::Start)?;
        let expiry = self.time(Field::Expiry)?;
        let permissions = self.said(Field::Permissions).map(str::to_owned);
        let start = one(Field::Start, start, policy.and_then(|policy| policy.start))?;
        let expiry = one(Field::Expiry, expiry, policy.and_then(|policy| policy.expiry))?;
        let stored = policy.and_then(|policy| policy.permission.clone());
        let permissions = one(Field::Permissions, permissions, stored)?;
        Ok(Terms {
            start,
            expiry: expiry.ok_or(SasError::Missing(Field::Expiry))?,
            permissions: permissions.ok_or(SasError::Missing(Field::Permissions))?,
            addresses: self.said(Field::Addresses).map(str::parse).transpose()?,
            https_only: match self.said(Field::Protocol) {
                None | Some("https,http") => false,
                Some("https") => true,
                Some(_) => return Err(SasError::Value(Field::Protocol)),
            },
        })
    }

    /// Returns the key range of a table signature, or `None` if it covers all entities.
    ///
    /// # Errors
    ///
    /// Returns [`SasError::Missing`] if a RowKey has no PartitionKey.
    pub fn key_range(&self) -> Result<Option<KeyRange>, SasError> {
        let pair = |partition, row| match (self.get(partition), self.get(row)) {
            (None, Some(_)) => Err(SasError::Missing(partition)),
            pair => Ok(pair),
        };
        let mut range = KeyRange::all();
        if let (Some(partition), row) = pair(Field::StartPartition, Field::StartRow)? {
            range = range.from(partition, row);
        }
        if let (Some(partition), row) = pair(Field::EndPartition, Field::EndRow)? {
            range = range.to(partition, row);
        }
        Ok((range != KeyRange::all()).then_some(range))
    }

    fn time(&self, field: Field) -> Result<Option<Timestamp>, SasError> {
        let time = self.said(field).map(str::parse).transpose();
        time.map_err(|_| SasError::Value(field))
    }
}

impl Terms {
    /// Checks the terms against the arrival time, the client address and the use of TLS of a request. The start time is
    /// inclusive, the expiry time exclusive.
    ///
    /// # Errors
    ///
    /// Returns the first violated term.
    pub fn check(&self, received: Timestamp, peer: IpAddr, secure: bool) -> Result<(), SasError> {
        if self.start.is_some_and(|start| received < start) {
            return Err(SasError::TooEarly);
        }
        if received >= self.expiry {
            return Err(SasError::TooLate);
        }
        if self.addresses.is_some_and(|addresses| !addresses.contains(peer)) {
            return Err(SasError::Address(peer.to_canonical()));
        }
        if self.https_only && !secure {
            return Err(SasError::Protocol);
        }
        Ok(())
    }
}

/// Returns the value that is specified in either the token or the policy.
fn one<T>(field: Field, own: Option<T>, stored: Option<T>) -> Result<Option<T>, SasError> {
    match (own, stored) {
        (Some(_), Some(_)) => Err(SasError::InPolicy(field)),
        (own, stored) => Ok(own.or(stored)),
    }
}
