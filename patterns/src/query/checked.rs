//! Validation of rows of a cross-partition index against their entities.

use futures_util::{StreamExt, TryStreamExt, stream};
use table_model::{ErrorCode, Filter, Name, Query, RowRef, Rows, TableName, ValueRef};

use super::{
    RunStats,
    batch::{Batch, Verdict},
};
use crate::{
    Address, Error, Pending, Tables, apply,
    core::{
        cross_partition_row::{SHOWN, SOURCE, parse_source},
        entity_types::EntityInfo,
        rule::Rule,
        spec::{Spec, filter::keys_eq},
    },
};

/// Number of rows that are compared concurrently.
const AT_ONCE: usize = 16;

/// Settings for reading a stale row again after it was repaired.
#[derive(Clone, Debug)]
pub(super) struct Again {
    /// Conditions on the row besides its keys.
    pub(super) rest: Option<Filter>,
    pub(super) select: Option<Vec<Name>>,
}

impl Again {
    /// Returns `None` if the query does not validate rows. Boxed, because few queries do.
    pub(super) fn of(spec: &Spec, select: Option<&Vec<Name>>) -> Option<Box<Self>> {
        if !spec.fresh.checked || spec.far.is_none() {
            return None;
        }
        let rest = spec.conditions().ok()?.sent;
        Some(Box::new(Self { rest, select: select.cloned() }))
    }
}

/// Removes rows that their entities no longer specify. A row that shows an older state of its entity is updated and
/// read again.
pub(super) async fn checked(
    tables: &Tables,
    (kind, number): (EntityInfo, usize),
    again: &Again,
    rows: Batch,
    stats: &mut RunStats,
) -> Result<Batch, Error> {
    let mut looks: Vec<Pending<'_, Verdict>> = Vec::with_capacity(rows.len());
    for (table, row) in rows.left() {
        let Some(seen) = Seen::of(table, row) else {
            looks.push(Box::pin(async { Ok(Verdict::Keep) }));
            continue;
        };
        stats.requests += 1;
        looks.push(Box::pin(seen.look(tables, kind, number, again)));
    }
    let verdicts: Vec<_> = stream::iter(looks).buffered(AT_ONCE).try_collect().await?;
    let moved = verdicts.iter().filter(|verdict| !matches!(verdict, Verdict::Keep)).count() as u64;
    stats.requests += moved;
    stats.read += verdicts.len() as u64;
    Ok(rows.judged(verdicts))
}

/// A row as it was read.
struct Seen {
    address: Address,
    /// Address of the entity, and the ETag of the entity that the row shows.
    source: Address,
    shown: String,
}

impl Seen {
    /// Returns `None` if the row has no source or no shown version, because a client bypassed the library.
    fn of(table: &TableName, row: RowRef<'_>) -> Option<Self> {
        let text = |name| match row.properties.get(name) {
            Some(ValueRef::String(text)) => Some(text),
            _ => None,
        };
        let (partition_key, row_key) = row.partition_key.zip(row.row_key)?;
        let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
        let address = Address { table: table.clone(), partition_key, row_key };
        Some(Self { address, source: parse_source(text(SOURCE)?)?, shown: text(SHOWN)?.to_owned() })
    }

    async fn look(
        self,
        tables: &Tables,
        kind: EntityInfo,
        number: usize,
        again: &Again,
    ) -> Result<Verdict, Error> {
        // Only the ETag is needed.
        let keys = [Name::from("PartitionKey")];
        let found = tables.read(&self.source, Some(&keys)).await?;
        if found.get(0).is_some_and(|row| row.etag.to_string() == self.shown) {
            return Ok(Verdict::Keep);
        }
        if let Some(index) = kind.newest().indexes.get(number) {
            let rule = Rule::Index(kind.newest(), index);
            apply::reconcile(tables, kind, rule, &self.address, &self.source).await?;
        }
        let Address { table, partition_key, row_key } = self.address;
        let keys = keys_eq(partition_key, row_key);
        let filter = again.rest.iter().cloned().fold(keys, Filter::and);
        let query = Query { filter: Some(filter), select: again.select.clone(), ..Query::default() };
        let rows = match tables.service().query(&table, query).await {
            Err(error) if error.code() == ErrorCode::TableNotFound => Rows::new(),
            other => other?.rows,
        };
        Ok(if rows.is_empty() { Verdict::Drop } else { Verdict::Instead(table, rows) })
    }
}
