//! An entity as it is, and the rows that it requires.

use table_model::ETag;

use crate::{
    Address, Error, Tables,
    core::{blob::reference::Reference, derived_row::DerivedRow, far_row::is_left_by_move, kinds::Kind},
};

/// An entity as read by a worker: its ETag, and the rows that its indexes require.
#[derive(Clone, Debug)]
pub(crate) struct Primary {
    pub(crate) address: Address,
    /// `None` if the entity does not exist.
    pub(crate) etag: Option<ETag>,
    pub(crate) derived: Vec<DerivedRow>,
    /// Names of the blobs that the entity references.
    pub(crate) blobs: Vec<String>,
    /// `true` if the row was written by an older version of the entity type.
    pub(crate) is_older: bool,
    /// `true` if the row contains an entity of another type, whose derived rows must not be changed.
    pub(crate) is_foreign: bool,
}

impl Primary {
    pub(crate) async fn read(tables: &Tables, kind: Kind, address: Address) -> Result<Self, Error> {
        let rows = tables.read(&address, None).await?;
        let Some(row) = rows.get(0) else {
            let (derived, blobs) = (Vec::new(), Vec::new());
            return Ok(Self { address, etag: None, derived, blobs, is_older: false, is_foreign: false });
        };
        let source = tables.source(&address.table);
        let (etag, derived) = (Some(row.etag.clone()), kind.derived(source, row)?);
        let (is_older, is_foreign) = (kind.is_older(row), kind.is_foreign(row) && !is_left_by_move(row));
        let blobs = Reference::all_in(row).map(|(_, reference)| reference.name).collect();
        Ok(Self { address, etag, derived, blobs, is_older, is_foreign })
    }

    /// Reads an entity that may require a row. An entity of a newer version counts as foreign: only programs that know
    /// the version can determine its rows.
    pub(crate) async fn read_owner(tables: &Tables, kind: Kind, address: Address) -> Result<Self, Error> {
        match Self::read(tables, kind, address.clone()).await {
            Err(Error::Decode(error)) if error.is_newer() => {
                let (derived, blobs) = (Vec::new(), Vec::new());
                Ok(Self { address, etag: None, derived, blobs, is_older: false, is_foreign: true })
            }
            other => other,
        }
    }

    /// Returns the row that the entity requires at an address of an index.
    pub(crate) fn wants(&self, number: usize, address: &Address) -> Option<&DerivedRow> {
        self.derived.iter().find(|row| row.number == number && row.address == *address)
    }
}
