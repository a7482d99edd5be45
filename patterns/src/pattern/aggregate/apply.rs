//! Contributions to aggregates in other partitions. A contribution row next to the aggregate contains the contributed
//! amount. It changes only together with the aggregate, by the difference to its previous amount, so repeated
//! application is harmless.

use table_model::{Condition, ETag, Filter, Operation, Properties, Query};

use crate::{
    Address, Error, Tables,
    apply::{ATTEMPTS, copy::put_stub},
    core::{
        cross_partition_row::{LIVE, SHOWN, SOURCE, STATE},
        entity_types::EntityInfo,
        outbox::{AffectedRow, Role},
        rule::Rule,
    },
    design::Contribution,
    pattern::aggregate::target_entity::{Tally, TargetRow, contributions_of, sink_of},
    write::{at, primary::Primary},
};

/// Contribution as it was found: the first step of the fence.
#[derive(Clone, Debug)]
pub(crate) enum Seen {
    Absent,
    There { etag: ETag, adds: Properties, shown: Option<String> },
}

impl Seen {
    async fn at(tables: &Tables, address: &Address) -> Result<Self, Error> {
        let rows = tables.read(address, None).await?;
        let Some(row) = rows.get(0) else { return Ok(Self::Absent) };
        let properties = row.properties.to_properties();
        let shown = match properties.get(SHOWN) {
            Some(table_model::Value::String(shown)) => Some(shown.clone()),
            _ => None,
        };
        Ok(Self::There { etag: row.etag.clone(), adds: adds(&properties), shown })
    }
}

/// Returns the contributed values without the internal properties.
pub(crate) fn adds(properties: &Properties) -> Properties {
    let ours = properties.iter().filter(|(name, _)| ![STATE, SOURCE, SHOWN].contains(&&**name));
    ours.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Returns the state of the contribution. Creates a contribution of zero if it is missing but may be required. It is
/// only absent in the result if the commit does not require it.
pub(crate) async fn fence(tables: &Tables, touch: &AffectedRow, source: &Address) -> Result<Seen, Error> {
    for _ in 0..ATTEMPTS {
        let seen = Seen::at(tables, &touch.address).await?;
        if !matches!((&seen, touch.role), (Seen::Absent, Role::New)) {
            return Ok(seen);
        }
        if let Some(etag) = put_stub(tables, touch, source).await? {
            return Ok(Seen::There { etag, adds: Properties::new(), shown: None });
        }
    }
    Err(Error::Contended { address: Box::new(touch.address.clone()), attempts: ATTEMPTS })
}

/// Applies one contribution together with the aggregate row.
pub(crate) async fn conclude(
    tables: &Tables,
    (kind, rule): (EntityInfo, Rule),
    touch: &AffectedRow,
    seen: Seen,
    primary: &Primary,
) -> Result<(), Error> {
    if act(tables, (kind, rule), touch, seen, primary).await? {
        return Ok(());
    }
    for _ in 1..ATTEMPTS {
        let seen = fence(tables, touch, &primary.address).await?;
        let primary = Primary::read(tables, kind, primary.address.clone()).await?;
        if act(tables, (kind, rule), touch, seen, &primary).await? {
            return Ok(());
        }
    }
    Err(Error::Contended { address: Box::new(touch.address.clone()), attempts: ATTEMPTS })
}

/// Makes one attempt. Returns `false` if a concurrent writer was faster.
async fn act(
    tables: &Tables,
    (kind, rule): (EntityInfo, Rule),
    touch: &AffectedRow,
    seen: Seen,
    primary: &Primary,
) -> Result<bool, Error> {
    let wanted = primary.wants(rule, &touch.address).filter(|row| row.adds()).zip(primary.etag.as_ref());
    let Rule::Contribution(_, feed) = rule else { return Ok(true) };
    // An absent contribution belongs to a commit that only removes: a commit that adds lists it as new.
    let Seen::There { etag, adds: old, shown } = seen else { return Ok(true) };
    let new = wanted.map(|(row, _)| adds(&row.properties)).unwrap_or_default();
    let is_shown = wanted.is_some_and(|(_, current)| shown.as_deref() == Some(&*current.to_string()));
    if is_shown {
        return Ok(true);
    }
    let condition = Condition::Matches(etag);
    // Written even if the amount is unchanged, to invalidate the ETags of slower workers.
    let contribution = if let Some((row, current)) = wanted {
        let mut properties = row.properties.clone();
        properties.set(SHOWN, current.to_string());
        at(touch.address.clone(), properties, |entity| Operation::Replace(entity, condition))
    } else {
        let Address { partition_key, row_key, .. } = touch.address.clone();
        Operation::Delete { partition_key, row_key, condition }
    };
    let mut operations = vec![contribution];
    // Another aggregate can have another result for the same value.
    if old != new || Tally::of(kind, feed, Properties::new()).is_mixed() {
        let Some(sink) = sink_of(&touch.address) else {
            return Err(Error::OutboxDamaged { record: Box::new(touch.address.clone()) });
        };
        let design = (feed.sink)();
        let row = TargetRow::read(tables, &sink).await?;
        let kept = total(tables, (kind, feed), &sink, row.as_ref(), (&touch.address, &old, &new)).await?;
        operations.extend(TargetRow::keep(row, design, &sink, &kept));
    }
    match tables.transact_own(&touch.address.table, &operations).await {
        Ok(()) => Ok(true),
        Err(error) if error.is_conflict() || error.is_not_found() => Ok(false),
        Err(error) => Err(error),
    }
}

/// Computes the aggregate after a change of one contribution.
async fn total(
    tables: &Tables,
    (kind, feed): (EntityInfo, &'static Contribution),
    sink: &Address,
    row: Option<&TargetRow>,
    (at, old, new): (&Address, &Properties, &Properties),
) -> Result<Properties, Error> {
    let kept = row.map(|row| row.kept((feed.sink)())).unwrap_or_default();
    let mut tally = Tally::of(kind, feed, kept);
    tally.change(old, new)?;
    if tally.is_lost() {
        let others = contributions(tables, feed, sink).await?.into_iter().filter(|(other, _)| other != at);
        let mut all: Vec<Properties> = others.map(|(_, adds)| adds).collect();
        all.push(new.clone());
        tally.look(&all)?;
    }
    Ok(tally.into_kept())
}

/// Returns all contributions to an aggregate.
pub(crate) async fn contributions(
    tables: &Tables,
    feed: &Contribution,
    sink: &Address,
) -> Result<Vec<(Address, Properties)>, Error> {
    let first = contributions_of(feed, &sink.row_key);
    // The prefix is followed by the length of a name, which is a digit. `:` sorts after all digits.
    let filter = Filter::eq("PartitionKey", sink.partition_key.as_str())
        .and(Filter::ge("RowKey", first.as_str()))
        .and(Filter::lt("RowKey", format!("{first}:")));
    let mut query = Query { filter: Some(filter), ..Query::default() };
    let mut all = Vec::new();
    loop {
        let segment = match tables.service().query(&sink.table, query.clone()).await {
            Err(error) if error.is_not_found() => return Ok(all),
            other => other?,
        };
        for row in &segment.rows {
            if let (Some(row_key), Some(LIVE)) = (row.row_key, crate::apply::seen::state(row)) {
                let address = Address { row_key: row_key.to_owned(), ..sink.clone() };
                all.push((address, adds(&row.properties.to_properties())));
            }
        }
        query.continuation = segment.continuation;
        if query.continuation.is_none() {
            return Ok(all);
        }
    }
}
