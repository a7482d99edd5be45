use http::{HeaderName, HeaderValue, Method};
use table_store::{ErrorCode, TableName};

use super::{Call, Refusal, Reply};
use crate::auth::{KeyRange, Need, ResourceType};

/// What a request that proved who sent it may do.
#[derive(Clone, Debug)]
pub struct Grant(Power);

#[derive(Clone, Debug)]
enum Power {
    /// The account's key: everything.
    Key,
    /// A signature for the account.
    Account { resources: String, permissions: String },
    /// A signature for one table, queue, container or blob: the one that the request names.
    Service {
        permissions: String,
        table: Option<TableName>,
        range: Option<KeyRange>,
        code: ErrorCode,
        /// Headers of the answer to a read, which the signature sets.
        headers: Vec<(HeaderName, HeaderValue)>,
    },
}

impl Grant {
    /// What the account's key grants.
    pub(super) const KEY: Self = Self(Power::Key);

    /// What a signature for the account grants: `srt` and `sp` of it.
    pub(super) fn account(resources: impl Into<String>, permissions: impl Into<String>) -> Self {
        Self(Power::Account { resources: resources.into(), permissions: permissions.into() })
    }

    /// What a signature for one resource grants: `sp` of it, or of its policy. `code` is what its version answers to what it
    /// does not grant.
    pub(super) fn service(permissions: impl Into<String>, code: ErrorCode) -> Self {
        let (permissions, headers) = (permissions.into(), Vec::new());
        Self(Power::Service { permissions, table: None, range: None, code, headers })
    }

    /// The same with headers that it sets in answers.
    pub(super) fn answering(mut self, set: Vec<(HeaderName, HeaderValue)>) -> Self {
        if let Power::Service { headers, .. } = &mut self.0 {
            *headers = set;
        }
        self
    }

    /// The same for a table, and of it for some entities.
    pub(super) fn within(mut self, name: TableName, keys: Option<KeyRange>) -> Self {
        if let Power::Service { table, range, .. } = &mut self.0 {
            (*table, *range) = (Some(name), keys);
        }
        self
    }

    /// Whether an operation is granted. Operations on entities ask [`Grant::permit_table`] as well.
    ///
    /// # Errors
    /// The code that says what is missing.
    pub fn permit(&self, need: &Need) -> Result<(), Refusal> {
        let missing = match &self.0 {
            Power::Key => None,
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

    /// Whether entities of a table are within what is granted. Parts of a batch name tables that the request does not.
    ///
    /// # Errors
    /// `AuthorizationFailure`.
    pub fn permit_table(&self, name: &TableName) -> Result<(), Refusal> {
        match &self.0 {
            Power::Key | Power::Account { .. } => Ok(()),
            Power::Service { table: Some(table), .. } if table == name => Ok(()),
            Power::Service { .. } => Err(ErrorCode::AuthorizationFailure.into()),
        }
    }

    /// Sets the headers that the signature sets where a blob is read: how a browser takes it.
    pub(super) fn set_headers(&self, call: &Call, reply: &mut Reply) {
        let Power::Service { headers, .. } = &self.0 else { return };
        let of_blob = ["comp", "restype"].iter().all(|name| call.query.said(name).is_none());
        if of_blob && matches!(call.method, Method::GET | Method::HEAD) && reply.status.is_success() {
            // In place of those of the blob.
            for (name, value) in headers {
                reply.headers.insert(name.clone(), value.clone());
            }
        }
    }

    /// The keys that it is for; none if that is all. Others are not found by reads, and refused with
    /// `AuthorizationFailure` by writes.
    #[must_use]
    pub const fn key_range(&self) -> Option<&KeyRange> {
        match &self.0 {
            Power::Service { range, .. } => range.as_ref(),
            Power::Key | Power::Account { .. } => None,
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
