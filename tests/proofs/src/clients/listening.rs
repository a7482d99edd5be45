use std::{io, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    time::timeout,
};

/// Maximum start time. Usually an emulator listens within a few seconds, longer on a busy machine.
const LONGEST: Duration = Duration::from_secs(120);

/// The published key of the account of all emulators.
pub(crate) const KEY: &str =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

/// A process with three services on free ports. It ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Listening {
    _child: Child,
    pub(crate) connection: String,
}

impl Listening {
    /// Starts an emulator, and returns when its three services listen.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not start, or ends before it listens.
    pub(crate) async fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = command
            .args(["--silent", "--blobPort", "0", "--queuePort", "0", "--tablePort", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let connection = timeout(LONGEST, connection(&mut child)).await??;
        Ok(Self { _child: child, connection })
    }
}

/// Reads the output of an emulator until each of its services has printed its address. Returns the connection string.
async fn connection(child: &mut Child) -> io::Result<String> {
    let output = child.stdout.take().ok_or_else(|| io::Error::other("no output"))?;
    let mut lines = BufReader::new(output).lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next_line().await? {
        let Some((before, url)) = line.split_once(" is successfully listening at ") else { continue };
        let Some(service) = before.strip_prefix("Azurite ").and_then(|words| words.split(' ').next()) else {
            continue;
        };
        found.push(format!("{service}Endpoint={url}/devstoreaccount1;"));
        if found.len() == 3 {
            let protocol = url.split(':').next().unwrap_or_default();
            return Ok(format!(
                "DefaultEndpointsProtocol={protocol};AccountName=devstoreaccount1;AccountKey={KEY};{}",
                found.concat()
            ));
        }
    }
    Err(io::Error::other("the emulator ended before it listened"))
}
