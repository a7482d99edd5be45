//! Writes of blobs whose response is lost: a token in the metadata shows whether they were done, equal contents do not.

use std::sync::Arc;

use table_model::{
    BlobService, Metadata, QueueService,
    blob::{BlobAddress, BlobConditions, BlobETag, BlobItem, ListBlobs, PutBlob, ReadBlob},
};
use table_rest::client::{Account, BlobClient, Lost};

use super::{
    flaky::{Fate, Flaky},
    fresh,
    lost::through,
    served,
};

/// A blob that contains "x", its version, and a client behind a faulty network.
struct Site {
    steady: BlobClient,
    unsteady: BlobClient,
    network: Arc<Flaky>,
    blob: BlobAddress,
    etag: BlobETag,
}

impl Site {
    async fn new(account: &Account, fates: &[Fate]) -> Self {
        let steady = account.blobs().unwrap();
        let blob = BlobAddress::new(fresh("c-"), "list.jsonl").unwrap();
        steady.create_container(&blob.container, Metadata::new()).await.unwrap();
        let etag = steady.put_blob(&blob, "x".into(), PutBlob::new()).await.unwrap().etag;
        let network = Flaky::new(fates);
        let unsteady = through(account, &network, Lost::Settle).0.blobs().unwrap();
        Self { steady, unsteady, network, blob, etag }
    }

    /// Writes the same content on condition of the version that was read.
    async fn touch(&self) -> table_model::Result<BlobETag> {
        self.put(self.etag.clone().into()).await
    }

    async fn put(&self, conditions: BlobConditions) -> table_model::Result<BlobETag> {
        let put = PutBlob::new().conditions(conditions);
        self.unsteady.put_blob(&self.blob, "x".into(), put).await.map(|written| written.etag)
    }

    async fn now(&self) -> BlobETag {
        self.steady.blob_properties(&self.blob, &BlobConditions::none()).await.unwrap().etag
    }

    fn done(&self) -> usize {
        self.network.done.lock().unwrap().len()
    }
}

const LOST: [Fate; 3] = [Fate::LostBefore, Fate::LostAfter, Fate::Late];

#[tokio::test]
async fn touches_leave_a_new_version() {
    let (server, account) = served().await;
    for first in LOST {
        for second in [Fate::Answered, Fate::LostBefore] {
            let site = Site::new(&account, &[first, second]).await;
            let touched = site.touch().await.unwrap();
            assert_ne!(touched, site.etag, "{first:?}, {second:?}");
            assert_eq!((touched, site.done()), (site.now().await, 1), "{first:?}, {second:?}");
        }
    }
    server.shutdown().await;
}

#[tokio::test]
async fn equal_contents_of_another_client_are_unknown() {
    let (server, account) = served().await;
    for fate in LOST {
        let site = Site::new(&account, &[fate]).await;
        let put = PutBlob::new().conditions(site.etag.clone());
        site.steady.put_blob(&site.blob, "x".into(), put).await.unwrap();
        assert!(site.touch().await.unwrap_err().is_outcome_unknown(), "{fate:?}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn puts_without_a_version_are_sent_once() {
    let (server, account) = served().await;
    for conditions in [BlobConditions::none(), BlobConditions::absent()] {
        for fate in LOST {
            let site = Site::new(&account, &[fate]).await;
            if conditions == BlobConditions::absent() {
                site.steady.delete_blob(&site.blob, &BlobConditions::none()).await.unwrap();
            }
            let put = site.put(conditions.clone()).await;
            // The delayed write takes effect after the client has checked.
            assert_eq!(put.is_ok(), fate == Fate::LostAfter, "{fate:?}: {put:?}");
            assert!(put.is_ok() || put.unwrap_err().is_outcome_unknown());
            assert_eq!(site.done(), usize::from(fate != Fate::LostBefore));
        }
    }
    server.shutdown().await;
}

#[tokio::test]
async fn large_blobs_are_found_by_their_token() {
    let (server, account) = served().await;
    for fate in LOST {
        // Two blocks, then the block list.
        let site = Site::new(&account, &[Fate::Answered, Fate::Answered, fate]).await;
        let put = PutBlob::new().conditions(site.etag.clone());
        let mut writer = site.unsteady.write_blob(&site.blob, put).await.unwrap();
        writer.write(&vec![7; 5 << 20]).await.unwrap();
        let written = writer.finish().await.unwrap();
        assert_eq!((written.etag, site.done()), (site.now().await, 3), "{fate:?}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn metadata_is_settled_by_its_token() {
    let (server, account) = served().await;
    for fate in LOST {
        let site = Site::new(&account, &[fate]).await;
        let metadata = Metadata::new().with("k", "v").unwrap();
        let set = site.unsteady.set_blob_metadata(&site.blob, metadata, &site.etag.clone().into()).await;
        assert_eq!(set.unwrap().etag, site.now().await, "{fate:?}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn deletes_are_sent_again_only_with_a_version() {
    let (server, account) = served().await;
    for fate in LOST {
        for has_version in [true, false] {
            let site = Site::new(&account, &[fate]).await;
            let conditions =
                if has_version { BlobConditions::from(site.etag.clone()) } else { BlobConditions::none() };
            let deleted = site.unsteady.delete_blob(&site.blob, &conditions).await;
            assert_eq!(deleted.is_ok(), has_version && fate == Fate::LostBefore, "{fate:?}");
            assert!(deleted.is_ok() || deleted.unwrap_err().is_outcome_unknown());
            assert!(site.done() <= 1);
        }
    }
    server.shutdown().await;
}

#[tokio::test]
async fn tokens_of_attempts_are_not_shown() {
    let (server, account) = served().await;
    let site = Site::new(&account, &[]).await;
    let metadata = Metadata::new().with("k", "v").unwrap();
    let put = PutBlob::new().metadata(metadata.clone());
    site.steady.put_blob(&site.blob, "x".into(), put).await.unwrap();
    let properties = site.steady.blob_properties(&site.blob, &BlobConditions::none()).await.unwrap();
    let read = site.steady.read_blob(&site.blob, ReadBlob::new()).await.unwrap();
    let listed = site.steady.list_blobs(&site.blob.container, ListBlobs::new()).await.unwrap();
    let [BlobItem::Blob { properties: item, .. }] = &listed.items[..] else { unreachable!() };
    for shown in [&properties.metadata, &read.properties().metadata, &item.metadata] {
        assert_eq!(*shown, metadata);
    }
    server.shutdown().await;
}

#[tokio::test]
async fn lost_answers_to_containers_and_queues_are_unknown() {
    let (server, account) = served().await;
    for fate in LOST {
        let network = Flaky::new(&[fate; 5]);
        let (account, _) = through(&account, &network, Lost::Settle);
        let (blobs, queues) = (account.blobs().unwrap(), account.queues().unwrap());
        let container = fresh("c-").parse().unwrap();
        let queue = fresh("q-").parse().unwrap();
        for result in [
            blobs.create_container(&container, Metadata::new()).await.map(drop),
            blobs.delete_container(&container, &BlobConditions::none()).await,
            queues.create_queue(&queue, Metadata::new()).await.map(drop),
            queues.set_queue_metadata(&queue, Metadata::new()).await,
            queues.delete_queue(&queue).await,
        ] {
            assert!(result.unwrap_err().is_outcome_unknown(), "{fate:?}");
        }
    }
    server.shutdown().await;
}
