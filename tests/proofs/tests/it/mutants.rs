//! Checks that all mutants apply to the current sources.

use std::path::Path;

use table_proofs::mutants::List;

#[test]
fn each_mutant_applies_to_the_sources() -> Result<(), Box<dyn std::error::Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let list = List::read(&here.join("mutants.toml"))?;
    assert!(!list.mutants().is_empty());
    let mut wrong = Vec::new();
    for mutant in list.mutants() {
        match mutant.changed(&here.join("../..")) {
            Ok(changed) => assert!(!changed.is_empty(), "{} changes nothing", mutant.name),
            Err(error) => wrong.push(format!("{}: {error}", mutant.name)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}
