//! The conformance matrix of the book is the one of the current suites.

use std::{error::Error, fs, path::Path};

#[test]
fn the_book_has_the_current_matrix() -> Result<(), Box<dyn Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = table_proofs::matrix::page(&here.join(".."))?;
    let book = fs::read_to_string(here.join("../../docs/guide/conformance.md"))?;
    let differs = page.lines().zip(book.lines()).find(|(new, old)| new != old);
    let place = differs.map_or_else(String::new, |(new, old)| format!("\n  new: {new}\n  old: {old}"));
    assert!(page == book, "run `cargo run -p table-proofs --bin matrix`, and read the difference{place}");
    assert!(page.lines().filter(|line| line.ends_with(" |")).count() > 150, "rows are missing");
    Ok(())
}
