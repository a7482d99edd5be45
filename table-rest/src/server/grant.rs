use http::{HeaderName, HeaderValue, Method};
use table_model::{ErrorCode, TableError, TableName};

use super::{Call, Refusal, Reply};
use crate::auth::{KeyRange, Need, ResourceType};

/// The permissions of an authenticated request.
#[derive(Clone, Debug)]
pub struct Grant(Power);

#[derive(Clone, Debug)]
enum Power {
    /// The account key: all permissions.
    Key,
    /// A token of an emulator: all operations that do not require the account key.
    Token,
    /// An account signature.
    Account { resources: String, permissions: String },
    /// A signature for the table, queue, container or blob of the request.
    Service {
        permissions: String,
        table: Option<TableName>,
        range: Option<KeyRange>,
        code: ErrorCode,
        /// Headers that the signature sets in the response to a read.
        headers: Vec<(HeaderName, HeaderValue)>,
    },
}

impl Grant {
    /// The permissions of the account key.
    pub(super) const KEY: Self = Self(Power::Key);

    /// The permissions of a bearer token.
    pub(super) const TOKEN: Self = Self(Power::Token);

    /// Returns the permissions of an account signature, from its `srt` and `sp`.
    pub(super) fn account(resources: impl Into<String>, permissions: impl Into<String>) -> Self {
        Self(Power::Account { resources: resources.into(), permissions: permissions.into() })
    }

    /// Returns the permissions of a service signature, from its `sp` or its policy. `code` is the error code of its
    /// version for missing permissions.
    pub(super) fn service(permissions: impl Into<String>, code: ErrorCode) -> Self {
        let (permissions, headers) = (permissions.into(), Vec::new());
        Self(Power::Service { permissions, table: None, range: None, code, headers })
    }

    /// Adds response headers that the signature sets.
    pub(super) fn answering(mut self, set: Vec<(HeaderName, HeaderValue)>) -> Self {
        if let Power::Service { headers, .. } = &mut self.0 {
            *headers = set;
        }
        self
    }

    /// Restricts the permissions to a table, and optionally to a key range.
    pub(super) fn within(mut self, name: TableName, keys: Option<KeyRange>) -> Self {
        if let Power::Service { table, range, .. } = &mut self.0 {
            (*table, *range) = (Some(name), keys);
        }
        self
    }

    /// Checks the permissions for an operation. Operations on entities call [`Grant::permit_table`] as well.
    ///
    /// # Errors
    ///
    /// Returns an authorization error that names the missing permission.
    pub fn permit(&self, need: &Need) -> Result<(), Refusal> {
        let missing = match &self.0 {
            // Access policies cannot be read or changed with a token.
            Power::Token if *need == Need::KEY => {
                let code = ErrorCode::AuthorizationFailure;
                let message =
                    format!("{} Access policies require the account key, not a token.", code.message());
                return Err(TableError::with_message(code, message).into());
            }
            Power::Key | Power::Token => None,
            Power::Account { resources, permissions } => {
                let at = |resource: &ResourceType| resources.contains(resource.letter());
                if need.account.is_empty() {
                    Some(ErrorCode::AuthorizationFailure)
                } else if !need.resource.iter().any(at) {
                    Some(ErrorCode::AuthorizationResourceTypeMismatch)
                } else {
                    let met = Need::is_met(need.account, permissions);
                    (!met).then_some(ErrorCode::AuthorizationPermissionMismatch)
                }
            }
            Power::Service { .. } if need.service.is_empty() => Some(ErrorCode::AuthorizationFailure),
            Power::Service { permissions, code, .. } => {
                (!Need::is_met(need.service, permissions)).then_some(*code)
            }
        };
        missing.map_or(Ok(()), |code| Err(code.into()))
    }

    /// Checks the permissions for an operation on another resource of the account than that of the request. A signature
    /// for a single resource does not grant them.
    ///
    /// # Errors
    ///
    /// Returns an authorization error that names the missing permission.
    pub fn permit_in_account(&self, need: &Need) -> Result<(), Refusal> {
        match &self.0 {
            Power::Service { .. } => Err(ErrorCode::AuthorizationFailure.into()),
            Power::Key | Power::Token | Power::Account { .. } => self.permit(need),
        }
    }

    /// Checks that the permissions cover a table. Parts of a batch may name other tables than the request.
    ///
    /// # Errors
    ///
    /// Returns `AuthorizationFailure`.
    pub fn permit_table(&self, name: &TableName) -> Result<(), Refusal> {
        match &self.0 {
            Power::Key | Power::Token | Power::Account { .. } => Ok(()),
            Power::Service { table: Some(table), .. } if table == name => Ok(()),
            Power::Service { .. } => Err(ErrorCode::AuthorizationFailure.into()),
        }
    }

    /// Sets the response headers of the signature for reads of a blob.
    pub(super) fn set_headers(&self, call: &Call, reply: &mut Reply) {
        let Power::Service { headers, .. } = &self.0 else { return };
        let of_blob = ["comp", "restype"].iter().all(|name| call.query.said(name).is_none());
        if of_blob && matches!(call.method, Method::GET | Method::HEAD) && reply.status.is_success() {
            // They replace the headers of the blob.
            for (name, value) in headers {
                reply.headers.insert(name.clone(), value.clone());
            }
        }
    }

    /// Returns the permitted key range, or `None` for all keys. Reads do not find entities outside of it, and writes
    /// fail with `AuthorizationFailure`.
    #[must_use]
    pub const fn key_range(&self) -> Option<&KeyRange> {
        match &self.0 {
            Power::Service { range, .. } => range.as_ref(),
            Power::Key | Power::Token | Power::Account { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEED: Need = Need { resource: &[ResourceType::Object], account: &["c", "w"], service: &["au"] };

    fn code(granted: Result<(), Refusal>) -> Option<ErrorCode> {
        granted.err().map(|refusal| refusal.error.code())
    }

    #[test]
    fn the_key_may_do_everything() {
        assert_eq!(code(Grant::KEY.permit(&Need::KEY)), None);
        assert_eq!(code(Grant::KEY.permit(&NEED)), None);
        assert_eq!(code(Grant::KEY.permit_table(&"people".parse().unwrap())), None);
    }

    #[test]
    fn a_token_may_do_everything_but_change_policies() {
        assert_eq!(code(Grant::TOKEN.permit(&NEED)), None);
        assert_eq!(code(Grant::TOKEN.permit_table(&"people".parse().unwrap())), None);
        let refusal = Grant::TOKEN.permit(&Need::KEY).unwrap_err();
        assert_eq!(refusal.error.code(), ErrorCode::AuthorizationFailure);
        assert!(refusal.error.message().contains("require the account key"), "{refusal:?}");
    }

    #[test]
    fn what_is_missing_is_said() {
        let permit = |resources, permissions| code(Grant::account(resources, permissions).permit(&NEED));
        assert_eq!(permit("so", "rw"), None);
        assert_eq!(permit("sc", "rw"), Some(ErrorCode::AuthorizationResourceTypeMismatch));
        assert_eq!(permit("o", "rd"), Some(ErrorCode::AuthorizationPermissionMismatch));
        let all = Grant::account("sco", "rwdlacup");
        assert_eq!(code(all.permit(&Need::KEY)), Some(ErrorCode::AuthorizationFailure));
    }

    #[test]
    fn a_signature_for_a_table_is_for_no_other() {
        let grant = Grant::service("rau", ErrorCode::AuthorizationPermissionMismatch);
        assert_eq!(code(grant.permit(&NEED)), None);
        assert_eq!(
            code(grant.permit(&Need { service: &["d"], ..NEED })),
            Some(ErrorCode::AuthorizationPermissionMismatch)
        );
        assert_eq!(code(grant.permit(&Need::KEY)), Some(ErrorCode::AuthorizationFailure));
        let people: TableName = "people".parse().unwrap();
        assert_eq!(code(grant.permit_table(&people)), Some(ErrorCode::AuthorizationFailure));
        let grant = grant.within("People".parse().unwrap(), Some(KeyRange::all()));
        assert_eq!(code(grant.permit_table(&people)), None);
        assert_eq!(
            code(grant.permit_table(&"peoples".parse().unwrap())),
            Some(ErrorCode::AuthorizationFailure)
        );
    }
}
