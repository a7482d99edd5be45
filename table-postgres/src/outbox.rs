//! The rows of all tables that workers must find. Each table has an index of its own for them.

use table_model::{
    Result,
    key::ordered_text,
    outbox::{OutboxKind, OutboxRow, is_abort_record},
};

use crate::{
    bounds::{Bound, ordered},
    catalogue::Known,
    connections::take,
    failure::Failure,
    postgres::Inner,
    record::decode,
};

/// Number of rows that one statement reads at most.
const CHUNK: i64 = 500;

impl Inner {
    /// Returns rows of a kind, ordered by table and key, starting after the given row.
    pub(crate) async fn list_outbox(
        &self,
        which: OutboxKind,
        after: Option<&OutboxRow>,
        most: usize,
    ) -> Result<Vec<OutboxRow>, Failure> {
        let mut rows = Vec::new();
        for name in self.tables_from(after.map(|row| &row.table)).await? {
            let start = after.filter(|row| row.table == name);
            let mut start =
                start.map_or_else(Bound::default, |row| (ordered(&row.partition_key), ordered(&row.row_key)));
            let found = match self.table(&name).await {
                Ok(known) => self.outbox_of(&known, which, &mut start, most - rows.len()).await,
                Err(failure) => Err(failure),
            };
            let found = match found {
                // It was deleted since it was listed.
                Err(Failure::NoTable) => {
                    self.names.forget(&name);
                    continue;
                }
                found => found?,
            };
            let row = |(partition_key, row_key)| OutboxRow { table: name.clone(), partition_key, row_key };
            rows.extend(found.into_iter().map(row));
            if rows.len() >= most {
                break;
            }
        }
        Ok(rows)
    }

    async fn outbox_of(
        &self,
        known: &Known,
        which: OutboxKind,
        start: &mut Bound,
        most: usize,
    ) -> Result<Vec<(String, String)>, Failure> {
        let client = take(&self.pool).await?;
        let statement = match which {
            OutboxKind::Commits => &known.statements.commits,
            OutboxKind::DeadLetters => &known.statements.dead_letters,
        };
        let statement = client.prepare_cached(statement).await?;
        let mut rows = Vec::new();
        loop {
            let found = client.query(&statement, &[&start.0, &start.1, &CHUNK]).await?;
            for row in &found {
                let (p, r): (&[u8], &[u8]) = (row.get(0), row.get(1));
                *start = (p.to_vec(), r.to_vec());
                let (properties, _) = decode((p, r), row.get(2))?;
                if let Some(keys) = ordered_text(p).zip(ordered_text(r))
                    && !is_abort_record(properties)
                {
                    rows.push((keys.0.into_owned(), keys.1.into_owned()));
                }
                if rows.len() >= most {
                    return Ok(rows);
                }
            }
            if i64::try_from(found.len()).is_ok_and(|count| count < CHUNK) {
                return Ok(rows);
            }
        }
    }
}
