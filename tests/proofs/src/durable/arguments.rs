//! Command-line arguments.

use std::{path::PathBuf, time::Duration};

use crate::{
    command,
    durable::conduct::Plan,
    faults::{arguments::duration, connect::Failure, server::Program},
};

pub const USAGE: &str = "\
Run workers that own partitions by leases, against a server that is killed, and check what is stored in the end

Usage: durable [--seed N] [--for TIME]

  --seed N          Seed of the schedule [default: 1]
  --for TIME        Duration: 10s, 5m, 2h [default: 10s]
  --workers N       Workers [default: 3]
  --faults N        Requests of a thousand that meet with a fault of the network [default: 0]
  --crashes         End workers without notice; their leases of 15 s have to end before others continue
  --two-owners      Break the rule of leases, to verify that this is noticed
  --tables PATH     The `tables` command [default: build it with cargo]
  --own-server      Serve by this program instead of `tables`
  --folder PATH     Folder of the run [default: target/durable]";

/// Parses the arguments after the program name.
///
/// # Errors
///
/// Returns a message for invalid arguments.
pub fn read(words: impl Iterator<Item = String>) -> Result<Plan, Failure> {
    let mut words = words;
    let mut plan = Plan {
        seed: 1,
        time: Duration::from_secs(10),
        workers: 3,
        faults: 0,
        crashes: false,
        two_owners: false,
        program: Program::Own,
        parent: PathBuf::from("target/durable"),
    };
    let (mut tables, mut own) = (None, false);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--seed" => plan.seed = value()?.parse()?,
            "--for" => plan.time = duration(&value()?)?,
            "--workers" => plan.workers = value()?.parse()?,
            "--faults" => plan.faults = value()?.parse()?,
            "--crashes" => plan.crashes = true,
            "--two-owners" => plan.two_owners = true,
            "--tables" => tables = Some(PathBuf::from(value()?)),
            "--own-server" => own = true,
            "--folder" => plan.parent = PathBuf::from(value()?),
            _ => return Err(format!("unknown argument {word}").into()),
        }
    }
    if !own {
        plan.program = match tables {
            Some(path) => Program::Tables(path),
            None => Program::Tables(command::build()?),
        };
    }
    Ok(plan)
}
