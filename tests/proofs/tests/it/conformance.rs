//! Every case on every backend.

use std::{error::Error, path::Path};

use table_postgres::Postgres;
use table_proofs::{
    clients::{Azurite, Database, Place, Served},
    conformance::{Case, run},
};
use table_rest::client::Account;
use table_store::{Store, TableService};

type Outcome = Result<(), Box<dyn Error>>;

/// Returns all unexpected results.
async fn check(backend: &str, service: &dyn TableService) -> Outcome {
    let cases = Case::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/cases"))?;
    assert!(cases.len() >= 20, "only {} cases were found", cases.len());
    let mut wrong = Vec::new();
    for (place, case) in cases.iter().enumerate() {
        let outcome = run(service, case, &format!("case{place}")).await;
        match (outcome, case.drift.get(backend)) {
            (Ok(()), None) | (Err(_), Some(_)) => {}
            (Ok(()), Some(reason)) => wrong.push(format!("{} holds, though {reason}", case.name)),
            (Err(mismatch), None) => wrong.push(format!("{}, {mismatch}", case.name)),
        }
    }
    assert!(wrong.is_empty(), "{backend}: {} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    println!("{backend}: {} cases", cases.len());
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_store_does_what_the_cases_say() -> Outcome {
    check("embedded", &Store::in_memory()?).await
}

#[tokio::test(flavor = "multi_thread")]
async fn our_server_does_through_our_client() -> Outcome {
    let served = Served::start().await?;
    let account = Account::from_connection_string(served.connection())?;
    check("server", &account.tables()?).await
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_does_what_the_cases_say() -> Outcome {
    let database = match Database::start() {
        Ok(database) => database,
        Err(lacking) => return Ok(lacking.pass_over("PostgreSQL")?),
    };
    check("postgres", &Postgres::connect(&database.url()).await?).await
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "starts Azurite; see `cargo xtask nightly slow`"]
async fn azurite_does_through_our_client_but_for_what_is_known() -> Outcome {
    let place = Place::beside(env!("CARGO_TARGET_TMPDIR"));
    if let Err(lacking) = Azurite::install(&place) {
        return Ok(lacking.pass_over("Azurite")?);
    }
    let azurite = Azurite::start(&place).await?;
    let account = Account::from_connection_string(azurite.connection())?;
    check("azurite", &account.tables()?).await
}
