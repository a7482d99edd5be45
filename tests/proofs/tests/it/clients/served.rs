//! The scenarios against our server: every case succeeds.

use std::error::Error;

use table_proofs::clients::{Client, Place, Served};

async fn all_cases_hold(client: Client) -> Result<(), Box<dyn Error>> {
    let program = match client.program(&Place::beside(env!("CARGO_TARGET_TMPDIR"))) {
        Ok(program) => program,
        Err(lacking) => return Ok(lacking.pass_over(client.name())?),
    };
    let served = Served::start().await?;
    let outcomes = program.run(served.connection()).await?;
    println!("{}: {outcomes}", client.name());
    assert!(outcomes.wrong().is_empty(), "{} cases do not hold", outcomes.wrong().len());
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clients_for_python_are_served() -> Result<(), Box<dyn Error>> {
    all_cases_hold(Client::Python).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clients_for_node_are_served() -> Result<(), Box<dyn Error>> {
    all_cases_hold(Client::Node).await
}

/// Builds a client of 200 crates in a workspace of its own.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "builds another client: `cargo xtask nightly slow`"]
async fn the_old_client_for_rust_is_served() -> Result<(), Box<dyn Error>> {
    all_cases_hold(Client::OldRust).await
}
