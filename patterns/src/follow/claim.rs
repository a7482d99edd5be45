//! Unique values in other partitions: the row of the index is also the reservation.
//!
//! A claimant writes its row before the commit, in the state *pending*, with the entity and the token of the attempt; the
//! commit inserts its record under that token, and whoever follows makes the row live. What a claimant may take:
//!
//! | the row | the claimant |
//! |---|---|
//! | is not there | inserts its own |
//! | is pending | aborts that attempt by a marker, unless it was committed; then as if it were live |
//! | is live, or a stub | reads the entity that it names: if that has the value, it is taken; else replaces it |
//!
//! Whoever the row names is read *after* the row, the claimant's own entity too: another attempt of it may have been
//! committed since. And a claimant always writes the row itself, under the version that it read, also one that seems to be
//! its own already: who frees the old one must lose its hold on it. A value is released after the commit that gives it up,
//! by whoever follows. `docs/model-checks.md` says what goes wrong where one of these is left out.

use std::time::Duration;

use futures_timer::Delay;
use table_store::{Condition, ETag, ErrorCode, Operation, Properties, RowRef, TableError};

use super::{
    ATTEMPTS, SOURCE, STATE,
    copy::{self, Primary},
    seen::Seen,
    source_text,
};
use crate::{
    Address, Error, Receipt, Tables, UniqueViolation,
    error::IndexConflict,
    outbox::{
        Commit, Role, Touch,
        marker::{Fenced, fence},
    },
    tables::Age,
    write::{Claim, at},
};

/// The state of a reservation.
pub(crate) const PENDING: &str = "p";
/// The token of the attempt that reserves.
pub(crate) const TOKEN: &str = "_tk";

/// How often the same reservation of another is seen before its attempt is aborted: it may be about to commit. Before each
/// look there is a wait, twice as long as the one before: an eighth of a second in all. A claimant that is at it takes less;
/// without the waits claimants of one value would abort each other again and again.
const PATIENCE: u32 = 7;

/// What one attempt has reserved.
#[derive(Debug)]
pub(crate) struct Reserved {
    /// Each row, with its version.
    pub(crate) rows: Vec<(Address, ETag)>,
    /// Whether an answer came to every request. Else one may land yet, when nobody thinks of it any more.
    pub(crate) is_sure: bool,
}

impl Reserved {
    pub(crate) const NOTHING: Self = Self { rows: Vec::new(), is_sure: true };

    /// Frees what was reserved by an attempt that is not committed and never will be. What is left for want of an answer
    /// is for whoever gets the hint.
    pub(crate) async fn free(&mut self, tables: &Tables) {
        for (row, etag) in self.rows.drain(..) {
            let (partition_key, row_key) = (row.partition_key, row.row_key);
            let condition = Condition::Matches(etag);
            let delete = Operation::Delete { partition_key, row_key, condition };
            self.is_sure &= tables.execute(&row.table, &delete).await.is_ok();
        }
    }
}

/// Reserves all that an attempt claims, in the order of the claims. If one is refused nothing stays reserved, and the error
/// names its write. Whether it was done in time.
pub(crate) async fn reserve(
    tables: &Tables,
    claims: &[(usize, Claim)],
    attempt: &Receipt,
    age: Age,
    reserved: &mut Reserved,
) -> Result<bool, Error> {
    for (write, claim) in claims {
        match claim.take(tables, *write, (attempt, age), &mut reserved.is_sure).await {
            Ok(Some(etag)) => reserved.rows.push((claim.row.clone(), etag)),
            Ok(None) => {
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

/// What a claimant that looked at the row can do.
enum Next {
    /// Write it, over this version.
    Write(Option<ETag>),
    /// Nothing: it is reserved.
    Has(ETag),
    /// Look again.
    Look,
}

/// Another attempt's reservation, and how often it was seen.
#[derive(Default)]
struct Met {
    etag: Option<ETag>,
    times: u32,
}

impl Met {
    /// Waits, unless that was done often enough; whether it did.
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
    /// Reserves the row; its version then. None if the attempt has become too old.
    async fn take(
        &self,
        tables: &Tables,
        write: usize,
        (attempt, age): (&Receipt, Age),
        is_sure: &mut bool,
    ) -> Result<Option<ETag>, Error> {
        // Mostly the value is free.
        let (mut next, mut met) = (Next::Write(None), Met::default());
        for _ in 0..ATTEMPTS {
            match next {
                Next::Has(etag) => return Ok(Some(etag)),
                Next::Write(_) if !age.may_send(tables) => return Ok(None),
                Next::Look => {}
                Next::Write(guard) => match self.put(tables, &attempt.token, guard).await {
                    Ok(Some(etag)) => return Ok(Some(etag)),
                    Err(error) if error.is_unknown() => *is_sure = false,
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
                    // A request of our own whose answer was lost.
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

    /// Sees to it that another attempt will not be committed. If it was, the row is made what it says: look again.
    async fn abort(
        &self,
        tables: &Tables,
        write: usize,
        source: &Address,
        token: String,
    ) -> Result<Option<Next>, Error> {
        let (table, partition_key) = (source.table.clone(), source.partition_key.clone());
        match fence(tables, &Receipt { table, partition_key, token }).await? {
            Fenced::Aborted => Ok(None),
            Fenced::Committed(commit) => {
                self.must_be_free(tables, write, source.clone()).await?;
                self.settle(tables, &commit).await?;
                Ok(Some(Next::Look))
            }
        }
    }

    /// Follows a commit as far as it is about the row.
    async fn settle(&self, tables: &Tables, commit: &Commit) -> Result<(), Error> {
        let own = |touch: &&Touch| touch.address == self.row && touch.maker.index == self.index.name;
        for role in [Role::New, Role::Old] {
            for touch in commit.touches.iter().filter(own).filter(|touch| touch.role == role) {
                let seen = Seen::at(tables, &touch.address).await?;
                let entity = Address { row_key: touch.row_key.clone(), ..commit.receipt.address() };
                let primary = Primary::read(tables, self.kind, entity).await?;
                let token = &commit.receipt.token;
                copy::conclude(tables, (self.kind, self.number), touch, token, seen, &primary).await?;
            }
        }
        Ok(())
    }

    /// An error if the entity that the row names has the value.
    async fn must_be_free(&self, tables: &Tables, write: usize, source: Address) -> Result<(), Error> {
        let is_own = source == self.entity;
        let primary = Primary::read(tables, self.kind, source).await?;
        // What an entity of another kind says is for those who know it.
        if primary.wants(self.number, &self.row).is_none() && !primary.is_foreign {
            return Ok(());
        }
        if !is_own {
            return Err(self.violation(write));
        }
        // It has come to have it since it was read, by another write.
        let code = if self.is_insert {
            ErrorCode::EntityAlreadyExists
        } else {
            ErrorCode::UpdateConditionNotSatisfied
        };
        Err(TableError::new(code).at(write).into())
    }

    fn violation(&self, operation: usize) -> Error {
        let (index, address) = (self.index.name, Some(self.row.clone()));
        Box::new(UniqueViolation { index, address, operation }).into()
    }

    fn foreign(&self) -> Error {
        let (index, address) = (self.index.name.to_owned(), Box::new(self.row.clone()));
        Box::new(IndexConflict { index, address, other: None }).into()
    }
}

/// The operation that reserves a row for an entity: a new row, or in place of a version.
pub(super) fn pending(row: &Address, entity: &Address, token: &str, guard: Option<ETag>) -> Operation {
    let mut properties = Properties::with_capacity(3);
    properties.push_new(STATE, PENDING);
    properties.push_new(TOKEN, token);
    properties.push_new(SOURCE, source_text(entity));
    at(row.clone(), properties, |entity| match guard {
        Some(etag) => Operation::Replace(entity, Condition::Matches(etag)),
        None => Operation::Insert(entity),
    })
}

/// Takes away a reservation whose attempt nobody is at any more, or makes it what the entity says. Whether nothing is left
/// of it.
pub(crate) async fn abandon(tables: &Tables, row: &Address, attempt: &Receipt) -> Result<bool, Error> {
    for _ in 0..ATTEMPTS {
        let etag = match Seen::at(tables, row).await? {
            Seen::Pending { etag, token, .. } if token == attempt.token => etag,
            _ => return Ok(true),
        };
        if let Fenced::Committed(_) = fence(tables, attempt).await? {
            // Its record has been written since they were worked off.
            return Ok(false);
        }
        let (partition_key, row_key) = (row.partition_key.clone(), row.row_key.clone());
        let condition = Condition::Matches(etag);
        let delete = Operation::Delete { partition_key, row_key, condition };
        match tables.execute(&row.table, &delete).await {
            Ok(_) => return Ok(true),
            Err(error) if error.is_conflict() || error.is_not_found() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

/// The attempt that a row is reserved by.
pub(crate) fn reservation(row: RowRef<'_>) -> Option<Receipt> {
    let Seen::Pending { source: Some(source), token, .. } = Seen::of(row) else { return None };
    Some(Receipt { table: source.table, partition_key: source.partition_key, token })
}

/// Takes away a reservation, whosever it is, unless its attempt was committed.
pub(crate) async fn give_back(tables: &Tables, row: &Address) -> Result<(), Error> {
    let rows = tables.read(row, None).await?;
    let Some(attempt) = rows.get(0).and_then(reservation) else { return Ok(()) };
    abandon(tables, row, &attempt).await.map(drop)
}

/// Sees to it that the attempt of a reservation is not committed. Whether there is one, and it was not.
pub(crate) async fn ends(tables: &Tables, row: &Address) -> Result<bool, Error> {
    let rows = tables.read(row, None).await?;
    let Some(attempt) = rows.get(0).and_then(reservation) else { return Ok(false) };
    Ok(fence(tables, &attempt).await? == Fenced::Aborted)
}
