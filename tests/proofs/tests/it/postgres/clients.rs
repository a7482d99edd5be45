//! The scenarios of other people's clients against `tables serve` on a database: every case succeeds.

use table_proofs::{
    clients::{Client, Place},
    command,
};

use super::{Outcome, commands::Server, database};

async fn all_cases_hold(client: Client) -> Outcome {
    let database = database!();
    let program = match client.program(&Place::beside(env!("CARGO_TARGET_TMPDIR"))) {
        Ok(program) => program,
        Err(lacking) => return Ok(lacking.pass_over(client.name())?),
    };
    let server = Server::start(&command::build()?, &database.url())?;
    let outcomes = program.run(&server.connection).await?;
    println!("{}: {outcomes}", client.name());
    assert!(outcomes.wrong().is_empty(), "{} cases do not hold", outcomes.wrong().len());
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clients_for_python_are_served_from_a_database() -> Outcome {
    all_cases_hold(Client::Python).await
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "the server is that of the other clients: `cargo xtask nightly slow`"]
async fn the_clients_for_node_are_served_from_a_database() -> Outcome {
    all_cases_hold(Client::Node).await
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "builds another client: `cargo xtask nightly slow`"]
async fn the_old_client_for_rust_is_served_from_a_database() -> Outcome {
    all_cases_hold(Client::OldRust).await
}
