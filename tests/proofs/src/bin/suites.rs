//! Runs the tests of the Azure SDKs against `tables emulator`: `cargo run --release -p table-proofs --bin suites`. The
//! arguments are `--record`, which writes the results by file, names of suites (`tables`, `queues`, `blobs`), and arguments for
//! pytest, which select tests. Exits with 1 if the failures differ from the list of accepted ones, or the results from the
//! recorded ones, and with 2 if the tests cannot be run.

use std::{error::Error, ffi::OsStr, fs, path::Path, process::ExitCode};

use anstream::{eprintln, println};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use table_proofs::{
    clients::{Drift, Emulator, Outcomes, Place, Suite},
    command,
    matrix::{self, FileResult},
};

/// The recorded results, which the book contains.
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../clients/suites/results.txt");

/// The accepted failures, each with its reason.
const ACCEPTED: &str = include_str!("../../../clients/suites/accepted.txt");

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(words: &[String]) -> Result<bool, Box<dyn Error>> {
    let record = words.first().is_some_and(|word| word == "--record");
    let words = words.get(usize::from(record)..).unwrap_or_default();
    let is_suite = |word: &&String| Suite::ALL.iter().any(|suite| suite.name() == **word);
    let end_of_names = words.iter().take_while(is_suite).count();
    let (names, selection) = words.split_at(end_of_names);
    let chosen = |suite: &Suite| names.is_empty() || names.iter().any(|name| name == suite.name());
    let suites: Vec<Suite> = Suite::ALL.into_iter().filter(chosen).collect();

    let place = Place::beside(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/tmp"));
    if let Err(lacking) = Suite::install(&place) {
        lacking.pass_over("the tests of the SDKs")?;
        return Ok(true);
    }
    let folder = tempfile::tempdir()?;
    let [cert, key] = ["cert.pem", "key.pem"].map(|name| folder.path().join(name));
    let CertifiedKey { cert: certificate, signing_key } = generate_simple_self_signed(Suite::hosts())?;
    fs::write(&cert, certificate.pem())?;
    fs::write(&key, signing_key.serialize_pem())?;

    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let results = runtime.block_on(execute(&place, &suites, selection, &cert, &key))?;
    let is_complete = selection.is_empty();
    let as_accepted = report(&results, is_complete)?;
    let as_recorded = !is_complete || compare(&results, record)?;
    Ok(as_accepted && as_recorded)
}

/// Compares the results by file with the recorded ones, or records them. Returns whether they agree.
fn compare(results: &[(Suite, Outcomes)], record: bool) -> Result<bool, Box<dyn Error>> {
    let is_new = |result: &FileResult| results.iter().any(|(suite, _)| suite.name() == result.suite);
    let recorded = matrix::results(Path::new(RESULTS))?;
    let others = recorded.iter().filter(|result| !is_new(result)).cloned();
    let new = results.iter().flat_map(|(suite, outcomes)| FileResult::of(suite.name(), outcomes));
    let mut all: Vec<FileResult> = others.chain(new).collect();
    all.sort_by(|one, other| (&one.suite, &one.file).cmp(&(&other.suite, &other.file)));
    if record {
        fs::write(RESULTS, FileResult::text(&all))?;
        println!("recorded; `cargo run -p table-proofs --bin matrix` updates the book");
    } else if all != recorded {
        println!(
            "the results by file differ from tests/clients/suites/results.txt: record them with --record"
        );
    }
    Ok(record || all == recorded)
}

/// Runs the suites concurrently, since most of their time is spent waiting.
async fn execute(
    place: &Place,
    suites: &[Suite],
    selection: &[String],
    cert: &Path,
    key: &Path,
) -> Result<Vec<(Suite, Outcomes)>, Box<dyn Error>> {
    let words = ["--oauth", "basic", "--allow-host", "core.windows.net", "--cert", "--key"].map(OsStr::new);
    let [oauth, level, allow, host, with_cert, with_key] = words;
    let arguments = [oauth, level, allow, host, with_cert, cert.as_os_str(), with_key, key.as_os_str()];
    let emulator = Emulator::start_with(&command::build()?, &arguments, Some(&Suite::accounts())).await?;
    let runs = suites.iter().map(|suite| suite.run(place, &emulator, cert, selection));
    let outcomes = futures_util::future::try_join_all(runs).await?;
    Ok(suites.iter().copied().zip(outcomes).collect())
}

/// Prints the results by file, and the differences from the list. Returns whether there are none.
fn report(results: &[(Suite, Outcomes)], complete: bool) -> Result<bool, Box<dyn Error>> {
    let accepted = Drift::parse(ACCEPTED).map_err(|line| format!("accepted.txt: no reason in `{line}`"))?;
    let mut news = Vec::new();
    for (suite, outcomes) in results {
        for (file, counts) in outcomes.by_file() {
            println!("{:8} {file:45} {counts}", suite.name());
        }
        println!("{:8} {:45} {}\n", suite.name(), "all", outcomes.counts());
        let unexpected = accepted.news(suite.name(), outcomes);
        for outcome in &outcomes.0 {
            let name = format!("{} {} ", suite.name(), outcome.case);
            if let Some(wrong) = &outcome.wrong
                && unexpected.iter().any(|line| line.starts_with(&name))
            {
                println!("{name}\n    {}", wrong.replace('\n', "\n    "));
            }
        }
        news.extend(unexpected);
        if complete {
            news.extend(accepted.missing(suite.name(), outcomes));
        }
    }
    for line in &news {
        println!("{line}");
    }
    println!("{} differences from the accepted failures", news.len());
    Ok(news.is_empty())
}
