use std::{cmp::Ordering, collections::VecDeque};

use futures_util::{StreamExt, stream::FuturesOrdered};
use table_model::{
    Continuation, ErrorCode, Filter, Name, Query, Rows, Segment, TableName, TableService, key::compare,
};

use super::{RunStats, batch::too_large};
use crate::{
    Error, Tables,
    core::{
        cursor::Place,
        spec::list::{List, Member},
    },
};

/// Number of members that are read concurrently.
const AT_ONCE: usize = 8;

/// Reader of the members of a list. Members are read on demand in key order, merged from the list row and the member
/// rows, or read from blobs.
#[derive(Debug)]
pub(super) struct Members {
    list: List,
    /// Members from the list row or from blobs.
    own: VecDeque<Member>,
    /// Members from member rows, as far as these were read.
    rows: VecDeque<Member>,
    filter: Filter,
    /// Start of the next read.
    next: Next,
    /// Last member that was returned.
    last: Option<String>,
}

/// Start of the next read of the list.
#[derive(Debug)]
enum Next {
    /// The first member.
    Start,
    /// This member.
    At(String),
    Token(Continuation),
    End,
}

impl Members {
    pub(super) fn new(list: List, place: &Place) -> Self {
        let next = match place {
            Place::At { row_key, .. } => Next::At(row_key.clone()),
            Place::Start | Place::Token(_) | Place::Back(_) | Place::Point(_) | Place::Row(_) => Next::Start,
        };
        let filter = list.filter(match &next {
            Next::At(first) => Some(first),
            _ => None,
        });
        Self { list, own: VecDeque::new(), rows: VecDeque::new(), filter, next, last: None }
    }

    /// Returns the table of the members.
    pub(super) const fn entities(&self) -> &TableName {
        &self.list.entities
    }

    /// Reads the current state of up to `most` further members. Members that were skipped are counted in `stats`.
    pub(super) async fn read(
        &mut self,
        tables: &Tables,
        most: usize,
        select: Option<&[Name]>,
        stats: &mut RunStats,
    ) -> Result<Rows, Error> {
        let members = self.members(tables, most, stats).await?;
        let (service, table) = (&**tables.service(), &self.list.entities);
        let (mut asked, mut left) = (FuturesOrdered::new(), members.iter());
        let mut rows = Rows::new();
        loop {
            for Member { partition_key, row_key, .. } in left.by_ref().take(AT_ONCE - asked.len()) {
                asked.push_back(service.find(table, partition_key, row_key, select));
            }
            let Some(member) = asked.next().await else { break };
            let member = match member {
                Err(error) if error.code() == ErrorCode::TableNotFound => Rows::new(),
                other => other?,
            };
            stats.requests += 1;
            stats.read += member.len() as u64;
            // A projection does not contain the fields that determine membership.
            let is_member = |row| select.is_some() || self.list.still_has(tables.source(table), row);
            if member.get(0).is_some_and(is_member) {
                rows.append(member).map_err(too_large)?;
            } else {
                stats.skipped += 1;
            }
        }
        self.last = members.last().map(|member| member.id.clone()).or(self.last.take());
        Ok(rows)
    }

    /// Returns the start of the next read, or `None` at the end.
    pub(super) fn place(&self) -> Option<Place> {
        let row_key = match self.first() {
            Some(next) => next.id.clone(),
            None if matches!(self.next, Next::End) => return None,
            // A space is the smallest character allowed in keys, so no key sorts between the two.
            None => format!("{} ", self.last.as_deref().unwrap_or_default()),
        };
        Some(Place::At { token: None, partition_key: self.list.partition_key.clone(), row_key })
    }

    async fn members(
        &mut self,
        tables: &Tables,
        most: usize,
        stats: &mut RunStats,
    ) -> Result<Vec<Member>, Error> {
        let mut members = Vec::new();
        while members.len() < most {
            if self.rows.is_empty() && !matches!(self.next, Next::End) {
                if self.list.blob.is_some() {
                    self.read_blobs(tables, stats).await?;
                } else {
                    self.read_on(&**tables.service(), most - members.len(), stats).await?;
                }
                continue;
            }
            let Some(member) = self.pop() else { break };
            members.push(member);
        }
        stats.ranges += members.len();
        Ok(members)
    }

    /// Reads a complete list that is stored in blobs.
    async fn read_blobs(&mut self, tables: &Tables, stats: &mut RunStats) -> Result<(), Error> {
        let next = std::mem::replace(&mut self.next, Next::End);
        let Some(blob) = &self.list.blob else { return Ok(()) };
        let (pairs, requests) = blob.read_all(tables).await?;
        stats.requests += requests;
        let first = if let Next::At(first) = &next { Some(first.as_str()) } else { None };
        self.own = List::members(pairs, first).into();
        Ok(())
    }

    /// Returns the first buffered member.
    fn first(&self) -> Option<&Member> {
        match (self.own.front(), self.rows.front()) {
            (Some(own), Some(row)) if compare(&row.id, &own.id) == Ordering::Less => Some(row),
            (own, row) => own.or(row),
        }
    }

    fn pop(&mut self) -> Option<Member> {
        let first = self.first()?.clone();
        // A member that appears in both sources counts once.
        for members in [&mut self.own, &mut self.rows] {
            if members.front().is_some_and(|member| member.id == first.id) {
                members.pop_front();
            }
        }
        Some(first)
    }

    /// Reads the next segment of the list.
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
            if self.list.is_own(row) {
                self.own = self.list.own(row, None)?.into();
            } else {
                self.rows.extend(self.list.member(row));
            }
        }
        self.next = continuation.map_or(Next::End, Next::Token);
        Ok(())
    }

    /// Reads the list row for a run that resumes inside the list.
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
            self.own = self.list.own(row, Some(first))?.into();
        }
        Ok(())
    }
}
