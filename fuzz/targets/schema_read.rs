//! Reading a design file never panics. Diagnostics are in file order, each with a valid location. A design without
//! diagnostics round-trips, and Rust code is generated for it or an error is returned.
//!
//! The first line is added, so that the rest of the input is parsed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use table_codegen::{Reading, Source, generate};

fuzz_target!(|body: &str| {
    let text = format!("tables = 1\n{body}");
    let reading = Reading::of(Source::new("a.toml", text.clone()), None);
    let lines = text.lines().count().max(1);
    assert!(reading.diagnostics.is_sorted_by_key(|mistake| mistake.bytes.start));
    for mistake in &reading.diagnostics {
        assert!(mistake.line >= 1 && mistake.line <= lines + 1, "{mistake}");
        assert!(text.get(mistake.bytes.clone()).is_some(), "{mistake}");
        assert!(!mistake.message.is_empty() && !mistake.to_string().is_empty());
    }
    if let Ok(schema) = reading.whole() {
        let written = table_codegen::write(&schema);
        let again = table_codegen::read(&written, "b.toml");
        assert_eq!(again.as_ref(), Ok(&schema), "{written}");
        if let Ok(generated) = generate::generate(&schema, &generate::Options::default()) {
            assert_eq!(
                generate::merge(&generated.root, &generated.root).as_deref(),
                Ok(generated.root.as_str())
            );
        }
    }
});
