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
    text::counted,
};

/// Tries a design on servers, before anybody pays for them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    design: DesignFile,

    /// How many servers
    #[arg(long, value_name = "N", default_value = "10", value_parser = crate::values::servers)]
    servers: usize,

    /// Entities a second, in the declared proportions; else the declared peak
    #[arg(long, value_name = "N", value_parser = crate::values::rate)]
    rate: Option<f64>,

    /// How long
    #[arg(long, value_name = "N", default_value = "15", value_parser = crate::values::minutes)]
    minutes: usize,

    /// Decides which partitions are the wanted ones
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How it is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// The forms of an outcome.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For a terminal
    Text,
    /// An object, numbers not rounded
    Json,
}

const EXAMPLES: &str = "\
Examples:
  tables simulate company.toml --servers 10
  tables simulate company.toml --servers 1000 --rate 1e6 --minutes 60
  tables simulate company.toml --format json

An account has no limit here: what is shown is what the keys allow. The same seed gives the same run.";

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
    let format = if arguments.json { Format::Json } else { arguments.format };
    crate::print(&match format {
        Format::Text => text(&streams, &parameters, &outcome),
        Format::Json => {
            let streams: Vec<_> = streams.iter().map(outcome::stream).collect();
            let run = outcome::run(arguments.servers, &outcome);
            format!(
                "{:#}\n",
                json!({ "design": schema.name, "seconds": seconds, "seed": arguments.seed, "streams": streams, "run": run })
            )
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

fn text(streams: &[Stream], parameters: &Parameters, outcome: &Outcome) -> String {
    let mut out = String::new();
    let mut asked =
        Table::new([("partitions of", Left), ("entities a second", Right), ("partitions", Right)]);
    for stream in streams {
        asked.row([stream.name.as_str().into(), plain(stream.rate).into(), plain(stream.partitions).into()]);
    }
    out += &asked.text();
    let (tail, servers) = (outcome.tail, counted(parameters.servers, "server"));
    _ = writeln!(out, "\n{servers}, {} s, the last {} s:", parameters.seconds, parameters.tail);
    let mut came = Table::new([("", Left), ("", Right)]);
    let warm = outcome.warm.map_or_else(|| "never".to_owned(), |second| format!("{second} s"));
    let latency = outcome.latency;
    let rows = [
        ("offered", format!("{} a second", plain(tail.offered))),
        ("served", format!("{} a second, {:.2} %", plain(tail.served), tail.served_percent())),
        ("throttled", format!("{:.2} % of answers", tail.throttled_percent())),
        ("failed", format!("{:.2} %", tail.failed_percent())),
        ("p50 / p95 / p99", format!("{:.1} / {:.1} / {:.1} ms", latency.p50, latency.p95, latency.p99)),
        ("warm after", warm),
        ("hottest partition", format!("{} % of its target", plain(outcome.hottest_percent))),
        ("ranges", format!("{} on {}", outcome.ranges, counted(outcome.servers_used, "server"))),
        ("splits, moves, merges", format!("{}, {}, {}", outcome.splits, outcome.moves, outcome.merges)),
    ];
    for (what, number) in rows {
        came.row([what.into(), number.into()]);
    }
    out += came.text().split_once('\n').map_or("", |(_, rows)| rows);
    timeline(&mut out, outcome);
    _ = writeln!(out, "\nServed, time by key space:");
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
    *out += &table.text();
    let more = outcome.timeline.len().saturating_sub(MOMENTS);
    if more > 0 {
        _ = writeln!(out, "  and {more} more");
    }
}
