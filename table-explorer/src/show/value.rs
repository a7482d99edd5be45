use std::fmt::Write as _;

use maud::{Markup, html};
use table_model::{EdmType, ValueRef};

use super::{CELL, bytes, visible};

/// Number of bytes of a Binary value in a cell.
const CELL_BYTES: usize = 16;

/// Returns the name of a type without its prefix.
pub(crate) fn type_name(kind: EdmType) -> &'static str {
    kind.as_str().trim_start_matches("Edm.")
}

/// Renders a value in a cell of at most `most` characters.
pub(crate) fn cell(value: ValueRef<'_>, most: usize) -> Markup {
    match value {
        ValueRef::String("") => html! { span.none title="Empty string" { "\"\"" } },
        ValueRef::String(text) => visible(text, most.min(CELL)),
        ValueRef::Binary(data) => html! {
            code { (hex(data.get(..CELL_BYTES).unwrap_or(data))) @if data.len() > CELL_BYTES { "…" } }
            " " span.dim { (bytes(data.len() as u64)) }
        },
        value => html! { (exact(value)) },
    }
}

/// Returns the value as text, from which a form returns the same value.
pub(crate) fn exact(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Binary(data) => hex(data),
        ValueRef::Boolean(value) => value.to_string(),
        ValueRef::DateTime(time) => seven_digits(&time.to_string()),
        ValueRef::Double(value) => double(value),
        ValueRef::Guid(id) => id.to_string(),
        ValueRef::Int32(value) => value.to_string(),
        ValueRef::Int64(value) => value.to_string(),
        ValueRef::String(text) => text.to_owned(),
        _ => String::new(),
    }
}

/// Returns the lines of a hex dump: offset, bytes, and the characters of ASCII.
pub(crate) fn hex_dump(data: &[u8]) -> String {
    let mut dump = String::with_capacity(data.len() * 5);
    for (line, bytes) in data.chunks(16).enumerate() {
        let text: String = bytes
            .iter()
            .map(|byte| if byte.is_ascii_graphic() || *byte == b' ' { char::from(*byte) } else { '.' })
            .collect();
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let _ = writeln!(dump, "{:08x}  {:<47}  {text}", line * 16, hex.join(" "));
    }
    dump
}

/// Returns bytes as hex digits.
pub(crate) fn hex(data: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * data.len());
    for byte in data {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// Returns the shortest text that has this value, which an Int32 never has.
fn double(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    format!("{value:?}")
}

/// Completes the fraction of a second.
fn seven_digits(time: &str) -> String {
    let time = time.trim_end_matches('Z');
    let (seconds, digits) = time.split_once('.').unwrap_or((time, ""));
    format!("{seconds}.{digits:0<7}Z")
}

#[cfg(test)]
mod tests {
    use table_model::{Timestamp, Value};

    use super::*;

    #[test]
    fn numbers_are_exact() {
        let time: Timestamp = "2014-07-31T18:00:00.5Z".parse().unwrap();
        for (value, text) in [
            (Value::Int64(i64::MIN), "-9223372036854775808"),
            (Value::Int64((1 << 53) + 1), "9007199254740993"),
            (Value::Double(1.0), "1.0"),
            (Value::Double(-0.0), "-0.0"),
            (Value::Double(f64::NAN), "NaN"),
            (Value::Double(f64::NEG_INFINITY), "-Infinity"),
            (Value::Double(0.1 + 0.2), "0.30000000000000004"),
            (Value::Int32(1), "1"),
            (Value::DateTime(time), "2014-07-31T18:00:00.5000000Z"),
            (Value::Binary(vec![0, 255]), "00ff"),
        ] {
            assert_eq!(exact(value.as_ref()), text);
        }
        assert_eq!(hex_dump(b"ab\0"), format!("00000000  {:<47}  ab.\n", "61 62 00"));
        assert_eq!(
            cell(ValueRef::Binary(&[7; 17]), 120).into_string(),
            format!("<code>{}…</code> <span class=\"dim\">17 B</span>", "07".repeat(16))
        );
    }
}
