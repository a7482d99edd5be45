use table_advisor::{plain, simulate::Outcome};

use super::{
    super::{limit, report::Report},
    heat,
    markup::Markup,
};

const COLUMNS: [&str; 9] = [
    "#Servers",
    "#Offered",
    "#Served",
    "#Throttled",
    "#p50",
    "#p99",
    "#Ranges",
    "#Splits, moves",
    "#Steady after",
];

/// Writes the same load on increasing numbers of servers, and its distribution in the key space.
pub(super) fn write(page: &mut Markup, report: &Report<'_>) {
    let runs = &report.scale.runs;
    if runs.is_empty() {
        page.leaf("p", "dim", "The design specifies no load to simulate.");
        return;
    }
    page.leaf(
        "p",
        "dim",
        &format!(
            "{} entities per second on clusters of different sizes, at the end of the run.",
            plain(report.scale.rate)
        ),
    );
    page.table("", &COLUMNS, |page| {
        for (servers, outcome) in runs {
            page.element("tr", &[], |page| row(page, *servers, outcome));
        }
    });
    if let Some(limit) = limit::nearest(report) {
        page.classed("p", "", |page| page.prose(&limit.sentence(report)));
    }
    if let Some((servers, outcome)) = shown(runs) {
        heat::write(page, report, *servers, outcome);
    }
    page.leaf(
        "p",
        "dim",
        "The simulation models published properties of the service. Real clusters split and move ranges far less often, \
         so balancing takes longer. Use the results to compare designs, not to predict times.",
    );
}

fn row(page: &mut Markup, servers: usize, outcome: &Outcome) {
    let tail = &outcome.tail;
    let percent = |share: f64| format!("{share:.1} %");
    page.leaf("td", "n", &servers.to_string());
    page.number(tail.offered.round());
    page.leaf(
        "td",
        if tail.served_percent() < 99.0 { "n warning" } else { "n" },
        &percent(tail.served_percent()),
    );
    page.leaf("td", "n", &percent(tail.throttled_percent()));
    page.leaf("td", "n", &format!("{} ms", plain(outcome.latency.p50.round())));
    page.leaf("td", "n", &format!("{} ms", plain(outcome.latency.p99.round())));
    page.leaf("td", "n", &outcome.ranges.to_string());
    page.leaf("td", "n", &format!("{}, {}", outcome.splits, outcome.moves));
    match outcome.warm {
        Some(seconds) => page.leaf("td", "n", &format!("{seconds} s")),
        None => page.leaf("td", "n warning", "never"),
    }
}

/// Returns the most informative run: the first on several servers.
fn shown(runs: &[(usize, Outcome)]) -> Option<&(usize, Outcome)> {
    runs.iter().find(|(servers, _)| *servers > 1).or_else(|| runs.first())
}
