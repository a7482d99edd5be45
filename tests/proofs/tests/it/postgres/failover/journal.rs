//! Records the responses that a writer received, and compares them with the stored entities.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fmt,
    time::{Duration, Instant},
};

use table_model::{Filter, Query, Result, TableError, TableName, ValueRef};
use table_patterns::Tables;

use super::writer::Receiver;
use crate::postgres::{Error, Outcome};

/// The last results of a row. A write with an unknown outcome is the last one.
#[derive(Default)]
struct Row {
    acknowledged: Option<i64>,
    unknown: Option<i64>,
}

#[derive(Default)]
pub(super) struct Journal {
    rows: BTreeMap<u32, Row>,
    acknowledged: Vec<Instant>,
    refused: usize,
}

/// Results of a round.
#[derive(Default)]
pub(super) struct Counts {
    acknowledged: usize,
    pub(super) lost: usize,
    unknown: usize,
    unknown_stored: usize,
    refused: usize,
    /// Longest time between two acknowledged writes of one writer, one of them before the kill and one after it.
    pause: Duration,
    /// Time from the kill until the standby was the primary.
    pub(super) promotion: Duration,
}

impl Counts {
    pub(super) fn add(&mut self, other: &Self) {
        self.acknowledged += other.acknowledged;
        self.lost += other.lost;
        self.unknown += other.unknown;
        self.unknown_stored += other.unknown_stored;
        self.refused += other.refused;
        self.pause = self.pause.max(other.pause);
        self.promotion = self.promotion.max(other.promotion);
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { acknowledged, lost, unknown, unknown_stored, refused, pause, promotion } = self;
        let (pause, promotion) = (pause.as_millis(), promotion.as_millis());
        write!(
            f,
            "{acknowledged:13} {lost:5} {unknown:8} {unknown_stored:15} {refused:8} {promotion:15} {pause:12}"
        )
    }
}

impl Journal {
    pub(super) fn note<T>(&mut self, row: u32, number: i64, result: &Result<T, TableError>) {
        let noted = self.rows.entry(row).or_default();
        match result {
            Ok(_) => {
                noted.acknowledged = Some(number);
                self.acknowledged.push(Instant::now());
            }
            Err(error) if error.is_outcome_unknown() => noted.unknown = Some(number),
            Err(_) => self.refused += 1,
        }
    }

    /// Compares the stored numbers of the rows. A write stores its number in a number of parts.
    pub(super) fn check(
        &self,
        stored: &HashMap<u32, Vec<i64>>,
        parts: usize,
        killed: Instant,
        counts: &mut Counts,
    ) -> Outcome {
        counts.acknowledged += self.acknowledged.len();
        counts.refused += self.refused;
        for (row, noted) in &self.rows {
            let found = stored.get(row).map_or(&[][..], Vec::as_slice);
            if !found.is_empty() && *found != vec![found[0]; parts] {
                return Err(format!("a part of a write: {found:?}").into());
            }
            let found = found.first().copied();
            counts.unknown += usize::from(noted.unknown.is_some());
            if noted.unknown.is_some() && found == noted.unknown {
                counts.unknown_stored += 1;
            } else if found < noted.acknowledged {
                counts.lost += 1;
            } else if found != noted.acknowledged {
                return Err(format!("{found:?} was refused, and is stored").into());
            }
        }
        let after = self.acknowledged.partition_point(|time| *time < killed);
        let around = self.acknowledged.windows(2).skip(after.saturating_sub(1)).take(20);
        let pause = around.map(|times| times[1] - times[0]).max();
        counts.pause = counts.pause.max(pause.ok_or("a writer did not continue")?);
        Ok(())
    }
}

/// Returns the numbers in the entities of a partition, by row.
pub(super) async fn stored_rows(
    tables: &Tables,
    table: &TableName,
    partition: &str,
) -> Result<HashMap<u32, Vec<i64>>, Error> {
    let mut query = Query::new().filter(Filter::parse(&format!("PartitionKey eq '{partition}'"))?);
    let mut rows: HashMap<u32, Vec<i64>> = HashMap::new();
    loop {
        let segment = tables.service().query(table, query.clone()).await?;
        for row in &segment.rows {
            let key = row.row_key.unwrap_or_default().trim_end_matches(['a', 'b']);
            let numbers = rows.entry(key.parse()?).or_default();
            for name in ["N", "M"] {
                if let Some(ValueRef::Int64(number)) = row.properties.get(name) {
                    numbers.push(number);
                }
            }
        }
        query.continuation = segment.continuation;
        if query.continuation.is_none() {
            return Ok(rows);
        }
    }
}

/// Returns the messages of a writer by row: those that are stored, and those that were received and deleted.
pub(super) fn stored_messages(
    partition: &str,
    stored: &[String],
    receiver: &Receiver,
) -> HashMap<u32, Vec<i64>> {
    let texts: HashSet<&String> = stored.iter().chain(&receiver.deleted).chain(&receiver.unknown).collect();
    let of_row = |text: &&String| {
        let (row, number) = text.strip_prefix(partition)?.strip_prefix('/')?.split_once('/')?;
        Some((row.parse().ok()?, vec![number.parse().ok()?]))
    };
    texts.iter().filter_map(of_row).collect()
}
