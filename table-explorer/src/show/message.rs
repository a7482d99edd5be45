//! Messages of queues, which many clients encode.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::de::IgnoredAny;

/// The readable text of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Readable {
    /// How the message was stored.
    pub(crate) form: &'static str,
    pub(crate) text: String,
}

impl Readable {
    /// Decodes Base64 if it contains text, and indents JSON.
    pub(crate) fn of(message: &str) -> Self {
        if is_json(message) {
            return Self { form: "JSON", text: indented(message) };
        }
        match decoded(message) {
            Some(text) if is_json(&text) => Self { form: "JSON in Base64", text: indented(&text) },
            Some(text) => Self { form: "text in Base64", text },
            None => Self { form: "text", text: message.to_owned() },
        }
    }
}

/// Returns the text in Base64. Most short words are valid Base64 too, but not of a text.
fn decoded(message: &str) -> Option<String> {
    let text = String::from_utf8(STANDARD.decode(message.trim()).ok()?).ok()?;
    let is_text = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    Some(text).filter(|text| !text.is_empty() && text.chars().all(is_text))
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Indents valid JSON. The values remain as they were written, also numbers of any length.
fn indented(json: &str) -> String {
    let mut text = String::with_capacity(json.len() * 2);
    let (mut depth, mut is_string, mut is_escaped, mut is_open) = (0, false, false, false);
    let line = |text: &mut String, depth: usize| {
        text.push('\n');
        text.extend(std::iter::repeat_n("  ", depth));
    };
    for c in json.chars() {
        if is_string {
            text.push(c);
            is_string = c != '"' || is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            continue;
        }
        match c {
            ' ' | '\t' | '\r' | '\n' => continue,
            '}' | ']' => {
                depth -= 1;
                if !is_open {
                    line(&mut text, depth);
                }
            }
            _ if is_open => line(&mut text, depth),
            _ => {}
        }
        is_open = matches!(c, '{' | '[');
        is_string = c == '"';
        text.push(c);
        match c {
            '{' | '[' => depth += 1,
            ',' => line(&mut text, depth),
            ':' => text.push(' '),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_indented_without_a_change_of_its_values() {
        let json = r#" {"a":[9007199254740993.0, {}, []],"b":"{\"x\",\\","c":{"d":null}}"#;
        let readable = Readable::of(json);
        let expected = "{\n  \"a\": [\n    9007199254740993.0,\n    {},\n    []\n  ],\n  \"b\": \"{\\\"x\\\",\\\\\",\n  \"c\": {\n    \"d\": null\n  }\n}";
        assert_eq!((readable.form, &*readable.text), ("JSON", expected));
    }

    #[test]
    fn base64_is_decoded_if_it_contains_text() {
        for (message, form, text) in [
            ("aGVsbG8=", "text in Base64", "hello"),
            ("eyJhIjoxfQ==", "JSON in Base64", "{\n  \"a\": 1\n}"),
            ("password", "text", "password"),
            ("{not json}", "text", "{not json}"),
            ("", "text", ""),
        ] {
            assert_eq!(Readable::of(message), Readable { form, text: text.to_owned() }, "{message}");
        }
    }
}
