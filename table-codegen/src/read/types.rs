//! The types of fields: `string(40)?`, `enum(open, paid)`.

use std::ops::Range;

use table_schema::{catalogue::Code, design::FieldKind, suggest::closest};

use super::keys::Text;
use crate::diagnostic::Found;

/// Maximum length of a string in UTF-16 units.
const MOST_CHARS: usize = 32_768;
/// Maximum length of a binary value in bytes.
const MOST_BYTES: usize = 65_536;

const KNOWN: [&str; 17] = [
    "string", "bool", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64", "datetime", "date",
    "guid", "binary", "json",
];
const HELP: &str = "types: string(n), bool, u8, u16, u32, u64, i8, i16, i32, i64, f32, f64, datetime, date, guid, \
                    binary(n), json(n), enum(a, b); `?` at the end: may be absent";

/// A parsed type and the location of its length.
#[derive(Clone, Debug)]
pub(super) struct FieldType {
    pub(super) kind: FieldKind,
    pub(super) optional: bool,
    /// The word before the parenthesis.
    pub(super) word: &'static str,
    /// The byte range of the length.
    pub(super) length: Range<usize>,
}

impl FieldType {
    pub(super) fn read(text: &Text<'_>, found: &mut Vec<Found>) -> Option<Self> {
        let whole = text.text;
        let (plain, optional) = match whole.strip_suffix('?') {
            Some(plain) => (plain.trim_end(), true),
            None => (whole, false),
        };
        let (word, list) = match plain.split_once('(') {
            Some((word, rest)) => (word.trim(), Some(rest)),
            None => (plain.trim(), None),
        };
        if word == "enum" {
            return words(text, list, found).map(|variants| Self {
                kind: FieldKind::Enum { variants },
                optional,
                word: "enum",
                length: 0..0,
            });
        }
        let Some(known) = KNOWN.into_iter().find(|known| *known == word) else {
            found.push(unknown(text, word));
            return None;
        };
        let (max, length) = match list {
            None => (None, 0..0),
            Some(list) if matches!(known, "string" | "binary" | "json") => {
                let start = plain.len() - list.len();
                let (max, length) = bound(text, list, start, found)?;
                (Some(max), length)
            }
            Some(_) => {
                found.push(unknown(text, plain));
                return None;
            }
        };
        let kind = FieldKind::from_word(known, max)?;
        Some(Self { kind, optional, word: known, length })
    }

    /// Returns the violation of the maximum length of a property, if any.
    pub(super) fn too_long(&self, name: &str, text: &Text<'_>) -> Option<Found> {
        let (most, message, label) = match &self.kind {
            FieldKind::Text { .. } | FieldKind::Json { .. } => (
                MOST_CHARS,
                format!("a {} value holds 32,768 characters at most", self.word),
                "64 KiB in UTF-16",
            ),
            FieldKind::Binary { .. } => {
                (MOST_BYTES, "a binary value holds 65,536 bytes at most".to_owned(), "64 KiB")
            }
            _ => return None,
        };
        let (FieldKind::Text { max } | FieldKind::Json { max } | FieldKind::Binary { max }) = &self.kind
        else {
            return None;
        };
        max.filter(|max| *max > most)?;
        let mistake = Found::new(Code::D025, &text.value.part(&self.length), message).label(label);
        Some(mistake.help(format!("{name} = {{ type = {:?}, blob = true }}", text.text)))
    }
}

fn unknown(text: &Text<'_>, word: &str) -> Found {
    let mistake =
        Found::new(Code::D007, &text.value.inner(), format!("unknown type `{}`", text.text)).help(HELP);
    let label = match (word, closest(word, KNOWN.into_iter().chain(["enum"]))) {
        // Type names of other languages, which the edit distance does not find.
        ("uint" | "unsigned" | "uint32", _) => "did you mean `u32`?".to_owned(),
        ("int" | "integer" | "int32", _) => "did you mean `i32`?".to_owned(),
        ("long" | "int64" | "bigint", _) => "did you mean `i64`?".to_owned(),
        ("double" | "float" | "number", _) => "did you mean `f64`?".to_owned(),
        ("text" | "str" | "varchar", _) => "did you mean `string`?".to_owned(),
        ("time" | "timestamp", _) => "did you mean `datetime`?".to_owned(),
        ("uuid" | "id", _) => "did you mean `guid`?".to_owned(),
        ("bytes" | "blob", _) => "did you mean `binary`?".to_owned(),
        ("boolean", _) => "did you mean `bool`?".to_owned(),
        (_, Some(near)) => format!("did you mean `{near}`?"),
        (_, None) => "not a type".to_owned(),
    };
    mistake.label(label)
}

/// Parses the number before the closing parenthesis and returns it with its byte range.
fn bound(text: &Text<'_>, list: &str, start: usize, found: &mut Vec<Found>) -> Option<(usize, Range<usize>)> {
    let Some(inner) = list.strip_suffix(')') else {
        found.push(unknown(text, text.text));
        return None;
    };
    let digits = inner.trim();
    let start = start + (inner.len() - inner.trim_start().len());
    let bytes = start..start + digits.len();
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let number = digits.replace('_', "").parse().ok().filter(|number: &usize| is_number && *number > 0);
    if number.is_none() {
        let mistake =
            Found::new(Code::D024, &text.value.part(&bytes), "a length is an integer of at least 1");
        found.push(mistake.label("not a length").help("string(40)"));
    }
    Some((number?, bytes))
}

/// Parses the words of an `enum(..)`.
fn words(text: &Text<'_>, list: Option<&str>, found: &mut Vec<Found>) -> Option<Vec<String>> {
    let Some(inner) = list.and_then(|list| list.strip_suffix(')')) else {
        let mistake = Found::new(Code::D007, &text.value.inner(), "an enum has a list of words");
        found.push(mistake.label("no list").help("enum(open, paid)"));
        return None;
    };
    let words: Vec<String> = inner.split(',').map(|word| word.trim().to_owned()).collect();
    let bad = words.iter().enumerate().find(|(at, word)| {
        let is_word = word.starts_with(|first: char| first.is_alphabetic())
            && word.chars().all(|next| next.is_alphanumeric() || matches!(next, '_' | '-'))
            // Some digits, such as `²`, cannot be in the name of a variant.
            && syn::parse_str::<syn::Ident>(&format!("A{}", word.replace('-', "_"))).is_ok();
        !is_word || words.iter().take(*at).any(|before| before == *word)
    });
    if let Some((at, word)) = bad {
        let is_twice = words.iter().take(at).any(|before| before == word);
        let message =
            if is_twice { format!("`{word}` is duplicated") } else { format!("`{word}` is no word") };
        let mistake = Found::new(Code::D007, &text.value.inner(), message);
        found.push(mistake.label("letters, digits, `_` and `-`, each word once").help("enum(open, paid)"));
        return None;
    }
    Some(words)
}
