//! Sources of rows.

use std::sync::atomic::AtomicBool;

use table_model::TableName;

use crate::{
    core::{decode_cache::DecodeCache, encryption::Sealing},
    design::{Design, Index, Template},
};

/// Access path of a query: the entity's own key, or an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AccessPath {
    /// The entity's own key.
    #[default]
    Own,
    /// The index with this number in [`Design::indexes`].
    Index(usize),
}

impl AccessPath {
    /// Returns the index, if the path is an index of this design.
    pub(crate) fn index(self, design: &'static Design) -> Option<&'static Index> {
        match self {
            Self::Own => None,
            Self::Index(number) => design.indexes.get(number),
        }
    }

    /// Returns the same path in the design of another version. `None` if that version lacks the index.
    pub(crate) fn in_version(self, design: &'static Design, version: &'static Design) -> Option<Self> {
        match self.index(design) {
            None => Some(Self::Own),
            Some(index) => version.index(index.name).map(|(number, _)| Self::Index(number)),
        }
    }

    /// Returns the table name and the templates of both keys.
    pub(crate) fn keys(
        self,
        design: &'static Design,
    ) -> (&'static str, &'static Template, &'static Template) {
        self.index(design).map_or((design.table, &design.partition, &design.row), |index| {
            (index.table, &index.partition, &index.row)
        })
    }
}

/// The table and access path that a row was read with.
#[derive(Clone, Copy, Debug)]
pub struct Source<'s> {
    pub(crate) table: &'s TableName,
    pub(crate) path: AccessPath,
    /// Encryption of the handle. `None` for a handle without keys.
    pub(crate) sealing: Option<&'s Sealing>,
    /// Set if the row may contain properties that the decoder did not read.
    pub(crate) surplus: Option<&'s AtomicBool>,
    /// State of the run that the row belongs to. `None` for a single row.
    pub(crate) cache: Option<&'s DecodeCache>,
}
