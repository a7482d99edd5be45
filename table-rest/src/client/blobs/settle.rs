//! Writes of blobs whose response was lost.
//!
//! Two states are evidence:
//!
//! 1. The blob's metadata contains the token of this attempt: it was done.
//! 2. The blob still has the version that the write requires: it was not done, and is sent again. Of two copies only one can
//!    find that version.
//!
//! No other state is evidence, and the outcome is unknown then. Equal contents above all: a write can be made for the new
//! version alone and leave the contents as they are, and another client can have written the same.

use azure_core::http::Method;
use table_store::{
    Metadata, Result, Uuid,
    blob::{BlobAddress, BlobConditions, BlobMatch},
    limits::METADATA_BYTES,
};

use super::{Inner, of_blob};
use crate::{
    client::{answer::Answer, outgoing::Outgoing},
    wire::blobs,
};

/// The name of the token in the metadata, and its header.
const ATTEMPT: &str = "tables_attempt";
const ATTEMPT_HEADER: &str = "x-ms-meta-tables_attempt";

/// Number of times that a write is sent again.
const RESENT: u32 = 4;

/// What a blob shows of a write.
enum Evidence {
    /// It was done. The headers of the blob.
    Done(Answer),
    /// It was not done, and only one copy of it can be.
    NotDone,
    /// Nothing.
    None,
}

/// Adds a token of the attempt to metadata, if there is room for it.
pub(super) fn with_attempt(outgoing: Outgoing, metadata: &Metadata) -> Outgoing {
    let token = Uuid::new_v4().simple().to_string();
    let has_room = metadata.bytes() + ATTEMPT.len() + token.len() <= METADATA_BYTES;
    if has_room { outgoing.header(ATTEMPT_HEADER, token) } else { outgoing }
}

/// Removes the token of an attempt from metadata that was read.
pub(super) fn without_attempt(metadata: &mut Metadata) {
    metadata.remove(ATTEMPT);
}

impl Inner {
    /// Sends a write of a blob. Returns the response, or the headers of the blob if these show that it was done.
    ///
    /// # Errors
    /// As [`send`](Self::send). The outcome is unknown if the response was lost and the blob shows no evidence.
    pub(super) async fn send_settled(
        &self,
        blob: &BlobAddress,
        outgoing: &Outgoing,
        conditions: &BlobConditions,
    ) -> Result<Answer> {
        let lost = match self.send(outgoing).await {
            Err(lost) if lost.is_unknown() => lost,
            sent => return sent,
        };
        let mut is_refused = false;
        for _ in 0..RESENT {
            match self.evidence(blob, outgoing, conditions).await {
                Evidence::Done(found) => return Ok(found),
                Evidence::NotDone if !is_refused => {}
                Evidence::NotDone | Evidence::None => break,
            }
            match self.send(outgoing).await {
                Ok(answer) => return Ok(answer),
                // After a refusal, too: an earlier copy may have been done.
                Err(error) => is_refused = !error.is_unknown(),
            }
        }
        Err(lost)
    }

    async fn evidence(
        &self,
        blob: &BlobAddress,
        outgoing: &Outgoing,
        conditions: &BlobConditions,
    ) -> Evidence {
        let Ok(found) = self.send(&of_blob(Method::Head, blob, "")).await else { return Evidence::None };
        let attempt = outgoing.headers.get(ATTEMPT_HEADER);
        if attempt.is_some() && attempt == found.headers.get(ATTEMPT_HEADER) {
            return Evidence::Done(found);
        }
        match (&conditions.if_match, blobs::read_version(&found.headers)) {
            (Some(BlobMatch::Version(required)), Ok(version)) if *required == version.etag => {
                Evidence::NotDone
            }
            _ => Evidence::None,
        }
    }
}
