//! Parts of declarations that generated code builds.

use table_model::Value;
use table_schema::{
    design::{FieldDesign, FieldKind, TemplateText},
    toml_text,
};

/// Returns a text.
pub fn text(text: &str) -> String {
    text.to_owned()
}

/// Returns a template.
pub fn template(text: &str) -> Option<TemplateText> {
    Some(TemplateText::new(text))
}

/// Returns a list of texts.
pub fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// Returns a field with the type that a word of design files names.
pub fn field(name: &str, word: &str) -> FieldDesign {
    FieldDesign::new(name, FieldKind::from_word(word, None).unwrap_or(FieldKind::Unknown))
}

/// Returns a default as a design contains it: its literal, if it is a number, a truth value or text.
pub(crate) fn default_text(default: Option<Value>) -> String {
    let literal = default.and_then(|value| match value {
        Value::Boolean(flag) => Some(flag.to_string()),
        Value::Int32(number) => Some(number.to_string()),
        Value::Int64(number) => Some(number.to_string()),
        Value::Double(number) => Some(number.to_string()),
        Value::String(text) => Some(toml_text::text(&text)),
        _ => None,
    });
    literal.unwrap_or_else(|| FieldDesign::DEFAULT_OF_TYPE.to_owned())
}
