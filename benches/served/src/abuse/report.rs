//! The results as a Markdown page.

use std::{
    fmt::{self, Write as _},
    fs,
    path::Path,
    time::Duration,
};

use super::{kind::Kind, probe::Latencies};
use crate::{Outcome, machine};

/// Result of one kind of abuse. The first latencies are those of another account, the second those of the abuser's.
pub struct Line {
    pub kind: Kind,
    pub quiet: [Latencies; 2],
    pub abused: [Latencies; 2],
    pub attack: String,
    pub peak: u64,
}

fn ratio(quiet: &Latencies, abused: &Latencies) -> f64 {
    abused.p99.as_secs_f64() / quiet.p99.as_secs_f64()
}

const fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1_000.0
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([quiet, own_quiet], [abused, own]) = (&self.quiet, &self.abused);
        write!(
            f,
            "| {} | {:.2} | {:.2} | **{:.1}** | {:.2} | {:.1} | {} | {:.0} | {} |",
            self.kind.description(),
            milliseconds(quiet.p99),
            milliseconds(abused.p99),
            ratio(quiet, abused),
            milliseconds(abused.slowest),
            ratio(own_quiet, own),
            abused.errors + own.errors,
            self.peak as f64 / f64::from(1 << 20),
            self.attack,
        )
    }
}

/// Prints the page, and stores it if it is complete.
pub fn write(lines: &[Line], load: &str, is_complete: bool) -> Outcome {
    let mut text = String::from(
        "# The server under abuse\n\nWritten by `benches/served/run abuse`. While one account abuses the server, point \
         reads of another account, and of the same account, are sent on their own connections, 250 a second each. The \
         server has two threads. The abuser is a process that runs only where a processor is idle. Latencies are in \
         milliseconds as the client sees them; a ratio is the p99 under abuse divided by the p99 before.\n\n",
    );
    writeln!(text, "| | |\n|---|---|\n| machine | {} |", machine::processors())?;
    writeln!(text, "| other load before the run | {load} |\n")?;
    text += "| abuse | other account: p99 before | p99 | ratio | slowest | same account: ratio | failed reads | peak \
             memory, MiB | requests of the abuser |\n|---|---:|---:|---:|---:|---:|---:|---:|---|\n";
    for line in lines {
        writeln!(text, "{line}")?;
    }
    println!("{text}");
    if is_complete {
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("ABUSE.md"), text)?;
    }
    Ok(())
}
