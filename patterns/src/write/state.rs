//! Rows of an entity before and after a write.

use std::sync::Arc;

use table_model::{Condition, ETag, Entity, ErrorCode, Properties, TableError, TableName};

use super::list::Membership;
use crate::{
    Address, Error, Path, Stored,
    derived::DerivedRow,
    design::{Design, Index},
    entity::Writable,
    kinds::Kind,
    large::{Named, Put},
    sealing::Secrets,
    stored::Places,
    wide::Versions,
};

/// Required rows of an entity.
#[derive(Clone, Debug)]
pub(crate) struct New {
    pub(crate) address: Address,
    pub(crate) properties: Properties,
    indexes: &'static [Index],
    derived: Vec<DerivedRow>,
    /// Lists that contain the entity after the write.
    pub(crate) lists: Vec<Membership>,
    /// Values of the blob fields.
    pub(crate) blobs: Vec<Put>,
    kind: Option<Kind>,
    /// Design of the entity, if it stores aggregates.
    pub(crate) sink: Option<&'static Design>,
    /// Properties that are encrypted.
    pub(crate) secrets: Secrets,
    pub(crate) design: Option<&'static Design>,
}

impl New {
    /// Returns the entity type, if it has rows in other partitions or blobs.
    pub(crate) const fn kind(&self) -> Option<Kind> {
        self.kind
    }

    /// Returns the derived rows, excluding lists.
    pub(crate) fn rows(&self) -> &[DerivedRow] {
        &self.derived
    }

    pub(crate) fn of<E: Writable>(entity: &E) -> Result<Self, Error> {
        let (address, (properties, blobs)) = (entity.whereabouts()?, entity.contents()?);
        let (indexes, kind, sink, secrets) = (E::indexes(), E::kind(), E::sink(), E::secrets());
        let (derived, lists) = Membership::take(indexes, &address, entity.derived(&properties)?);
        let design = E::design();
        Ok(Self { address, properties, indexes, derived, lists, blobs, kind, sink, secrets, design })
    }

    /// Returns the table, the entity row, and the index rows.
    pub(crate) fn into_parts(self) -> (TableName, Entity, Vec<(&'static Index, DerivedRow)>) {
        let Address { table, partition_key, row_key } = self.address;
        let entity = Entity { partition_key, row_key, properties: self.properties };
        let indexes = self.indexes;
        let derived = self.derived.into_iter().filter_map(|row| Some((indexes.get(row.number)?, row)));
        (table, entity, derived.collect())
    }
}

/// Rows of an entity when it was read, and the row it was read from.
#[derive(Clone, Debug)]
pub(crate) struct Old {
    pub(crate) address: Address,
    path: Path,
    etag: ETag,
    indexes: &'static [Index],
    derived: Vec<DerivedRow>,
    /// Lists that contained the entity.
    pub(crate) lists: Vec<Membership>,
    /// Blobs that the entity referenced.
    pub(crate) blobs: Vec<Named>,
    kind: Option<Kind>,
    /// Design of the entity and the aggregates stored in it.
    pub(crate) sink: Option<(&'static Design, Properties)>,
    /// Versions of the rows of a wide entity.
    pub(crate) versions: Option<Arc<Versions>>,
    pub(crate) design: Option<&'static Design>,
}

impl Old {
    /// Returns the entity type, if it has rows in other partitions.
    pub(crate) const fn kind(&self) -> Option<Kind> {
        self.kind
    }

    pub(crate) fn of<E: Writable>(stored: &Stored<E>) -> Result<Self, Error> {
        if stored.has_unknown_rows() {
            return Err(Error::HasIndexes { address: Box::new(stored.whereabouts()?) });
        }
        let Places { address, derived, blobs } = stored.rows()?;
        let (path, etag, indexes) = (stored.path(), stored.etag().clone(), E::indexes());
        let (derived, lists) = Membership::take(indexes, &address, derived);
        let versions = stored.versions().cloned();
        let sink = E::sink().map(|design| (design, stored.kept().clone()));
        let (kind, design) = (E::kind(), E::design());
        Ok(Self { address, path, etag, indexes, derived, lists, blobs, kind, sink, versions, design })
    }

    /// Returns the versions of the rows of a wide entity. Fails if only a part was written since, because the versions
    /// are then unknown.
    pub(crate) fn wide(&self) -> Result<&Versions, Error> {
        self.versions.as_deref().ok_or_else(|| {
            let message = "The versions of some parts of the entity are unknown. Read the entity again.";
            TableError::with_message(ErrorCode::UpdateConditionNotSatisfied, message).into()
        })
    }

    /// Returns the condition on the entity row.
    pub(crate) fn condition_of_entity(&self) -> Condition {
        self.condition_of(Path::Own)
    }

    /// Returns the condition on a row. The row that was read must be unchanged. The other rows change only together
    /// with it, so they only have to exist.
    pub(crate) fn condition_of(&self, path: Path) -> Condition {
        if self.path == path { Condition::Matches(self.etag.clone()) } else { Condition::Exists }
    }

    /// Returns the derived rows, excluding lists.
    pub(crate) fn rows(&self) -> &[DerivedRow] {
        &self.derived
    }

    /// Returns the index rows.
    pub(crate) fn derived(&self) -> impl Iterator<Item = (&'static Index, &DerivedRow)> {
        let indexes = self.indexes;
        self.derived.iter().filter_map(|row| Some((indexes.get(row.number)?, row)))
    }
}
