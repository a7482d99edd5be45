//! Command-line arguments.

use std::{path::PathBuf, time::Duration};

use crate::{
    command,
    faults::{
        client::Only,
        conduct::{On, Plan},
        connect::Failure,
        plant::Plant,
        server::Program,
    },
};

pub const USAGE: &str = "\
Run clients, workers and maintenance under faults, and judge what is stored in the end

Usage: faults [--seed N | --seeds A..B] [--for TIME] [--on server|embedded|both|postgres]

  --seed N          Seed of the schedule [default: 1]
  --seeds A..B      One run for each seed, B among them
  --for TIME        Duration of each run: 10s, 5m, 2h [default: 10s]
  --on WHERE        `tables serve` behind a proxy, a store in the process, or both [default: both];
                    `postgres`: two `tables serve` on one database, each behind a proxy
  --clients N       Processes of clients, each with two clients [default: 3]
  --workers N       Workers [default: 2]
  --faults N        Requests of a thousand that meet with a fault [default: 20]
  --skew TIME       Error of clocks, at most [default: 3m]
  --no-kills        Do not kill processes
  --drain HOW       `messages`: workers must find all that is pending by messages, within 15 minutes;
                    `sweep`: a sweep helps [default: messages for runs of two minutes and more]
  --tables PATH     The `tables` command [default: build it with cargo]
  --own-server      Serve by this program instead of `tables`
  --plant RULE      Break a rule: unconditional, no-record, no-index-row, no-contribution, stale-merge
  --only WHAT       Write all, people, shared (people that every client writes), tickets, accounts or rows [default: all]
  --json FILE       Write the reports to a file, as JSON
  --folder PATH     Folder of the runs [default: target/faults]
  --keep            Keep journals and files of runs without violations, too";

/// The runs of one invocation.
#[derive(Debug)]
pub struct Arguments {
    pub plans: Vec<Plan>,
    pub json: Option<PathBuf>,
}

impl Arguments {
    /// Parses the arguments after the program name.
    ///
    /// # Errors
    ///
    /// Returns a message for invalid arguments.
    pub fn read(words: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let mut words = words;
        let mut plan = Plan {
            seed: 1,
            time: Duration::from_secs(10),
            on: On::Embedded,
            clients: 3,
            workers: 2,
            faults: 20,
            kills: true,
            skew: Duration::from_secs(180),
            by_hints: false,
            plant: None,
            only: Only::All,
            parent: PathBuf::from("target/faults"),
            keep: false,
        };
        let (mut seeds, mut on, mut drain, mut json) = (1..=1, "both".to_owned(), None, None);
        let (mut tables, mut own) = (None, false);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--seed" => {
                    let seed = value()?.parse()?;
                    seeds = seed..=seed;
                }
                "--seeds" => {
                    let text = value()?;
                    let (first, last) = text.split_once("..").ok_or("--seeds needs A..B")?;
                    seeds = first.parse()?..=last.parse()?;
                }
                "--for" => plan.time = duration(&value()?)?,
                "--on" => on = value()?,
                "--clients" => plan.clients = value()?.parse()?,
                "--workers" => plan.workers = value()?.parse()?,
                "--faults" => plan.faults = value()?.parse()?,
                "--skew" => plan.skew = duration(&value()?)?,
                "--no-kills" => plan.kills = false,
                "--drain" => drain = Some(value()?),
                "--tables" => tables = Some(PathBuf::from(value()?)),
                "--own-server" => own = true,
                "--plant" => plan.plant = Some(known_plant(&value()?)?),
                "--only" => plan.only = known_only(&value()?)?,
                "--json" => json = Some(PathBuf::from(value()?)),
                "--folder" => plan.parent = PathBuf::from(value()?),
                "--keep" => plan.keep = true,
                _ => return Err(format!("unknown argument {word}").into()),
            }
        }
        plan.by_hints = match drain.as_deref() {
            None => plan.time >= Duration::from_secs(120),
            Some("messages") => true,
            Some("sweep") => false,
            Some(other) => return Err(format!("--drain {other} is unknown; use messages or sweep").into()),
        };
        let places = places(&on, tables, own)?;
        let plans =
            seeds.flat_map(|seed| places.iter().map(move |on| (seed, on.clone())).collect::<Vec<_>>());
        let plans = plans.map(|(seed, on)| Plan { seed, on, ..plan.clone() }).collect();
        Ok(Self { plans, json })
    }
}

fn places(on: &str, tables: Option<PathBuf>, own: bool) -> Result<Vec<On>, Failure> {
    let program = || -> Result<Program, Failure> {
        Ok(match tables {
            _ if own => Program::Own,
            Some(path) => Program::Tables(path),
            None => Program::Tables(
                command::build()
                    .map_err(|error| format!("{error}; or name the server with --tables PATH"))?,
            ),
        })
    };
    Ok(match on {
        "server" => vec![On::Server(program()?)],
        "embedded" => vec![On::Embedded],
        "both" => vec![On::Server(program()?), On::Embedded],
        "postgres" if own => return Err("--own-server has no database; use --tables".into()),
        "postgres" => vec![On::Database(program()?)],
        _ => return Err(format!("--on {on} is unknown; use server, embedded, both or postgres").into()),
    })
}

fn known_plant(word: &str) -> Result<String, Failure> {
    let known = Plant::ALL.iter().any(|plant| plant.word() == word);
    if known { Ok(word.to_owned()) } else { Err(format!("--plant {word} is unknown").into()) }
}

fn known_only(word: &str) -> Result<Only, Failure> {
    let known = Only::ALL.iter().find(|(name, _)| *name == word).map(|(_, only)| *only);
    known.ok_or_else(|| format!("--only {word} is unknown").into())
}

/// Parses `500ms`, `10s`, `5m`, `2h`.
pub(crate) fn duration(text: &str) -> Result<Duration, Failure> {
    let digits = text.trim_end_matches(|character: char| character.is_alphabetic());
    let number: u64 = digits.parse().map_err(|_| format!("{text} is not a duration; use 10s, 5m or 2h"))?;
    match &text[digits.len()..] {
        "ms" => Ok(Duration::from_millis(number)),
        "s" => Ok(Duration::from_secs(number)),
        "m" => Ok(Duration::from_secs(number * 60)),
        "h" => Ok(Duration::from_secs(number * 3_600)),
        _ => Err(format!("{text} is not a duration; use 10s, 5m or 2h").into()),
    }
}
