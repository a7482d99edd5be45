//! A change of one blob: a transaction that reads, decides, and writes.

use std::time::Duration;

use futures_util::{
    future::{OptionFuture, join_all},
    join,
};
use table_model::{
    ErrorCode, Result, StorageFault, TableError, Timestamp,
    blob::{BlobAddress, BlobState, BlobType, limits::UNCOMMITTED_KEPT},
};
use tokio_postgres::{Row, types::ToSql};

use super::{record, statements::Statements};
use crate::{client::Session, connections::take, failure::Failure, postgres::Inner, write::TRIES};

/// Value of `snapshot` of a blob itself.
pub(super) const CURRENT: i64 = i64::MAX;
/// Kinds of garbage.
pub(super) const CONTENT: i16 = 0;
pub(super) const STAGE: i16 = 1;
pub(super) const CONTAINER: i16 = 2;
/// Time for which garbage stays, so that readers and uploads can end.
pub(super) const GRACE: Duration = Duration::from_secs(60 * 60);
/// Maximum length of a name in bytes: an entry of an index has at most about 2,700.
const NAME_BYTES: usize = 2_600;

/// A change of a blob.
pub(super) trait Work: Sync {
    /// Result of the change.
    type Answer: Send;

    /// Returns the blob to change.
    fn at(&self) -> &BlobAddress;

    /// Returns another blob to read.
    fn source(&self) -> Option<&BlobAddress> {
        None
    }

    /// Returns the type of a blob whose record is damaged, if this change replaces or deletes the blob, for which the record is
    /// not needed.
    fn type_if_damaged(&self) -> Option<BlobType> {
        None
    }

    /// Decides by the stored state. Nothing is written before all is decided.
    fn decide(
        &self,
        grounds: &Grounds<'_>,
    ) -> impl Future<Output = Result<(Writes, Self::Answer), Failure>> + Send;
}

/// Stored state for a decision. The names are locked.
pub(super) struct Grounds<'g> {
    pub(super) session: &'g Session,
    pub(super) statements: &'g Statements,
    /// Timestamp of the change, which no other one has.
    pub(super) time: Timestamp,
    /// Time of the database.
    pub(super) now: Timestamp,
    pub(super) container: i64,
    pub(super) found: Option<Stored>,
    pub(super) source: Option<Result<Option<Stored>, ErrorCode>>,
}

/// Row of a blob or a snapshot.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) stamp: i64,
    pub(super) state: BlobState,
    /// Id of the content: positive for chunks, negative for parts.
    pub(super) content: Option<i64>,
    pub(super) stage: Option<Stage>,
}

/// Uncommitted blocks of a blob.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage {
    pub(super) id: i64,
    /// Number of blocks.
    pub(super) count: u32,
    /// Time of the last uploaded block.
    pub(super) last: Timestamp,
}

impl Stage {
    /// Returns `true` if the retention has not ended.
    pub(super) fn is_kept(&self, now: Timestamp) -> bool {
        self.last.saturating_add(UNCOMMITTED_KEPT) >= now
    }
}

/// Result of looking up an address.
pub(super) struct Found {
    pub(super) now: Timestamp,
    /// Garbage can be removed.
    pub(super) sweeps: bool,
    pub(super) container: i64,
    pub(super) stored: Option<Stored>,
}

impl Found {
    /// Reads a row of the statement `find`. A damaged record is an error, unless a type is given: then the blob has this type,
    /// and neither a lease nor tags.
    pub(super) fn read(row: &Row, at: &BlobAddress, if_damaged: Option<BlobType>) -> Result<Self, Failure> {
        let name = at.name.as_str();
        let stored = row.get::<_, Option<i64>>(3).map(|stamp| {
            let stage = row.get::<_, Option<i64>>(5).map(|id| {
                let (count, last): (i32, i64) = (row.get(6), row.get(7));
                Ok::<_, StorageFault>(Stage { id, count: count.unsigned_abs(), last: time(name, last)? })
            });
            let (content, stage) = (row.get(4), stage.transpose()?);
            let blob = match (record::decode_blob((name, content), row.get(8)), if_damaged) {
                (Err(_), Some(blob_type)) => BlobState::new(Some(blob_type), time(name, stamp)?),
                (found, _) => found?,
            };
            Ok::<_, StorageFault>(Stored { stamp, state: blob, content, stage })
        });
        Ok(Self {
            now: time(name, row.get(0))?,
            sweeps: row.get(1),
            container: row.get(2),
            stored: stored.transpose()?,
        })
    }
}

/// Statements to send with the commit.
#[derive(Default)]
pub(super) struct Writes(Vec<(String, Vec<Param>)>);

/// Value of a statement.
pub(super) type Param = Box<dyn ToSql + Sync + Send>;

impl Writes {
    pub(super) fn add(&mut self, text: &str, params: Vec<Param>) {
        self.0.push((text.to_owned(), params));
    }

    /// Sends the statements and ends the transaction.
    pub(super) async fn send(&self, session: &Session) -> Result<(), Failure> {
        let mut prepared = Vec::with_capacity(self.0.len());
        for (text, _) in &self.0 {
            prepared.push(session.prepare_cached(text).await?);
        }
        let sent = prepared.iter().zip(&self.0).map(|(statement, (_, params))| async move {
            let params: Vec<&(dyn ToSql + Sync)> =
                params.iter().map(|param| &**param as &(dyn ToSql + Sync)).collect();
            session.query(statement, &params).await.map(drop)
        });
        let (written, committed) = join!(join_all(sent), session.batch_execute("COMMIT"));
        // After a failure, the database rejects the following statements; the first one is the cause.
        written.into_iter().collect::<Result<(), _>>()?;
        committed
    }
}

enum Step<A> {
    /// The change was executed.
    Done(A),
    /// The timestamp is not above this one.
    Stale(i64),
    /// The transaction has no response.
    Unknown(A, String),
}

impl Inner {
    /// Executes a change. It is repeated as long as other writers interfere.
    pub(super) async fn work<W: Work>(&self, work: &W) -> Result<W::Answer, Failure> {
        if work.at().name.as_str().len() > NAME_BYTES {
            return Err(name_too_long());
        }
        let mut after = 0;
        for _ in 0..TRIES {
            let name = work.at().name.as_str();
            let stamp = self.stamps.above(&self.pool, after, || record::damaged(name)).await?;
            match self.attempt(work, stamp).await {
                Ok(Step::Done(answer)) => return Ok(answer),
                Ok(Step::Stale(stored)) => after = stored,
                Ok(Step::Unknown(answer, reason)) => {
                    // A row with the timestamp proves the change; its absence proves nothing.
                    let (at, text) = (work.at(), self.blobs.confirm.as_str());
                    let name = at.name.as_str().as_bytes();
                    let confirm = || async move {
                        let snapshot = snapshot_of(at);
                        self.write_again(text, &[&at.container.as_str(), &name, &snapshot, &stamp]).await
                    };
                    return self.settle_by(reason, confirm).await.map(|()| answer);
                }
                Err(Failure::Again) => {}
                Err(Failure::Stale) => return Err(expired().into()),
                Err(failure) => return Err(failure),
            }
        }
        Err(Failure::Again)
    }

    async fn attempt<W: Work>(&self, work: &W, stamp: i64) -> Result<Step<W::Answer>, Failure> {
        let session = Session::new(take(&self.pool).await?);
        let failed = match self.decide(work, &session, stamp).await {
            Ok((Ok(writes), answer, sweeps)) => match writes.send(&session).await {
                Ok(()) => {
                    if sweeps {
                        self.sweep(&session).await;
                    }
                    session.finish();
                    return Ok(Step::Done(answer));
                }
                Err(Failure::Unknown(reason)) => return Ok(Step::Unknown(answer, reason)),
                Err(Failure::Exists) => Err(Failure::Again),
                Err(failure) => Err(failure),
            },
            Ok((Err(stored), ..)) => Ok(Step::Stale(stored)),
            Err(failure) => Err(failure),
        };
        if session.batch_execute("ROLLBACK").await.is_ok() {
            session.finish();
        }
        failed
    }

    /// Reads and decides. Returns the writes, or a stored timestamp that is not below this one, the result, and whether garbage can be removed.
    async fn decide<'w, W: Work>(
        &self,
        work: &'w W,
        session: &Session,
        stamp: i64,
    ) -> Result<(Result<Writes, i64>, W::Answer, bool), Failure> {
        let (at, source) = (work.at(), work.source());
        let mut locks: Vec<i64> = [Some(at), source].into_iter().flatten().map(lock_of).collect();
        locks.sort_unstable();
        locks.dedup();
        let lock = &session.prepare_cached(&self.blobs.lock).await?;
        let find = &session.prepare_cached(&self.blobs.find_to_write).await?;
        let look_up = |at: &'w BlobAddress, if_damaged| async move {
            let name = at.name.as_str().as_bytes();
            let row = session.query_opt(find, &[&at.container.as_str(), &name, &snapshot_of(at)]).await?;
            row.map(|row| Found::read(&row, at, if_damaged)).transpose()
        };
        // One round trip: the database executes them in this order, and a statement sees what was committed before it.
        let (begun, locked, found, source) = join!(
            session.batch_execute("BEGIN"),
            join_all(locks.iter().map(|key| async move { session.query(lock, &[key]).await.map(drop) })),
            look_up(at, work.type_if_damaged()),
            OptionFuture::from(source.map(|source| look_up(source, None))),
        );
        begun?;
        locked.into_iter().collect::<Result<(), _>>()?;
        let found = found?;
        let source = source
            .transpose()?
            .map(|found| found.map_or_else(|| Err(ErrorCode::ContainerNotFound), |found| Ok(found.stored)));
        let found = found.ok_or(ErrorCode::ContainerNotFound)?;
        let time = time(at.name.as_str(), stamp)?;
        let stored = found.stored.as_ref().map_or(0, |stored| stored.stamp);
        let grounds = Grounds {
            session,
            statements: &self.blobs,
            time,
            now: found.now,
            container: found.container,
            found: found.stored,
            source,
        };
        let (writes, answer) = work.decide(&grounds).await?;
        let writes = if stored < stamp { Ok(writes) } else { Err(stored) };
        Ok((writes, answer, found.sweeps))
    }

    /// Finds a blob or snapshot without locks.
    pub(super) async fn look_up(&self, at: &BlobAddress) -> Result<Found, Failure> {
        let (name, snapshot) = (at.name.as_str().as_bytes(), snapshot_of(at));
        let rows = self.query_blobs(&self.blobs.find, &[&at.container.as_str(), &name, &snapshot]).await?;
        let row = rows.first().ok_or(ErrorCode::ContainerNotFound)?;
        Found::read(row, at, None)
    }

    /// Executes a query, which is repeated once if the connection failed before it.
    pub(super) async fn query_blobs(
        &self,
        text: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Failure> {
        for is_last in [false, true] {
            let client = take(&self.pool).await?;
            let result = match client.prepare_cached(text).await {
                Ok(statement) => client.query(&statement, params).await,
                Err(error) => Err(error),
            };
            match result {
                Err(Failure::Unknown(_) | Failure::Again) if !is_last => self.drop_idle(),
                result => return result,
            }
        }
        Err(Failure::Again)
    }
}

/// Returns the value of `snapshot` of an address.
pub(super) fn snapshot_of(at: &BlobAddress) -> i64 {
    at.snapshot.map_or(CURRENT, |snapshot| snapshot.time().ticks())
}

/// Converts a time of the database.
pub(super) fn time(name: &str, ticks: i64) -> Result<Timestamp, StorageFault> {
    Timestamp::from_ticks(ticks).ok_or_else(|| record::damaged(name))
}

/// Returns the lock of a name. Two names with the same lock only wait for each other.
fn lock_of(at: &BlobAddress) -> i64 {
    let container = crc32c::crc32c(at.container.as_str().as_bytes());
    let name = crc32c::crc32c_append(container, at.name.as_str().as_bytes());
    (i64::from(container) << 32 | i64::from(name)).wrapping_neg()
}

fn name_too_long() -> Failure {
    let message = format!("The name of a blob has at most {NAME_BYTES} bytes of UTF-8 on PostgreSQL.");
    TableError::with_message(ErrorCode::OutOfRangeInput, message).into()
}

fn expired() -> TableError {
    TableError::with_message(
        ErrorCode::OperationTimedOut,
        "The upload paused for more than an hour, and its content was removed. Upload it again.",
    )
}
