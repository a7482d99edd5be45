//! One row of an index in another partition, made what its entity says.

use table_store::{Condition, ETag, Entity, ErrorCode, Operation, Properties};

use super::{ATTEMPTS, SHOWN, SOURCE, STATE, STUB, claim, seen::Seen, source_text};
use crate::{
    Address, Error, Tables,
    derived::DerivedRow,
    error::IndexConflict,
    kinds::Kind,
    large::Reference,
    outbox::{Role, Touch},
    sealing::Secrets,
    write::at,
};

/// An entity as a worker read it: its version, and the rows that its indexes are to keep of it.
#[derive(Clone, Debug)]
pub(crate) struct Primary {
    pub(crate) address: Address,
    /// None if it is not there.
    pub(crate) etag: Option<ETag>,
    pub(crate) derived: Vec<DerivedRow>,
    /// The names of the blobs that it names.
    pub(crate) blobs: Vec<String>,
    /// Whether its row was written by an older version of the entity's type.
    pub(crate) is_older: bool,
    /// Whether an entity of another kind is there, whose derived rows are not to be touched.
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
        let (is_older, is_foreign) = (kind.is_older(row), kind.is_foreign(row));
        let blobs = Reference::all_in(row).map(|(_, reference)| reference.name).collect();
        Ok(Self { address, etag, derived, blobs, is_older, is_foreign })
    }

    /// What is to stand at an address by an index.
    pub(crate) fn wants(&self, number: usize, address: &Address) -> Option<&DerivedRow> {
        self.derived.iter().find(|row| row.number == number && row.address == *address)
    }
}

/// What became of one attempt.
enum Step {
    Done,
    /// Another worker was faster.
    Again,
    /// The row shows another entity: that one must be looked at first.
    Occupied(ETag, Option<Address>),
}

/// The first step of the fence: the version of the row, which is a stub of our own where it may have to be there. Then the
/// row is only absent if the commit needs none.
pub(super) async fn fence(tables: &Tables, touch: &Touch, source: &Address) -> Result<Seen, Error> {
    for _ in 0..ATTEMPTS {
        let seen = Seen::at(tables, &touch.address).await?;
        if !matches!((&seen, touch.role), (Seen::Absent, Role::New)) {
            return Ok(seen);
        }
        // Asked right before, so that no row comes back to an index that was dropped meanwhile.
        if !tables.may_make(&touch.maker).await? {
            return Ok(seen);
        }
        if let Some(etag) = put_stub(tables, touch, source).await? {
            return Ok(Seen::Stub { etag, source: Some(source.clone()) });
        }
    }
    Err(Error::Contended { address: Box::new(touch.address.clone()), attempts: ATTEMPTS })
}

/// Inserts a stub. Returns `None` if a row exists: it is to be read again, as it may be gone by then.
pub(super) async fn put_stub(
    tables: &Tables,
    touch: &Touch,
    source: &Address,
) -> Result<Option<ETag>, Error> {
    let mut properties = Properties::with_capacity(2);
    properties.push_new(STATE, STUB);
    properties.push_new(SOURCE, source_text(source));
    let stub = at(touch.address.clone(), properties, Operation::Insert);
    match tables.execute(&touch.address.table, &stub).await {
        Err(error) if error.code() == Some(ErrorCode::EntityAlreadyExists) => Ok(None),
        other => other,
    }
}

/// Concludes one row for the commit of a token: from what was seen of it before the entity was read, and if that was overtaken, from the start.
pub(super) async fn conclude(
    tables: &Tables,
    (kind, number): (Kind, usize),
    touch: &Touch,
    token: &str,
    seen: Seen,
    primary: &Primary,
) -> Result<(), Error> {
    let mut step = act(tables, kind, number, (touch, token), seen, primary).await?;
    for _ in 0..ATTEMPTS {
        match step {
            Step::Done => return Ok(()),
            Step::Again => {}
            Step::Occupied(etag, other) => evict(tables, kind, number, touch, etag, other).await?,
        }
        let seen = fence(tables, touch, &primary.address).await?;
        let primary = Primary::read(tables, kind, primary.address.clone()).await?;
        step = act(tables, kind, number, (touch, token), seen, &primary).await?;
    }
    Err(Error::Contended { address: Box::new(touch.address.clone()), attempts: ATTEMPTS })
}

async fn act(
    tables: &Tables,
    kind: Kind,
    number: usize,
    (touch, token): (&Touch, &str),
    seen: Seen,
    primary: &Primary,
) -> Result<Step, Error> {
    let wanted = primary.wants(number, &touch.address).zip(primary.etag.as_ref());
    match (seen, wanted) {
        (Seen::Pending { source, .. }, _) if source.as_ref() != Some(&primary.address) => Ok(Step::Done),
        // Another attempt of the entity, whose record will decide. But who read the row before must lose its hold on it.
        (Seen::Pending { etag, token: other, .. }, _) if other != token => {
            let same = claim::pending(&touch.address, &primary.address, &other, Some(etag));
            settle(tables.execute(&touch.address.table, &same).await)
        }
        (Seen::Stub { etag, .. } | Seen::Pending { etag, .. }, Some((row, shown))) => {
            replace(tables, kind, row, shown, etag).await
        }
        (Seen::Stub { etag, .. } | Seen::Pending { etag, .. }, None) => {
            delete(tables, &touch.address, etag).await
        }
        (Seen::Live { etag, source, shown }, wanted) if source.as_ref() == Some(&primary.address) => {
            match wanted {
                Some((_, current)) if shown.as_deref() == Some(&*current.to_string()) => Ok(Step::Done),
                // Written even where the content is the same: an older worker must lose its hold on it.
                Some((row, current)) => replace(tables, kind, row, current, etag).await,
                None => delete(tables, &touch.address, etag).await,
            }
        }
        (Seen::Live { etag, source, .. }, Some(_)) => Ok(Step::Occupied(etag, source)),
        // It was absent for a commit that only removes: one that needs a row names it as new. A live row is another's.
        (Seen::Absent, _) | (Seen::Live { .. }, None) => Ok(Step::Done),
    }
}

/// What a row is to hold, sealed for it, and the version that it shows.
fn showing(tables: &Tables, kind: Kind, row: &DerivedRow, shown: &ETag) -> Result<Properties, Error> {
    let mut properties = row.properties.clone();
    properties.set(SHOWN, shown.to_string());
    tables.seal_row(Secrets::of(kind.design), row.address.place(), &mut properties)?;
    Ok(properties)
}

async fn replace(
    tables: &Tables,
    kind: Kind,
    row: &DerivedRow,
    shown: &ETag,
    etag: ETag,
) -> Result<Step, Error> {
    let properties = showing(tables, kind, row, shown)?;
    let condition = Condition::Matches(etag);
    let replace = at(row.address.clone(), properties, |entity: Entity| Operation::Replace(entity, condition));
    settle(tables.execute(&row.address.table, &replace).await)
}

async fn delete(tables: &Tables, address: &Address, etag: ETag) -> Result<Step, Error> {
    let Address { table, partition_key, row_key } = address.clone();
    let delete = Operation::Delete { partition_key, row_key, condition: Condition::Matches(etag) };
    settle(tables.execute(&table, &delete).await)
}

fn settle(result: Result<Option<ETag>, Error>) -> Result<Step, Error> {
    match result {
        Ok(_) => Ok(Step::Done),
        Err(error) if error.is_conflict() || error.is_not_found() => Ok(Step::Again),
        Err(error) => Err(error),
    }
}

/// Takes away the row of another entity, if that one does not say any more that it is there.
async fn evict(
    tables: &Tables,
    kind: Kind,
    number: usize,
    touch: &Touch,
    etag: ETag,
    other: Option<Address>,
) -> Result<(), Error> {
    let conflict = |other| {
        let (index, address) = (touch.maker.index.clone(), Box::new(touch.address.clone()));
        Error::IndexConflict(Box::new(IndexConflict { index, address, other }))
    };
    let Some(other) = other else { return Err(conflict(None)) };
    // The version was taken before: the fence holds for this entity, too.
    let primary = Primary::read(tables, kind, other.clone()).await?;
    // What an entity of another kind says is for those who know it.
    if primary.is_foreign || primary.wants(number, &touch.address).is_some() {
        return Err(conflict(Some(other)));
    }
    delete(tables, &touch.address, etag).await.map(|_| ())
}
