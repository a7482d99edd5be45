//! Why a value cannot be part of a key.

use std::fmt;

use thiserror::Error;

use crate::template::Shape;

/// A key that was not written by the template it was read with: the row is a foreign one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Error)]
#[error("not a key of this template")]
pub struct NotThisTemplate;

/// A value that cannot be part of its key. Found before anything is sent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("field `{field}` = {value}: {rule}{}", .rule.help(.field).map(|help| format!("; {help}")).unwrap_or_default())]
pub struct KeyError {
    field: String,
    value: String,
    rule: KeyRule,
}

/// Longest value shown in a message, in characters.
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

    /// The field whose value it is.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// The value as shown: text in quotes, shortened.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The rule that is broken.
    pub const fn rule(&self) -> &KeyRule {
        &self.rule
    }

    /// What to do, where there is one thing to do.
    pub fn help(&self) -> Option<String> {
        self.rule.help(&self.field)
    }

    /// The template that would take the value: `template` with the hole of the field written as the help says.
    ///
    /// ```
    /// use table_schema::key::{KeyKind, KeyWriter};
    ///
    /// let error = KeyWriter::new(KeyKind::Row).text("email", "a/b", None).unwrap_err();
    /// assert_eq!(error.fixed("email_{email}").as_deref(), Some("email_{email:esc}"));
    /// ```
    pub fn fixed(&self, template: &str) -> Option<String> {
        let hole = self.rule.hole(&self.field)?;
        // Not the hole of a field whose name begins with this one.
        let opening = ["}", ":"].map(|end| format!("{{{}{end}", self.field));
        let start = opening.iter().find_map(|opening| template.find(opening))?;
        let length = template.get(start..)?.find('}')? + 1;
        Some(format!("{}{hole}{}", template.get(..start)?, template.get(start + length..)?))
    }
}

/// The rules that depend on data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyRule {
    /// No key can hold this character.
    Forbidden(char),
    /// Bare text holds the character that ends it in the key.
    Separator(char),
    /// The number has more digits than the format.
    Width(u8),
    /// A negative number in a zero-padded format.
    Negative,
    /// The integer does not fit the bits of an `ord` format.
    Bits(u8),
    /// NaN is neither above nor below other numbers.
    NotANumber,
    /// A time outside the years 1 to 9999.
    Ticks,
    /// The row key would begin with `!`: those are the library's own.
    Reserved,
    /// A row key led by text would be empty or begin with a space, below all ranges.
    BelowRanges,
    /// The key would begin as those of other rows of the table do.
    Sibling(String),
    /// The key is too long.
    TooLong {
        /// The key's length in UTF-16 units.
        units: usize,
        /// The limit.
        limit: usize,
    },
    /// The value is of another kind than the format writes.
    Format(Shape),
    /// No value was given.
    Missing,
}

impl KeyRule {
    /// The hole that would take the value, if a format of the same field would.
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

/// A character as it stands in a message: in ticks, or by its number if it cannot be seen.
pub(crate) fn quoted(character: char) -> String {
    if character.is_control() || character.is_whitespace() && character != ' ' {
        format!("U+{:04X}", u32::from(character))
    } else {
        format!("`{character}`")
    }
}
