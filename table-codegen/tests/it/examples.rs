//! The four example designs are read without diagnostics.

#[test]
fn the_examples_are_designs_without_mistakes() {
    for (name, text) in [
        ("company", include_str!("../schemas/company.toml")),
        ("iot", include_str!("../schemas/iot.toml")),
        ("logins", include_str!("../schemas/logins.toml")),
        ("orders", include_str!("../schemas/orders.toml")),
    ] {
        let schema = table_codegen::read(text, name).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        assert_eq!(schema.name, name);
    }
}
