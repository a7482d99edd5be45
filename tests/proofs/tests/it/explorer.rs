//! The explorer in a browser: `tables explore` with the stores of these cases, driven by `tests/clients/browser`.

mod data;

use std::error::Error;

use table_proofs::{
    clients::{Azurite, Place, Program, in_browser},
    command,
};

#[tokio::test(flavor = "multi_thread")]
async fn the_explorer_holds_in_a_browser() -> Result<(), Box<dyn Error>> {
    let place = Place::beside(env!("CARGO_TARGET_TMPDIR"));
    let program = match in_browser(&place, &command::build()?) {
        Ok(program) => program,
        Err(lacking) => return Ok(lacking.pass_over("the explorer in a browser")?),
    };
    let folder = tempfile::tempdir()?;
    data::write(folder.path()).await?;
    let folder = folder.path().to_str().ok_or("the temporary folder is not UTF-8")?;
    run(&program, folder).await
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "starts Azurite; see `cargo xtask nightly slow`"]
async fn the_explorer_changes_azurite() -> Result<(), Box<dyn Error>> {
    let place = Place::beside(env!("CARGO_TARGET_TMPDIR"));
    let program = match Azurite::install(&place).and_then(|()| in_browser(&place, &command::build()?)) {
        Ok(program) => program,
        Err(lacking) => return Ok(lacking.pass_over("the explorer with Azurite")?),
    };
    run(&program, Azurite::start(&place).await?.connection()).await
}

/// Runs the cases of a folder, or of an account.
async fn run(program: &Program, place: &str) -> Result<(), Box<dyn Error>> {
    let outcomes = program.run(place).await?;
    assert!(outcomes.wrong().is_empty(), "{outcomes}");
    Ok(())
}
