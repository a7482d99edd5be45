//! The counts of an account, from the metrics of the process.

use std::collections::BTreeMap;

use table_explorer::{Distribution, Totals};
use table_rest::server::telemetry;

use super::stores;

/// Adds up the metrics of an account in the text that Prometheus reads.
pub(super) fn of_account(text: &str, account: &str) -> Totals {
    let mut totals = Totals::default();
    let [mut latency, mut commits, mut syncs] = [const { BTreeMap::new() }; 3];
    let label = format!("account=\"{account}\"");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let Some((name, labels, value)) = split(line) else { continue };
        if !labels.split(',').any(|other| other == label) {
            continue;
        }
        let is_of_tables = labels.contains("service=\"table\"");
        let add = |buckets: &mut BTreeMap<u64, u64>, scale| {
            if let Some(bound) = label_of(labels, "le") {
                *buckets.entry(scaled(bound, scale)).or_default() += value;
            }
        };
        match name.strip_suffix("_bucket") {
            Some(name) if name == telemetry::REQUEST_SECONDS.name => add(&mut latency, MICROS),
            Some(name) if name == stores::COMMIT_OPERATIONS.name => add(&mut commits, 1.0),
            Some(name) if name == stores::SYNC_SECONDS.name => add(&mut syncs, MICROS),
            _ if name == telemetry::REQUESTS.name => {
                totals.requests += value;
                if is_of_tables {
                    count_table(&mut totals, labels, value);
                }
            }
            _ if name == telemetry::THROTTLED.name => totals.throttled += value,
            _ if is_of_tables && name == telemetry::ENTITIES_READ.name => totals.read += value,
            _ if is_of_tables && name == telemetry::ENTITIES_RETURNED.name => totals.returned += value,
            _ if name.strip_suffix("_sum") == Some(stores::COMMIT_OPERATIONS.name) => {
                totals.operations += value;
            }
            _ => {}
        }
    }
    [totals.latency, totals.commits, totals.syncs] = [latency, commits, syncs].map(distribution);
    totals
}

/// Adds requests to their table.
fn count_table(totals: &mut Totals, labels: &str, requests: u64) {
    let (Some(table), Some(operation)) = (label_of(labels, "table"), label_of(labels, "operation")) else {
        return;
    };
    let table = totals.tables.entry(table.to_owned()).or_default();
    let count = if operation.starts_with("Query") { &mut table.reads } else { &mut table.writes };
    *count += requests;
}

/// Returns the value of a label.
fn label_of<'l>(labels: &'l str, name: &str) -> Option<&'l str> {
    labels.split(',').find_map(|label| {
        let value = label.strip_prefix(name)?.strip_prefix("=\"")?;
        value.strip_suffix('"')
    })
}

const MICROS: f64 = 1e6;

/// Splits a line `name{label="value",…} value`. A fraction of the value is cut.
fn split(line: &str) -> Option<(&str, &str, u64)> {
    let (name, rest) = line.split_once('{')?;
    let (labels, value) = rest.rsplit_once('}')?;
    let value = value.trim();
    Some((name, labels, value.split('.').next()?.parse().ok()?))
}

/// Returns a bound in a smaller unit; `+Inf` is the maximum.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bounds are small; infinity saturates"
)]
fn scaled(bound: &str, scale: f64) -> u64 {
    bound.parse::<f64>().map_or(u64::MAX, |bound| (bound * scale).round() as u64)
}

/// Converts counts of values up to each bound, the last of which is the maximum.
fn distribution(mut up_to: BTreeMap<u64, u64>) -> Distribution {
    let all = up_to.remove(&u64::MAX).unwrap_or_default();
    let mut before = 0;
    let buckets = up_to.into_iter().map(|(bound, count)| {
        let of_bucket = count.saturating_sub(before);
        before = count;
        (bound, of_bucket)
    });
    Distribution { buckets: buckets.collect(), above: all.saturating_sub(before) }
}

#[cfg(test)]
mod tests {
    use metrics::{counter, histogram, with_local_recorder};

    use super::*;

    #[test]
    fn the_metrics_of_an_account_are_added_up() {
        let recorder = super::super::builder().unwrap().build_recorder();
        with_local_recorder(&recorder, || {
            for (account, table, times) in [("a", "one", 2_u32), ("a", "two", 1), ("b", "one", 7)] {
                let operation = if table == "two" { "InsertEntity" } else { "QueryEntity" };
                let labels =
                    [("service", "table"), ("account", account), ("table", table), ("operation", operation)];
                counter!(telemetry::REQUESTS.name, &labels).increment(times.into());
                counter!(telemetry::ENTITIES_READ.name, &labels).increment(10);
                for _ in 0..times {
                    histogram!(telemetry::REQUEST_SECONDS.name, &labels).record(0.0002);
                }
            }
            counter!(telemetry::ENTITIES_READ.name, "service" => "queue", "account" => "a").increment(100);
            histogram!(telemetry::REQUEST_SECONDS.name, "account" => "a").record(99.0);
            for operations in [1, 100] {
                histogram!(stores::COMMIT_OPERATIONS.name, "account" => "a").record(operations);
            }
            histogram!(stores::SYNC_SECONDS.name, "account" => "a").record(0.02);
        });
        let totals = of_account(&recorder.handle().render(), "a");
        assert_eq!((totals.requests, totals.read, totals.operations), (3, 20, 101));
        let counted = |distribution: &Distribution| {
            let buckets = distribution.buckets.iter().filter(|(_, count)| *count > 0);
            (buckets.copied().collect::<Vec<_>>(), distribution.above)
        };
        assert_eq!(counted(&totals.latency), (vec![(300, 3)], 1));
        assert_eq!(counted(&totals.commits), (vec![(1, 1), (100, 1)], 0));
        assert_eq!(counted(&totals.syncs), (vec![(30_000, 1)], 0));
        let tables: Vec<_> =
            totals.tables.iter().map(|(table, count)| (&**table, count.reads, count.writes)).collect();
        assert_eq!(tables, [("one", 2, 0), ("two", 0, 1)]);
        assert_eq!(of_account("", "a"), Totals::default());
    }
}
