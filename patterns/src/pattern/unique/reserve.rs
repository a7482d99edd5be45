//! Unique values in other partitions. The index row is also the reservation.
//!
//! A claimant writes its row before the commit, in the state *pending*, with the entity and the token of the attempt.
//! The commit inserts its record under that token, and the worker that applies the record makes the row live. The rules
//! for a claimant are:
//!
//! | state of the row | action of the claimant |
//! |---|---|
//! | missing | inserts its own row |
//! | pending | aborts that attempt with an abort record, unless it was committed; then continues as for a live row |
//! | live, or a placeholder | reads the entity named in the row; fails if it has the value; else replaces the row |
//!
//! The entity named in the row is read *after* the row, even if it is the claimant's entity, because another attempt of
//! it may have been committed since. A claimant always writes the row, conditional on the ETag it read, even if the row
//! already belongs to it. This invalidates the ETag held by any process that is about to free the old row. A value is
//! released after the commit that removes it, by the worker that applies the commit. `docs/model-checks.md` describes
//! the failures that occur without these rules.

use std::time::Duration;

use futures_timer::Delay;
use table_model::{Condition, ETag, ErrorCode, Operation, RowRef, TableError};

use crate::{
    Address, Error, Receipt, Tables, UniqueViolationError,
    apply::{
        ATTEMPTS,
        copy::{self, pending},
        seen::Seen,
        wakeup::{age::Age, claim::abandon},
    },
    core::{
        error::IndexConflictError,
        outbox::{AffectedRow, Commit, Role},
    },
    pattern::unique::Claim,
    write::{
        abort_record::{Fence, fence},
        primary::Primary,
    },
};

/// Number of times that a foreign reservation is seen before its attempt is aborted, because it may be about to commit.
/// Each check is preceded by a wait, twice as long as the previous wait: an eighth of a second in all. An active
/// claimant needs less time. Without the waits, claimants of one value would repeatedly abort each other.
const PATIENCE: u32 = 7;

/// Reservations of one attempt.
#[derive(Debug)]
pub(crate) struct Reserved {
    /// The reserved rows, each with its ETag.
    pub(crate) rows: Vec<(Address, ETag)>,
    /// `true` if every request received a response. Otherwise a request may still take effect after the attempt has
    /// ended.
    pub(crate) is_sure: bool,
}

impl Reserved {
    pub(crate) const NOTHING: Self = Self { rows: Vec::new(), is_sure: true };

    /// Frees the reservations of an attempt that was not committed and will not be. Reservations that remain because of
    /// a lost response are freed by the worker that receives the wake-up message.
    pub(crate) async fn free(&mut self, tables: &Tables) {
        for (row, etag) in self.rows.drain(..) {
            let (partition_key, row_key) = (row.partition_key, row.row_key);
            let condition = Condition::Matches(etag);
            let delete = Operation::Delete { partition_key, row_key, condition };
            self.is_sure &= tables.execute(&row.table, &delete).await.is_ok();
        }
    }
}

/// Reserves all claims of an attempt in order. If a claim is rejected, all reservations are freed, and the error
/// contains the index of its write. Returns `false` if the attempt became too old.
pub(crate) async fn reserve(
    tables: &Tables,
    claims: &[(usize, &Claim)],
    attempt: &Receipt,
    age: Age,
    reserved: &mut Reserved,
) -> Result<bool, Error> {
    for (write, claim) in claims {
        match claim.take(tables, *write, (attempt, age), &mut reserved.is_sure).await {
            Ok(Taken::Reserved(etag)) => reserved.rows.push((claim.row.clone(), etag)),
            Ok(Taken::Kept) => {}
            Ok(Taken::TooOld) => {
                reserved.free(tables).await;
                return Ok(false);
            }
            Err(error) => {
                reserved.free(tables).await;
                return Err(error);
            }
        }
    }
    Ok(true)
}

/// Result of a claim.
enum Taken {
    Reserved(ETag),
    /// The row is already that of the entity.
    Kept,
    /// The attempt became too old.
    TooOld,
}

/// Next step of a claimant.
enum Next {
    /// Write the row, conditional on this ETag.
    Write(Option<ETag>),
    /// Finished: the row is reserved.
    Has(ETag),
    /// Finished: the row is already that of the entity.
    Keeps,
    /// Read the row again.
    Look,
}

/// Reservation of another attempt, and the number of times it was seen.
#[derive(Default)]
struct Met {
    etag: Option<ETag>,
    times: u32,
}

impl Met {
    /// Waits, unless the maximum number of waits is reached. Returns whether it waited.
    async fn is_to_wait(&mut self, tables: &Tables, etag: &ETag) -> bool {
        if self.etag.as_ref() != Some(etag) {
            *self = Self { etag: Some(etag.clone()), times: 0 };
        }
        if self.times >= PATIENCE || !tables.may_wait() {
            return false;
        }
        Delay::new(Duration::from_millis(1 << self.times)).await;
        self.times += 1;
        true
    }
}

impl Claim {
    /// Reserves the row.
    async fn take(
        &self,
        tables: &Tables,
        write: usize,
        (attempt, age): (&Receipt, Age),
        is_sure: &mut bool,
    ) -> Result<Taken, Error> {
        // The value is usually free.
        let (mut next, mut met) = (Next::Write(None), Met::default());
        for _ in 0..ATTEMPTS {
            match next {
                Next::Has(etag) => return Ok(Taken::Reserved(etag)),
                Next::Keeps => return Ok(Taken::Kept),
                Next::Write(_) if !age.may_send(tables) => return Ok(Taken::TooOld),
                Next::Look => {}
                Next::Write(guard) => match self.put(tables, &attempt.token, guard).await {
                    Ok(Some(etag)) => return Ok(Taken::Reserved(etag)),
                    Err(error) if error.is_outcome_unknown() => *is_sure = false,
                    Err(error) if !error.is_conflict() && !error.is_not_found() => return Err(error),
                    Ok(None) | Err(_) => {}
                },
            }
            next = self.look(tables, write, attempt, &mut met).await?;
        }
        Err(Error::Contended { address: Box::new(self.row.clone()), attempts: ATTEMPTS })
    }

    async fn put(&self, tables: &Tables, token: &str, guard: Option<ETag>) -> Result<Option<ETag>, Error> {
        let row = pending(&self.row, &self.entity, token, guard);
        tables.execute(&self.row.table, &row).await
    }

    async fn look(
        &self,
        tables: &Tables,
        write: usize,
        attempt: &Receipt,
        met: &mut Met,
    ) -> Result<Next, Error> {
        let (etag, source) = match Seen::at(tables, &self.row).await? {
            Seen::Absent => return Ok(Next::Write(None)),
            Seen::Pending { etag, source, token } if token == attempt.token => {
                return match source {
                    // An earlier request of this attempt, whose response was lost.
                    Some(source) if source == self.entity => Ok(Next::Has(etag)),
                    // Another entity of the same transaction.
                    _ => Err(self.violation(write)),
                };
            }
            Seen::Pending { etag, source: Some(source), token } => {
                if met.is_to_wait(tables, &etag).await {
                    return Ok(Next::Look);
                }
                if let Some(next) = self.abort(tables, write, &source, token).await? {
                    return Ok(next);
                }
                (etag, source)
            }
            Seen::Live { source: Some(source), .. } if self.is_added && source == self.entity => {
                return Ok(Next::Keeps);
            }
            Seen::Stub { etag, source: Some(source) } | Seen::Live { etag, source: Some(source), .. } => {
                (etag, source)
            }
            Seen::Pending { source: None, .. }
            | Seen::Stub { source: None, .. }
            | Seen::Live { source: None, .. } => {
                return Err(self.foreign());
            }
        };
        self.must_be_free(tables, write, source).await?;
        Ok(Next::Write(Some(etag)))
    }

    /// Aborts another attempt. If the attempt was already committed, applies its commit to the row and returns
    /// `Next::Look`.
    async fn abort(
        &self,
        tables: &Tables,
        write: usize,
        source: &Address,
        token: String,
    ) -> Result<Option<Next>, Error> {
        let (table, partition_key) = (source.table.clone(), source.partition_key.clone());
        match fence(tables, &Receipt { table, partition_key, token }).await? {
            Fence::Aborted => Ok(None),
            Fence::Committed(commit) => {
                self.must_be_free(tables, write, source.clone()).await?;
                self.settle(tables, &commit).await?;
                Ok(Some(Next::Look))
            }
        }
    }

    /// Applies the part of a commit that concerns the row.
    async fn settle(&self, tables: &Tables, commit: &Commit) -> Result<(), Error> {
        let own = |touch: &&AffectedRow| touch.address == self.row && touch.maker.index == self.index.name;
        for role in [Role::New, Role::Old] {
            for touch in commit.touches.iter().filter(own).filter(|touch| touch.role == role) {
                let seen = Seen::at(tables, &touch.address).await?;
                let entity = Address { row_key: touch.row_key.clone(), ..commit.receipt.address() };
                let primary = Primary::of_row(tables, (self.kind, self.rule), entity).await?;
                let token = &commit.receipt.token;
                copy::conclude(tables, (self.kind, self.rule), touch, token, seen, &primary).await?;
            }
        }
        Ok(())
    }

    /// Fails if the entity named in the row has the value.
    async fn must_be_free(&self, tables: &Tables, write: usize, source: Address) -> Result<(), Error> {
        let primary = Primary::owner_of_row(tables, (self.kind, self.rule), source).await?;
        let is_own = primary.is_at(&self.entity);
        // An entity of another type is judged only by programs that have registered it.
        let is_free = primary.wants(self.rule, &self.row).is_none() && !primary.is_foreign;
        if is_free || is_own && self.is_added {
            return Ok(());
        }
        if !is_own {
            return Err(self.violation(write));
        }
        // The entity acquired the value after it was read, through a concurrent write.
        let code = if self.is_insert {
            ErrorCode::EntityAlreadyExists
        } else {
            ErrorCode::UpdateConditionNotSatisfied
        };
        Err(TableError::new(code).at(write).into())
    }

    fn violation(&self, operation: usize) -> Error {
        let (index, address) = (self.index.name, Some(self.row.clone()));
        Box::new(UniqueViolationError { index, address, operation }).into()
    }

    fn foreign(&self) -> Error {
        let (index, address) = (self.index.name.to_owned(), Box::new(self.row.clone()));
        Box::new(IndexConflictError { index, address, other: None }).into()
    }
}

/// Returns the attempt that reserves a row.
pub(crate) fn reservation(row: RowRef<'_>) -> Option<Receipt> {
    let Seen::Pending { source: Some(source), token, .. } = Seen::of(row) else { return None };
    Some(Receipt { table: source.table, partition_key: source.partition_key, token })
}

/// Removes the reservation of any attempt, unless the attempt was committed.
pub(crate) async fn give_back(tables: &Tables, row: &Address) -> Result<(), Error> {
    let rows = tables.read(row, None).await?;
    let Some(attempt) = rows.get(0).and_then(reservation) else { return Ok(()) };
    abandon(tables, row, &attempt).await.map(drop)
}

/// Aborts the attempt of a reservation. Returns `true` if there was a reservation and its attempt was not committed.
pub(crate) async fn ends(tables: &Tables, row: &Address) -> Result<bool, Error> {
    let rows = tables.read(row, None).await?;
    let Some(attempt) = rows.get(0).and_then(reservation) else { return Ok(false) };
    Ok(fence(tables, &attempt).await? == Fence::Aborted)
}
