//! The marker that aborts an attempt: a row at the key of its commit record. The record is inserted, never upserted, so
//! that of the two only one can be there.

use table_store::{Entity, ErrorCode, Operation, Properties, RowRef, Timestamp, ValueRef};

use super::{Commit, Receipt};
use crate::{Error, Tables};

/// How often a marker whose answer was lost is sent again.
const ATTEMPTS: u32 = 8;

/// What is certain of an attempt from now on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fenced {
    /// It will not be committed. If it was before, its record was followed and is gone.
    Aborted,
    /// It was committed.
    Committed(Commit),
}

/// Aborts an attempt, unless it was committed: whoever then acts on its not being there has nothing to fear of a request
/// that is still on its way.
pub(crate) async fn fence(tables: &Tables, receipt: &Receipt) -> Result<Fenced, Error> {
    let address = receipt.address();
    let insert = insert(receipt);
    let mut last = None;
    for _ in 0..ATTEMPTS {
        match tables.execute(&receipt.table, &insert).await {
            Ok(_) => return unless_parked(tables, receipt).await,
            Err(Error::Service(error))
                if error.is_unknown() || error.code() == ErrorCode::EntityAlreadyExists =>
            {
                last = Some(error);
            }
            Err(error) => return Err(error),
        }
        let rows = tables.read(&address, None).await?;
        let Some(row) = rows.get(0) else { continue };
        if is_marker(row) {
            return unless_parked(tables, receipt).await;
        }
        if let Some(commit) = Commit::read(&receipt.table, row)? {
            return Ok(Fenced::Committed(commit));
        }
    }
    Err(last.map_or_else(|| Error::OutboxDamaged { record: Box::new(address) }, Error::Service))
}

/// The outcome of an attempt whose marker is written: a record that was parked has left its place to the marker, and comes
/// back to it no more.
async fn unless_parked(tables: &Tables, receipt: &Receipt) -> Result<Fenced, Error> {
    let rows = tables.read(&receipt.parked_address(), None).await?;
    let Some(row) = rows.get(0) else { return Ok(Fenced::Aborted) };
    Ok(Commit::read(&receipt.table, row)?.map_or(Fenced::Aborted, Fenced::Committed))
}

fn insert(receipt: &Receipt) -> Operation {
    let mut properties = Properties::with_capacity(2);
    properties.push_new("_k", "a");
    properties.push_new("_at", Timestamp::now());
    let (partition_key, row_key) = (receipt.partition_key.clone(), receipt.row_key());
    Operation::Insert(Entity { partition_key, row_key, properties })
}

/// Whether a row at the key of a commit record says that the attempt was aborted.
pub(crate) fn is_marker(row: RowRef<'_>) -> bool {
    row.properties.get("_k") == Some(ValueRef::String("a"))
}
