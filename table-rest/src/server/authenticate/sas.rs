use http::{HeaderName, HeaderValue, header};
use table_model::{
    ErrorCode, TableError, TableName,
    blob::ContainerName,
    queue::QueueName,
    settings::{PolicyHolder, StoredPolicy},
};

use super::{failed, unsigned};
use crate::{
    ServiceKind,
    auth::{
        AccountKey,
        sas::{Field, SasError, SasToken, Scope, Version},
    },
    server::{Call, Grant, Refusal, ServedAccount, resource::names},
};

/// Returns the permissions that an account or service signature grants to a request.
pub(super) async fn grant(account: &ServedAccount, token: &SasToken, call: &Call) -> Result<Grant, Refusal> {
    let target = verify(&account.keys, token, call)?;
    let policy = match token.get(Field::Policy) {
        Some(id) => stored_policy(account, &target, id).await?,
        None => None,
    };
    let terms = token.terms(policy.as_ref()).map_err(refused)?;
    terms.check(call.received, call.peer, call.secure).map_err(refused)?;
    Ok(match target {
        Target::Account => {
            if !token.get(Field::Services).unwrap_or_default().contains(call.kind.letter()) {
                return Err(ErrorCode::AuthorizationServiceMismatch.into());
            }
            Grant::account(token.get(Field::ResourceTypes).unwrap_or_default(), terms.permissions)
        }
        Target::Table(name) => {
            let range = token.key_range().map_err(refused)?;
            let name: TableName = name.parse().map_err(|_| refused(SasError::Value(Field::Table)))?;
            Grant::service(terms.permissions, mismatch(token)).within(name, range)
        }
        Target::Queue(_) => Grant::service(terms.permissions, mismatch(token)),
        Target::Container(_) | Target::Blob(..) => {
            Grant::service(terms.permissions, mismatch(token)).answering(headers(token)?)
        }
    })
}

/// Returns the response headers that a blob signature sets.
fn headers(token: &SasToken) -> Result<Vec<(HeaderName, HeaderValue)>, Refusal> {
    let fields = [
        (Field::CacheControl, header::CACHE_CONTROL),
        (Field::ContentDisposition, header::CONTENT_DISPOSITION),
        (Field::ContentEncoding, header::CONTENT_ENCODING),
        (Field::ContentLanguage, header::CONTENT_LANGUAGE),
        (Field::ContentType, header::CONTENT_TYPE),
    ];
    let set = fields.into_iter().filter_map(|(field, name)| Some((field, name, token.said(field)?)));
    set.map(|(field, name, value)| {
        let value = HeaderValue::from_str(value).map_err(|_| refused(SasError::Value(field)))?;
        Ok((name, value))
    })
    .collect()
}

/// Returns the error code for a missing permission. Versions without the specific code report the resource as missing.
fn mismatch(token: &SasToken) -> ErrorCode {
    if token.version() >= Version::ACCOUNT {
        ErrorCode::AuthorizationPermissionMismatch
    } else {
        ErrorCode::ResourceNotFound
    }
}

/// Returns the scope of the request if one of the keys signed the token for it.
pub(super) fn verify<'c>(
    keys: &[AccountKey],
    token: &'c SasToken,
    call: &'c Call,
) -> Result<Target<'c>, Refusal> {
    let target = Target::of(token, call)?;
    let scope = target.scope();
    token.check_for(scope).map_err(refused)?;
    let signed = keys.iter().fold(false, |signed, key| token.is_signed(key, &call.account, scope) | signed);
    if signed {
        return Ok(target);
    }
    let text = token.string_to_sign(&call.account, scope);
    Err(unsigned(&text))
}

/// The container of blobs that are addressed without a container.
const ROOT: &str = "$root";

/// The scope that a signature must have to cover the request.
pub(super) enum Target<'c> {
    Account,
    Table(&'c str),
    Queue(String),
    Container(String),
    Blob(String, String),
}

impl<'c> Target<'c> {
    fn of(token: &'c SasToken, call: &'c Call) -> Result<Self, Refusal> {
        if token.is_of_account() {
            return Ok(Self::Account);
        }
        let of_container = token.get(Field::Resource) == Some("c");
        Ok(match call.kind {
            ServiceKind::Table => {
                Self::Table(token.said(Field::Table).ok_or(SasError::Missing(Field::Table)).map_err(refused)?)
            }
            ServiceKind::Queue => Self::Queue(names(&call.path, 3)?.into_iter().next().unwrap_or_default()),
            ServiceKind::Blob => {
                let mut names = names(&call.path, 2)?.into_iter();
                let (first, blob) = (names.next().unwrap_or_default(), names.next());
                match (blob, call.query.said("restype")) {
                    // A container signature covers the blobs of the container as well.
                    (Some(_), _) if of_container => Self::Container(first),
                    (Some(blob), _) => Self::Blob(first, blob),
                    (None, Some(_)) => Self::Container(first),
                    (None, None) if of_container => Self::Container(ROOT.to_owned()),
                    (None, None) => Self::Blob(ROOT.to_owned(), first),
                }
            }
        })
    }

    fn scope(&self) -> Scope<'_> {
        match self {
            Self::Account => Scope::Account,
            Self::Table(name) => Scope::Table(name),
            Self::Queue(name) => Scope::Queue(name),
            Self::Container(name) => Scope::Container(name),
            Self::Blob(container, name) => Scope::Blob(container, name),
        }
    }

    /// Returns the resource that stores the access policies of the scope.
    fn holder(&self) -> Option<PolicyHolder> {
        match self {
            Self::Account => None,
            Self::Table(name) => name.parse().ok().map(PolicyHolder::Table),
            Self::Queue(name) => QueueName::new(name.as_str()).ok().map(PolicyHolder::Queue),
            Self::Container(name) | Self::Blob(name, _) => {
                ContainerName::new(name.as_str()).ok().map(PolicyHolder::Container)
            }
        }
    }
}

/// Returns the policy that a signature names. If the resource does not exist, the error is that of an invalid
/// signature, to reveal nothing.
async fn stored_policy(
    account: &ServedAccount,
    target: &Target<'_>,
    id: &str,
) -> Result<Option<StoredPolicy>, Refusal> {
    let Some(holder) = target.holder() else { return Ok(None) };
    match account.settings.policies(&holder).await {
        Ok(policies) => Ok(policies.find(id).cloned()),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Converts the error of an invalid or inapplicable signature.
pub(super) fn refused(error: SasError) -> Refusal {
    match error {
        SasError::Address(address) => {
            let code = ErrorCode::AuthorizationSourceIPMismatch;
            let message = code.message().trim_end_matches('.');
            TableError::with_message(code, format!("{message} {address}.")).into()
        }
        SasError::Protocol => ErrorCode::AuthorizationProtocolMismatch.into(),
        error => failed(format!("The signature is rejected: {error}.")),
    }
}
