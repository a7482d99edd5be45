//! An entity's rows before and after a write.

use std::sync::Arc;

use table_store::{Condition, ETag, Entity, ErrorCode, Properties, TableError, TableName};

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

/// The rows that an entity is to have.
#[derive(Clone, Debug)]
pub(crate) struct New {
    pub(crate) address: Address,
    pub(crate) properties: Properties,
    indexes: &'static [Index],
    derived: Vec<DerivedRow>,
    /// The lists that it is to be in.
    pub(crate) lists: Vec<Membership>,
    /// The values of its blob fields.
    pub(crate) blobs: Vec<Put>,
    kind: Option<Kind>,
    /// Its design, where others keep values in it.
    pub(crate) sink: Option<&'static Design>,
    /// Which of its properties are sealed.
    pub(crate) secrets: Secrets,
    pub(crate) design: Option<&'static Design>,
}

impl New {
    /// The entity, if rows in other partitions or blobs follow it.
    pub(crate) const fn kind(&self) -> Option<Kind> {
        self.kind
    }

    /// The rows that are derived from it, lists not among them.
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

    /// The table, the entity's own row, and the rows of its indexes.
    pub(crate) fn into_parts(self) -> (TableName, Entity, Vec<(&'static Index, DerivedRow)>) {
        let Address { table, partition_key, row_key } = self.address;
        let entity = Entity { partition_key, row_key, properties: self.properties };
        let indexes = self.indexes;
        let derived = self.derived.into_iter().filter_map(|row| Some((indexes.get(row.number)?, row)));
        (table, entity, derived.collect())
    }
}

/// The rows that an entity had when it was read, and which of them was read.
#[derive(Clone, Debug)]
pub(crate) struct Old {
    pub(crate) address: Address,
    path: Path,
    etag: ETag,
    indexes: &'static [Index],
    derived: Vec<DerivedRow>,
    /// The lists that it was in.
    pub(crate) lists: Vec<Membership>,
    /// The blobs that it named.
    pub(crate) blobs: Vec<Named>,
    kind: Option<Kind>,
    /// Its design, and what others keep in it.
    pub(crate) sink: Option<(&'static Design, Properties)>,
    /// What is known of the rows of a wide entity.
    pub(crate) versions: Option<Arc<Versions>>,
    pub(crate) design: Option<&'static Design>,
}

impl Old {
    /// The entity, if rows in other partitions follow it.
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

    /// The rows of a wide entity as they were read. Where only a part of it was written since, they are not known.
    pub(crate) fn wide(&self) -> Result<&Versions, Error> {
        self.versions.as_deref().ok_or_else(|| {
            let message = "Not all parts of the entity are known in their present version: read it again.";
            TableError::with_message(ErrorCode::UpdateConditionNotSatisfied, message).into()
        })
    }

    /// The condition on the entity's own row.
    pub(crate) fn condition_of_entity(&self) -> Condition {
        self.condition_of(Path::Own)
    }

    /// The row that was read must be as it was read. The others change only together with it, so they need only be
    /// there.
    pub(crate) fn condition_of(&self, path: Path) -> Condition {
        if self.path == path { Condition::Matches(self.etag.clone()) } else { Condition::Exists }
    }

    /// The rows that are derived from it, lists not among them.
    pub(crate) fn rows(&self) -> &[DerivedRow] {
        &self.derived
    }

    /// The rows of its indexes.
    pub(crate) fn derived(&self) -> impl Iterator<Item = (&'static Index, &DerivedRow)> {
        let indexes = self.indexes;
        self.derived.iter().filter_map(|row| Some((indexes.get(row.number)?, row)))
    }
}
