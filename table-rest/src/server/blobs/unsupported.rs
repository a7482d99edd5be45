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
const HEADERS: [(&str, BlobFeature); 9] = [
    (SOURCE_AUTHORIZATION, BlobFeature::SourceAuthorization),
    ("x-ms-encryption-key", BlobFeature::CustomerKey),
    ("x-ms-encryption-scope", BlobFeature::EncryptionScope),
    ("x-ms-expiry-option", BlobFeature::Expiry),
    ("x-ms-immutability-policy-mode", BlobFeature::Immutability),
    ("x-ms-immutability-policy-until-date", BlobFeature::Immutability),
    ("x-ms-legal-hold", BlobFeature::LegalHold),
    ("x-ms-seal-blob", BlobFeature::Seal),
    ("x-ms-structured-body", BlobFeature::StructuredBody),
];

const SOURCE_AUTHORIZATION: &str = "x-ms-copy-source-authorization";

/// Values of `include` in a listing of blobs that would add items or properties which the store does not have. Deleted blobs
/// are not kept, so that `deleted` is supported: it adds none.
const INCLUDE: [(&str, BlobFeature); 4] = [
    ("deletedwithversions", BlobFeature::Version),
    ("immutabilitypolicy", BlobFeature::Immutability),
    ("legalhold", BlobFeature::LegalHold),
    ("versions", BlobFeature::Version),
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
        return Err(header(COPY_SOURCE, BlobFeature::Copy));
    }
    if operation == Operation::ListBlobs {
        check_include(call)?;
    }
    for (name, feature) in HEADERS {
        let ignored = loose && name != SOURCE_AUTHORIZATION;
        if !ignored && call.headers.contains_key(name) {
            return Err(header(name, feature));
        }
    }
    // All blobs are hot. Other online tiers differ only in price, but an archived blob is unreadable.
    let tier = fields::text(&call.headers, ACCESS_TIER)?;
    if !loose && tier.is_some_and(|tier| !["Hot", "Cool", "Cold"].contains(&tier)) {
        return Err(header(ACCESS_TIER, BlobFeature::ArchiveTier));
    }
    Ok(())
}

/// Rejects a listing that includes what the store does not have.
fn check_include(call: &Call) -> Result<(), Refusal> {
    let said = call.query.said("include").unwrap_or_default();
    for word in said.split(',').map(str::trim) {
        if let Some((_, feature)) = INCLUDE.iter().find(|(name, _)| word.eq_ignore_ascii_case(name)) {
            return Err(parameter("include", word, *feature));
        }
    }
    Ok(())
}

/// Returns the error for an unsupported value of `comp`.
pub(in crate::server) fn component(call: &Call) -> Refusal {
    let component = call.query.get("comp").unwrap_or_default();
    let feature = match component {
        "expiry" => BlobFeature::Expiry,
        "immutabilityPolicies" => BlobFeature::Immutability,
        "incrementalcopy" => BlobFeature::Copy,
        "legalhold" => BlobFeature::LegalHold,
        "page" | "pagelist" => BlobFeature::PageBlob,
        "query" => BlobFeature::Query,
        "rename" => BlobFeature::Rename,
        "seal" => BlobFeature::Seal,
        "undelete" => BlobFeature::SoftDelete,
        "userdelegationkey" => BlobFeature::UserDelegation,
        _ => {
            let refusal = Refusal::from(ErrorCode::NotImplemented);
            return refusal.with("QueryParameterName", "comp").with("QueryParameterValue", component);
        }
    };
    parameter("comp", component, feature)
}

fn parameter(name: &'static str, value: &str, feature: BlobFeature) -> Refusal {
    let refusal = Refusal::from(feature.refusal());
    refusal.with("QueryParameterName", name).with("QueryParameterValue", value)
}

fn header(name: &'static str, feature: BlobFeature) -> Refusal {
    Refusal::from(feature.refusal()).with("HeaderName", name)
}
