//! Searches for violations of the store's guarantees. Without arguments: the tests that run with every change.

use std::{
    env,
    error::Error,
    panic,
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::{Duration, SystemTime},
};

use table_proofs::reliability::{
    proof::Proof,
    proofs, rot,
    runner::{self, Arguments, Size, Standing, USAGE},
    writer,
};
use table_store::Durability;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.split_first().map(|(name, rest)| (&**name, rest)) {
        Some(("acknowledging-writer", rest)) => return write(rest),
        Some(("decayed-files", [first, count])) => {
            rot::print_fates(first.parse()?, count.parse()?)?;
            return Ok(ExitCode::SUCCESS);
        }
        _ => {}
    }
    let all = proofs::all(&env::current_exe()?);
    let chosen = Arguments::parse(arguments).and_then(|arguments| choose(arguments, all));
    let (size, seed, proofs) = match chosen {
        Ok(Some(chosen)) => chosen,
        Ok(None) => return Ok(ExitCode::SUCCESS),
        Err(wrong) => {
            eprintln!("{wrong}\n\n{USAGE}");
            return Ok(ExitCode::from(2));
        }
    };
    if !matches!(size, Size::Cases(_)) {
        // The engine panics on some damage, and the store catches the panic. Only a replay shows it.
        panic::set_hook(Box::new(|_| {}));
    }
    let standings = runner::run(&proofs, size, seed, |standing| println!("{standing}"));
    if matches!(size, Size::Time(_)) {
        println!("\nIn all:");
        for standing in &standings {
            println!("{standing}");
        }
    }
    Ok(verdict(&standings))
}

type Chosen = (Size, u64, Vec<Arc<dyn Proof>>);

/// Returns the proofs to run; `None` if only the list was requested.
fn choose(arguments: Arguments, mut proofs: Vec<Arc<dyn Proof>>) -> Result<Option<Chosen>, String> {
    let Arguments::Run { size, only, seed } = arguments else {
        for proof in proofs {
            println!("{:<15} {}", proof.name(), proof.promise());
        }
        return Ok(None);
    };
    if let Some(unknown) = only.iter().find(|name| proofs.iter().all(|proof| proof.name() != **name)) {
        return Err(format!("there is no proof `{unknown}`; `list` tells which there are"));
    }
    proofs.retain(|proof| only.is_empty() || only.iter().any(|name| proof.name() == name));
    let now = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(1, |time| time.as_secs());
    let seed = seed.unwrap_or_else(|| if matches!(size, Size::Time(_)) { now() } else { 1 });
    Ok(Some((size, seed, proofs)))
}

/// Prints one line for all proofs.
fn verdict(standings: &[Standing]) -> ExitCode {
    let hindered = standings.iter().filter(|standing| standing.is_hindered()).count();
    let broken = standings.iter().filter(|standing| !standing.holds()).count();
    println!("{} hold, {broken} broken, {hindered} passed over", standings.len() - broken - hindered);
    if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs the process that is killed: a path, the first number, and for relaxed durability the maximum delay in
/// milliseconds.
fn write(arguments: &[String]) -> Result<ExitCode, Box<dyn Error>> {
    let (path, first, at_most) = match arguments {
        [path, first] => (path, first, None),
        [path, first, at_most] => (path, first, Some(Duration::from_millis(at_most.parse()?))),
        _ => return Err("a path and a number".into()),
    };
    let durability = at_most.map_or(Durability::Full, |at_most| Durability::Relaxed { at_most });
    writer::write(Path::new(path), first.parse()?, durability)?;
    Ok(ExitCode::SUCCESS)
}
