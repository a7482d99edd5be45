//! What a query costs, before it runs, and how this is known.

use maud::{Markup, html};
use table_advisor::money_text;
use table_designs::schema::Prices;
use table_model::{Plan, QueryClass, plan::QueryCost};

use super::{
    read::{MOST_READ, ROWS},
    sample::Sample,
};
use crate::show::{bytes, grouped};

/// Numbers of a query. `None` is an unknown one.
#[derive(Debug, PartialEq)]
pub(super) struct Estimate {
    pub(super) reads: Option<u64>,
    returns: Option<u64>,
    bytes: Option<u64>,
    /// How the numbers are known.
    source: String,
    price: f64,
}

impl Estimate {
    pub(super) fn new(plan: &Plan, cost: &QueryCost, sample: Option<Sample>) -> Self {
        let prices = Prices::default();
        let is_keys = matches!(cost.class, QueryClass::Point | QueryClass::MultiPoint);
        let price = if is_keys { prices.read_10k } else { prices.scan_10k }.unwrap_or(prices.tx_10k);
        let known = |reads: u64, returns: u64, source: String| Self {
            reads: Some(reads),
            returns: Some(returns),
            bytes: sample
                .filter(|sample| sample.returned > 0)
                .map(|sample| sample.bytes * returns / sample.returned),
            source,
            price,
        };
        let page = ROWS as u64;
        match sample {
            _ if is_keys => {
                let keys = plan.ranges.len() as u64;
                known(keys, sample.map_or(keys, |sample| sample.returned), "exact: by keys".to_owned())
            }
            Some(sample) if sample.is_whole => {
                known(sample.read, sample.returned, "exact: counted now".to_owned())
            }
            Some(sample) if sample.returned > 0 => known(
                (page * sample.read).div_ceil(sample.returned),
                page,
                format!("a page, estimated from {} rows", grouped(sample.read)),
            ),
            _ => match cost.most {
                Some(most) => known(most, most, "at most a page".to_owned()),
                None => Self { reads: None, returns: None, bytes: None, source: unknown(sample), price },
            },
        }
    }

    /// Returns the number of requests: each reads a bounded number of entities, and returns one page.
    fn requests(&self) -> Option<u64> {
        let pages = self.returns?.div_ceil(ROWS as u64);
        Some(pages.max(self.reads?.div_ceil(MOST_READ)).max(1))
    }

    pub(super) fn render(&self) -> Markup {
        let count = |count: Option<u64>| count.map_or_else(|| "unknown".to_owned(), grouped);
        let requests = self.requests();
        #[expect(clippy::cast_precision_loss, reason = "a price of two digits")]
        let price = requests.map(|requests| money_text(requests as f64 * self.price * 100.0, "USD"));
        html! {
            div {
                dl {
                    div { dt { "Reads ≈" } dd { (count(self.reads)) } }
                    div { dt { "Returns ≈" } dd { (count(self.returns)) } }
                    @if let Some(requests) = requests { div { dt { "Requests" } dd { (grouped(requests)) } } }
                    @if let Some(size) = self.bytes { div { dt { "Bytes" } dd { (bytes(size)) } } }
                    @if let Some(price) = price {
                        div title="On Azure, at an assumed price" { dt { "Per million runs" } dd { (price) } }
                    }
                }
                p.source { (self.source) }
            }
        }
    }
}

fn unknown(sample: Option<Sample>) -> String {
    match sample {
        Some(sample) => format!("none of the first {} rows matches", grouped(sample.read)),
        None => "rows of other places are not sampled".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use table_model::{Capabilities, Filter};

    use super::*;

    fn estimate(filter: &str, sample: Option<(u64, u64, bool)>) -> (Option<u64>, Option<u64>, Option<u64>) {
        let plan = Plan::of(Some(&Filter::parse(filter).unwrap()));
        let cost = QueryCost::new(&plan, &Capabilities::embedded()).up_to(Some(ROWS as u64));
        let sample = sample.map(|(read, returned, is_whole)| Sample { read, returned, bytes: 10, is_whole });
        let found = Estimate::new(&plan, &cost, sample);
        (found.reads, found.returns, found.requests())
    }

    #[test]
    fn an_estimate_says_only_what_is_known() {
        let point = "PartitionKey eq 'a' and RowKey eq 'b'";
        let residual = "PartitionKey eq 'a' and Age ge 3";
        for (filter, sample, expected) in [
            (point, None, (Some(1), Some(1), Some(1))),
            (point, Some((0, 0, true)), (Some(1), Some(0), Some(1))),
            ("PartitionKey eq 'a'", None, (Some(100), Some(100), Some(1))),
            (residual, None, (None, None, None)),
            (residual, Some((180, 120, true)), (Some(180), Some(120), Some(2))),
            (residual, Some((256, 3, false)), (Some(8534), Some(100), Some(1))),
            (residual, Some((256, 1, false)), (Some(25_600), Some(100), Some(3))),
            (residual, Some((256, 0, false)), (None, None, None)),
        ] {
            assert_eq!(estimate(filter, sample), expected, "{filter} {sample:?}");
        }
    }
}
