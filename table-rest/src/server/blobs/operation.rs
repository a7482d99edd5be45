use http::Method;
use table_model::{
    ErrorCode, TableError,
    blob::{BlobAddress, BlobName, BlobSnapshot, ContainerName},
};

use super::unsupported;
use crate::{
    auth::{Need, ResourceType},
    server::{
        Call, Refusal,
        resource::{missing_parameter, names, wrong_parameter},
    },
    wire::{
        blobs::{
            BLOB_TYPE, COPY_SOURCE, IF_TAGS, LEASE_ACTION, SNAPSHOT_PARAMETER, SOURCE_TAGS, TAGS,
            copies_tags, read_blobs_parameters,
        },
        fields,
    },
};

/// The container of blobs that are addressed without a container.
const ROOT: &str = "$root";

/// Operations on containers and blobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    ListContainers,
    GetAccountInformation,
    Batch,
    FindBlobs,
    CreateContainer,
    DeleteContainer,
    GetContainerProperties,
    SetContainerMetadata,
    LeaseContainer,
    BreakContainerLease,
    ListBlobs,
    FindBlobsInContainer,
    PutBlob,
    PutBlock,
    PutBlockList,
    GetBlockList,
    AppendBlock,
    GetBlob,
    GetBlobProperties,
    GetBlobMetadata,
    SetBlobMetadata,
    SetBlobProperties,
    SetBlobTier,
    LeaseBlob,
    BreakBlobLease,
    GetBlobTags,
    SetBlobTags,
    DeleteBlob,
    SnapshotBlob,
    CopyBlob,
    CopyBlobFromUrl,
    PutBlobFromUrl,
    PutBlockFromUrl,
    AppendBlockFromUrl,
    AbortCopyBlob,
}

impl Operation {
    /// Returns the name in spans and metrics.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::ListContainers => "ListContainers",
            Self::GetAccountInformation => "GetAccountInformation",
            Self::Batch => "BlobBatch",
            Self::FindBlobs | Self::FindBlobsInContainer => "FindBlobsByTags",
            Self::CreateContainer => "CreateContainer",
            Self::DeleteContainer => "DeleteContainer",
            Self::GetContainerProperties => "GetContainerProperties",
            Self::SetContainerMetadata => "SetContainerMetadata",
            Self::LeaseContainer => "LeaseContainer",
            Self::BreakContainerLease => "BreakContainerLease",
            Self::ListBlobs => "ListBlobs",
            Self::PutBlob => "PutBlob",
            Self::PutBlock => "PutBlock",
            Self::PutBlockList => "PutBlockList",
            Self::GetBlockList => "GetBlockList",
            Self::AppendBlock => "AppendBlock",
            Self::GetBlob => "GetBlob",
            Self::GetBlobProperties => "GetBlobProperties",
            Self::GetBlobMetadata => "GetBlobMetadata",
            Self::SetBlobMetadata => "SetBlobMetadata",
            Self::SetBlobProperties => "SetBlobProperties",
            Self::SetBlobTier => "SetBlobTier",
            Self::LeaseBlob => "LeaseBlob",
            Self::BreakBlobLease => "BreakBlobLease",
            Self::GetBlobTags => "GetBlobTags",
            Self::SetBlobTags => "SetBlobTags",
            Self::DeleteBlob => "DeleteBlob",
            Self::SnapshotBlob => "SnapshotBlob",
            Self::CopyBlob => "CopyBlob",
            Self::CopyBlobFromUrl => "CopyBlobFromURL",
            Self::PutBlobFromUrl => "PutBlobFromURL",
            Self::PutBlockFromUrl => "PutBlockFromURL",
            Self::AppendBlockFromUrl => "AppendBlockFromURL",
            Self::AbortCopyBlob => "AbortCopyBlob",
        }
    }

    /// Returns the permissions that a signature must grant. Overwriting a blob requires more: see [`Self::OVERWRITE`].
    pub(super) const fn need(self) -> Need {
        use ResourceType::{Container, Object, Service};
        let (resource, account, service): (&[_], &[_], &[_]) = match self {
            Self::ListContainers => (&[Service], &["l"], &[]),
            // Each request in a batch is permitted by its own signature.
            Self::GetAccountInformation | Self::Batch => (&[Service, Container, Object], &[""], &[""]),
            Self::CreateContainer => (&[Container], &["c", "w"], &[]),
            Self::DeleteContainer => (&[Container], &["d"], &[]),
            Self::GetContainerProperties => (&[Container], &["r"], &[]),
            Self::SetContainerMetadata | Self::LeaseContainer => (&[Container], &["w"], &[]),
            // The permission to delete includes that to break a lease, since version 2017-07-29.
            Self::BreakContainerLease => (&[Container], &["w", "d"], &["d"]),
            Self::ListBlobs => (&[Container], &["l"], &["l"]),
            // The level of the first is that in Azurite; the reference does not say it.
            Self::FindBlobs => (&[Object], &["f"], &[]),
            Self::FindBlobsInContainer => (&[Container], &["f"], &["f"]),
            Self::GetBlobTags | Self::SetBlobTags => (&[Object], &["t"], &["t"]),
            Self::PutBlob
            | Self::SnapshotBlob
            | Self::CopyBlob
            | Self::CopyBlobFromUrl
            | Self::PutBlobFromUrl => (&[Object], &["c", "w"], &["c", "w"]),
            Self::PutBlock
            | Self::PutBlockFromUrl
            | Self::AbortCopyBlob
            | Self::PutBlockList
            | Self::SetBlobMetadata
            | Self::SetBlobProperties
            | Self::SetBlobTier
            | Self::LeaseBlob => (&[Object], &["w"], &["w"]),
            Self::BreakBlobLease => (&[Object], &["w", "d"], &["w", "d"]),
            Self::AppendBlock | Self::AppendBlockFromUrl => (&[Object], &["a", "w"], &["a", "w"]),
            Self::GetBlob | Self::GetBlobProperties | Self::GetBlobMetadata | Self::GetBlockList => {
                (&[Object], &["r"], &["r"])
            }
            Self::DeleteBlob => (&[Object], &["d"], &["d"]),
        };
        Need { resource, account, service }
    }

    /// Returns the permissions that a request with tags requires in addition: neither the permission to write a blob nor that
    /// to list blobs includes their tags ("Manage and find Azure Blob data with blob index tags"). A request that copies tags
    /// also sets them.
    ///
    /// # Errors
    ///
    /// Returns `InvalidHeaderValue`.
    pub(super) fn need_of_tags(self, call: &Call) -> Result<Option<Need>, TableError> {
        let of = |resource| Some(Need { resource, account: &["t"], service: &["t"] });
        if self.sets_tags() && (fields::text(&call.headers, TAGS)?.is_some() || copies_tags(&call.headers)?) {
            return Ok(of(&[ResourceType::Object]));
        }
        Ok(match self {
            Self::ListBlobs if read_blobs_parameters(&call.query).is_ok_and(|(list, _)| list.tags) => {
                of(&[ResourceType::Container])
            }
            _ => None,
        })
    }

    /// Rejects a header for tags if the operation does not support it. A condition would otherwise be ignored, and tags would
    /// be lost.
    ///
    /// # Errors
    ///
    /// Returns `UnsupportedHeader`.
    pub(super) fn check_headers_of_tags(self, call: &Call) -> Result<(), Refusal> {
        let copies_tags = matches!(self, Self::CopyBlobFromUrl | Self::PutBlobFromUrl);
        for (name, is_supported) in
            [(IF_TAGS, self.has_tag_condition()), (TAGS, self.sets_tags()), (SOURCE_TAGS, copies_tags)]
        {
            if call.headers.contains_key(name) && !is_supported {
                return Err(Refusal::from(ErrorCode::UnsupportedHeader).with("HeaderName", name));
            }
        }
        Ok(())
    }

    /// Returns `true` if the operation writes a blob with its tags. A snapshot has those of the blob.
    const fn sets_tags(self) -> bool {
        matches!(
            self,
            Self::PutBlob
                | Self::PutBlockList
                | Self::CopyBlob
                | Self::CopyBlobFromUrl
                | Self::PutBlobFromUrl
        )
    }

    /// Returns `true` if the operation supports `x-ms-if-tags`: all operations on a blob except the upload of a block (REST
    /// reference, "Specifying conditional headers for Blob service operations").
    const fn has_tag_condition(self) -> bool {
        match self {
            Self::ListContainers
            | Self::GetAccountInformation
            | Self::Batch
            | Self::FindBlobs
            | Self::CreateContainer
            | Self::DeleteContainer
            | Self::GetContainerProperties
            | Self::SetContainerMetadata
            | Self::LeaseContainer
            | Self::BreakContainerLease
            | Self::ListBlobs
            | Self::FindBlobsInContainer
            | Self::PutBlock
            | Self::PutBlockFromUrl => false,
            Self::PutBlob
            | Self::PutBlockList
            | Self::GetBlockList
            | Self::AppendBlock
            | Self::GetBlob
            | Self::GetBlobProperties
            | Self::GetBlobMetadata
            | Self::SetBlobMetadata
            | Self::SetBlobProperties
            | Self::SetBlobTier
            | Self::LeaseBlob
            | Self::BreakBlobLease
            | Self::GetBlobTags
            | Self::SetBlobTags
            | Self::DeleteBlob
            | Self::SnapshotBlob
            | Self::CopyBlob
            | Self::CopyBlobFromUrl
            | Self::PutBlobFromUrl
            | Self::AppendBlockFromUrl
            | Self::AbortCopyBlob => true,
        }
    }

    /// Returns `true` if the request has a blob as the source of its content.
    pub(super) const fn has_source(self) -> bool {
        matches!(
            self,
            Self::CopyBlob
                | Self::CopyBlobFromUrl
                | Self::PutBlobFromUrl
                | Self::PutBlockFromUrl
                | Self::AppendBlockFromUrl
        )
    }

    /// The permissions that a signature must grant to overwrite a blob.
    pub(super) const OVERWRITE: Need =
        Need { resource: &[ResourceType::Object], account: &["w"], service: &["w"] };
}

/// An operation and its target. The names are validated only after the operation is permitted.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) operation: Operation,
    names: Vec<String>,
    snapshot: Option<String>,
}

impl Request {
    /// Reads the operation of a request.
    ///
    /// # Errors
    ///
    /// Returns `InvalidUri`, `UnsupportedHttpVerb`, `InvalidQueryParameterValue`, `MissingRequiredQueryParameter` or
    /// `NotImplemented`.
    pub(super) fn read(call: &Call) -> Result<Self, Refusal> {
        let names = names(&call.path, 2)?;
        let operation = match call.query.said("restype") {
            Some("account") => of_information(call)?,
            Some("container") if names.len() == 1 => of_container(call)?,
            // The client for Node sends a batch of an account in this form if the account is a segment of the path.
            Some("container") if names.is_empty() && call.query.said("comp") == Some("batch") => {
                of_account(call)?
            }
            None if names.is_empty() => of_account(call)?,
            None => of_blob(call)?,
            Some(_) => return Err(wrong_parameter(call, "restype")),
        };
        Ok(Self { operation, names, snapshot: call.query.said(SNAPSHOT_PARAMETER).map(str::to_owned) })
    }

    /// Returns `true` if the request concerns a container or a blob in it.
    pub(super) fn is_within(&self, container: &Self) -> bool {
        container.names.first().is_none_or(|name| self.names.len() == 2 && self.names.first() == Some(name))
    }

    /// Returns the container name.
    ///
    /// # Errors
    ///
    /// Fails like [`ContainerName::new`].
    pub(super) fn container(&self) -> Result<ContainerName, Refusal> {
        Ok(ContainerName::new(self.names.first().map(String::as_str).unwrap_or_default())?)
    }

    /// Returns the blob address.
    ///
    /// # Errors
    ///
    /// Fails like [`BlobAddress::new`], and with `InvalidQueryParameterValue` for an invalid snapshot.
    pub(super) fn blob(&self) -> Result<BlobAddress, Refusal> {
        let (container, name) = match self.names.as_slice() {
            [container, name] => (container.as_str(), name.as_str()),
            [name] => (ROOT, name.as_str()),
            _ => return Err(ErrorCode::InvalidUri.into()),
        };
        let blob = BlobAddress::from((ContainerName::new(container)?, BlobName::new(name)?));
        Ok(match self.snapshot.as_deref() {
            Some(snapshot) => {
                let wrong = |error: TableError| {
                    let refusal = Refusal::from(error).with("QueryParameterName", SNAPSHOT_PARAMETER);
                    refusal.with("QueryParameterValue", snapshot)
                };
                blob.at(snapshot.parse::<BlobSnapshot>().map_err(wrong)?)
            }
            None => blob,
        })
    }
}

fn of_information(call: &Call) -> Result<Operation, Refusal> {
    match (&call.method, call.query.said("comp")) {
        (&Method::GET | &Method::HEAD, Some("properties")) => Ok(Operation::GetAccountInformation),
        (_, Some("properties")) => Err(ErrorCode::UnsupportedHttpVerb.into()),
        (_, Some(_)) => Err(wrong_parameter(call, "comp")),
        (_, None) => Err(missing_parameter("comp")),
    }
}

fn of_account(call: &Call) -> Result<Operation, Refusal> {
    match (&call.method, call.query.said("comp")) {
        (&Method::GET, Some("list")) => Ok(Operation::ListContainers),
        (&Method::POST, Some("batch")) => Ok(Operation::Batch),
        (&Method::GET, Some("blobs")) => Ok(Operation::FindBlobs),
        (_, Some("list" | "batch" | "blobs")) => Err(ErrorCode::UnsupportedHttpVerb.into()),
        (_, Some("userdelegationkey")) => Err(unsupported::component(call)),
        (_, Some(_)) => Err(wrong_parameter(call, "comp")),
        (_, None) => Err(missing_parameter("comp")),
    }
}

fn of_container(call: &Call) -> Result<Operation, Refusal> {
    match (&call.method, call.query.said("comp")) {
        (&Method::PUT, None) => Ok(Operation::CreateContainer),
        (&Method::DELETE, None) => Ok(Operation::DeleteContainer),
        (&Method::GET | &Method::HEAD, None | Some("metadata")) => Ok(Operation::GetContainerProperties),
        (&Method::PUT, Some("metadata")) => Ok(Operation::SetContainerMetadata),
        (&Method::GET, Some("list")) => Ok(Operation::ListBlobs),
        (&Method::GET, Some("blobs")) => Ok(Operation::FindBlobsInContainer),
        (&Method::PUT, Some("lease")) if breaks_lease(call)? => Ok(Operation::BreakContainerLease),
        (&Method::PUT, Some("lease")) => Ok(Operation::LeaseContainer),
        (&Method::POST, Some("batch")) => Ok(Operation::Batch),
        (_, None | Some("metadata" | "list" | "lease" | "batch" | "blobs")) => {
            Err(ErrorCode::UnsupportedHttpVerb.into())
        }
        (_, Some("rename" | "undelete")) => Err(unsupported::component(call)),
        (_, Some(_)) => Err(wrong_parameter(call, "comp")),
    }
}

fn of_blob(call: &Call) -> Result<Operation, Refusal> {
    let operation = match (&call.method, call.query.said("comp")) {
        (&Method::PUT, None) => of_put(call)?,
        (&Method::GET, None) => Operation::GetBlob,
        (&Method::HEAD, None) => Operation::GetBlobProperties,
        (&Method::DELETE, None) => Operation::DeleteBlob,
        (&Method::PUT, Some("block")) if has_source(call) => Operation::PutBlockFromUrl,
        (&Method::PUT, Some("block")) => Operation::PutBlock,
        (&Method::PUT, Some("blocklist")) => Operation::PutBlockList,
        (&Method::GET, Some("blocklist")) => Operation::GetBlockList,
        (&Method::PUT, Some("appendblock")) if has_source(call) => Operation::AppendBlockFromUrl,
        (&Method::PUT, Some("appendblock")) => Operation::AppendBlock,
        (&Method::PUT, Some("snapshot")) => Operation::SnapshotBlob,
        (&Method::PUT, Some("copy")) => Operation::AbortCopyBlob,
        (&Method::GET | &Method::HEAD, Some("metadata")) => Operation::GetBlobMetadata,
        (&Method::PUT, Some("metadata")) => Operation::SetBlobMetadata,
        (&Method::PUT, Some("properties")) => Operation::SetBlobProperties,
        (&Method::PUT, Some("tier")) => Operation::SetBlobTier,
        (&Method::PUT, Some("lease")) if breaks_lease(call)? => Operation::BreakBlobLease,
        (&Method::PUT, Some("lease")) => Operation::LeaseBlob,
        (&Method::GET, Some("tags")) => Operation::GetBlobTags,
        (&Method::PUT, Some("tags")) => Operation::SetBlobTags,
        (
            _,
            None
            | Some(
                "block" | "blocklist" | "appendblock" | "copy" | "metadata" | "properties" | "snapshot"
                | "tier" | "lease" | "tags",
            ),
        ) => return Err(ErrorCode::UnsupportedHttpVerb.into()),
        (
            _,
            Some(
                "expiry"
                | "immutabilityPolicies"
                | "incrementalcopy"
                | "legalhold"
                | "page"
                | "pagelist"
                | "query"
                | "seal"
                | "undelete",
            ),
        ) => return Err(unsupported::component(call)),
        (_, Some(_)) => return Err(wrong_parameter(call, "comp")),
    };
    Ok(operation)
}

/// Returns the operation of a request that writes a blob as a whole.
fn of_put(call: &Call) -> Result<Operation, Refusal> {
    if !has_source(call) {
        return Ok(Operation::PutBlob);
    }
    Ok(match fields::text(&call.headers, BLOB_TYPE)? {
        Some(_) => Operation::PutBlobFromUrl,
        None if fields::flag(&call.headers, "x-ms-requires-sync")? => Operation::CopyBlobFromUrl,
        None => Operation::CopyBlob,
    })
}

fn has_source(call: &Call) -> bool {
    call.headers.contains_key(COPY_SOURCE)
}

/// Returns `true` for the operation on a lease that has permissions of its own.
fn breaks_lease(call: &Call) -> Result<bool, Refusal> {
    Ok(fields::text(&call.headers, LEASE_ACTION)? == Some("break"))
}
