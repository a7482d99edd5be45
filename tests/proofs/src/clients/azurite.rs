//! Azurite, the emulator from npm, for comparison with our server.

use std::{io, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    time::timeout,
};

use crate::clients::{Lacking, Place, node::npm};

/// Maximum start time. Usually it listens within a few seconds, longer on a busy machine.
const LONGEST: Duration = Duration::from_secs(120);

/// The published key of the account of all emulators.
const KEY: &str = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

/// A running Azurite, in memory, on free ports. It ends when it is dropped.
#[derive(Debug)]
pub struct Azurite {
    _child: Child,
    connection: String,
}

impl Azurite {
    /// Installs it if it is missing.
    ///
    /// # Errors
    ///
    /// Returns the missing requirement.
    pub fn install(place: &Place) -> Result<(), Lacking> {
        npm(place, "azurite")
    }

    /// Starts it, and returns when its three services listen.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not start, or ends before it listens.
    pub async fn start(place: &Place) -> io::Result<Self> {
        let folder = place.installed("azurite");
        let mut child = Command::new("node")
            .arg(folder.join("node_modules/azurite/dist/src/azurite.js"))
            .args(["--inMemoryPersistence", "--skipApiVersionCheck", "--silent"])
            .args(["--blobPort", "0", "--queuePort", "0", "--tablePort", "0"])
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let output = child.stdout.take().ok_or_else(|| io::Error::other("no output"))?;
        let endpoints = timeout(LONGEST, endpoints(BufReader::new(output).lines())).await??;
        let connection = format!(
            "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey={KEY};{endpoints}"
        );
        Ok(Self { _child: child, connection })
    }

    /// Returns the connection string for clients.
    #[must_use]
    pub fn connection(&self) -> &str {
        &self.connection
    }
}

type Lines = tokio::io::Lines<BufReader<tokio::process::ChildStdout>>;

/// Reads its output until each of its services has printed its address.
async fn endpoints(mut lines: Lines) -> io::Result<String> {
    let mut found = Vec::new();
    while let Some(line) = lines.next_line().await? {
        let Some((before, url)) = line.split_once(" is successfully listening at ") else { continue };
        let Some(service) = before.strip_prefix("Azurite ").and_then(|words| words.split(' ').next()) else {
            continue;
        };
        found.push(format!("{service}Endpoint={url}/devstoreaccount1;"));
        if found.len() == 3 {
            return Ok(found.concat());
        }
    }
    Err(io::Error::other("Azurite ended before it listened"))
}
