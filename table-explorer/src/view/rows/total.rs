//! What a query has read since its first page, in the address.

use table_model::Continuation;

use super::read::Read;
use crate::params::Params;

/// Totals of the requests of a query that have not filled a page yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Total {
    pub(super) rows: u64,
    pub(super) read: u64,
    pub(super) requests: u64,
}

impl Total {
    /// Reads the totals before this request from its address.
    pub(super) fn before(query: &Params) -> Self {
        let number = |name: &str| query.get(name).and_then(|text| text.parse().ok()).unwrap_or(0);
        Self { rows: number("rows"), read: number("read"), requests: number("requests") }
    }

    /// Adds a request.
    pub(super) fn and(self, read: &Read) -> Self {
        Self {
            rows: self.rows.saturating_add(read.rows.len() as u64),
            read: self.read.saturating_add(read.read),
            requests: self.requests.saturating_add(u64::from(read.requests)),
        }
    }

    /// Returns the parameters of the request that continues.
    pub(super) fn continued(self, query: &Params, token: &Continuation) -> Params {
        let Self { rows, read, requests } = self;
        [("rows", rows), ("read", read), ("requests", requests)]
            .iter()
            .fold(query.with("part", None).with("cursor", Some(token.as_str())), |params, (name, number)| {
                params.with(name, Some(&number.to_string()))
            })
    }

    /// Returns the parameters of another page, without totals.
    pub(super) fn removed(query: &Params) -> Params {
        ["part", "cursor", "rows", "read", "requests", "counts"]
            .iter()
            .fold(query.clone(), |params, name| params.with(name, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_travel_in_the_address() {
        let total = Total { rows: 12, read: 40_000, requests: 4 };
        let token = Continuation::new("abc").unwrap();
        let params = total.continued(&Params::from([("filter", "x"), ("rows", "7"), ("part", "1")]), &token);
        assert_eq!(params.to_query(), "?filter=x&cursor=abc&rows=12&read=40000&requests=4");
        assert_eq!(Total::before(&params), total);
        assert_eq!(Total::removed(&params).to_query(), "?filter=x");
        assert_eq!(Total::before(&Params::parse("read=-1&rows=x")), Total::default());
    }
}
