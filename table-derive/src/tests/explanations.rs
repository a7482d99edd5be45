//! Derive checks of those catalog examples that a design file cannot express.

use proc_macro2::TokenStream;
use table_advisor::explanations::RuleExplanation;
use table_schema::catalogue::ALL;

fn expansion(text: &str) -> String {
    let tokens: TokenStream = text.parse().expect("Rust");
    crate::entity_impl(tokens).to_string()
}

#[test]
fn an_example_in_rust_has_its_code_before_and_compiles_after() {
    let examples = ALL.iter().map(|entry| (entry.code, RuleExplanation::of(entry.code).example));
    let in_rust: Vec<_> = examples.filter(|(_, example)| example.is_rust).collect();
    assert_eq!(in_rust.len(), 3);
    for (code, example) in in_rust {
        let before = expansion(&example.before());
        assert!(before.contains("compile_error") && before.contains(code.as_str()), "{code}: {before}");
        let after = expansion(&example.after());
        assert!(!after.contains("compile_error"), "{code}: {after}");
    }
}
