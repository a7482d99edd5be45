//! The scenarios against Azurite: all cases succeed, except for documented deviations.

use std::error::Error;

use table_proofs::clients::{Azurite, Client, Drift, Place};

#[tokio::test(flavor = "multi_thread")]
#[ignore = "starts Azurite; see `cargo xtask nightly slow`"]
async fn azurite_differs_where_it_is_known_to() -> Result<(), Box<dyn Error>> {
    let place = Place::beside(env!("CARGO_TARGET_TMPDIR"));
    if let Err(lacking) = Azurite::install(&place) {
        return Ok(lacking.pass_over("Azurite")?);
    }
    let azurite = Azurite::start(&place).await?;
    let drift = Drift::parse(include_str!("../../../../clients/azurite/drift.txt"))?;
    let mut news = Vec::new();
    for client in Client::ALL {
        let program = match client.program(&place) {
            Ok(program) => program,
            Err(lacking) => {
                lacking.pass_over(client.name())?;
                continue;
            }
        };
        let outcomes = program.run(azurite.connection()).await?;
        println!("{}: {outcomes}", client.name());
        news.extend(drift.news(client.name(), &outcomes));
        news.extend(drift.missing(client.name(), &outcomes));
    }
    assert!(news.is_empty(), "{news:#?}");
    Ok(())
}
