//! Containers and their listings.

use azure_core::http::Method;
use table_model::{
    Metadata, Result,
    blob::{
        BlobConditions, BlobItem, BlobVersion, BlobsSegment, ContainerName, ContainerProperties,
        ContainersSegment, FindBlobs, FoundBlobsSegment, ListBlobs, ListContainers,
    },
};

use super::{Inner, of_container, read, request, settle::without_attempt, with_conditions};
use crate::{client::queues::with_metadata, wire::blobs};

const CONTAINER: &str = "restype=container";

impl Inner {
    pub(super) async fn create_container(
        &self,
        container: &ContainerName,
        metadata: &Metadata,
    ) -> Result<BlobVersion> {
        let outgoing = with_metadata(of_container(Method::Put, container, CONTAINER), metadata)?;
        read(blobs::read_version(&self.send(&outgoing).await?.headers))
    }

    pub(super) async fn delete_container(
        &self,
        container: &ContainerName,
        conditions: &BlobConditions,
    ) -> Result<()> {
        let outgoing = with_conditions(of_container(Method::Delete, container, CONTAINER), conditions);
        self.send(&outgoing).await.map(drop)
    }

    pub(super) async fn container(
        &self,
        container: &ContainerName,
        conditions: &BlobConditions,
    ) -> Result<ContainerProperties> {
        let outgoing = with_conditions(of_container(Method::Get, container, CONTAINER), conditions);
        let answer = self.send(&outgoing).await?;
        read(blobs::read_container(container.clone(), &answer.headers))
    }

    pub(super) async fn set_container_metadata(
        &self,
        container: &ContainerName,
        metadata: &Metadata,
        conditions: &BlobConditions,
    ) -> Result<BlobVersion> {
        let outgoing = of_container(Method::Put, container, "restype=container&comp=metadata");
        let outgoing = with_conditions(with_metadata(outgoing, metadata)?, conditions);
        read(blobs::read_version(&self.send(&outgoing).await?.headers))
    }

    pub(super) async fn list_containers(&self, list: &ListContainers) -> Result<ContainersSegment> {
        list.results()?;
        let mut outgoing = request(Method::Get, String::new(), "");
        outgoing.query = outgoing.query.and(blobs::containers_parameters(list));
        let segment = read(blobs::read_containers(&self.send(&outgoing).await?.body))?;
        let (from, to) = (list.marker.as_deref(), segment.next_marker.as_deref());
        self.sender.empty_pages.check(from, to, segment.containers.is_empty())?;
        Ok(segment)
    }

    pub(super) async fn list_blobs(
        &self,
        container: &ContainerName,
        list: &ListBlobs,
    ) -> Result<BlobsSegment> {
        list.results()?;
        let mut outgoing = of_container(Method::Get, container, "").most(LISTING);
        outgoing.query = outgoing.query.and(blobs::blobs_parameters(list));
        let mut segment = read(blobs::read_blobs(&self.send(&outgoing).await?.body))?;
        let (from, to) = (list.marker.as_deref(), segment.next_marker.as_deref());
        self.sender.empty_pages.check(from, to, segment.items.is_empty())?;
        for item in &mut segment.items {
            if let BlobItem::Blob { properties, .. } = item {
                without_attempt(&mut properties.metadata);
            }
        }
        Ok(segment)
    }

    pub(super) async fn find(&self, find: &FindBlobs) -> Result<FoundBlobsSegment> {
        find.results()?;
        find.scope()?;
        let mut outgoing = match &find.container {
            Some(container) => of_container(Method::Get, container, CONTAINER),
            None => request(Method::Get, String::new(), ""),
        };
        outgoing.query = outgoing.query.and(blobs::find_parameters(find));
        let answer = self.send(&outgoing.most(LISTING)).await?;
        let segment = read(blobs::read_found(&answer.body))?;
        let (from, to) = (find.marker.as_deref(), segment.next_marker.as_deref());
        self.sender.empty_pages.check(from, to, segment.blobs.is_empty())?;
        Ok(segment)
    }
}

/// The maximum size of a listing: 5,000 blobs with names, headers and metadata of maximum length.
const LISTING: usize = 64 << 20;
