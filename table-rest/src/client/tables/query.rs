//! Queries, segment by segment.

use azure_core::http::Method;
use table_model::{
    Continuation, ErrorCode, Filter, Name, Plan, Query, Result, Rows, Segment, SegmentStats, TableError,
    TableName,
    limits::{SEGMENT_ENTITIES, SELECT_NAMES},
    name,
};

use super::{Inner, request};
use crate::{
    client::{answer::Answer, outgoing::PAGE_ANSWER},
    wire::{
        continuation::{EntityToken, order, parameter},
        entity::read_rows,
        path::TablePath,
    },
};

impl Inner {
    pub(super) async fn query(&self, table: &TableName, query: Query) -> Result<Segment> {
        check_top(query.top)?;
        let plan = Plan::of(query.filter.as_ref());
        let mut stats = SegmentStats { class: plan.class, ranges: plan.ranges.len(), read: 0, returned: 0 };
        let mut outgoing = request(Method::Get, &TablePath::Entities(table.to_string())).most(PAGE_ANSWER);
        // The form of the official clients; some servers recognize a query only by these parentheses.
        outgoing.path.push_str("()");
        let order = if query.descending { order::DESCENDING } else { order::ASCENDING };
        let has_order = self.capabilities.reads_backward && *self.confirms_order.get().unwrap_or(&true);
        if has_order {
            outgoing = outgoing.header("x-tables-order", order);
        } else if query.descending {
            return Err(ascending_only());
        }
        let asked = Asked::of(query.filter)?;
        if let Asked::Matching(filter) = &asked {
            outgoing.query.push("$filter", filter);
        }
        if let Some(select) = select_text(query.select.as_deref())? {
            outgoing.query.push("$select", select);
        }
        if query.top == Some(0) || matches!(asked, Asked::Nothing) {
            return Ok(Segment { rows: Rows::new(), continuation: None, previous: None, stats });
        }
        let sent = query.continuation;
        if let Some(token) = &sent {
            let token = EntityToken::kept(token)?;
            outgoing.query.push(parameter::PARTITION_KEY, token.partition_key);
            // The service rejects an empty value.
            if let Some(row_key) = token.row_key.filter(|key| !key.is_empty()) {
                outgoing.query.push(parameter::ROW_KEY, row_key);
            }
        }
        outgoing.query = outgoing.query.with("$top", query.top);
        let answer = self.sender.send(&outgoing).await?;
        if has_order {
            let is_confirmed = answer.header("x-tables-order") == Some(order);
            self.confirms_order.get_or_init(|| is_confirmed);
            if query.descending && !is_confirmed {
                return Err(ascending_only());
            }
        }
        let rows = read_rows(&answer.body)?;
        stats.returned = rows.len() as u64;
        stats.read = stats.returned;
        let received = continuation(&answer)?;
        let [from, to] = [&sent, &received].map(|token| token.as_ref().map(Continuation::as_str));
        self.sender.empty_pages.check(from, to, rows.is_empty())?;
        let previous = previous(&answer)?;
        Ok(Segment { rows, continuation: received, previous, stats })
    }
}

/// Returns the continuation token of a response.
fn continuation(answer: &Answer) -> Result<Option<Continuation>> {
    let said = |name| answer.header(name).filter(|text| !text.is_empty()).map(str::to_owned);
    let Some(partition_key) = said("x-ms-continuation-nextpartitionkey") else { return Ok(None) };
    let row_key = said("x-ms-continuation-nextrowkey");
    EntityToken { partition_key, row_key }.keep().map(Some)
}

/// Returns the token of the page before a response, if the server sends one.
fn previous(answer: &Answer) -> Result<Option<Continuation>> {
    let token = answer.header("x-tables-previous").map(Continuation::new).transpose()?;
    token.map(|token| EntityToken::cut(&token).keep()).transpose()
}

fn ascending_only() -> TableError {
    let message = "The server returns entities in ascending order only. Use keys in descending order.";
    TableError::with_message(ErrorCode::NotImplemented, message)
}

/// The evaluated filter of a query.
pub(super) enum Asked {
    /// The filter matches all entities.
    All,
    /// The filter matches by this expression.
    Matching(String),
    /// The filter matches no entity; no request is needed.
    Nothing,
}

impl Asked {
    pub(super) fn of(filter: Option<Filter>) -> Result<Self> {
        let Some(filter) = filter else { return Ok(Self::All) };
        filter.check()?;
        Ok(match filter.normalized() {
            Filter::Constant(true) => Self::All,
            Filter::Constant(false) => Self::Nothing,
            filter => Self::Matching(filter.to_string()),
        })
    }
}

/// Returns the `$select` value. Names that are not valid property names are omitted, since no entity contains them.
pub(super) fn select_text(select: Option<&[Name]>) -> Result<Option<String>> {
    let Some(names) = select.filter(|names| !names.is_empty()) else { return Ok(None) };
    if names.len() > SELECT_NAMES {
        let message = format!("The selection has {} names; at most {SELECT_NAMES} are allowed.", names.len());
        return Err(TableError::with_message(ErrorCode::InvalidInput, message));
    }
    let can_be = |name: &&str| name::SYSTEM.contains(name) || name::check(name).is_ok();
    let text = names.iter().map(|name| &**name).filter(can_be).collect::<Vec<_>>().join(",");
    // An empty selection would select all properties.
    Ok(Some(if text.is_empty() { "Timestamp".to_owned() } else { text }))
}

/// Checks the page size: the limit is 1,000 entities, and larger values are an error.
pub(super) fn check_top(top: Option<u32>) -> Result<()> {
    match top {
        Some(top) if top as usize > SEGMENT_ENTITIES => {
            let message = format!("A segment has at most {SEGMENT_ENTITIES} entities; {top} were requested.");
            Err(TableError::with_message(ErrorCode::InvalidInput, message))
        }
        _ => Ok(()),
    }
}
