//! Queries page by page; the table may change between two pages.

use std::cmp::Ordering;

use table_store::{Continuation, ErrorCode, Plan, Query, Row, TableName};

use super::{
    Mistake,
    reads::{project, same},
    run::Run,
    step::{self, Ask},
    truth,
};
use crate::reliability::{Violation, contents::Key};

/// A query with further pages.
#[derive(Clone, Debug)]
pub struct Paused {
    table: TableName,
    ask: Ask,
    /// The number of the table among tables of the same name.
    created: u64,
    place: Place,
}

/// The position of a query.
#[derive(Clone, Debug)]
enum Place {
    /// At the start.
    Start,
    /// After a returned row, and not after the row that was next at that time, if any. Rows that were inserted in
    /// between since may be returned or not.
    Between { token: Continuation, after: Key, until: Option<Key> },
}

impl Run {
    /// Reads the first page of a query, and either all other pages or none.
    pub(super) fn query(&mut self, table: TableName, ask: &Ask, all: bool) -> Result<(), Violation> {
        let created = self.created(&table);
        // Without their keys, two rows of one transaction may be equal, so that the returned row would be ambiguous.
        let ask = if all { ask.clone() } else { ask.with_keys() };
        let mut next = Some(Paused { table, ask, created, place: Place::Start });
        while let Some(paused) = next.take() {
            next = self.page(paused)?;
            if !all {
                break;
            }
        }
        self.paused = next.or_else(|| self.paused.take());
        Ok(())
    }

    /// Reads the next page of the query that has one.
    pub(super) fn resume(&mut self) -> Result<(), Violation> {
        if let Some(paused) = self.paused.take() {
            self.paused = self.page(paused)?;
        }
        Ok(())
    }

    fn page(&mut self, paused: Paused) -> Result<Option<Paused>, Violation> {
        let Paused { table, ask, created, place } = &paused;
        let mut query = ask.query();
        match self.mistake {
            Some(Mistake::SelectionIgnored) => query.select = None,
            Some(mistake) => query.filter = query.filter.as_ref().map(|filter| mistake.filter(filter)),
            None => {}
        }
        if let Place::Between { token, .. } = place {
            query.continuation = Some(token.clone());
        }
        let expected = self.refusal(table, ask, *created);
        let segment = match (self.store.query(table, query.clone()), expected) {
            (Ok(segment), None) => segment,
            (answer, expected) => {
                let given = answer.as_ref().err().map(table_store::TableError::code);
                return same("a query", &given, &expected).map(|()| None);
            }
        };
        let found: Vec<Row> = segment.rows.into_iter().collect();
        let left = self.matching(table, ask, place);
        let Given { after, rest } = given(ask, place, &found, &left)?;
        let ranges = Plan::of(ask.filter.as_ref()).ranges.len();
        if let (Some(token), None) = (&segment.previous, self.mistake) {
            let turned = Query { continuation: Some(token.clone()), descending: !query.descending, ..query };
            self.check_before(&paused, turned, found.len() + rest.len())?;
        }
        let stats = (segment.stats.returned, segment.stats.ranges);
        if self.mistake.is_none() {
            same("what a segment took", &stats, &(found.len() as u64, ranges))?;
        }
        match (segment.continuation, after) {
            (Some(token), Some(after)) => {
                let until = rest.first().map(|(key, _)| key.clone());
                Ok(Some(Paused { place: Place::Between { token, after, until }, ..paused }))
            }
            (None, _) if rest.is_empty() || ask.top == Some(0) => Ok(None),
            (token, _) => {
                let what = format!("after {found:?} comes {token:?}, and {rest:?} is to come");
                Err(Violation::Visible { what })
            }
        }
    }

    /// Checks that the rows before a page are all matching rows except the last `left`, in the opposite order.
    fn check_before(&self, paused: &Paused, mut query: Query, left: usize) -> Result<(), Violation> {
        let Paused { table, ask, .. } = paused;
        let mut found = Vec::new();
        while ask.top != Some(0) {
            let segment =
                self.store.query(table, query.clone()).map_err(Violation::failed("reading back"))?;
            found.extend(segment.rows);
            query.continuation = segment.continuation;
            if query.continuation.is_none() {
                break;
            }
        }
        let all = self.matching(table, ask, &Place::Start);
        let before = all.get(..all.len().saturating_sub(left)).unwrap_or_default();
        let select = step::names(&ask.select);
        let expected = before.iter().rev().map(|(_, row)| project(row, select.as_deref()));
        let expected: Vec<Row> = if ask.top == Some(0) { Vec::new() } else { expected.collect() };
        same("the rows before a page", &found, &expected)
    }

    fn refusal(&self, table: &TableName, ask: &Ask, created: u64) -> Option<ErrorCode> {
        let long = ask.filter.as_ref().is_some_and(|filter| truth::comparisons(filter) > 15);
        if long || ask.top.is_some_and(|top| top > 1_000) {
            return Some(ErrorCode::InvalidInput);
        }
        if self.model.contents().rows(table).is_none() {
            return Some(ErrorCode::TableNotFound);
        }
        // A token belongs to one table, not to a later table of the same name.
        (self.created(table) != created).then_some(ErrorCode::InvalidInput)
    }

    /// Returns the remaining rows, in the order of the service.
    fn matching(&self, table: &TableName, ask: &Ask, place: &Place) -> Vec<(Key, Row)> {
        let rows = self.model.contents().rows(table).into_iter().flatten();
        let matches = |row: &Row| ask.filter.as_ref().is_none_or(|filter| truth::holds(filter, row));
        let to_come = |key: &Key| match place {
            Place::Start => true,
            Place::Between { after, .. } => ask.order(key, after).is_gt(),
        };
        let mut rows: Vec<_> = rows.filter(|(key, row)| to_come(key) && matches(row)).collect();
        rows.sort_by(|(one, _), (two, _)| ask.order(one, two));
        rows.into_iter().map(|(key, row)| (key.clone(), row.clone())).collect()
    }
}

/// A page.
struct Given<'l> {
    /// Its last row.
    after: Option<Key>,
    /// The remaining rows.
    rest: &'l [(Key, Row)],
}

/// Checks a page. The found rows must be the first rows of `left`, except for rows that were inserted since.
fn given<'l>(
    ask: &Ask,
    place: &Place,
    found: &[Row],
    left: &'l [(Key, Row)],
) -> Result<Given<'l>, Violation> {
    let most = ask.top.map_or(1_000, |top| usize::try_from(top).unwrap_or(usize::MAX));
    let may_skip = match place {
        Place::Start => 0,
        Place::Between { until: None, .. } => left.len(),
        Place::Between { until: Some(until), .. } => {
            left.partition_point(|(key, _)| ask.order(key, until).is_lt())
        }
    };
    let select = step::names(&ask.select);
    for skipped in 0..=may_skip {
        let page = left.get(skipped..).unwrap_or_default();
        let (page, rest) = page.split_at(page.len().min(most));
        if page.iter().map(|(_, row)| project(row, select.as_deref())).eq(found.iter().cloned()) {
            let after = page.last().map(|(key, _)| key.clone());
            return Ok(Given { after, rest });
        }
    }
    let keys = |rows: &[(Key, Row)]| rows.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
    let what = format!("a query gives {found:?}; to come were {:?}, at most {most}", keys(left));
    Err(Violation::Visible { what })
}

impl Ask {
    fn order(&self, one: &Key, two: &Key) -> Ordering {
        if self.descending { compare(two, one) } else { compare(one, two) }
    }
}

/// Compares two keys by their UTF-16 units, as the service does.
fn compare(one: &Key, two: &Key) -> Ordering {
    units(&one.0, &two.0).then_with(|| units(&one.1, &two.1))
}

fn units(one: &str, two: &str) -> Ordering {
    // The same order, but several times as fast without optimization.
    if one.is_ascii() && two.is_ascii() { one.cmp(two) } else { one.encode_utf16().cmp(two.encode_utf16()) }
}
