//! Writes that do not specify the previous state: the existing index rows of the entity must be read first.

use table_model::{ErrorCode, Operation, OperationKind, Properties, TableError};

use super::{ANY, New, Patched, Write, plan::newest};
use crate::{
    AccessPath, Address, Error, Source, Tables,
    core::{
        cross_partition_row::is_stub,
        entity::Writable,
        entity_types::EntityInfo,
        new::row_size,
        old::{Old, ReadOld},
        reserved::ENTITY_TYPE,
        row::open,
        unread::Unread,
    },
    design::Design,
};

/// A write that reads the entity first, and succeeds only if the entity is unchanged since.
#[derive(Clone, Debug)]
pub(crate) struct Blind {
    /// Address to read: the entity, or a row of one of its indexes.
    pub(crate) address: Address,
    path: AccessPath,
    old: ReadOld,
    /// Design of the entity type. `None` for an untyped entity.
    design: Option<&'static Design>,
    form: Form,
}

/// Address and properties of a patch.
type Row = (Address, Properties);

/// Operation to apply to the entity that was read.
#[derive(Clone, Debug)]
enum Form {
    Upsert(New),
    Replace(New),
    Delete,
    Merge(Properties),
    /// With `false`, a merge is tried before the row is read.
    UpsertMerge(Properties, bool),
    /// A replacement of an entity that was read through an index.
    Over(Box<Old>, New),
}

impl ReadOld {
    /// Reads the entity's own row, for an entity that was read through an index.
    pub(crate) async fn with_own(self, tables: &Tables, old: Old) -> Result<Old, Error> {
        let rows = tables.read(&old.address, None).await?;
        let row = rows.get(0).ok_or_else(|| TableError::new(ErrorCode::ResourceNotFound))?;
        let own = (self.0)(tables.source(&old.address.table), row)?;
        Ok(old.with_own(own))
    }
}

impl Blind {
    fn own(address: Address, old: ReadOld, design: Option<&'static Design>, form: Form) -> Self {
        Self { address, path: AccessPath::Own, old, design, form }
    }

    fn new(new: New, old: ReadOld, form: impl FnOnce(New) -> Form) -> Self {
        Self::own(new.address.clone(), old, new.design(), form(new))
    }

    pub(crate) fn upsert<E: Writable>(new: New) -> Self {
        Self::new(new, ReadOld::of::<E>(), Form::Upsert)
    }

    pub(crate) fn replace<E: Writable>(new: New) -> Self {
        Self::new(new, ReadOld::of::<E>(), Form::Replace)
    }

    /// Creates the replacement of an entity that was read through an index. The entity's own row is read first, because
    /// an index row need not contain what the type does not declare.
    pub(crate) fn over(old: Old, new: New, read: ReadOld) -> Self {
        Self::new(new, read, |new| Form::Over(Box::new(old), new))
    }

    pub(crate) fn delete<E: Writable>(address: Address, path: AccessPath) -> Self {
        let design = E::entity().map(EntityInfo::newest);
        Self { path, ..Self::own(address, ReadOld::of::<E>(), design, Form::Delete) }
    }

    /// Creates a patch of an entity that stores aggregates. A row that contains only aggregates does not count as an
    /// entity.
    pub(crate) fn merge((address, properties): Row, old: ReadOld, design: Option<&'static Design>) -> Self {
        Self::own(address, old, design, Form::Merge(properties))
    }

    /// Creates a patch that inserts the entity if it does not exist. If it `reads`, nothing is sent before the row was
    /// read.
    pub(crate) fn upsert_merge(
        (address, properties): Row,
        old: ReadOld,
        design: Option<&'static Design>,
        reads: bool,
    ) -> Self {
        Self::own(address, old, design, Form::UpsertMerge(properties, reads))
    }

    /// Returns whether a conflict means that the entity is read again. A replacement is bound to the version of the
    /// index row.
    pub(super) const fn reads_again(&self) -> bool {
        !matches!(self.form, Form::Over(..))
    }

    /// Returns the merge that is tried without reading for an insert-or-merge: it does not change the `EntityType` of
    /// an existing row. Rows that may have another version must be read.
    pub(super) fn first(&self) -> Result<Option<Write>, Error> {
        let Form::UpsertMerge(properties, false) = &self.form else { return Ok(None) };
        let mut properties = properties.clone();
        properties.remove(ENTITY_TYPE);
        let (row, merge) = ((self.address.clone(), properties), |entity| Operation::Merge(entity, ANY));
        Write::patch(row, merge, self.design, Patched::default()).map(Some)
    }

    /// Returns whether the write affects only the entity's row.
    pub(crate) fn is_alone(&self) -> bool {
        let is_of_one_row = |design: &Design| !design.has_rules() && !design.has_blobs();
        !matches!(self.form, Form::Delete | Form::Over(..)) && self.design.is_some_and(is_of_one_row)
    }

    /// Returns the operation of the service that corresponds to the write, and the name of the entity type.
    pub(super) fn operation(&self) -> (OperationKind, Option<&'static str>) {
        let operation = match self.form {
            Form::Upsert(_) => OperationKind::InsertOrReplace,
            Form::Replace(_) | Form::Over(..) => OperationKind::Replace,
            Form::Delete => OperationKind::Delete,
            Form::Merge(_) => OperationKind::Merge,
            Form::UpsertMerge(..) => OperationKind::InsertOrMerge,
        };
        (operation, self.design.map(|design| design.name))
    }

    /// Returns the number of bytes of the new values.
    pub(super) fn new_bytes(&self) -> usize {
        match &self.form {
            Form::Upsert(new) | Form::Replace(new) | Form::Over(_, new) => new.size(),
            Form::Merge(properties) | Form::UpsertMerge(properties, _) => row_size(&self.address, properties),
            Form::Delete => 0,
        }
    }

    /// Reads the entity and returns the write to send.
    ///
    /// Returns `ResourceNotFound` if there is no entity to replace or delete. Nothing is sent in that case: an entity
    /// created concurrently may have index rows that the write would not update.
    pub(crate) async fn resolve(&self, tables: &Tables) -> Result<Write, Error> {
        match (&self.form, self.read(tables).await?) {
            (Form::Upsert(new), Found::Nothing) => Write::insert(new.clone()),
            (Form::Upsert(new), Found::Values(old)) => Write::over(&old, new.clone()).map(Write::creating),
            (Form::Upsert(new) | Form::Replace(new), Found::Entity(old)) => Write::over(&old, new.clone()),
            (Form::Delete, Found::Entity(old)) => Write::delete(&old),
            (Form::UpsertMerge(properties, _), Found::Nothing) => {
                let row = (self.address.clone(), properties.clone());
                Write::patch(row, Operation::Insert, self.design, Patched::default())
            }
            (Form::UpsertMerge(properties, _), Found::Values(old)) => {
                let mut properties = properties.clone();
                old.unread.add_to(&mut properties);
                let replace = |entity| Operation::Replace(entity, old.condition_of_entity());
                let row = (self.address.clone(), properties);
                Write::patch(row, replace, self.design, Patched::default()).map(Write::creating)
            }
            (Form::Merge(properties) | Form::UpsertMerge(properties, _), Found::Entity(old)) => {
                if let Some(new) = newest(&old, properties, &[])? {
                    return Write::over(&old, new);
                }
                let condition = old.condition_of_entity();
                let row = (self.address.clone(), properties.clone());
                let patch = Patched { found: Some(&old), ..Patched::default() };
                Write::patch(row, |entity| Operation::Merge(entity, condition), self.design, patch)
            }
            (Form::Over(old, new), Found::Entity(own)) => {
                Write::over(&old.clone().with_own(*own), new.clone())
            }
            (
                Form::Replace(_) | Form::Delete | Form::Merge(_) | Form::Over(..),
                Found::Nothing | Found::Values(_),
            ) => Err(TableError::new(ErrorCode::ResourceNotFound).into()),
        }
    }

    async fn read(&self, tables: &Tables) -> Result<Found, Error> {
        let rows = tables.read(&self.address, None).await?;
        let source = Source { path: self.path, ..tables.source(&self.address.table) };
        let Some(row) = rows.get(0) else { return Ok(Found::Nothing) };
        // A row that only stores values of other entities is not an entity.
        if self.path == AccessPath::Own && is_stub(row) {
            let Some(design) = self.design.filter(|design| design.fed.is_empty()) else {
                return Ok(Found::Nothing);
            };
            open(design, row)?;
            // The type does not declare these values, so that only this write can keep them.
            let unread = Unread::of(design, self.path, row);
            return Ok(Found::Values(Box::new(Old::of_values(
                self.address.clone(),
                row.etag.clone(),
                unread,
            ))));
        }
        Ok(Found::Entity(Box::new((self.old.0)(source, row)?)))
    }
}

/// What a row contains.
enum Found {
    Nothing,
    /// Values of other entities.
    Values(Box<Old>),
    Entity(Box<Old>),
}
