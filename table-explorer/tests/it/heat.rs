//! The load of a server.

use std::{sync::Arc, time::Duration};

use table_explorer::{
    Distribution, Explorer, HeatSpan, HeatStep, HotPartition, Observed, Place, SlowRequest, TableTotals,
    Totals, TotalsAt,
};
use table_model::{Entity, Timestamp};

use crate::{client::Served, store};

/// A server that answered 6,000 requests in the last minute.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) is_own: bool,
}

impl Observed for Measured {
    fn is_own(&self) -> bool {
        self.is_own
    }

    fn totals(&self) -> Vec<TotalsAt> {
        let mut latency = Distribution::with_bounds([100, 1_000]);
        (0..98).for_each(|_| latency.add(50));
        (0..2).for_each(|_| latency.add(700));
        let commits = Distribution { buckets: vec![(1, 0), (3, 40)], above: 0 };
        let totals = Totals {
            requests: 6_000,
            throttled: 7,
            read: 90,
            returned: 20,
            operations: 100,
            latency,
            commits: if self.is_own { Distribution::default() } else { commits },
            syncs: Distribution::default(),
            tables: [("employees".to_owned(), TableTotals { reads: 6_000, writes: 60 })].into(),
        };
        let now = Timestamp::now();
        let before = now.saturating_sub(Duration::from_secs(60));
        vec![TotalsAt { at: before, totals: Totals::default() }, TotalsAt { at: now, totals }]
    }

    fn heat(&self, span: HeatSpan) -> Vec<HeatStep> {
        let hot = |table: &str, partition: &str, entities, overestimate| HotPartition {
            table: table.to_owned(),
            partition: partition.to_owned(),
            entities,
            overestimate,
        };
        let step = |start, partitions| HeatStep { start, entities: 100, partitions };
        if span == HeatSpan::Day {
            return vec![step(10, vec![hot("employees", "Yesterday", 60, 0)])];
        }
        vec![
            step(10, vec![hot("employees", "Sales", 60, 0), hot("other", "x", 9, 0)]),
            step(11, vec![hot("employees", "Research & <b>", 90, 5)]),
        ]
    }

    fn slow_requests(&self) -> Vec<SlowRequest> {
        let mut request = SlowRequest::default();
        "7c1e0000-0000-0000-0000-000000000000".clone_into(&mut request.id);
        request.time = Timestamp::UNIX_EPOCH.to_full_string();
        request.operation = "EntityGroupTransaction";
        request.filter = Some("Column eq ? and Other ge ?".repeat(3));
        request.class = Some("partition-scan");
        request.table = Some("employees".to_owned());
        request.partition = Some("5d41402abc4b2a76".to_owned());
        vec![request; 500]
    }
}

fn serve(is_own: bool) -> Served {
    let store = store([Entity::new("Sales", "1")]);
    Served::start(Explorer::new(Place::of_store("a", store).observed(Arc::new(Measured { is_own }))))
}

#[test]
fn figures_are_of_the_last_hour() {
    let page = serve(false).get("/heat");
    page.is(200)
        .has("<b>100</b><span>requests/s; 7 throttled")
        .has("<b>≤ 1 ms</b><span>p99")
        .has("p50: ≤ 100 µs");
    page.has("<b>4.5</b><span>entities read per returned").has("<b>2.5</b><span>operations per commit");
    page.has("Commit group size")
        .has("<title>≤ 3: 40</title>")
        .lacks("Sync latency")
        .lacks("sees only its own requests");
    page.has("<h2>Server</h2>").has("until").has("data-poll=\"/heat?part=1\"");
}

#[test]
fn the_load_of_a_day_is_that_of_its_address() {
    let served = serve(false);
    let page = served.get("/heat?span=day");
    page.is(200).has("aria-current=\"true\">24 h</a>").has("Yesterday").lacks("Research");
    page.has("data-poll=\"/heat?span=day&amp;part=1\"");
    served.get("/heat?span=day&part=1").is(200).has("Yesterday").lacks("<h1>");
    served
        .get("/heat?span=hour")
        .is(200)
        .has("aria-current=\"true\">1 h</a>")
        .has("Research")
        .lacks("Yesterday");
}

#[test]
fn an_explorer_says_that_it_sees_its_own_requests() {
    let served = serve(true);
    let page = served.get("/heat");
    page.is(200).has("sees only its own requests").has("--explorer-port").has("<h2>This explorer</h2>");
    page.lacks("operations per commit").lacks("Commit group size");
    served.get("/requests").has("<h1>Requests</h1>").has("sees only its own requests");
}

#[test]
fn a_page_of_requests_is_small() {
    let served = serve(false);
    let page = served.get("/requests");
    assert!(page.is(200).text.len() < 100_000, "{}", page.text.len());
    page.has("7c1e0000").has("5d41402abc4b2a76");
    served.get("/requests?table=Employees").has("7c1e0000");
    served.get("/requests?table=Other").lacks("7c1e0000").has(">All</a>");
}

#[test]
fn partitions_are_listed_by_load() {
    let served = serve(false);
    let page = served.get("/t/Employees?order=busiest");
    let first = page.is(200).text.find("Research &amp; &lt;b&gt;").unwrap();
    assert!(first < page.text.find("<bdi>Sales</bdi>").unwrap(), "{}", page.text);
    page.has("<td class=\"n\">90</td><td class=\"n dim\">≤ 5</td>").lacks("<bdi>x</bdi>");
    served.get("/t/Employees").has("order=busiest");
    served.get("/t/None?order=busiest").is(200).has("No request was measured");
}
