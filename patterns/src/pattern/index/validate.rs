//! Validation of rows of a cross-partition index against their entities.

use futures_util::{StreamExt, TryStreamExt, stream};
use table_model::{ErrorCode, Name, Query, RowRef, Rows, TableName, ValueRef};

use crate::{
    Address, Error, Pending, RunStats, Tables, apply,
    core::{
        cross_partition_row::{SHOWN, SOURCE, parse_source},
        row::add,
        rule::Rule,
        spec::{QueriedIndex, Spec, filter::keys_eq},
    },
    query::{
        batch::{Batch, Verdict},
        clause::{Clause, Request},
    },
};

/// Number of rows that are compared concurrently.
const AT_ONCE: usize = 16;

/// The clause of a query that validates its rows. It removes rows that their entities no longer specify. A row that shows
/// an older state of its entity is updated and read again.
#[derive(Debug)]
pub(crate) struct Validation(QueriedIndex);

impl Validation {
    pub(crate) fn of(spec: &Spec) -> Option<Box<dyn Clause>> {
        let far = spec.far_index().filter(|_| spec.clauses.fresh.checked);
        far.map(|index| Box::new(Self(index)) as _)
    }
}

impl Clause for Validation {
    fn request(&mut self, _: &Spec, request: &mut Request) {
        if let Some(select) = &mut request.select {
            add(select, [SOURCE, SHOWN].into_iter());
        }
    }

    fn validates(&self) -> bool {
        true
    }

    fn validate<'a>(
        &'a self,
        tables: &'a Tables,
        request: &'a Request,
        rows: Batch,
        stats: &'a mut RunStats,
    ) -> Pending<'a, Batch> {
        Box::pin(async move {
            let mut looks: Vec<Pending<'_, Verdict>> = Vec::with_capacity(rows.len());
            for (table, row) in rows.left() {
                let Some(seen) = Seen::of(table, row) else {
                    looks.push(Box::pin(async { Ok(Verdict::Keep) }));
                    continue;
                };
                stats.requests += 1;
                looks.push(Box::pin(seen.look(tables, self.0, request)));
            }
            let verdicts: Vec<_> = stream::iter(looks).buffered(AT_ONCE).try_collect().await?;
            let moved = verdicts.iter().filter(|verdict| !matches!(verdict, Verdict::Keep)).count() as u64;
            stats.requests += moved;
            stats.read += verdicts.len() as u64;
            Ok(rows.judged(verdicts))
        })
    }
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
        QueriedIndex { kind, number }: QueriedIndex,
        request: &Request,
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
        let filter = request.within(Some(keys_eq(partition_key, row_key)));
        let query = Query { filter, select: request.select.clone(), ..Query::default() };
        let rows = match tables.service().query(&table, query).await {
            Err(error) if error.code() == ErrorCode::TableNotFound => Rows::new(),
            other => other?.rows,
        };
        Ok(if rows.is_empty() { Verdict::Drop } else { Verdict::Instead(table, rows) })
    }
}
