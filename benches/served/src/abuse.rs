//! Point reads while another client abuses the server: their latency, and the peak memory of the server.

mod attack;
mod kind;
mod probe;
mod report;

pub use self::{attack::attack, kind::Kind};

use std::{env, process::Stdio, time::Duration};

use table_rest::AccountName;
use tokio::process::Command;

use self::{probe::Latencies, report::Line};
use crate::{
    Outcome,
    children::{self, Running},
    entities::Shape,
    load, machine,
    request::Signer,
};

/// The account that abuses the server.
const ABUSER: &str = "abuser";

/// Duration of a measurement.
const TIME: Duration = Duration::from_secs(8);

/// The entities that are read, and scanned by the abuser.
const SHAPE: Shape = Shape { table: "bench", count: 100_000, in_partition: 1_000 };

/// Measures each kind of abuse and writes `ABUSE.md`.
pub async fn run(only: Option<Kind>) -> Outcome {
    let load = machine::load();
    let mut lines = Vec::new();
    for kind in Kind::ALL.into_iter().filter(|kind| only.is_none_or(|only| only == *kind)) {
        let line = measure(kind).await?;
        eprintln!("{line}");
        lines.push(line);
    }
    report::write(&lines, &load, only.is_none())
}

/// Measures one kind on a new server.
async fn measure(kind: Kind) -> Outcome<Line> {
    let folder = tempfile::tempdir()?;
    let server = children::start_shared(folder.path()).await?;
    let (other, own) = (Signer::default(), abuser()?);
    for signer in [&other, &own] {
        load::fill_as(signer, server.port, SHAPE).await?;
    }
    kind.prepare(&server, &own).await?;
    let quiet = probe::both(server.port, [&other, &own], TIME).await?;
    machine::forget_peak(server.process)?;
    let (abused, attack) = attacked(kind, &server, [&other, &own]).await?;
    let peak = machine::peak(server.process).ok_or("the server has ended")?;
    server.end().await?;
    Ok(Line { kind, quiet, abused, attack, peak })
}

/// Measures while a separate process abuses the server. It runs only where a processor is idle, because a real attacker
/// has another machine. A low priority (`nice`) is not sufficient: the server would wait for the end of its time slices.
async fn attacked(kind: Kind, server: &Running, signers: [&Signer; 2]) -> Outcome<([Latencies; 2], String)> {
    let seconds = TIME.as_secs() + 3;
    let attacker = Command::new("chrt")
        .args(["--idle", "0"])
        .arg(env::current_exe()?)
        .args(["child", "abuse", kind.name()])
        .args([server.port.to_string(), server.blob_port.to_string(), seconds.to_string()])
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let abused = probe::both(server.port, signers, TIME).await?;
    let output = attacker.wait_with_output().await?;
    Ok((abused, String::from_utf8(output.stdout)?.trim().to_owned()))
}

/// Returns the credentials of the abuser.
pub fn abuser() -> Outcome<Signer> {
    Ok(Signer::of(ABUSER.parse::<AccountName>()?))
}
