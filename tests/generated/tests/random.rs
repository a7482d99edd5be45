//! Random designs without mistakes give code that compiles, or are refused by their place. `SEED=n` chooses others.

#[path = "random/design.rs"]
mod design;

use std::{env, fmt::Write, fs, path::Path};

use table_codegen::generate::{Options, generate};

/// How many designs are compiled, all in one file.
const DESIGNS: u64 = 24;

#[test]
fn random_designs_give_code_that_compiles() -> Result<(), Box<dyn std::error::Error>> {
    let seed: u64 = env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut text = "#![deny(missing_docs, warnings)]\n#![allow(dead_code, missing_docs)]\n".to_owned();
    let (mut written, mut number) = (0, 0);
    while written < DESIGNS {
        assert!(number < DESIGNS * 4, "seed {seed}: {written} of {number} designs could be written");
        let toml = design::random(seed.wrapping_mul(1_000_003).wrapping_add(number));
        number += 1;
        let source = format!("random{number}.toml");
        let schema = table_codegen::read(&toml, &source).map_err(|mistakes| format!("{mistakes}\n{toml}"))?;
        assert_eq!(table_codegen::read(&table_codegen::write(&schema), &source)?, schema, "{toml}");
        // What is refused names its place.
        let generated = match generate(&schema, &Options { source, split: false }) {
            Ok(generated) => generated,
            Err(refused) => {
                assert!(refused.0.iter().all(|one| one.path.len() > 1), "{refused}");
                continue;
            }
        };
        written += 1;
        write!(text, "mod design_{number} {{\n{}}}\n", generated.root)?;
    }
    text.push_str("fn main() {}\n");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random_designs.rs");
    fs::write(&file, text)?;
    trybuild::TestCases::new().pass(file);
    Ok(())
}
