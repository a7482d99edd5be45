//! The values of a write on their way to blobs.
//!
//! A blob is written before the transaction that names it, under a name with the token of the attempt, and only where
//! nothing is. The transaction leaves a commit record under the same token: whoever takes the upload for abandoned puts a
//! marker there first, and then the transaction cannot be any more.

use std::{collections::BTreeMap, mem, time::Duration};

use table_store::{Name, Value};

use super::{BlobPlace, Content, Digest, Put, Reference, store::Contents};
use crate::{
    Error, Tables,
    hint::{About, Hint, HintReceipt, MEANWHILE, Upload},
    outbox::{Role, Touch},
    write::{Write, Written, properties_mut},
};

/// What one call has brought to blobs, over all its attempts.
#[derive(Debug, Default)]
pub(crate) struct Uploads {
    /// The token of its blobs and of its commit record.
    token: Option<String>,
    /// The blobs that are there.
    there: BTreeMap<String, Reference>,
    /// What says where to look for them, should the call end here.
    hints: Vec<HintReceipt>,
    /// Whether all that follows the commit was done.
    is_followed: bool,
}

/// A value that is to be sent to its blob.
pub(crate) struct Planned {
    /// The number of its write.
    write: usize,
    property: Name,
    place: BlobPlace,
    step: Step,
}

/// What is done about it.
enum Step {
    /// It is there since an earlier attempt.
    There(Reference),
    Send(Contents),
}

impl Uploads {
    /// The token for the commit record of the attempt, where there is one.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Names a blob for each value that needs one, in the write's properties and in its commit record. Nothing is sent, but
    /// readers are opened: what is short enough goes into the property after all.
    pub(crate) fn plan(&mut self, tables: &Tables, writes: &mut [Write]) -> Result<Vec<Planned>, Error> {
        let mut planned = Vec::new();
        for (number, write) in writes.iter_mut().enumerate() {
            if !write.blobs.is_empty() {
                tables.blobs()?;
            }
            if let Some(kind) = write.far.kind.filter(|_| write.blobs.has_uploads()) {
                tables.check_hints(kind.design.name)?;
            }
            for put in mem::take(&mut write.blobs.uploads) {
                planned.extend(self.plan_one(tables, number, write, &put).map_err(|error| error.at(number))?);
            }
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
        // As long as it will be.
        let digest = Digest { length: u64::MAX, sha256: [0; 32] };
        set(write, put.property.clone(), Reference { name: place.name.clone(), digest }.text());
        if let Some(kind) = write.far.kind {
            write.far.touches.push(Touch::of_blob(kind.design.name, Role::New, &owner, &place.name));
        }
        Ok(Some(Planned { write: number, property: put.property.clone(), place, step }))
    }

    /// Sends the values, and says in the writes what became of them. A hint goes first.
    pub(crate) async fn send(
        &mut self,
        tables: &Tables,
        planned: Vec<Planned>,
        writes: &mut [Write],
    ) -> Result<(), Error> {
        if let Some(hint) = hint(tables, &planned, writes) {
            self.hints.push(tables.put_hint(&hint, MEANWHILE).await?);
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
            write.blobs.named.push((property, reference));
        }
        tables.in_time(&self.hints)
    }

    /// All that followed the commit is done.
    pub(crate) const fn set_followed(&mut self) {
        self.is_followed = true;
    }

    /// Begins a new attempt after one that cannot be committed any more.
    pub(crate) async fn begin_anew(&mut self, tables: &Tables) {
        let aborted = Self { is_followed: true, ..mem::take(self) };
        aborted.end(tables, &Ok(Vec::new())).await;
    }

    /// Takes away what was uploaded and is not needed. Where it is not known whether there was a commit, all is left to
    /// whoever looks where the hints say.
    pub(crate) async fn end(self, tables: &Tables, sent: &Result<Vec<Option<Written>>, Error>) {
        // The hint also leads to the commit record, unless the store lists it.
        let is_found = self.is_followed || tables.service().capabilities().marks;
        let (named, mut is_done): (Vec<&str>, _) = match sent {
            Ok(written) => (written.iter().flatten().flat_map(Written::blobs).collect(), is_found),
            Err(error) if error.is_unknown() => return,
            Err(_) => (Vec::new(), true),
        };
        for name in self.there.keys().filter(|name| !named.contains(&name.as_str())) {
            is_done &= tables.delete_blob(name).await.is_ok();
        }
        // What was answered cannot land later: nobody needs to look.
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

/// Where to look for what is about to be sent; none if nothing is.
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
    let entity = writes.iter().find(|write| write.has_record())?.far.kind?.design.name;
    Some(Hint::of(entity, &attempt, tables.now()).about(about).later(allowance))
}
