//! Comparison of the simulator with reference runs.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::panic,
    reason = "a test that cannot go on says why"
)]

use serde_json::Value;
use table_advisor::simulate::{End, Kind, Outcome, Parameters, Stream, harmonic, run, unit};

fn vectors() -> Value {
    serde_json::from_str(include_str!("../vectors/sim.json")).expect("JSON")
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().expect("a number")
}

fn count(value: &Value, key: &str) -> usize {
    usize::try_from(value[key].as_u64().expect("a count")).expect("a small one")
}

fn stream(value: &Value) -> Stream {
    let end = if value["end"] == "append" { End::Append } else { End::Prepend };
    let kind = match value["kind"].as_str() {
        Some("rising") => Kind::Rising { end, concurrent: number(value, "concurrent") },
        _ => Kind::Spread { zipf: number(value, "zipf") },
    };
    let name = value["name"].as_str().expect("a name").to_owned();
    Stream { name, rate: number(value, "rate"), partitions: number(value, "partitions"), kind }
}

fn parameters(run: &Value) -> Parameters {
    let mut parameters = Parameters::default();
    for (key, value) in run["params"].as_object().expect("parameters") {
        let whole = || usize::try_from(value.as_u64().expect("a count")).expect("a small one");
        let real = || value.as_f64().expect("a number");
        match key.as_str() {
            "servers" => parameters.servers = whole(),
            "account_rate" => parameters.account_rate = real(),
            "initial_ranges" => parameters.initial_ranges = whole(),
            "ticks" => parameters.seconds = whole(),
            "merges" => parameters.merges = whole(),
            "ranges_low" => parameters.ranges_low = real(),
            "seed" => parameters.seed = value.as_u64().expect("a seed"),
            "shape" => {
                let steps = value.as_array().expect("steps");
                let step = |step: &Value| {
                    let second = step[0].as_u64().expect("a second");
                    (usize::try_from(second).expect("a small one"), step[1].as_f64().expect("a factor"))
                };
                parameters.shape = steps.iter().map(step).collect();
            }
            other => panic!("an unknown parameter: {other}"),
        }
    }
    if let Some(ranges) = run.get("initial_ranges") {
        parameters.initial_ranges = usize::try_from(ranges.as_u64().expect("a count")).expect("a small one");
    }
    parameters
}

/// Returns the values outside the tolerances.
fn differences(outcome: &Outcome, expected: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut near = |what: &str, is: f64, wanted: f64, by: f64| {
        if (is - wanted).abs() > by {
            found.push(format!("{what} {is:.3} for {wanted:.3}"));
        }
    };
    near("offered", outcome.tail.offered, number(expected, "offered"), 0.001 * number(expected, "offered"));
    near("served %", outcome.tail.served_percent(), number(expected, "served_percent"), 0.5);
    near("503 %", outcome.tail.throttled_percent(), number(expected, "throttled_percent"), 1.0);
    near("failed %", outcome.tail.failed_percent(), number(expected, "failed_percent"), 0.5);
    near("run served %", outcome.run.served_percent(), number(expected, "run_served_percent"), 0.5);
    near("run failed %", outcome.run.failed_percent(), number(expected, "run_failed_percent"), 0.5);
    let latency = &expected["latency_ms"];
    for (key, is) in
        [("p50", outcome.latency.p50), ("p95", outcome.latency.p95), ("p99", outcome.latency.p99)]
    {
        near(key, is, number(latency, key), 0.05 * number(latency, key));
    }
    let first = number(expected, "first_cycle_served");
    near("first cycle", outcome.first_cycle, first, 0.005 * first + 0.5);
    near("hottest %", outcome.hottest_percent, number(expected, "hottest_partition_percent"), 0.1);
    // The actions of the manager depend on each other, so their numbers must match exactly.
    let mut counted = |what: &str, is: usize| {
        let wanted = count(expected, what);
        if is != wanted {
            found.push(format!("{what} {is} for {wanted}"));
        }
    };
    counted("ranges", outcome.ranges);
    counted("servers_used", outcome.servers_used);
    counted("splits", outcome.splits);
    counted("moves", outcome.moves);
    counted("merges", outcome.merges);
    counted("warm_s", outcome.warm.unwrap_or(usize::MAX));
    if let Some(heat) = expected.get("heat") {
        found.extend(heat_differences(outcome, heat));
    }
    found
}

fn heat_differences(outcome: &Outcome, heat: &Value) -> Vec<String> {
    let rows = heat.as_array().expect("rows");
    assert_eq!(rows.len(), outcome.heat.len());
    let mut found = Vec::new();
    for (at, (row, is)) in rows.iter().zip(&outcome.heat).enumerate() {
        let row: Vec<f64> =
            row.as_array().expect("a row").iter().map(|cell| cell.as_f64().expect("a number")).collect();
        let sum: f64 = row.iter().sum();
        assert_eq!(row.len(), is.len());
        let off = row.iter().zip(is).map(|(wanted, is)| (wanted - is).abs()).fold(0.0, f64::max);
        if off > 0.02 * sum + 0.1 {
            found.push(format!("heat of row {at} is {off:.1} off of {sum:.1}"));
        }
    }
    found
}

fn hold(group: &str) {
    let mut failures = Vec::new();
    for reference in vectors()[group].as_array().expect("runs") {
        let streams: Vec<Stream> =
            reference["streams"].as_array().expect("streams").iter().map(stream).collect();
        let outcome = run(&streams, &parameters(reference));
        let found = differences(&outcome, &reference["result"]);
        if !found.is_empty() {
            failures.push(format!(
                "{} on {}: {}",
                reference["scenario"],
                reference["servers"],
                found.join(", ")
            ));
        }
    }
    assert!(failures.is_empty(), "{} runs differ:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn numbers_by_seed_and_sums_are_those_of_reference() {
    let vectors = vectors();
    for line in vectors["splitmix"].as_array().expect("lines") {
        let (seed, place) = (line["seed"].as_u64().expect("a seed"), line["i"].as_u64().expect("a place"));
        assert!((unit(seed, place) - number(line, "unit")).abs() < 1e-15);
    }
    for line in vectors["zipf"].as_array().expect("lines") {
        let (is, wanted) = (harmonic(number(line, "n"), number(line, "s")), number(line, "h"));
        assert!((is - wanted).abs() < wanted * 1e-10, "{line}: {is}");
    }
}

#[test]
fn the_grid_holds() {
    hold("grid");
}

#[test]
fn declared_loads_hold() {
    hold("declared");
}

#[test]
fn limits_of_an_account_hold() {
    hold("account");
}

#[test]
fn tables_that_were_warmed_hold() {
    hold("prewarm");
}

#[test]
fn a_spike_holds() {
    hold("spike");
}

#[test]
fn other_seeds_hold() {
    hold("seeds");
}

#[test]
fn heat_maps_hold() {
    hold("heat");
}

/// Returns the served rate without limits of servers and accounts: each partition serves requests up to its own limit.
fn closed_form(streams: &[Stream], parameters: &Parameters) -> f64 {
    let of = |stream: &Stream| match stream.kind {
        Kind::Rising { concurrent, .. } => {
            stream.rate.min(concurrent * parameters.partition_rate).min(parameters.server_rate)
        }
        Kind::Spread { zipf } => {
            let sum = harmonic(stream.partitions, zipf);
            let ranks = 1..=stream.partitions.min(100_000.0) as u32;
            let over = |rank: u32| {
                (stream.rate * f64::from(rank).powf(-zipf) / sum - parameters.partition_rate).max(0.0)
            };
            stream.rate - ranks.map(over).sum::<f64>()
        }
    };
    let sum: f64 = streams.iter().map(of).sum();
    let servers = f64::from(u32::try_from(parameters.servers).expect("a small one"));
    let account = if parameters.account_rate > 0.0 { parameters.account_rate } else { f64::INFINITY };
    sum.min(servers * parameters.server_rate).min(account)
}

#[test]
fn what_is_served_in_the_end_is_what_can_be() {
    for reference in vectors()["grid"].as_array().expect("runs") {
        let streams: Vec<Stream> =
            reference["streams"].as_array().expect("streams").iter().map(stream).collect();
        let parameters = parameters(reference);
        let (is, can) = (run(&streams, &parameters).tail.served, closed_form(&streams, &parameters));
        let offered: f64 = streams.iter().map(|stream| stream.rate).sum();
        assert!((is - can).abs() <= 0.005 * offered, "{}: {is} of {can}", reference["scenario"]);
    }
}

#[test]
fn more_servers_never_serve_less_and_none_serves_more_than_it_can() {
    let streams =
        [Stream::spread("t", 60_000.0, 300.0, 1.0), Stream::rising("log", 15_000.0, 9.0, End::Append)];
    let mut before = 0.0;
    for servers in [1, 2, 4, 8, 16, 32] {
        for seed in 1..4 {
            let parameters = Parameters { servers, seed, cells: 512, ..Parameters::default() };
            let outcome = run(&streams, &parameters);
            let most = f64::from(u32::try_from(servers).expect("a small one")) * parameters.server_rate;
            for span in [outcome.tail, outcome.run] {
                assert!(span.served <= span.offered * (1.0 + 1e-9) && span.served <= most * (1.0 + 1e-9));
            }
            assert!(outcome.tail.served_percent() >= before - 0.5, "{servers} servers, seed {seed}");
            before = before.max(outcome.tail.served_percent() - 0.5);
        }
    }
}

#[test]
fn splitting_a_table_that_rises_never_raises_its_rate() {
    let served = |initial_ranges| {
        let parameters = Parameters { initial_ranges, ..Parameters::default() };
        run(&[Stream::rising("log", 70_000.0, 1e9, End::Prepend)], &parameters).tail.served
    };
    for ranges in [2, 16, 65, 1_000] {
        assert!(served(ranges) <= served(1) + 1.0, "{ranges}");
    }
}

#[test]
fn a_run_that_nobody_wants_anything_of_ends_with_nothing() {
    let parameters = Parameters { shape: vec![(0, 3.0), (600, 0.0)], ..Parameters::default() };
    let outcome = run(&[Stream::spread("t", 30_000.0, 50.0, 1.0)], &parameters);
    assert_eq!((outcome.tail.offered, outcome.tail.served, outcome.tail.throttled), (0.0, 0.0, 0.0));
    assert!(outcome.run.failed > 0.0 && outcome.run.served > 0.0);
}

#[test]
fn no_numbers_make_it_stumble() {
    for servers in [0, 1] {
        for (seconds, cycle, cells, ranges) in [(0, 0, 0, 0), (1, 0, 1, 9), (40, 7, 3, 100)] {
            let parameters = Parameters {
                servers,
                seconds,
                cycle,
                cells,
                initial_ranges: ranges,
                backoff: Vec::new(),
                heat: (0, 0),
                ..Parameters::default()
            };
            for rate in [0.0, 1e12, f64::NAN] {
                let outcome = run(
                    &[Stream::spread("t", rate, 0.0, 3.0), Stream::spread("u", rate, 5.0, 0.0)],
                    &parameters,
                );
                assert!(outcome.ranges >= 2);
            }
        }
    }
}
