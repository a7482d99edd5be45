//! Containers, and what is in them.

use azure_core::http::Method;
use table_store::{
    ErrorCode, Metadata, Result,
    blob::{
        BlobConditions, BlobVersion, BlobsSegment, ContainerName, ContainerProperties, ContainersSegment,
        ListBlobs, ListContainers,
    },
};

use super::{Inner, of_container, read, repeatable_unless, request, with_conditions};
use crate::{client::queues::with_metadata, wire::blobs};

const CONTAINER: &str = "restype=container";

impl Inner {
    pub(super) async fn create_container(
        &self,
        container: &ContainerName,
        metadata: &Metadata,
    ) -> Result<BlobVersion> {
        let outgoing = with_metadata(of_container(Method::Put, container, CONTAINER), metadata)?;
        match self.send(&outgoing).await {
            Err(lost) if lost.is_unknown() => match self.send(&outgoing.repeatable()).await {
                Ok(answer) => read(blobs::read_version(&answer.headers)),
                Err(error) if error.code() == ErrorCode::ContainerAlreadyExists => {
                    Ok(self.container(container).await.map_err(|_| lost)?.version())
                }
                Err(_) => Err(lost),
            },
            sent => read(blobs::read_version(&sent?.headers)),
        }
    }

    pub(super) async fn delete_container(
        &self,
        container: &ContainerName,
        conditions: &BlobConditions,
    ) -> Result<()> {
        let outgoing = with_conditions(of_container(Method::Delete, container, CONTAINER), conditions);
        match self.send(&outgoing).await {
            Err(lost) if lost.is_unknown() => match self.container(container).await {
                Err(error) if error.is_not_found() => Ok(()),
                // It may be deleted yet, or was made anew.
                _ => Err(lost),
            },
            sent => sent.map(drop),
        }
    }

    pub(super) async fn container(&self, container: &ContainerName) -> Result<ContainerProperties> {
        let answer = self.send(&of_container(Method::Get, container, CONTAINER)).await?;
        read(blobs::read_container(container.clone(), &answer.headers))
    }

    pub(super) async fn set_container_metadata(
        &self,
        container: &ContainerName,
        metadata: &Metadata,
        conditions: &BlobConditions,
    ) -> Result<BlobVersion> {
        let outgoing = of_container(Method::Put, container, "restype=container&comp=metadata");
        let outgoing = repeatable_unless(with_metadata(outgoing, metadata)?, conditions);
        read(blobs::read_version(&self.send(&outgoing).await?.headers))
    }

    pub(super) async fn list_containers(&self, list: &ListContainers) -> Result<ContainersSegment> {
        list.results()?;
        let mut outgoing = request(Method::Get, String::new(), "");
        outgoing.query = outgoing.query.and(blobs::containers_parameters(list));
        read(blobs::read_containers(&self.send(&outgoing).await?.body))
    }

    pub(super) async fn list_blobs(
        &self,
        container: &ContainerName,
        list: &ListBlobs,
    ) -> Result<BlobsSegment> {
        list.results()?;
        let mut outgoing = of_container(Method::Get, container, "").most(LISTING);
        outgoing.query = outgoing.query.and(blobs::blobs_parameters(list));
        read(blobs::read_blobs(&self.send(&outgoing).await?.body))
    }
}

/// The longest listing of blobs: 5,000 of them, with names, headers and metadata at their longest.
const LISTING: usize = 64 << 20;
