//! Separate processes: one that is killed, and one whose memory is measured.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use crate::{
    bench::Subject,
    contender::{Kind, Outcome},
    dice::Dice,
    order::{ROWS, Size},
    rows,
};

/// Returns a command that runs this program as a child with a job, even if the program file was replaced.
pub fn command(job: &str, subject: Subject, dir: &Path, orders: u32) -> Command {
    let mut command = Command::new("/proc/self/exe");
    let size = format!("{}", subject.size.bytes());
    command.args(["child", job, subject.kind.name(), &size]).arg(dir).arg(orders.to_string());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the job in the arguments after `child`.
pub fn run(arguments: &[String]) -> Outcome {
    let [job, kind, size, dir, orders] = arguments else { return Err("a child needs five arguments".into()) };
    let kind = Kind::named(kind).ok_or("a contender")?;
    let size = if *size == Size::Small.bytes().to_string() { Size::Small } else { Size::Large };
    let (dir, orders) = (Path::new(dir), orders.parse()?);
    match job.as_str() {
        "memory" => memory(kind, size, dir, orders),
        "write" => rows::write_until_killed(kind, size, dir, orders),
        _ => Err("the jobs are memory and write".into()),
    }
}

/// Loads in small parts, reads, and prints the peak memory in KiB.
fn memory(kind: Kind, size: Size, dir: &Path, orders: u32) -> Outcome {
    const PARTS: u32 = 10;
    let store = kind.open(dir)?;
    let some = orders.div_ceil(PARTS).next_multiple_of(ROWS);
    for first in (0..orders).step_by(some as usize) {
        store.load(crate::bench::orders(first..orders.min(first + some), size))?()?;
    }
    let (mut reader, mut dice) = (store.reader()?, Dice::new(1));
    reader.pages()?;
    for _ in 0..orders {
        let number = dice.below(orders);
        reader.get(number / ROWS, number % ROWS)?;
    }
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no peak")?;
    println!("{}", line.trim().trim_end_matches(" kB"));
    Ok(())
}
