use std::{cmp::Ordering, collections::VecDeque};

use futures_util::{StreamExt, stream::FuturesOrdered};
use table_store::{
    Continuation, ErrorCode, Filter, Name, Query, RowRef, Rows, Segment, TableService, key::compare,
};

use super::{RunStats, fetch::too_large, list::List};
use crate::{
    Error, Source,
    cursor::Place,
    error::{DecodeError, RowProblem},
    list::Ids,
};

/// How many members are read at once.
const AT_ONCE: usize = 8;

/// The members of a list, read as they are asked for: in the order of their RowKeys, from the list's own row and the
/// rows of single members together.
#[derive(Debug)]
pub(super) struct Members {
    list: List,
    /// Members that stand in the list's own row.
    own: VecDeque<String>,
    /// Members that have rows of their own, as far as these were read.
    rows: VecDeque<String>,
    filter: Filter,
    /// Where to read on.
    next: Next,
    /// The member given last.
    last: Option<String>,
}

/// Where to read on in a list.
#[derive(Debug)]
enum Next {
    /// At the beginning.
    Start,
    /// At this member.
    At(String),
    Token(Continuation),
    End,
}

impl Members {
    pub(super) fn new(list: List, place: &Place) -> Self {
        let next = match place {
            Place::At { row_key, .. } => Next::At(row_key.clone()),
            Place::Start | Place::Token(_) | Place::Point(_) | Place::Row(_) => Next::Start,
        };
        let filter = list.filter(match &next {
            Next::At(first) => Some(first),
            _ => None,
        });
        Self { list, own: VecDeque::new(), rows: VecDeque::new(), filter, next, last: None }
    }

    /// The next members, at most so many, as they are now; and how many of them were passed over.
    pub(super) async fn read(
        &mut self,
        service: &dyn TableService,
        most: usize,
        select: Option<&[Name]>,
        source: Source<'_>,
        stats: &mut RunStats,
    ) -> Result<Rows, Error> {
        let ids = self.ids(service, most, stats).await?;
        let List { table, partition_key, .. } = &self.list;
        let (mut asked, mut left) = (FuturesOrdered::new(), ids.iter());
        let mut rows = Rows::new();
        loop {
            for id in left.by_ref().take(AT_ONCE - asked.len()) {
                asked.push_back(service.find(table, partition_key, id, select));
            }
            let Some(member) = asked.next().await else { break };
            let member = match member {
                Err(error) if error.code() == ErrorCode::TableNotFound => Rows::new(),
                other => other?,
            };
            stats.requests += 1;
            stats.read += member.len() as u64;
            // A selection does not show what the entity belongs to.
            if member.get(0).is_some_and(|row| select.is_some() || self.list.still_has(source, row)) {
                rows.append(member).map_err(too_large)?;
            } else {
                stats.passed_over += 1;
            }
        }
        self.last = ids.last().cloned().or(self.last.take());
        Ok(rows)
    }

    /// Where the next read begins; none at the end.
    pub(super) fn place(&self) -> Option<Place> {
        let row_key = match self.first() {
            Some(next) => next.to_owned(),
            None if matches!(self.next, Next::End) => return None,
            // A space is the least character of keys: nothing lies between.
            None => format!("{} ", self.last.as_deref().unwrap_or_default()),
        };
        Some(Place::At { token: None, partition_key: self.list.partition_key.clone(), row_key })
    }

    async fn ids(
        &mut self,
        service: &dyn TableService,
        most: usize,
        stats: &mut RunStats,
    ) -> Result<Vec<String>, Error> {
        let mut ids = Vec::new();
        while ids.len() < most {
            if self.rows.is_empty() && !matches!(self.next, Next::End) {
                self.read_on(service, most - ids.len(), stats).await?;
                continue;
            }
            let Some(id) = self.pop() else { break };
            ids.push(id);
        }
        stats.ranges += ids.len();
        Ok(ids)
    }

    /// The first of the members at hand.
    fn first(&self) -> Option<&String> {
        match (self.own.front(), self.rows.front()) {
            (Some(own), Some(row)) if compare(row, own) == Ordering::Less => Some(row),
            (own, row) => own.or(row),
        }
    }

    fn pop(&mut self) -> Option<String> {
        let first = self.first()?.clone();
        // One that stands in both places is one member.
        for ids in [&mut self.own, &mut self.rows] {
            if ids.front() == Some(&first) {
                ids.pop_front();
            }
        }
        Some(first)
    }

    /// Reads a segment of the list.
    async fn read_on(
        &mut self,
        service: &dyn TableService,
        wanted: usize,
        stats: &mut RunStats,
    ) -> Result<(), Error> {
        let token = match std::mem::replace(&mut self.next, Next::End) {
            Next::End => return Ok(()),
            Next::Start => None,
            Next::At(first) => {
                self.read_own(service, &first, stats).await?;
                None
            }
            Next::Token(token) => Some(token),
        };
        if stats.ranges == 0 {
            stats.ranges = 1;
        }
        let top = u32::try_from(wanted + 1).map_or(1000, |most| most.min(1000));
        let query = Query {
            filter: Some(self.filter.clone()),
            top: Some(top),
            continuation: token,
            ..Query::default()
        };
        stats.requests += 1;
        let Segment { rows, continuation, stats: read, .. } =
            match service.query(&self.list.table, query).await {
                Err(error) if error.code() == ErrorCode::TableNotFound => return Ok(()),
                other => other?,
            };
        stats.read += read.read;
        for row in &rows {
            let row_key = row.row_key.unwrap_or_default();
            match self.list.member(row_key) {
                Some(id) => self.rows.push_back(id.to_owned()),
                None => self.own = self.ids_of(row)?.from(None).into(),
            }
        }
        self.next = continuation.map_or(Next::End, Next::Token);
        Ok(())
    }

    /// Reads the list's own row, for a run that goes on in the middle.
    async fn read_own(
        &mut self,
        service: &dyn TableService,
        first: &str,
        stats: &mut RunStats,
    ) -> Result<(), Error> {
        if self.list.ids.is_none() {
            return Ok(());
        }
        stats.requests += 1;
        let found = service.find(&self.list.table, &self.list.partition_key, self.list.row_key(), None).await;
        let found = match found {
            Err(error) if error.code() == ErrorCode::TableNotFound => return Ok(()),
            other => other?,
        };
        stats.read += found.len() as u64;
        if let Some(row) = found.get(0) {
            self.own = self.ids_of(row)?.from(Some(first)).into();
        }
        Ok(())
    }

    fn ids_of(&self, row: RowRef<'_>) -> Result<Ids, Error> {
        let Some(property) = self.list.ids else { return Ok(Ids::default()) };
        let ids = Ids::read(property, row.properties).map_err(|error| DecodeError {
            entity: self.list.lookup,
            partition_key: self.list.partition_key.clone(),
            row_key: self.list.row_key().to_owned(),
            problem: Box::new(RowProblem::Property(error)),
        });
        Ok(ids?)
    }
}
