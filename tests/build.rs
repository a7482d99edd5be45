//! Random valid designs, generated as code that is compiled with this crate: `SEED=n` selects others. Constructs that
//! the derive does not support are rejected with their position, and another design is used.

#[path = "build/design.rs"]
mod design;

use std::{env, error::Error, fmt::Write, fs, path::Path};

use table_codegen::generate::{Options, generate};
use table_schema::catalogue::Code;

/// Number of compiled designs.
const DESIGNS: u64 = 16;
/// Rules about parts that are valid alone and cannot be combined. A random design may violate them.
const NOT_COMBINED: [Code; 10] = [
    Code::D013,
    Code::D037,
    Code::D038,
    Code::D039,
    Code::D040,
    Code::D041,
    Code::D042,
    Code::D043,
    Code::D044,
    Code::D045,
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=SEED");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    let seed: u64 = env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let (mut text, mut visits) = (String::new(), String::new());
    let (mut written, mut number) = (0, 0);
    while written < DESIGNS {
        if number > DESIGNS * 4 {
            return Err(format!("seed {seed}: only {written} of {number} designs could be written").into());
        }
        let toml = design::random(seed.wrapping_mul(1_000_003).wrapping_add(number));
        number += 1;
        let source = format!("random{number}.toml");
        let schema = match table_codegen::read(&toml, &source) {
            Ok(schema) => schema,
            Err(diagnostics) if diagnostics.iter().all(|one| NOT_COMBINED.contains(&one.code)) => continue,
            Err(diagnostics) => return Err(format!("{diagnostics}\n{toml}").into()),
        };
        if table_codegen::read(&table_codegen::write(&schema), &source)? != schema {
            return Err(format!("it is not read as it was written:\n{toml}").into());
        }
        match generate(&schema, &Options { source, ..Options::default() }) {
            Ok(generated) => {
                written += 1;
                write!(text, "/// A random design.\npub mod design_{number} {{\n{}}}\n", generated.root)?;
                for entity in &schema.entities {
                    let name = &entity.name;
                    writeln!(visits, "    by.visit::<design_{number}::{name}>({toml:?}, {name:?});")?;
                }
            }
            Err(refused) if refused.0.iter().all(|one| one.path.len() > 1) => {}
            Err(refused) => return Err(refused.into()),
        }
    }
    let about = "/// Visits the entities of all random designs.";
    write!(text, "{about}\npub fn visit_all(by: &mut impl super::Visit) {{\n{visits}}}\n")?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("random.rs"), text)?;
    Ok(())
}
