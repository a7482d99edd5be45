//! Writes of blobs whose response was lost.
//!
//! Two states are evidence:
//!
//! 1. The metadata of the blob contains the token of this attempt: the write was done.
//! 2. The blob still has the version that the write requires: the write was not done, and is retried. At most one copy
//!    of the request can match that version.
//!
//! No other state is evidence, and the outcome is unknown then. Equal content proves nothing: a write can change only
//! the version and leave the content unchanged, and another client can write the same content.

use azure_core::http::Method;
use table_model::{
    Metadata, Result, Uuid,
    blob::{BlobAddress, BlobConditions, BlobMatch},
    limits::METADATA_BYTES,
};

use super::{Inner, of_blob};
use crate::{
    client::{answer::Answer, outgoing::Outgoing},
    wire::blobs,
};

/// The metadata name of the token, and its header.
const ATTEMPT: &str = "tables_attempt";
const ATTEMPT_HEADER: &str = "x-ms-meta-tables_attempt";

/// Maximum number of retries of a write.
const RESENT: u32 = 4;

/// Evidence about a write, from the state of the blob.
enum Evidence {
    /// The write was done. Contains the headers of the blob.
    Done(Answer),
    /// The write was not done, and at most one copy of it can take effect.
    NotDone,
    /// No evidence.
    None,
}

/// Adds a token of the attempt to metadata if its size allows it.
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
    /// Sends a write of a blob. Returns the response, or the headers of the blob if these show that the write was done.
    ///
    /// # Errors
    ///
    /// Fails like [`send`](Self::send). The outcome is unknown if the response was lost and the blob shows no evidence.
    pub(super) async fn send_settled(
        &self,
        blob: &BlobAddress,
        outgoing: &Outgoing,
        conditions: &BlobConditions,
    ) -> Result<Answer> {
        let lost = match self.send(outgoing).await {
            Err(lost) if lost.is_outcome_unknown() => lost,
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
                // Even a rejected retry is not proof: an earlier copy may have taken effect.
                Err(error) => is_refused = !error.is_outcome_unknown(),
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
