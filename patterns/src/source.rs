//! Where a row was read from.

use table_store::TableName;

use crate::{
    design::{Design, Index, Template},
    sealing::Sealing,
};

/// Which of an entity's keys a query goes by: the entity's own, or an index's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Path {
    /// The entity's own key.
    #[default]
    Own,
    /// The index of this number in [`Design::indexes`].
    Index(usize),
}

impl Path {
    /// The index, if it is one of this design.
    pub(crate) fn index(self, design: &'static Design) -> Option<&'static Index> {
        match self {
            Self::Own => None,
            Self::Index(number) => design.indexes.get(number),
        }
    }

    /// The table's name and the templates of both keys.
    pub(crate) fn keys(
        self,
        design: &'static Design,
    ) -> (&'static str, &'static Template, &'static Template) {
        self.index(design).map_or((design.table, &design.partition, &design.row), |index| {
            (index.table, &index.partition, &index.row)
        })
    }
}

/// The table that a row was read from, and by which key.
#[derive(Clone, Copy, Debug)]
pub struct Source<'s> {
    pub(crate) table: &'s TableName,
    pub(crate) path: Path,
    /// What opens sealed properties; none of a handle without keys.
    pub(crate) sealing: Option<&'s Sealing>,
}
