//! Upload of the values of a write to blobs.
//!
//! A blob is written before the transaction that references it, under a name that contains the token of the attempt,
//! and only if it does not exist. The transaction creates a commit record under the same token. A process that
//! considers the upload abandoned inserts an abort record first, which prevents the transaction.

use std::{collections::BTreeMap, mem, time::Duration};

use table_model::{Name, Value};

use super::{Blobs, store::Contents};
use crate::{
    Error, Tables,
    apply::wakeup::{About, Hint, HintReceipt, MEANWHILE, Upload},
    core::{
        blob::{Content, digest::Digest, name::BlobPlace, put::Put, reference::Reference},
        outbox::{AffectedRow, Role},
        written::WriteResult,
    },
    write::{CrossPartition, Write, properties_mut},
};

/// Uploads of one call, over all its attempts.
#[derive(Debug, Default)]
pub(crate) struct Uploads {
    /// Token of the blobs and of the commit record.
    token: Option<String>,
    /// Uploaded blobs by name.
    there: BTreeMap<String, Reference>,
    /// Wake-up messages for the blobs, in case the call is interrupted.
    hints: Vec<HintReceipt>,
    /// `true` if all work that follows the commit is done.
    is_followed: bool,
}

/// A value to be uploaded.
pub(crate) struct Planned {
    /// Index of its write.
    write: usize,
    property: Name,
    place: BlobPlace,
    step: Step,
}

/// Action for a planned upload.
enum Step {
    /// Uploaded by an earlier attempt.
    There(Reference),
    Send(Contents),
}

impl Uploads {
    /// Returns the token for the commit record of the attempt, if any.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Returns whether a wake-up message with the token was put. It also covers the commit.
    pub(crate) const fn is_hinted(&self) -> bool {
        !self.hints.is_empty()
    }

    /// Assigns a blob to each value that requires one, in the properties of the write and in its commit record. Nothing
    /// is sent, but readers are opened: a value that is short enough is stored inline.
    pub(crate) fn plan(&mut self, tables: &Tables, writes: &mut [Write]) -> Result<Vec<Planned>, Error> {
        let mut planned = Vec::new();
        for (number, write) in writes.iter_mut().enumerate() {
            let Some(blobs) = write.change_mut::<Blobs>().filter(|blobs| !blobs.is_empty()) else { continue };
            tables.blobs()?;
            let uploads = mem::take(&mut blobs.uploads);
            if let Some(far) = write.change::<CrossPartition>().filter(|_| !uploads.is_empty()) {
                tables.check_hints(far.kind.stored_name())?;
            }
            for put in uploads {
                planned.extend(self.plan_one(tables, number, write, &put).map_err(|error| error.at(number))?);
            }
        }
        if planned.is_empty() && self.there.is_empty() {
            // All values are stored inline, so no blob has the token.
            self.token = None;
        }
        Ok(planned)
    }

    fn plan_one(
        &mut self,
        tables: &Tables,
        number: usize,
        write: &mut Write,
        put: &Put,
    ) -> Result<Option<Planned>, Error> {
        let (owner, Some(value)) = (write.address(), &put.value) else { return Ok(None) };
        let token = match &self.token {
            Some(token) => token.clone(),
            None => self.token.insert(tables.token()?).clone(),
        };
        let place = BlobPlace::new(&owner, &put.property, &token);
        let step = match (self.there.get(&place.name), value.content()) {
            (Some(there), _) => Step::There(there.clone()),
            (None, Content::Bytes(bytes)) => Step::Send(Contents::Bytes(bytes.clone())),
            (None, Content::Kept(kept)) => Step::Send(Contents::Copy(kept.reference.clone())),
            (None, Content::Source(source)) => {
                let mut opened = source.open()?;
                if let Some(bytes) = opened.all_up_to(put.inline)? {
                    set(write, put.property.clone(), bytes.to_vec());
                    return Ok(None);
                }
                Step::Send(Contents::Reader(opened))
            }
        };
        // Placeholder with the maximum length of a reference.
        let digest = Digest { length: u64::MAX, sha256: [0; 32] };
        set(write, put.property.clone(), Reference { name: place.name.clone(), digest }.text());
        if let Some(CrossPartition { touches, kind }) = write.change_mut() {
            touches.push(AffectedRow::of_blob(kind.stored_name(), Role::New, &owner, &place.name));
        }
        Ok(Some(Planned { write: number, property: put.property.clone(), place, step }))
    }

    /// Sends the values, and stores the references in the writes. The wake-up messages are put first.
    pub(crate) async fn send(
        &mut self,
        tables: &Tables,
        planned: Vec<Planned>,
        writes: &mut [Write],
    ) -> Result<(), Error> {
        if let Some(hint) = hint(tables, &planned, writes) {
            self.hints.extend(tables.put_hints(hint, MEANWHILE).await?);
        }
        let hints = self.hints.clone();
        for Planned { write, property, place, step } in planned {
            let reference = match step {
                Step::There(reference) => reference,
                Step::Send(contents) => {
                    let digest =
                        tables.upload(&place, contents, &hints).await.map_err(|error| error.at(write))?;
                    let reference = Reference { name: place.name, digest };
                    self.there.insert(reference.name.clone(), reference.clone());
                    reference
                }
            };
            let Some(write) = writes.get_mut(write) else { continue };
            set(write, property.clone(), reference.text());
            if let Some(blobs) = write.change_mut::<Blobs>() {
                blobs.named.push((property, reference));
            }
        }
        tables.in_time(&self.hints)
    }

    /// Marks all work that follows the commit as done.
    pub(crate) const fn set_followed(&mut self) {
        self.is_followed = true;
    }

    /// Starts a new attempt after an attempt that can no longer be committed.
    pub(crate) async fn begin_anew(&mut self, tables: &Tables) {
        let aborted = Self { is_followed: true, ..mem::take(self) };
        aborted.end(tables, &Ok(Vec::new())).await;
    }

    /// Deletes uploaded blobs that are not required. If it is unknown whether the commit succeeded, the blobs are left
    /// to the worker that receives the wake-up message.
    pub(crate) async fn end(self, tables: &Tables, sent: &Result<Vec<Option<WriteResult>>, Error>) {
        // The wake-up message also leads to the commit record, unless the store lists it.
        let is_found = self.is_followed || tables.service().capabilities().marks;
        let (named, mut is_done): (Vec<&str>, _) = match sent {
            Ok(written) => (written.iter().flatten().flat_map(WriteResult::blobs).collect(), is_found),
            Err(error) if error.is_outcome_unknown() => return,
            Err(_) => (Vec::new(), true),
        };
        for name in self.there.keys().filter(|name| !named.contains(&name.as_str())) {
            is_done &= tables.delete_blob(name).await.is_ok();
        }
        // Every request received a response, so none can take effect later and the messages are not required.
        for hint in self.hints.iter().filter(|_| is_done) {
            drop(tables.drop_hint(hint).await);
        }
    }
}

fn set(write: &mut Write, property: Name, value: impl Into<Value>) {
    if let Some(properties) = properties_mut(&mut write.operation) {
        properties.set(property, value);
    }
}

/// Returns the wake-up message for the planned uploads, or `None` if nothing is sent.
fn hint(tables: &Tables, planned: &[Planned], writes: &[Write]) -> Option<Hint> {
    let (mut about, mut allowance) = (Vec::new(), Duration::ZERO);
    for Planned { property, place, step, .. } in planned {
        let Step::Send(contents) = step else { continue };
        allowance = allowance.saturating_add(contents.time_to_send());
        about.push(About::Upload(Upload {
            rule: property.to_string(),
            row_key: place.owner.row_key.clone(),
            container: place.owner.table.folded().to_owned(),
            blob: place.name.clone(),
        }));
    }
    let attempt = planned.first().filter(|_| !about.is_empty())?.place.receipt();
    let entity =
        writes.iter().find(|write| write.has_record())?.change::<CrossPartition>()?.kind.stored_name();
    Some(Hint::of(entity, &attempt, tables.now()).about(about).later(allowance))
}
