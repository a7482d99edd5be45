//! Writes the page with the conformance matrix: `cargo run -p table-proofs --bin matrix`.

use std::{error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = table_proofs::matrix::page(&here.join(".."))?;
    fs::write(here.join("../../docs/guide/conformance.md"), page)?;
    Ok(())
}
