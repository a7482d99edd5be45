//! State of an entity before a write.

use std::sync::Arc;

use table_model::{Condition, ETag, ErrorCode, Properties, RowRef, TableError, Timestamp};

use crate::{
    AccessPath, Address, Error, Source, Stored,
    core::{
        blob::reference::Named, derived_row::DerivedRow, entity::Writable, entity_types::EntityInfo,
        new::New, row_versions::RowVersions, stored::Places, unread::Unread,
    },
    design::{Design, Index},
};

/// Rows of an entity when it was read, and the row it was read from.
#[derive(Clone, Debug)]
pub(crate) struct Old {
    pub(crate) address: Address,
    path: AccessPath,
    etag: ETag,
    /// Version of the entity's own row, if the entity was read through an index and then by its key.
    own_etag: Option<ETag>,
    derived: Vec<DerivedRow>,
    /// Blobs that the entity referenced.
    pub(crate) blobs: Vec<Named>,
    entity: Option<EntityInfo>,
    /// Properties that other entities keep in the row.
    pub(crate) kept: Properties,
    /// Versions of the rows of a wide entity.
    versions: Option<Arc<RowVersions>>,
    /// Properties of the row that the type does not declare.
    pub(crate) unread: Unread,
    /// Time of the creation, if the entity contains it.
    pub(crate) created: Option<Timestamp>,
    /// Form of the entity in the newest version, if an older version wrote the row. A patch then replaces the row.
    pub(crate) newest: Option<Box<New>>,
    /// `true` if an older version soft-deleted the entity, and a write of the newest version would restore it.
    is_restored: bool,
}

impl Old {
    pub(crate) fn of<E: Writable>(stored: &Stored<E>) -> Result<Self, Error> {
        if stored.has_unknown_rows() {
            return Err(Error::IndexedEntity { address: Box::new(stored.whereabouts()?) });
        }
        let Places { address, derived, blobs, created } = stored.rows()?;
        let (path, etag) = (stored.path(), stored.etag().clone());
        let (kept, versions) = (stored.kept().clone(), stored.versions().cloned());
        let unread = stored.unread_properties().clone();
        let newest = stored.is_older().then(|| New::of(&**stored).map(Box::new)).transpose()?;
        Ok(Self {
            address,
            path,
            etag,
            own_etag: None,
            derived,
            blobs,
            entity: E::entity(),
            kept,
            versions,
            unread,
            created,
            newest,
            is_restored: stored.is_restored(),
        })
    }

    /// Creates the state of an entity without blobs and values of other entities, from its own row. `None` for a row of
    /// something else.
    pub(crate) fn of_row(
        kind: EntityInfo,
        source: Source<'_>,
        row: RowRef<'_>,
    ) -> Result<Option<Self>, Error> {
        let Some(derived) = kind.entity(source, row)? else { return Ok(None) };
        let (partition_key, row_key) = row.partition_key.zip(row.row_key).unwrap_or_default();
        let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
        let address = Address { table: source.table.clone(), partition_key, row_key };
        let unread = Unread::of(kind.newest(), AccessPath::Own, row);
        Ok(Some(Self { derived, entity: Some(kind), ..Self::of_values(address, row.etag.clone(), unread) }))
    }

    /// Creates the state of a row without an entity, which contains values of other entities.
    pub(crate) const fn of_values(address: Address, etag: ETag, unread: Unread) -> Self {
        Self {
            address,
            path: AccessPath::Own,
            etag,
            own_etag: None,
            derived: Vec::new(),
            blobs: Vec::new(),
            entity: None,
            kept: Properties::new(),
            versions: None,
            unread,
            created: None,
            newest: None,
            is_restored: false,
        }
    }

    /// Fails if a write of the newest version would restore an entity that an older version soft-deleted.
    pub(crate) fn check_not_restored(&self) -> Result<(), Error> {
        let address = || Box::new(self.address.clone());
        if self.is_restored { Err(Error::RestoresDeleted { address: address() }) } else { Ok(()) }
    }

    /// Returns the entity type, if it has rows in other partitions or blobs.
    pub(crate) fn kind(&self) -> Option<EntityInfo> {
        self.entity.filter(|kind| kind.is_followed())
    }

    /// Returns the version of the row that was read.
    pub(crate) const fn etag(&self) -> &ETag {
        &self.etag
    }

    /// Returns the entity type. `None` for an untyped entity.
    pub(crate) const fn entity(&self) -> Option<EntityInfo> {
        self.entity
    }

    pub(crate) fn design(&self) -> Option<&'static Design> {
        self.entity.map(EntityInfo::newest)
    }

    /// Returns the versions of the rows of a wide entity. Fails if only a part was written since, because the versions
    /// are then unknown.
    pub(crate) fn wide(&self) -> Result<&RowVersions, Error> {
        self.versions.as_deref().ok_or_else(|| {
            let message = "The versions of some parts of the entity are unknown. Read the entity again.";
            TableError::with_message(ErrorCode::UpdateConditionNotSatisfied, message).into()
        })
    }

    /// Returns the condition on the entity row.
    pub(crate) fn condition_of_entity(&self) -> Condition {
        self.condition_of(AccessPath::Own)
    }

    /// Returns whether the entity was read through an index. What its type does not declare is then in its own row.
    pub(crate) fn is_of_index(&self) -> bool {
        self.path != AccessPath::Own
    }

    /// Adds what was read from the entity's own row.
    pub(crate) fn with_own(self, own: Self) -> Self {
        let Self { etag, derived, blobs, unread, newest, .. } = own;
        Self { own_etag: Some(etag), derived, blobs, unread, newest, ..self }
    }

    /// Returns the condition on a row. The row that was read must be unchanged. The other rows change only together
    /// with it, so they only have to exist.
    pub(crate) fn condition_of(&self, path: AccessPath) -> Condition {
        match &self.own_etag {
            Some(own) if path == AccessPath::Own => Condition::Matches(own.clone()),
            _ if self.path == path => Condition::Matches(self.etag.clone()),
            _ => Condition::Exists,
        }
    }

    /// Returns the derived rows.
    pub(crate) fn rows(&self) -> &[DerivedRow] {
        &self.derived
    }

    /// Returns the index rows.
    pub(crate) fn derived(&self) -> impl Iterator<Item = (&'static Index, &DerivedRow)> {
        self.derived.iter().filter_map(|row| Some((row.rule.index()?, row)))
    }

    /// Returns the condition on an index row.
    pub(crate) fn condition_of_row(&self, row: &DerivedRow) -> Condition {
        let read = self.design().and_then(|design| self.path.index(design));
        let is_read = read
            .zip(row.rule.index())
            .is_some_and(|(read, index)| (read.name, read.near) == (index.name, index.near));
        if is_read { Condition::Matches(self.etag.clone()) } else { Condition::Exists }
    }
}

/// Function that decodes the previous state.
#[derive(Clone, Copy, Debug)]
pub struct ReadOld(pub(crate) fn(Source<'_>, RowRef<'_>) -> Result<Old, Error>);

impl ReadOld {
    pub(crate) const fn of<E: Writable>() -> Self {
        Self(old::<E>)
    }
}

fn old<E: Writable>(source: Source<'_>, row: RowRef<'_>) -> Result<Old, Error> {
    let stored: Stored<E> = E::stored(source, row)?;
    Old::of(&stored)
}
