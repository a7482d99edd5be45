use std::io;

use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::Child,
};

/// The published key of the account of all emulators.
pub(crate) const KEY: &str =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

/// Reads the output of an emulator until each of its services has printed its address. Returns the connection string.
pub(crate) async fn listening(child: &mut Child) -> io::Result<String> {
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
