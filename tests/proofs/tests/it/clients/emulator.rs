//! The scenarios against `tables emulator`: every case succeeds.

use std::{error::Error, ffi::OsStr, fs};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use table_proofs::{
    clients::{Client, Emulator, Place},
    command,
};

async fn all_cases_hold(client: Client) -> Result<(), Box<dyn Error>> {
    let program = match client.program(&Place::beside(env!("CARGO_TARGET_TMPDIR"))) {
        Ok(program) => program,
        Err(lacking) => return Ok(lacking.pass_over(client.name())?),
    };
    let emulator = Emulator::start(&command::build()?, &[]).await?;
    let outcomes = program.run(emulator.connection()).await?;
    println!("{}: {outcomes}", client.name());
    assert!(outcomes.wrong().is_empty(), "{} cases do not hold", outcomes.wrong().len());
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clients_for_python_use_the_emulator() -> Result<(), Box<dyn Error>> {
    all_cases_hold(Client::Python).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clients_for_node_use_the_emulator() -> Result<(), Box<dyn Error>> {
    all_cases_hold(Client::Node).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clients_for_python_use_tokens_over_tls() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let [cert, key] = ["cert.pem", "key.pem"].map(|name| folder.path().join(name));
    let CertifiedKey { cert: certificate, signing_key } =
        generate_simple_self_signed([String::from("127.0.0.1")])?;
    fs::write(&cert, certificate.pem())?;
    fs::write(&key, signing_key.serialize_pem())?;
    let program = match Client::python_with_tokens(&Place::beside(env!("CARGO_TARGET_TMPDIR")), &cert) {
        Ok(program) => program,
        Err(lacking) => return Ok(lacking.pass_over(Client::Python.name())?),
    };
    let words = ["--oauth", "basic", "--cert", "--key"].map(OsStr::new);
    let [oauth, level, with_cert, with_key] = words;
    let arguments = [oauth, level, with_cert, cert.as_os_str(), with_key, key.as_os_str()];
    let emulator = Emulator::start(&command::build()?, &arguments).await?;
    let outcomes = program.run(emulator.connection()).await?;
    println!("python with tokens: {outcomes}");
    assert!(outcomes.wrong().is_empty(), "{} cases do not hold", outcomes.wrong().len());
    Ok(())
}
