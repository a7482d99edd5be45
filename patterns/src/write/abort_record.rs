//! Abort record: a row at the key of the commit record of an attempt. The commit record is inserted, never upserted, so
//! only one of the two can exist.

use table_model::{
    Entity, ErrorCode, Operation, Properties, Timestamp,
    outbox::{ABORT_RECORD, RECORD_TYPE, is_abort_record},
};

use crate::{
    Error, Tables,
    core::outbox::{Commit, Receipt},
};

/// Maximum number of times that an abort record is sent again after a lost response.
const ATTEMPTS: u32 = 8;

/// Final state of an attempt.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fence {
    /// The attempt will not be committed. If it was committed before, its record was applied and deleted.
    Aborted,
    /// The attempt was committed.
    Committed(Commit),
}

/// Aborts an attempt, unless it was committed. The caller can then rely on the result, even if a request of the attempt
/// is still in progress.
pub(crate) async fn fence(tables: &Tables, receipt: &Receipt) -> Result<Fence, Error> {
    let address = receipt.address();
    let insert = insert(receipt);
    let mut last = None;
    for _ in 0..ATTEMPTS {
        match tables.execute(&receipt.table, &insert).await {
            Ok(_) => return unless_dead_lettered(tables, receipt).await,
            Err(Error::Service(error))
                if error.is_outcome_unknown() || error.code() == ErrorCode::EntityAlreadyExists =>
            {
                last = Some(error);
            }
            Err(error) => return Err(error),
        }
        let rows = tables.read_proof(&address).await?;
        let Some(row) = rows.get(0) else { continue };
        if is_abort_record(row.properties) {
            return unless_dead_lettered(tables, receipt).await;
        }
        if let Some(commit) = Commit::read(&receipt.table, row)? {
            return Ok(Fence::Committed(commit));
        }
    }
    Err(last.map_or_else(|| Error::OutboxDamaged { record: Box::new(address) }, Error::Service))
}

/// Returns the outcome of an attempt whose abort record is written. A dead-lettered record has left its key to the
/// abort record and never returns to it.
async fn unless_dead_lettered(tables: &Tables, receipt: &Receipt) -> Result<Fence, Error> {
    let rows = tables.read_proof(&receipt.dead_letter_address()).await?;
    let Some(row) = rows.get(0) else { return Ok(Fence::Aborted) };
    Ok(Commit::read(&receipt.table, row)?.map_or(Fence::Aborted, Fence::Committed))
}

fn insert(receipt: &Receipt) -> Operation {
    let mut properties = Properties::with_capacity(2);
    properties.push_new(RECORD_TYPE, ABORT_RECORD);
    properties.push_new("_at", Timestamp::now());
    let (partition_key, row_key) = (receipt.partition_key.clone(), receipt.row_key());
    Operation::Insert(Entity { partition_key, row_key, properties })
}
