//! Update of one row of a cross-partition index according to its entity.

use table_model::{Condition, ETag, Entity, ErrorCode, Operation, Properties};

use super::seen::{ATTEMPTS, Seen};
use crate::{
    Address, Error, Tables,
    core::{
        cross_partition_row::{PENDING, SHOWN, SOURCE, STATE, STUB, TOKEN, source_text},
        derived_row::DerivedRow,
        encryption::Secrets,
        entity_types::EntityInfo,
        error::IndexConflictError,
        outbox::{AffectedRow, Role},
        rule::Rule,
    },
    write::{at, primary::Primary},
};

/// Result of one attempt.
enum Step {
    Done,
    /// A concurrent worker changed the row.
    Again,
    /// The row belongs to another entity, which must be checked first.
    Occupied(ETag, Option<Address>),
}

/// First step of the fence: returns the state of the row. Creates a placeholder row if the row is missing but may be
/// required. The row is only absent in the result if the commit does not require it.
pub(crate) async fn fence(
    tables: &Tables,
    kind: EntityInfo,
    touch: &AffectedRow,
    source: &Address,
) -> Result<Seen, Error> {
    for _ in 0..ATTEMPTS {
        let seen = Seen::at(tables, &touch.address).await?;
        if !matches!((&seen, touch.role), (Seen::Absent, Role::New)) {
            return Ok(seen);
        }
        // Checked immediately before the insert, so that no row is added to an index that was dropped concurrently.
        if !tables.may_make(kind.newest(), &touch.maker.index).await? {
            return Ok(seen);
        }
        if let Some(etag) = put_stub(tables, touch, source).await? {
            return Ok(Seen::Stub { etag, source: Some(source.clone()) });
        }
    }
    Err(Error::Contended { address: Box::new(touch.address.clone()), attempts: ATTEMPTS })
}

/// Inserts a placeholder row. Returns `None` if a row exists; the caller must read it again, because it may have been
/// deleted since.
pub(crate) async fn put_stub(
    tables: &Tables,
    touch: &AffectedRow,
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

/// Applies a commit to one row, based on the state read before the entity. If that state is outdated, retries from the
/// start.
pub(crate) async fn conclude(
    tables: &Tables,
    (kind, rule): (EntityInfo, Rule),
    touch: &AffectedRow,
    token: &str,
    seen: Seen,
    primary: &Primary,
) -> Result<(), Error> {
    let named = &primary.address;
    let moved = primary.for_row(tables, (kind, rule)).await?;
    let primary = moved.as_ref().unwrap_or(primary);
    let mut step = act(tables, rule, (touch, token), seen, primary).await?;
    for _ in 0..ATTEMPTS {
        match step {
            Step::Done => return Ok(()),
            Step::Again => {}
            Step::Occupied(etag, other) => evict(tables, kind, rule, touch, etag, other).await?,
        }
        let seen = fence(tables, kind, touch, named).await?;
        let primary = Primary::of_row(tables, (kind, rule), named.clone()).await?;
        step = act(tables, rule, (touch, token), seen, &primary).await?;
    }
    Err(Error::Contended { address: Box::new(touch.address.clone()), attempts: ATTEMPTS })
}

async fn act(
    tables: &Tables,
    rule: Rule,
    (touch, token): (&AffectedRow, &str),
    seen: Seen,
    primary: &Primary,
) -> Result<Step, Error> {
    let wanted = primary.wants(rule, &touch.address).zip(primary.etag.as_ref());
    let is_own = |source: &Option<Address>| source.as_ref().is_some_and(|source| primary.is_at(source));
    match (seen, wanted) {
        (Seen::Pending { source, .. }, _) if !is_own(&source) => Ok(Step::Done),
        // A reservation of another attempt of this entity, whose own commit record decides. The row is rewritten to
        // invalidate the ETags of processes that read it earlier.
        (Seen::Pending { etag, source: Some(source), token: other }, _) if other != token => {
            let same = pending(&touch.address, &source, &other, Some(etag));
            settle(tables.execute(&touch.address.table, &same).await)
        }
        (Seen::Stub { etag, .. } | Seen::Pending { etag, .. }, Some((row, shown))) => {
            replace(tables, row, shown, etag).await
        }
        (Seen::Stub { etag, .. } | Seen::Pending { etag, .. }, None) => {
            delete(tables, &touch.address, etag).await
        }
        (Seen::Live { etag, source, shown }, wanted) if is_own(&source) => {
            let is_named = source.as_ref() == Some(&primary.address);
            match wanted {
                Some((_, current)) if is_named && shown.as_deref() == Some(&*current.to_string()) => {
                    Ok(Step::Done)
                }
                // Written even if the content is unchanged, to invalidate the ETags of slower workers.
                Some((row, current)) => replace(tables, row, current, etag).await,
                None => delete(tables, &touch.address, etag).await,
            }
        }
        (Seen::Live { etag, source, .. }, Some(_)) => Ok(Step::Occupied(etag, source)),
        // An absent row belongs to a commit that only removes rows: a commit that requires a row lists it as new. A
        // live row belongs to another entity.
        (Seen::Absent, _) | (Seen::Live { .. }, None) => Ok(Step::Done),
    }
}

/// Returns the encrypted properties of a row, with the ETag of the entity that it shows.
fn showing(tables: &Tables, row: &DerivedRow, shown: &ETag) -> Result<Properties, Error> {
    let mut properties = row.properties.clone();
    properties.set(SHOWN, shown.to_string());
    tables.seal_row(Secrets::of(row.rule.design()), row.address.place(), &mut properties)?;
    Ok(properties)
}

async fn replace(tables: &Tables, row: &DerivedRow, shown: &ETag, etag: ETag) -> Result<Step, Error> {
    let properties = showing(tables, row, shown)?;
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

/// Deletes the row of another entity, if that entity no longer requires it.
async fn evict(
    tables: &Tables,
    kind: EntityInfo,
    rule: Rule,
    touch: &AffectedRow,
    etag: ETag,
    other: Option<Address>,
) -> Result<(), Error> {
    let conflict = |other| {
        let (index, address) = (touch.maker.index.clone(), Box::new(touch.address.clone()));
        Error::IndexConflict(Box::new(IndexConflictError { index, address, other }))
    };
    let Some(other) = other else { return Err(conflict(None)) };
    // The ETag was read before the entity, so the fence also holds for this entity.
    let primary = Primary::owner_of_row(tables, (kind, rule), other.clone()).await?;
    // An entity of another type is judged only by programs that have registered it.
    if primary.is_foreign || primary.wants(rule, &touch.address).is_some() {
        return Err(conflict(Some(other)));
    }
    delete(tables, &touch.address, etag).await.map(|_| ())
}

/// Returns the operation that reserves a row for an entity: an insert, or a conditional replace.
pub(crate) fn pending(row: &Address, entity: &Address, token: &str, guard: Option<ETag>) -> Operation {
    let mut properties = Properties::with_capacity(3);
    properties.push_new(STATE, PENDING);
    properties.push_new(TOKEN, token);
    properties.push_new(SOURCE, source_text(entity));
    at(row.clone(), properties, |entity| match guard {
        Some(etag) => Operation::Replace(entity, Condition::Matches(etag)),
        None => Operation::Insert(entity),
    })
}
