//! Full load for several minutes: memory must be constant, and no operation may fail.

use std::time::{Duration, Instant};

use crate::{Outcome, children, entities::Shape, load, machine, measure::measure, operation::Operation};

/// Runs all operations in turn, on 64 connections.
pub async fn run(minutes: u64) -> Outcome {
    let folder = tempfile::tempdir()?;
    let server = children::start_ours(folder.path()).await?;
    let shape = Shape { table: "bench", count: 10_000, in_partition: 1_000 };
    load::fill(server.port, shape).await?;
    let (begin, mut errors) = (Instant::now(), 0);
    println!("| minute | memory, MiB | operations a second, GET | errors |\n|---|---|---|---|");
    for minute in 1..=minutes {
        let mut gets = 0.0;
        while begin.elapsed() < Duration::from_secs(60 * minute) {
            // Inserts enlarge the store; the test detects memory growth without inserts.
            for operation in Operation::ALL.into_iter().filter(|operation| *operation != Operation::Insert) {
                let figures =
                    measure(server.port, shape, operation, 64, Duration::from_millis(1_500)).await?;
                errors += figures.errors;
                if operation == Operation::Get {
                    gets = figures.rate;
                }
            }
        }
        let memory =
            machine::memory(server.process).ok_or("the server has ended")? as f64 / f64::from(1 << 20);
        println!("| {minute} | {memory:.0} | {gets:.0} | {errors} |");
    }
    if errors > 0 { Err(format!("{errors} operations failed").into()) } else { Ok(()) }
}
