//! Blobs over the protocol.

mod container;
mod content;
mod read;
mod service;
mod settle;
mod upload;
mod whole;

use std::{fmt, sync::Arc};

use azure_core::http::Method;
use table_store::{
    Result,
    blob::{BlobAddress, BlobConditions, ContainerName},
};

use super::{
    Endpoint,
    answer::{Answer, no_sense},
    endpoint::{Parameters, encoded},
    outgoing::Outgoing,
    sender::Sender,
};
use crate::wire::blobs;

/// The version of the protocol that is spoken: the first that appends 100 MiB at once.
const VERSION: &str = "2022-11-02";
const XML: &str = "application/xml";
const BYTES: &str = "application/octet-stream";

/// The blobs of an account, as a [`BlobService`](table_store::BlobService). Cloning it is cheap.
///
/// A blob that is written piece by piece is sent in blocks of 4 MiB; a reader that is cut off goes on where it was, with the
/// version it began with or not at all. A write leaves a token of its own in the blob's metadata, `tables_attempt`, which
/// this client does not show: if the response is lost, the token shows that the write was done.
#[derive(Clone)]
pub struct BlobClient(Arc<Inner>);

struct Inner {
    sender: Sender,
}

impl BlobClient {
    pub(super) fn new(sender: Sender) -> Self {
        Self(Arc::new(Inner { sender }))
    }

    /// Where the blobs are.
    #[must_use]
    pub fn endpoint(&self) -> &Endpoint {
        &self.0.sender.endpoint
    }
}

impl Inner {
    async fn send(&self, outgoing: &Outgoing) -> Result<Answer> {
        self.sender.send(outgoing).await
    }
}

/// What a wire form reads of the headers or the body of an answer. What cannot be read leaves it open what was done.
fn read<T>(read: Result<T>) -> Result<T> {
    read.map_err(no_sense)
}

fn of_container(method: Method, container: &ContainerName, fixed: &'static str) -> Outgoing {
    request(method, format!("/{}", encoded(container.as_str())), fixed)
}

fn of_blob(method: Method, blob: &BlobAddress, fixed: &'static str) -> Outgoing {
    let BlobAddress { container, name } = blob;
    // A name's `/` is encoded as well: a part of it that is `..` is then none of the path.
    request(method, format!("/{}/{}", encoded(container.as_str()), encoded(name.as_str())), fixed)
}

fn request(method: Method, path: String, fixed: &'static str) -> Outgoing {
    Outgoing::new(method, path, Parameters::fixed(fixed)).header("x-ms-version", VERSION)
}

fn with_conditions(mut outgoing: Outgoing, conditions: &BlobConditions) -> Outgoing {
    blobs::write_conditions(conditions, &mut outgoing.headers);
    outgoing
}

impl fmt::Debug for BlobClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlobClient").field("endpoint", self.endpoint()).finish_non_exhaustive()
    }
}
