//! Features of the blob service that the store does not support. A request that uses one is rejected if ignoring the
//! feature would change its meaning.

use table_model::{ErrorCode, blob::BlobFeature};

use super::operation::Operation;
use crate::{
    server::{Call, Refusal},
    wire::{blobs::COPY_SOURCE, fields},
};

/// The access tier of a blob.
pub(super) const ACCESS_TIER: &str = "x-ms-access-tier";

/// Headers of unsupported features.
const HEADERS: [(&str, Option<BlobFeature>); 9] = [
    ("x-ms-copy-source-authorization", Some(BlobFeature::Copy)),
    ("x-ms-encryption-key", Some(BlobFeature::CustomerKey)),
    ("x-ms-encryption-scope", Some(BlobFeature::CustomerKey)),
    ("x-ms-expiry-option", None),
    ("x-ms-immutability-policy-mode", None),
    ("x-ms-immutability-policy-until-date", None),
    ("x-ms-legal-hold", None),
    ("x-ms-seal-blob", None),
    ("x-ms-structured-body", None),
];

/// Rejects a request that specifies a version of a blob, or an unsupported header. If `loose`, only headers without which
/// the content of a blob would be another one are rejected.
///
/// # Errors
///
/// Returns `NotImplemented`.
pub(super) fn check(call: &Call, operation: Operation, loose: bool) -> Result<(), Refusal> {
    const VERSION: &str = "versionid";
    if call.query.said(VERSION).is_some() {
        return Err(Refusal::from(BlobFeature::Version.refusal()).with("QueryParameterName", VERSION));
    }
    if call.headers.contains_key(COPY_SOURCE) && !operation.has_source() {
        return Err(header(COPY_SOURCE, Some(BlobFeature::Copy)));
    }
    for (name, feature) in HEADERS {
        let ignored = loose && feature != Some(BlobFeature::Copy);
        if !ignored && call.headers.contains_key(name) {
            return Err(header(name, feature));
        }
    }
    // All blobs are hot. Other online tiers differ only in price, but an archived blob is unreadable.
    let tier = fields::text(&call.headers, ACCESS_TIER)?;
    if !loose && tier.is_some_and(|tier| !["Hot", "Cool", "Cold"].contains(&tier)) {
        return Err(header(ACCESS_TIER, Some(BlobFeature::Tier)));
    }
    Ok(())
}

/// Returns the error for an unsupported value of `comp`.
pub(in crate::server) fn component(call: &Call) -> Refusal {
    let component = call.query.get("comp").unwrap_or_default();
    let feature = match component {
        "page" | "pagelist" => Some(BlobFeature::PageBlob),
        "incrementalcopy" => Some(BlobFeature::Copy),
        "userdelegationkey" => Some(BlobFeature::UserDelegation),
        _ => None,
    };
    let refusal = of_feature(feature);
    refusal.with("QueryParameterName", "comp").with("QueryParameterValue", component)
}

fn header(name: &'static str, feature: Option<BlobFeature>) -> Refusal {
    of_feature(feature).with("HeaderName", name)
}

fn of_feature(feature: Option<BlobFeature>) -> Refusal {
    feature.map_or_else(|| ErrorCode::NotImplemented.into(), |feature| feature.refusal().into())
}
