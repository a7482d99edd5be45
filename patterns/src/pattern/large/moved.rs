//! Blobs of an entity that moves to another table.

use table_model::{Properties, RowRef};

use super::Blobs;
use crate::{
    Address,
    core::{
        blob::{
            Blob,
            name::BlobPlace,
            put::Put,
            reference::{Named, Reference},
        },
        outbox::{AffectedRow, Role},
    },
};

impl Blobs {
    /// Determines the blobs of an entity that moves from the row `from` to the row at `to`, whose properties are
    /// `properties`. A blob is named after the table and key of its entity, so each blob of `from` is copied. If the
    /// row replaced at `to` has a blob with the same contents, this blob remains, so that a repeated move copies
    /// nothing. Its other blobs are released in `touches`.
    ///
    /// References to blobs of other entities are unchanged; they were written by a client that bypassed the library.
    pub(crate) fn moved(
        entity: &str,
        (from, row): (&Address, RowRef<'_>),
        (to, replaced): (&Address, Option<RowRef<'_>>),
        properties: &mut Properties,
        touches: &mut Vec<AffectedRow>,
    ) -> Self {
        let (mut blobs, there) = (Self::NONE, replaced.map(|row| owned(to, row)).unwrap_or_default());
        for (property, reference) in owned(from, row) {
            let same = there.iter().find(|(name, kept)| *name == property && kept.digest == reference.digest);
            if let Some((_, kept)) = same {
                properties.set(property.clone(), kept.text());
                blobs.named.push((property, kept.clone()));
            } else {
                // Only the contents are read, never the property of the owner.
                let value = Some(Blob::kept(from.clone(), "", reference));
                blobs.uploads.push(Put { property, inline: 0, value });
            }
        }
        let is_kept = |name: &String| blobs.named.iter().any(|(_, named)| named.name == *name);
        let left: Vec<String> =
            there.into_iter().map(|(_, reference)| reference.name).filter(|name| !is_kept(name)).collect();
        blobs.releases = Self::released(entity, to, &left, touches).releases;
        blobs.make_room(properties);
        blobs
    }

    /// Releases these blobs of an entity in `touches`.
    pub(crate) fn released(
        entity: &str,
        owner: &Address,
        names: &[String],
        touches: &mut Vec<AffectedRow>,
    ) -> Self {
        touches.extend(names.iter().map(|name| AffectedRow::of_blob(entity, Role::Old, owner, name)));
        Self { releases: !names.is_empty(), ..Self::NONE }
    }
}

/// Returns the blobs that a row references and that belong to its entity, including those of properties that the type
/// does not declare.
fn owned(owner: &Address, row: RowRef<'_>) -> Vec<Named> {
    let mut named = Reference::named_in(row);
    named.retain(|(_, reference)| BlobPlace::is_of(owner, &reference.name));
    named
}
