//! Leases of containers and blobs.

use azure_core::http::Method;
use table_model::{
    Result,
    blob::{BlobAddress, BlobConditions, ContainerName, LeaseAction, Leased},
};

use super::{Inner, of_blob, of_container, read, with_conditions};
use crate::{client::outgoing::Outgoing, wire::blobs};

impl Inner {
    pub(super) async fn lease_container(
        &self,
        container: &ContainerName,
        action: &LeaseAction,
        conditions: &BlobConditions,
    ) -> Result<Leased> {
        self.lease(of_container(Method::Put, container, "restype=container&comp=lease"), action, conditions)
            .await
    }

    pub(super) async fn lease_blob(
        &self,
        blob: &BlobAddress,
        action: &LeaseAction,
        conditions: &BlobConditions,
    ) -> Result<Leased> {
        self.lease(of_blob(Method::Put, blob, "comp=lease"), action, conditions).await
    }

    async fn lease(
        &self,
        outgoing: Outgoing,
        action: &LeaseAction,
        conditions: &BlobConditions,
    ) -> Result<Leased> {
        let mut outgoing = with_conditions(outgoing, conditions);
        blobs::write_lease(action, &mut outgoing.headers);
        read(blobs::read_leased(&self.send(&outgoing).await?.headers))
    }
}
