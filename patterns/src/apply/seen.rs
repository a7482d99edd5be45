//! State of a derived row, as found by a worker.

use table_model::{ETag, RowRef, ValueRef};

use crate::{
    Address, Error, Tables,
    core::cross_partition_row::{LIVE, PENDING, SHOWN, SOURCE, STATE, TOKEN, parse_source},
};

/// Maximum number of attempts for one row after conflicts with other workers.
pub(crate) const ATTEMPTS: u32 = 64;

/// Content at the address of a derived row, with its ETag.
#[derive(Clone, Debug)]
pub(crate) enum Seen {
    /// No row.
    Absent,
    /// A placeholder row, which readers ignore.
    Stub { etag: ETag, source: Option<Address> },
    /// Reservation of an attempt, which readers ignore.
    Pending { etag: ETag, source: Option<Address>, token: String },
    /// Row that shows a current or earlier state of an entity.
    Live { etag: ETag, source: Option<Address>, shown: Option<String> },
}

impl Seen {
    pub(crate) async fn at(tables: &Tables, address: &Address) -> Result<Self, Error> {
        let rows = tables.read(address, None).await?;
        Ok(rows.get(0).map_or(Self::Absent, Self::of))
    }

    pub(crate) fn of(row: RowRef<'_>) -> Self {
        let text = |name| text(row, name);
        let (etag, source) = (row.etag.clone(), text(SOURCE).and_then(parse_source));
        match state(row) {
            // A row without a state was written by a client that bypassed the library, so its owner is unknown.
            Some(LIVE) | None => Self::Live { etag, source, shown: text(SHOWN).map(str::to_owned) },
            Some(PENDING) => {
                Self::Pending { etag, source, token: text(TOKEN).unwrap_or_default().to_owned() }
            }
            Some(_) => Self::Stub { etag, source },
        }
    }
}

/// Returns the state stored in a row.
pub(crate) fn state(row: RowRef<'_>) -> Option<&str> {
    text(row, STATE)
}

fn text<'r>(row: RowRef<'r>, name: &str) -> Option<&'r str> {
    match row.properties.get(name) {
        Some(ValueRef::String(text)) => Some(text),
        _ => None,
    }
}
