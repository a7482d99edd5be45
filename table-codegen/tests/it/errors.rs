//! Invalid files: the code, location and message of each diagnostic, compared with `vectors/errors.json`.

use serde_json::Value;

const VECTORS: &str = include_str!("../vectors/errors.json");

#[test]
fn each_mistake_is_told_at_its_place_and_in_its_words() {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let cases = vectors["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 22);
    let mut wrong = Vec::new();
    for case in cases {
        let text = case["toml"].as_str().unwrap();
        let mistakes = table_codegen::read(text, "company.toml").unwrap_err();
        let told: Vec<Value> = mistakes
            .iter()
            .map(|told| {
                serde_json::json!({
                    "code": told.code.as_str(), "toml": text, "line": told.line, "column": told.column,
                    "length": told.length, "message": told.message, "label": told.label, "help": told.help,
                })
            })
            .collect();
        if told != [case.clone()] {
            wrong.push(format!("{case:#}\n  is told as\n{mistakes}"));
        }
    }
    assert!(wrong.is_empty(), "{} of 22\n{}", wrong.len(), wrong.join("\n"));
}
