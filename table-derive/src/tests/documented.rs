//! The documentation of the derive describes each attribute.

use proc_macro2::TokenStream;

const DOCUMENTATION: &str = include_str!("../../docs/table_entity.md");

/// Returns the attributes that the diagnostic for an unknown one lists.
fn supported(input: &str) -> Vec<String> {
    let tokens: TokenStream = input.parse().expect("Rust");
    let expansion = crate::entity_impl(tokens).to_string();
    let (_, list) = expansion.split_once("supported: ").expect("a list of attributes");
    let end = list.find(['"', '\\', ';']).expect("the end of the list");
    list[..end].split(',').map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()).collect()
}

#[test]
fn each_attribute_is_documented() {
    let keys = r#"name = "Employees", partition = "{department}", row = "{id:06}""#;
    let of_struct =
        supported(&format!("#[table({keys}, qqqqqqqq)] struct Employee {{ department: String, id: u32 }}"));
    let of_field = supported(&format!(
        "#[table({keys})] struct Employee {{ department: String, #[table(qqqqqqqq)] id: u32 }}"
    ));
    assert!(of_struct.len() > 20 && of_field.len() > 10, "{of_struct:?} {of_field:?}");
    for word in of_struct.iter().chain(&of_field) {
        let starts = ["`", " = ", "(", "`,"].map(|next| format!("`{word}{next}"));
        assert!(
            starts.iter().any(|start| DOCUMENTATION.contains(start.as_str())),
            "`{word}` is not documented"
        );
    }
}
