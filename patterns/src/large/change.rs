//! Effect of a write on the blobs of its entity: blobs that remain, new blobs, and released blobs.

use std::mem;

use table_model::{Name, Properties};

use super::{Blob, BlobPlace, Content, Digest, Reference};
use crate::{
    derived::{NO_TOKEN, TRANSACTION},
    outbox::{Role, Touch},
    write::{New, Old},
};

/// New value of a blob field.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Put {
    pub(crate) property: Name,
    /// Maximum size of a value stored in the property, in bytes.
    pub(crate) inline: usize,
    /// `None` if the entity has no value.
    pub(crate) value: Option<Blob>,
}

/// A reference, and the property that contains it.
pub(crate) type Named = (Name, Reference);

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

    /// Compares the old state with the new state: determines the blobs that remain and the values to upload, and adds
    /// released blobs to `touches`. References to remaining blobs are stored in the properties.
    pub(crate) fn over(old: &Old, new: &mut New, touches: &mut Vec<Touch>) -> Self {
        let puts = mem::take(&mut new.blobs);
        let mut blobs = Self::of(&old.blobs, puts, |property, reference| {
            new.properties.set(property.clone(), reference.text());
        });
        blobs.release(old, |_| true, touches);
        blobs.make_room(&mut new.properties);
        blobs
    }

    /// Determines the blobs of a new entity. A value in a blob of another entity is copied.
    pub(crate) fn insert(new: &mut New) -> Self {
        let blobs = Self::of(&[], mem::take(&mut new.blobs), |_, _| ());
        blobs.make_room(&mut new.properties);
        blobs
    }

    /// Determines the blobs of a deleted entity.
    pub(crate) fn delete(old: &Old, touches: &mut Vec<Touch>) -> Self {
        let mut blobs = Self::NONE;
        blobs.release(old, |_| true, touches);
        blobs
    }

    /// Determines the blobs of a patch. Other values are unchanged.
    pub(crate) fn patch(
        old: &Old,
        puts: Vec<Put>,
        properties: &mut Properties,
        touches: &mut Vec<Touch>,
    ) -> Self {
        let set: Vec<Name> = puts.iter().map(|put| put.property.clone()).collect();
        let mut blobs = Self::of(&old.blobs, puts, |property, reference| {
            properties.set(property.clone(), reference.text());
        });
        blobs.release(old, |property| set.contains(property), touches);
        blobs.make_room(properties);
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
    fn release(&mut self, old: &Old, is_set: impl Fn(&Name) -> bool, touches: &mut Vec<Touch>) {
        let Some(kind) = old.kind() else { return };
        for (property, reference) in &old.blobs {
            let stays = self.named.iter().any(|(_, named)| named.name == reference.name);
            if stays || !is_set(property) || !BlobPlace::is_of(&old.address, &reference.name) {
                continue;
            }
            self.releases = true;
            touches.push(Touch::of_blob(kind.design.name, Role::Old, &old.address, &reference.name));
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
