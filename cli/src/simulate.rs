//! `tables simulate`: simulates a design on servers that split, move and merge its ranges, and throttle.

use std::{fmt::Write, process::ExitCode};

use clap::{Args, ValueEnum};
use serde_json::json;
use table_advisor::{
    Model, plain,
    simulate::{Outcome, Parameters, Stream, run as simulate},
    streams,
};

use crate::{
    advise::{at_rate, parameters},
    design::{Design, DesignFile},
    error::CommandError,
    heat, outcome,
    table::{
        Side::{Left, Right},
        Table,
    },
    text::{WIDTH, counted, json_text},
};

/// Simulate a design on servers that split and move key ranges
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    design: DesignFile,

    /// Number of servers
    #[arg(long, value_name = "COUNT", default_value = "10", value_parser = crate::values::servers)]
    servers: usize,

    /// Load in entities per second, in the declared proportions [default: the declared peak]
    #[arg(long, value_name = "RATE", value_parser = crate::values::rate)]
    rate: Option<f64>,

    /// Simulated time in minutes
    #[arg(long, value_name = "MINUTES", default_value = "15", value_parser = crate::values::minutes)]
    minutes: usize,

    /// Seed that selects the hot partitions
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// Output formats.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Text for a terminal
    Text,
    /// JSON with unrounded numbers
    Json,
}

impl Arguments {
    /// Returns whether the output is JSON.
    pub(crate) const fn prints_json(&self) -> bool {
        matches!(self.form(), Format::Json)
    }

    const fn form(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

const EXAMPLES: &str = "\
Examples:
  tables simulate company.toml --servers 10
  tables simulate company.toml --servers 1000 --rate 1e6 --minutes 60
  tables simulate company.toml --format json

The simulated account has no limit, so the results show the limits of the keys. The same seed \
produces the same run.";

/// Maximum number of reported moments of the partition manager.
const MOMENTS: usize = 20;

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let DesignFile { file, load } = &arguments.design;
    let Design { schema, .. } = Design::read(file, load.as_deref())?;
    let streams = at_rate(streams(&Model::new(&schema)), arguments.rate);
    if streams.is_empty() {
        return Err(CommandError::NothingAsked);
    }
    let seconds = arguments.minutes * 60;
    let usual = parameters(&schema, arguments.seed);
    let parameters = Parameters {
        servers: arguments.servers,
        seconds,
        tail: usual.tail.min(seconds),
        heat: (15, 64),
        ..usual
    };
    let outcome = simulate(&streams, &parameters);
    crate::print(&match arguments.form() {
        Format::Text => text(&streams, &parameters, &outcome),
        Format::Json => {
            let streams: Vec<_> = streams.iter().map(outcome::stream).collect();
            let run = outcome::run(arguments.servers, &outcome);
            let object = json!({ "design": schema.name, "seconds": seconds, "seed": arguments.seed, "streams": streams, "run": run });
            json_text(format_args!("{object:#}"))
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

fn text(streams: &[Stream], parameters: &Parameters, outcome: &Outcome) -> String {
    let mut out = String::new();
    let mut asked =
        Table::new([("partition group", Left), ("entities per second", Right), ("partitions", Right)]);
    for stream in streams {
        asked.row([stream.name.as_str().into(), plain(stream.rate).into(), plain(stream.partitions).into()]);
    }
    out += &asked.text(Some(WIDTH));
    let (tail, servers) = (outcome.tail, counted(parameters.servers, "server"));
    _ = writeln!(out, "\n{servers}, {} s; results of the last {} s:", parameters.seconds, parameters.tail);
    let mut came = Table::new([("", Left), ("", Right)]);
    let warm = outcome.warm.map_or_else(|| "never".to_owned(), |second| format!("{second} s"));
    let latency = outcome.latency;
    let rows = [
        ("offered", format!("{} per second", plain(tail.offered))),
        ("served", format!("{} per second, {:.2} %", plain(tail.served), tail.served_percent())),
        ("throttled", format!("{:.2} % of responses", tail.throttled_percent())),
        ("failed", format!("{:.2} %", tail.failed_percent())),
        ("p50 / p95 / p99", format!("{:.1} / {:.1} / {:.1} ms", latency.p50, latency.p95, latency.p99)),
        ("steady after", warm),
        ("hottest partition", format!("{} % of its target", plain(outcome.hottest_percent))),
        ("ranges", format!("{} on {}", outcome.ranges, counted(outcome.servers_used, "server"))),
        ("splits, moves, merges", format!("{}, {}, {}", outcome.splits, outcome.moves, outcome.merges)),
    ];
    for (what, number) in rows {
        came.row([what.into(), number.into()]);
    }
    out += came.text(Some(WIDTH)).split_once('\n').map_or("", |(_, rows)| rows);
    timeline(&mut out, outcome);
    _ = writeln!(out, "\nServed load, time (rows) by key space (columns):");
    for line in heat::lines(outcome, parameters.seconds) {
        _ = writeln!(out, "{line}");
    }
    out
}

fn timeline(out: &mut String, outcome: &Outcome) {
    if outcome.timeline.is_empty() {
        return;
    }
    out.push('\n');
    let mut table = Table::new([
        ("second", Right),
        ("splits", Right),
        ("moves", Right),
        ("merges", Right),
        ("ranges", Right),
    ]);
    for moment in outcome.timeline.iter().take(MOMENTS) {
        let numbers = [moment.second, moment.splits, moment.moves, moment.merges, moment.ranges];
        table.row(numbers.map(|number| number.to_string().into()));
    }
    *out += &table.text(Some(WIDTH));
    let more = outcome.timeline.len().saturating_sub(MOMENTS);
    if more > 0 {
        _ = writeln!(out, "  and {more} more");
    }
}
