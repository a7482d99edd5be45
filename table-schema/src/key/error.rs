//! Errors of values that are not valid in a key.

use std::fmt;

use thiserror::Error;

use crate::template::Shape;

/// The error for a key that was not written by the template that reads it: the row is foreign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Error)]
#[error("not a key of this template")]
pub struct TemplateMismatch;

/// The error for a value that is not valid in its key. It is detected before a request is sent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("field `{field}` = {value}: {rule}{}", .rule.help(.field).map(|help| format!("; {help}")).unwrap_or_default())]
pub struct KeyError {
    field: String,
    value: String,
    rule: KeyRule,
}

/// Maximum length of a value in a message, in characters.
const SHOWN: usize = 60;

impl KeyError {
    pub(crate) fn new(field: &str, value: impl fmt::Display, rule: KeyRule) -> Self {
        Self { field: field.to_owned(), value: value.to_string(), rule }
    }

    pub(crate) fn of_text(field: &str, value: &str, rule: KeyRule) -> Self {
        let mut shown: String = value.chars().take(SHOWN).collect();
        if shown.len() < value.len() {
            shown.push_str("...");
        }
        Self { field: field.to_owned(), value: format!("{shown:?}"), rule }
    }

    /// Returns the name of the field that contains the value.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// Returns the value as displayed: text is quoted and shortened.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Returns the violated rule.
    pub const fn rule(&self) -> &KeyRule {
        &self.rule
    }

    /// Returns the remedy, if exactly one exists.
    pub fn help(&self) -> Option<String> {
        self.rule.help(&self.field)
    }

    /// Returns `template` with the format of the field changed as the help suggests, so that it accepts the value.
    /// Returns `None` if no format of the field accepts it.
    ///
    /// ```
    /// use table_schema::key::{KeyKind, KeyWriter};
    ///
    /// let error = KeyWriter::new(KeyKind::Row).text("email", "a/b", None).unwrap_err();
    /// assert_eq!(error.fixed("email_{email}").as_deref(), Some("email_{email:esc}"));
    /// ```
    pub fn fixed(&self, template: &str) -> Option<String> {
        let hole = self.rule.hole(&self.field)?;
        // The template field must match the complete name, not a longer name with this prefix.
        let opening = ["}", ":"].map(|end| format!("{{{}{end}", self.field));
        let start = opening.iter().find_map(|opening| template.find(opening))?;
        let length = template.get(start..)?.find('}')? + 1;
        Some(format!("{}{hole}{}", template.get(..start)?, template.get(start + length..)?))
    }
}

/// The key rules that depend on data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyRule {
    /// The character is not allowed in keys.
    Forbidden(char),
    /// Unescaped text contains the separator that terminates it in the key.
    Separator(char),
    /// The number has more digits than the format.
    Width(u8),
    /// A negative number in a zero-padded format.
    Negative,
    /// The integer does not fit the bit width of an `ord` format.
    Bits(u8),
    /// NaN is not ordered relative to other numbers.
    NotANumber,
    /// The time is outside the years 1 to 9999.
    Ticks,
    /// The row key would start with `!`, which is reserved for the library.
    Reserved,
    /// A row key with a leading text field would be empty or start with a space, below all ranges.
    BelowRanges,
    /// The key would start with a literal that identifies other rows of the table.
    Sibling(String),
    /// The key is too long.
    TooLong {
        /// The length of the key in UTF-16 units.
        units: usize,
        /// The maximum length.
        limit: usize,
    },
    /// The value has a different type than the format.
    Format(Shape),
    /// No value was given.
    Missing,
}

impl KeyRule {
    /// Returns the template field that accepts the value, if another format of the same field does.
    fn hole(&self, field: &str) -> Option<String> {
        match self {
            Self::Forbidden(_) | Self::Separator(_) => Some(format!("{{{field}:esc}}")),
            Self::Negative => Some(format!("{{{field}:ord}}")),
            _ => None,
        }
    }

    fn help(&self, field: &str) -> Option<String> {
        match self {
            Self::Reserved | Self::BelowRanges => {
                Some(format!("begin the template with a word of its own: `k_{{{field}}}`"))
            }
            _ => self.hole(field).map(|hole| format!("write `{hole}`")),
        }
    }
}

impl fmt::Display for KeyRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forbidden(character) => write!(f, "{} cannot be in a key", quoted(*character)),
            Self::Separator(character) => write!(f, "{} ends this field in the key", quoted(*character)),
            Self::Width(width) => write!(f, "does not fit :0{width}"),
            Self::Negative => f.write_str("a zero-padded number cannot be negative"),
            Self::Bits(bits) => write!(f, "does not fit :ord{bits}"),
            Self::NotANumber => f.write_str("NaN has no place in an order"),
            Self::Ticks => f.write_str("is outside 0001-01-01 to 9999-12-31"),
            Self::Reserved => f.write_str("row keys that begin with `!` are the library's own"),
            Self::BelowRanges => f.write_str("a row key led by text cannot be empty or begin with a space"),
            Self::Sibling(literal) => write!(f, "keys that begin with `{literal}` belong to other rows"),
            Self::TooLong { units, limit } => {
                write!(f, "the key is {units} characters long; a key holds {limit}")
            }
            Self::Format(Shape::Text) => f.write_str("a hole without a format takes text"),
            Self::Format(shape) => write!(f, "format `{shape}` does not take this kind of value"),
            Self::Missing => f.write_str("no value was given"),
        }
    }
}

/// Formats a character for a message: in backticks, or as its code point if it is not printable.
pub(crate) fn quoted(character: char) -> String {
    if character.is_control() || character.is_whitespace() && character != ' ' {
        format!("U+{:04X}", u32::from(character))
    } else {
        format!("`{character}`")
    }
}
