//! The committed files of `tests/src/generated` equal the generated code. With `UPDATE=1` they are regenerated.

use std::path::Path;

use table_codegen::{
    Reading, Source,
    generate::{Files, Options, generate},
};

#[test]
fn the_committed_files_are_what_the_designs_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let designs = root.join("tests/schemas");
    let mut differ = String::new();
    for name in ["company", "events", "iot", "logins", "orders"] {
        let text = std::fs::read_to_string(designs.join(format!("{name}.toml"))).unwrap();
        let source = format!("{name}.toml");
        let reading = Reading::of(Source::new(source.as_str(), text), None);
        let comments = reading.positions.comments();
        let schema = reading.whole().unwrap_or_else(|mistakes| panic!("{mistakes}"));
        let generated = generate(&schema, &Options { source, comments, ..Options::default() });
        let generated = generated.unwrap_or_else(|refused| panic!("{refused}"));
        let files = Files::at(&root.join(format!("../tests/src/generated/{name}.rs")), &generated).unwrap();
        if std::env::var_os("UPDATE").is_some() {
            files.write().unwrap();
            continue;
        }
        differ.extend(files.changes().map(table_codegen::generate::Change::diff));
    }
    assert!(differ.is_empty(), "UPDATE=1 writes them anew:\n{differ}");
}
