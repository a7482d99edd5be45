//! Writes that do not specify the previous state: the existing index rows of the entity must be read first.

use table_model::{ErrorCode, Operation, Properties, TableError};

use super::{ANY, New, Patched, Write, plan::newest};
use crate::{
    AccessPath, Address, Error, Source, Tables,
    core::{
        entity::Writable,
        far_row::is_stub,
        old::{Old, ReadOld},
        reserved::ENTITY_TYPE,
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
    UpsertMerge(Properties),
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
        let design = E::entity().map(|kind| kind.design);
        Self { path, ..Self::own(address, ReadOld::of::<E>(), design, Form::Delete) }
    }

    /// Creates a patch of an entity that stores aggregates. A row that contains only aggregates does not count as an
    /// entity.
    pub(crate) fn merge((address, properties): Row, old: ReadOld, design: Option<&'static Design>) -> Self {
        Self::own(address, old, design, Form::Merge(properties))
    }

    /// Creates a patch that inserts the entity if it does not exist.
    pub(crate) fn upsert_merge(
        (address, properties): Row,
        old: ReadOld,
        design: Option<&'static Design>,
    ) -> Self {
        Self::own(address, old, design, Form::UpsertMerge(properties))
    }

    /// Returns whether a conflict means that the entity is read again. A replacement is bound to the version of the
    /// index row.
    pub(super) const fn reads_again(&self) -> bool {
        !matches!(self.form, Form::Over(..))
    }

    /// Returns the merge that is tried without reading for an insert-or-merge: it does not change the `EntityType` of
    /// an existing row. Rows of older versions must be read.
    pub(super) fn first(&self) -> Result<Option<Write>, Error> {
        let Form::UpsertMerge(properties) = &self.form else { return Ok(None) };
        if self.design.is_some_and(|design| design.older.is_some()) {
            return Ok(None);
        }
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

    /// Reads the entity and returns the write to send.
    ///
    /// Returns `ResourceNotFound` if there is no entity to replace or delete. Nothing is sent in that case: an entity
    /// created concurrently may have index rows that the write would not update.
    pub(crate) async fn resolve(&self, tables: &Tables) -> Result<Write, Error> {
        match (&self.form, self.read(tables).await?) {
            (Form::Upsert(new), None) => Write::insert(new.clone()),
            (Form::Upsert(new) | Form::Replace(new), Some(old)) => Write::over(&old, new.clone()),
            (Form::Delete, Some(old)) => Write::delete(&old),
            (Form::UpsertMerge(properties), None) => {
                let row = (self.address.clone(), properties.clone());
                Write::patch(row, Operation::Insert, self.design, Patched::default())
            }
            (Form::Merge(properties) | Form::UpsertMerge(properties), Some(old)) => {
                if let Some(new) = newest(&old, properties, &[])? {
                    return Write::over(&old, new);
                }
                let condition = old.condition_of_entity();
                let row = (self.address.clone(), properties.clone());
                let patch = Patched { found: Some(&old), ..Patched::default() };
                Write::patch(row, |entity| Operation::Merge(entity, condition), self.design, patch)
            }
            (Form::Over(old, new), Some(own)) => Write::over(&old.clone().with_own(own), new.clone()),
            (Form::Replace(_) | Form::Delete | Form::Merge(_) | Form::Over(..), None) => {
                Err(TableError::new(ErrorCode::ResourceNotFound).into())
            }
        }
    }

    /// Returns whether other entities keep values in rows of the type. To other types, a row with such values alone is
    /// not an absent entity.
    fn is_of_target(&self) -> bool {
        let is_target = |design: &Design| !design.fed.is_empty();
        matches!(self.form, Form::Delete) || self.design.is_none_or(is_target)
    }

    async fn read(&self, tables: &Tables) -> Result<Option<Old>, Error> {
        let rows = tables.read(&self.address, None).await?;
        let source = Source { path: self.path, ..tables.source(&self.address.table) };
        // A row that only stores aggregates is not an entity.
        let row =
            rows.get(0).filter(|row| self.path != AccessPath::Own || !self.is_of_target() || !is_stub(*row));
        row.map(|row| (self.old.0)(source, row)).transpose()
    }
}
