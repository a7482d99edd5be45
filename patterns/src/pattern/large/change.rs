//! Effect of a write on the blobs of its entity: blobs that remain, new blobs, and released blobs.

use table_model::{Name, Operation, Properties};

use crate::{
    Address,
    core::{
        blob::{
            Content,
            digest::Digest,
            name::BlobPlace,
            put::Put,
            reference::{Named, Reference},
        },
        old::Old,
        outbox::{AffectedRow, Role},
        reserved::{NO_TOKEN, TRANSACTION},
        written::WriteResult,
    },
    write::{Change, CrossPartition, Write, change_mut, properties_mut},
};

/// Maximum number of bytes of a blob in a commit record, without the table, the property and the row key.
const MOST_NAMES: usize = 512;

/// Effect of a write on the blobs of its entity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blobs {
    /// Blobs that the entity still references. After the upload, all blobs that it references.
    pub(crate) named: Vec<Named>,
    /// Values that have no blob yet.
    pub(super) uploads: Vec<Put>,
    /// `true` if a blob is no longer referenced.
    pub(super) releases: bool,
}

impl Blobs {
    pub(crate) const NONE: Self = Self { named: Vec::new(), uploads: Vec::new(), releases: false };

    /// Determines the blobs that remain and the values to upload, and adds released blobs to the commit record.
    /// References to remaining blobs are stored in the properties of the operation on the entity. A value in a blob of
    /// another entity is copied. `is_set` tells which properties change.
    pub(super) fn plan(
        write: &mut Write,
        old: Option<&Old>,
        puts: Vec<Put>,
        is_set: impl Fn(&Name) -> bool,
    ) -> Self {
        let Write { operation, changes, .. } = write;
        let mut properties = properties_mut(operation);
        let there = old.map_or(&[][..], |old| &old.blobs);
        let mut blobs = Self::of(there, puts, |property, reference| {
            if let Some(properties) = &mut properties {
                properties.set(property.clone(), reference.text());
            }
        });
        if let (Some(old), Some(far)) = (old, change_mut::<CrossPartition>(changes)) {
            blobs.release(old, is_set, &mut far.touches);
        }
        if let Some(properties) = properties {
            blobs.make_room(properties);
        }
        blobs
    }

    fn of(old: &[Named], puts: Vec<Put>, mut stays: impl FnMut(&Name, &Reference)) -> Self {
        let mut blobs = Self::NONE;
        for put in puts {
            let Some(value) = &put.value else { continue };
            let there = match value.content() {
                Content::Bytes(bytes) if bytes.len() <= put.inline => continue,
                Content::Bytes(bytes) => old.iter().find(|(property, reference)| {
                    *property == put.property && reference.digest == Digest::of(bytes)
                }),
                Content::Source(_) => None,
                Content::Kept(kept) => old.iter().find(|(_, reference)| *reference == kept.reference),
            };
            match there {
                Some((_, reference)) => {
                    stays(&put.property, reference);
                    blobs.named.push((put.property, reference.clone()));
                }
                None => blobs.uploads.push(put),
            }
        }
        blobs
    }

    /// Adds the blobs that are no longer referenced to the commit record. Only blobs of this entity are released; other
    /// names were written by a client that bypassed the library.
    fn release(&mut self, old: &Old, is_set: impl Fn(&Name) -> bool, touches: &mut Vec<AffectedRow>) {
        let Some(kind) = old.kind() else { return };
        for (property, reference) in &old.blobs {
            let stays = self.named.iter().any(|(_, named)| named.name == reference.name);
            if stays || !is_set(property) || !BlobPlace::is_of(&old.address, &reference.name) {
                continue;
            }
            self.releases = true;
            touches.push(AffectedRow::of_blob(kind.stored_name(), Role::Old, &old.address, &reference.name));
        }
    }

    /// Adds the token property, which identifies a commit whose response is lost.
    pub(super) fn make_room(&self, properties: &mut Properties) {
        if !self.is_empty() && properties.get(TRANSACTION).is_none() {
            properties.set(TRANSACTION, NO_TOKEN);
        }
    }

    /// Returns `true` if the write does not affect blobs.
    pub(crate) const fn is_empty(&self) -> bool {
        self.named.is_empty() && self.uploads.is_empty() && !self.releases
    }

    /// Returns `true` if values must be uploaded before the write.
    pub(crate) const fn has_uploads(&self) -> bool {
        !self.uploads.is_empty()
    }
}

impl Change for Blobs {
    fn boxed(&self) -> Box<dyn Change> {
        Box::new(self.clone())
    }

    fn is_alone(&self) -> bool {
        self.is_empty()
    }

    fn is_open(&self) -> bool {
        self.has_uploads()
    }

    fn record_bytes(&self, entity: &dyn Fn() -> Address) -> usize {
        if self.uploads.is_empty() {
            return 0;
        }
        // The names of the entity type and of the blob are not known yet.
        let Address { table, row_key, .. } = entity();
        let each = MOST_NAMES + 2 * table.as_str().len() + row_key.len();
        self.uploads.iter().map(|put| each + put.property.len()).sum()
    }

    fn has_record(&self) -> bool {
        self.has_uploads()
    }

    fn complete(&mut self, _operation: &Operation, written: &mut Option<WriteResult>) {
        if let Some(written) = written.as_mut().filter(|_| !self.is_empty()) {
            written.blobs = Some(std::mem::take(&mut self.named).into());
        }
    }
}
