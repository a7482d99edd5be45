use http::Method;
use table_model::{ErrorCode, TableError, blob::ContainerName, queue::QueueName, settings::PolicyHolder};

use crate::{
    ServiceKind,
    auth::{Need, ResourceType},
    server::{
        Call, Refusal,
        blobs::unsupported_component,
        resource::{missing_parameter, names, wrong_parameter},
    },
};

/// Operations on settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    GetPolicies(PolicyHolder),
    SetPolicies(PolicyHolder),
    GetProperties,
    SetProperties,
    GetStats,
}

impl Operation {
    /// Reads the operation of a request.
    pub(super) fn of(call: &Call) -> Result<Self, Refusal> {
        if call.query.said("comp") == Some("acl") {
            let holder = holder(call)?;
            return match call.method {
                Method::GET | Method::HEAD => Ok(Self::GetPolicies(holder)),
                Method::PUT => Ok(Self::SetPolicies(holder)),
                _ => Err(ErrorCode::UnsupportedHttpVerb.into()),
            };
        }
        if !names(&call.path, 1)?.is_empty() {
            return Err(wrong_parameter(call, "restype"));
        }
        match (call.query.said("comp"), &call.method) {
            (Some("properties"), &Method::GET) => Ok(Self::GetProperties),
            (Some("properties"), &Method::PUT) => Ok(Self::SetProperties),
            (Some("stats"), &Method::GET) if call.secondary => Ok(Self::GetStats),
            (Some("stats"), &Method::GET) => Err(wrong_parameter(call, "comp")),
            (Some("properties" | "stats"), _) => Err(ErrorCode::UnsupportedHttpVerb.into()),
            (Some("userdelegationkey"), _) if call.kind == ServiceKind::Blob => {
                Err(unsupported_component(call))
            }
            (Some(_), _) => Err(wrong_parameter(call, "comp")),
            (None, _) => Err(missing_parameter("comp")),
        }
    }

    /// Returns the name in spans and metrics.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::GetPolicies(PolicyHolder::Table(_)) => "GetTableAcl",
            Self::GetPolicies(PolicyHolder::Queue(_)) => "GetQueueAcl",
            Self::GetPolicies(PolicyHolder::Container(_)) => "GetContainerAcl",
            Self::SetPolicies(PolicyHolder::Table(_)) => "SetTableAcl",
            Self::SetPolicies(PolicyHolder::Queue(_)) => "SetQueueAcl",
            Self::SetPolicies(PolicyHolder::Container(_)) => "SetContainerAcl",
            Self::GetProperties => "GetServiceProperties",
            Self::SetProperties => "SetServiceProperties",
            Self::GetStats => "GetServiceStats",
        }
    }

    /// Returns the permissions that a signature must grant. Access policies require the account key.
    pub(super) const fn need(&self) -> Need {
        let account: &[_] = match self {
            Self::GetPolicies(_) | Self::SetPolicies(_) => return Need::KEY,
            Self::GetProperties | Self::GetStats => &["r"],
            Self::SetProperties => &["w"],
        };
        Need { resource: &[ResourceType::Service], account, service: &[] }
    }
}

/// Returns the resource of a policy request. An invalid name is reported as a missing resource.
fn holder(call: &Call) -> Result<PolicyHolder, Refusal> {
    let names = names(&call.path, 2)?;
    let [name] = names.as_slice() else { return Err(wrong_parameter(call, "comp")) };
    let restype = call.query.said("restype");
    let holder: Result<_, TableError> = match (call.kind, restype) {
        // Parentheses are optional, as for queries.
        (ServiceKind::Table, None) => name.trim_end_matches("()").parse().map(PolicyHolder::Table),
        (ServiceKind::Queue, None) => QueueName::new(name.as_str()).map(PolicyHolder::Queue),
        (ServiceKind::Blob, Some("container")) => {
            ContainerName::new(name.as_str()).map(PolicyHolder::Container)
        }
        _ => return Err(wrong_parameter(call, "restype")),
    };
    holder.map_err(Refusal::from)
}
