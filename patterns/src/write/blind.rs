//! Writes by verbs that do not say what was there: the rows that the indexes keep of it must be found first.

use table_store::{ErrorCode, RowRef, TableError};

use super::{New, Old, Write};
use crate::{Address, Error, Path, Source, Stored, Tables, entity::Writable};

/// A write that reads the entity first, and goes through only if it is still as it was read.
#[derive(Clone, Debug)]
pub(crate) struct Blind {
    /// What to read: the entity, or a row of one of its indexes.
    pub(crate) address: Address,
    path: Path,
    old: fn(Source<'_>, RowRef<'_>) -> Result<Old, Error>,
    form: Form,
}

/// What to do with what is found.
#[derive(Clone, Debug)]
enum Form {
    Upsert(New),
    Replace(New),
    Delete,
}

fn old<E: Writable>(source: Source<'_>, row: RowRef<'_>) -> Result<Old, Error> {
    let stored: Stored<E> = E::stored(source, row)?;
    Old::of(&stored)
}

impl Blind {
    pub(crate) fn upsert<E: Writable>(new: New) -> Self {
        Self { address: new.address.clone(), path: Path::Own, old: old::<E>, form: Form::Upsert(new) }
    }

    pub(crate) fn replace<E: Writable>(new: New) -> Self {
        Self { address: new.address.clone(), path: Path::Own, old: old::<E>, form: Form::Replace(new) }
    }

    pub(crate) fn delete<E: Writable>(address: Address, path: Path) -> Self {
        Self { address, path, old: old::<E>, form: Form::Delete }
    }

    /// Reads, and says what to send.
    ///
    /// `ResourceNotFound` where there is nothing to replace or delete. Nothing is sent then: what came there in between
    /// has rows of its own, which the write would not know.
    pub(crate) async fn resolve(&self, tables: &Tables) -> Result<Write, Error> {
        match (&self.form, self.read(tables).await?) {
            (Form::Upsert(new), None) => Ok(Write::insert(new.clone())),
            (Form::Upsert(new) | Form::Replace(new), Some(old)) => Ok(Write::over(&old, new.clone())),
            (Form::Delete, Some(old)) => Ok(Write::delete(&old)),
            (Form::Replace(_) | Form::Delete, None) => {
                Err(TableError::new(ErrorCode::ResourceNotFound).into())
            }
        }
    }

    async fn read(&self, tables: &Tables) -> Result<Option<Old>, Error> {
        let rows = tables.read(&self.address, None).await?;
        let source = Source { path: self.path, ..tables.source(&self.address.table) };
        rows.get(0).map(|row| (self.old)(source, row)).transpose()
    }
}
