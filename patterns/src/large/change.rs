//! What a write does to the blobs of its entity: which stay, which are new, which are released.

use std::mem;

use table_store::{Name, Properties};

use super::{Blob, BlobPlace, Content, Digest, Reference};
use crate::{
    derived::{NO_TOKEN, TRANSACTION},
    outbox::{Role, Touch},
    write::{New, Old},
};

/// The value of a blob field, as it is to be.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Put {
    pub(crate) property: Name,
    /// Most bytes in the property itself.
    pub(crate) inline: usize,
    /// None where the entity is to have none.
    pub(crate) value: Option<Blob>,
}

/// A reference, and the property that holds it.
pub(crate) type Named = (Name, Reference);

/// What a write does to the blobs of its entity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blobs {
    /// What the entity goes on naming; after the upload all that it names.
    pub(crate) named: Vec<Named>,
    /// Values for which there is no blob yet.
    pub(super) uploads: Vec<Put>,
    /// Whether there was a blob that it names no more.
    pub(super) releases: bool,
}

impl Blobs {
    pub(crate) const NONE: Self = Self { named: Vec::new(), uploads: Vec::new(), releases: false };

    /// From the state that was read to the one that is to be: what stays, what is to be uploaded, and in `touches` what the
    /// commit releases. What stays is said in the properties.
    pub(crate) fn over(old: &Old, new: &mut New, touches: &mut Vec<Touch>) -> Self {
        let puts = mem::take(&mut new.blobs);
        let mut blobs = Self::of(&old.blobs, puts, |property, reference| {
            new.properties.set(property.clone(), reference.text());
        });
        blobs.release(old, |_| true, touches);
        blobs.make_room(&mut new.properties);
        blobs
    }

    /// Of an entity that is new: a value in a blob of another is copied.
    pub(crate) fn insert(new: &mut New) -> Self {
        let blobs = Self::of(&[], mem::take(&mut new.blobs), |_, _| ());
        blobs.make_room(&mut new.properties);
        blobs
    }

    /// Of an entity that goes.
    pub(crate) fn delete(old: &Old, touches: &mut Vec<Touch>) -> Self {
        let mut blobs = Self::NONE;
        blobs.release(old, |_| true, touches);
        blobs
    }

    /// Of a patch: other values stay as they are.
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

    /// Names in the commit record the blobs that were named and are no more. Only the entity's own: a name that somebody
    /// wrote past the library is left alone.
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

    /// A place for the token: by it a commit whose answer is lost is known.
    pub(super) fn make_room(&self, properties: &mut Properties) {
        if !self.is_empty() && properties.get(TRANSACTION).is_none() {
            properties.set(TRANSACTION, NO_TOKEN);
        }
    }

    /// Whether the write has nothing to do with blobs.
    pub(crate) const fn is_empty(&self) -> bool {
        self.named.is_empty() && self.uploads.is_empty() && !self.releases
    }

    /// Whether values must be sent before the write is.
    pub(crate) const fn has_uploads(&self) -> bool {
        !self.uploads.is_empty()
    }
}
