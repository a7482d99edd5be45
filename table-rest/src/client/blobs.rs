//! The blob client.

mod container;
mod content;
mod copy;
mod lease;
mod read;
mod service;
mod settle;
mod upload;
mod whole;

use std::{fmt, sync::Arc};

use azure_core::http::Method;
use table_model::{
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

/// The protocol version: the first that appends 100 MiB in one request.
const VERSION: &str = "2022-11-02";
const XML: &str = "application/xml";
const BYTES: &str = "application/octet-stream";

/// The blobs of an account, as a [`BlobService`](table_model::BlobService). Cloning is cheap.
///
/// A streamed write uploads blocks of 4 MiB. An interrupted reader resumes with the version that it started with, or
/// fails. A write stores a token in the metadata of the blob, `tables_attempt`, which this client hides. If the
/// response is lost, the token proves that the write was done.
#[derive(Clone)]
pub struct BlobClient(Arc<Inner>);

struct Inner {
    sender: Sender,
}

impl BlobClient {
    pub(super) fn new(sender: Sender) -> Self {
        Self(Arc::new(Inner { sender }))
    }

    /// Returns the blob endpoint.
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

/// Converts the result of parsing response headers or a response body. If they are invalid, the outcome is unknown.
fn read<T>(read: Result<T>) -> Result<T> {
    read.map_err(no_sense)
}

fn of_container(method: Method, container: &ContainerName, fixed: &'static str) -> Outgoing {
    request(method, format!("/{}", encoded(container.as_str())), fixed)
}

fn of_blob(method: Method, blob: &BlobAddress, fixed: &'static str) -> Outgoing {
    let BlobAddress { container, name, snapshot } = blob;
    // `/` in a name is encoded as well, so a `..` between slashes is not a path segment.
    let path = format!("/{}/{}", encoded(container.as_str()), encoded(name.as_str()));
    let mut outgoing = request(method, path, fixed);
    if let Some(snapshot) = snapshot {
        outgoing.query.push(blobs::SNAPSHOT_PARAMETER, snapshot);
    }
    outgoing
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
