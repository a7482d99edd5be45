use http::StatusCode;
use table_model::{
    Uuid,
    blob::{BlobAddress, ContainerName, LeaseAction, Leased},
};

use super::with_headers;
use crate::{
    server::{Call, Refusal, Reply, ServedAccount},
    wire::blobs::{read_conditions, read_lease, write_leased},
};

/// Operates on the lease of a container.
pub(super) async fn container(
    account: &ServedAccount,
    call: &Call,
    container: &ContainerName,
) -> Result<Reply, Refusal> {
    let (action, conditions) = (read_lease(&call.headers, Uuid::new_v4())?, read_conditions(&call.headers)?);
    let leased = account.blobs.lease_container(container, &action, &conditions).await?;
    Ok(reply(&action, &leased))
}

/// Operates on the lease of a blob.
pub(super) async fn blob(account: &ServedAccount, call: &Call, blob: &BlobAddress) -> Result<Reply, Refusal> {
    let (action, conditions) = (read_lease(&call.headers, Uuid::new_v4())?, read_conditions(&call.headers)?);
    let leased = account.blobs.lease_blob(blob, &action, &conditions).await?;
    Ok(reply(&action, &leased))
}

fn reply(action: &LeaseAction, leased: &Leased) -> Reply {
    let status = match action {
        LeaseAction::Acquire { .. } => StatusCode::CREATED,
        LeaseAction::Renew { .. } | LeaseAction::Change { .. } | LeaseAction::Release { .. } => {
            StatusCode::OK
        }
        LeaseAction::Break { .. } => StatusCode::ACCEPTED,
    };
    with_headers(status, |headers| write_leased(leased, headers))
}
