//! Measures the server in comparison with Azurite, and with a server that only checks signatures. See ../../README.md.

mod abuse;
mod children;
mod client;
mod entities;
mod load;
mod machine;
mod measure;
mod operation;
mod page;
mod report;
mod request;
mod soak;

use std::{env, path::Path, process::ExitCode, time::Duration};

use self::{abuse::Kind, entities::Shape, operation::Operation};

/// Result of a benchmark.
type Outcome<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Outcome {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        // A server is a separate process with two threads, as `tables serve` is on this machine.
        ["child", "ours", data] => runtime(2)?.block_on(children::ours(Path::new(data))),
        ["child", "shared", data] => runtime(2)?.block_on(children::shared(Path::new(data))),
        ["child", "abuse", kind, port, blob_port, seconds] => {
            let kind = Kind::named(kind).ok_or("unknown kind of abuse")?;
            let time = Duration::from_secs(seconds.parse()?);
            runtime(1)?.block_on(abuse::attack(kind, port.parse()?, blob_port.parse()?, time))
        }
        ["child", "bare"] => runtime(2)?.block_on(children::bare()),
        ["one", operation, connections, seconds] => {
            let operation = Operation::named(operation).ok_or("get, insert, upsert, merge, batch, page, filter")?;
            runtime(1)?.block_on(one(operation, connections.parse()?, Duration::from_secs(seconds.parse()?)))
        }
        ["abuse"] => runtime(1)?.block_on(abuse::run(None)),
        ["abuse", kind] => {
            let names: Vec<_> = Kind::ALL.into_iter().map(Kind::name).collect();
            let kind = Kind::named(kind).ok_or_else(|| names.join(", "))?;
            runtime(1)?.block_on(abuse::run(Some(kind)))
        }
        ["soak", minutes] => runtime(1)?.block_on(soak::run(minutes.parse()?)),
        [] | ["compare"] => runtime(1)?.block_on(report::run(&report::Effort::full(&[10_000, 70_000]))),
        ["compare", sizes @ ..] => {
            let sizes = sizes.iter().map(|size| size.parse()).collect::<Result<Vec<u64>, _>>()?;
            runtime(1)?.block_on(report::run(&report::Effort::full(&sizes)))
        }
        ["quick"] => runtime(1)?.block_on(report::run(&report::Effort::quick())),
        _ => Err("usage: benches/served/run [quick | compare [ENTITIES…] | one OPERATION CONNECTIONS SECONDS | soak MINUTES | abuse [KIND]]".into()),
    }
}

/// Runs one operation on the server of this project only, for a profiler.
async fn one(operation: Operation, connections: usize, time: Duration) -> Outcome {
    let folder = tempfile::tempdir()?;
    let server = children::start_ours(folder.path()).await?;
    let shape = Shape { table: "bench", count: 10_000, in_partition: 10_000 };
    load::fill(server.port, shape).await?;
    let figures = measure::measure(server.port, shape, operation, connections, time).await?;
    println!(
        "{:.0} a second, p50 {:?}, p99 {:?}, {} errors",
        figures.rate, figures.median, figures.p99, figures.errors
    );
    server.end().await
}

fn runtime(threads: usize) -> Outcome<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?)
}
