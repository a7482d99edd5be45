//! Writes of states to the registry, for changes of indexes and for moves to other keys.

use std::time::Duration;

use table_model::{Entity, Operation, Timestamp, Written as Answer};

use crate::{
    Error, Tables,
    handle::{
        clock::MAX_REQUEST_AGE,
        registry::{LEASE, row::table},
    },
};

/// Returns the time of the service. Client clocks are not used: the row `now` is written to read the clock. `None` if the
/// service returns no time.
pub(crate) async fn time(tables: &Tables, now: Entity) -> Result<Option<Timestamp>, Error> {
    match tables.service().execute(&table()?, &Operation::InsertOrReplace(now)).await? {
        Answer::Version { timestamp, .. } => Ok(Some(timestamp)),
        Answer::Deleted => Ok(None),
    }
}

/// Returns the time for which a state must still be kept, by the clock of the service.
pub(crate) async fn rest(tables: &Tables, now: Entity, since: Timestamp) -> Result<Option<Duration>, Error> {
    let Some(timestamp) = time(tables, now).await? else { return Ok(Some(LEASE)) };
    let ticks = timestamp.ticks().saturating_sub(since.ticks());
    let passed = Duration::from_micros(u64::try_from(ticks / 10).unwrap_or_default());
    Ok((LEASE + MAX_REQUEST_AGE).checked_sub(passed).filter(|rest| !rest.is_zero()))
}

/// Writes a row of the registry, unless another process changes it concurrently. The next step reads the result.
pub(crate) async fn write(tables: &Tables, operation: &Operation) -> Result<(), Error> {
    let done = tables.execute(&table()?, operation).await;
    if let Some(registry) = tables.registry() {
        registry.forget();
    }
    match done {
        Err(error) if !error.is_conflict() && !error.is_not_found() => Err(error),
        _ => Ok(()),
    }
}
