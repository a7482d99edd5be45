use std::net::IpAddr;

use table_store::{Timestamp, settings::StoredPolicy};

use super::{Addresses, Field, SasError, SasToken, Scope, Version};
use crate::auth::KeyRange;

/// What a signature allows, to whom and when: its own parameters, and those that its stored policy adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// From when on it holds.
    pub start: Option<Timestamp>,
    /// Until when it holds.
    pub expiry: Timestamp,
    /// What it allows.
    pub permissions: String,
    /// Who may use it; none for all.
    pub addresses: Option<Addresses>,
    /// Whether it is for HTTPS only.
    pub https_only: bool,
}

impl SasToken {
    /// Checks that it says what a signature for `scope` can say in its version, and no more.
    ///
    /// # Errors
    /// The first parameter that does not belong there.
    pub fn check_for(&self, scope: Scope<'_>) -> Result<(), SasError> {
        let version = self.version();
        if scope == Scope::Account && version < Version::ACCOUNT {
            return Err(SasError::Version);
        }
        let knows = |field: Field| match field {
            Field::Addresses | Field::Protocol => version >= Version::ACCOUNT,
            Field::EncryptionScope => version >= Version::LATEST,
            field if field.is_header() => version >= Version::RANGES,
            _ => true,
        };
        let foreign = self.fields().find(|(field, _)| !scope.has(*field) || !knows(*field));
        if let Some((field, _)) = foreign {
            return Err(SasError::Foreign(field));
        }
        // A line of the string to sign is one value and no more.
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

    /// What it allows. `policy` is the one that `si` names.
    ///
    /// # Errors
    /// If something is missing, stands in both places or is not what it should be.
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

    /// The keys that a signature for a table is for; none if that is all.
    ///
    /// # Errors
    /// If a RowKey has no PartitionKey.
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
    /// Whether it holds for a request: when it came, from where, and whether over TLS. It holds from the start on, and
    /// not any more at the expiry.
    ///
    /// # Errors
    /// What is against it.
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

/// What stands in one of two places.
fn one<T>(field: Field, own: Option<T>, stored: Option<T>) -> Result<Option<T>, SasError> {
    match (own, stored) {
        (Some(_), Some(_)) => Err(SasError::InPolicy(field)),
        (own, stored) => Ok(own.or(stored)),
    }
}
