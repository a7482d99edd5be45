//! Conditions of rows: `status = closed and region = 'north-west'`.

use std::{fmt, ops::Range, str::FromStr};

use super::{
    LanguageError,
    condition::wrong,
    token::{Token, tokens},
};

/// The entities that an index contains or an archive receives: a conjunction of equalities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct When {
    /// The source text.
    pub text: String,
    /// The operands of `and`. Never empty.
    pub equalities: Vec<Equality>,
}

/// An equality of a field and a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equality {
    /// The name of the field.
    pub field: String,
    /// The value.
    pub value: Literal,
    /// The byte range of the field name.
    pub field_span: Range<usize>,
    /// The byte range of the value.
    pub value_span: Range<usize>,
}

/// A literal value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// A word: `closed`, `true`.
    Word(String),
    /// A number: `3`, `-0.5`.
    Number(String),
    /// A quoted string, without the quotes.
    Text(String),
}

impl Literal {
    /// Returns the value without quotes.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Word(text) | Self::Number(text) | Self::Text(text) => text,
        }
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(text) | Self::Number(text) => f.write_str(text),
            Self::Text(text) => write!(f, "'{}'", text.replace('\'', "''")),
        }
    }
}

impl FromStr for When {
    type Err = LanguageError;

    fn from_str(text: &str) -> Result<Self, LanguageError> {
        const EXAMPLE: &str = "status = closed";
        let mut tokens = tokens(text).into_iter();
        let mut equalities = Vec::new();
        let mut last = 0..text.len();
        loop {
            let mut next = |label: &str| {
                let token = tokens.next().ok_or_else(|| wrong(last.clone(), label, EXAMPLE))?;
                last = token.span.clone();
                Ok(token)
            };
            let field = next("expected a field")?;
            if !field.text.starts_with(|first: char| first == '_' || first.is_alphabetic()) {
                return Err(wrong(field.span, "expected a field", EXAMPLE));
            }
            let sign = next("expected `=`")?;
            if sign.text != "=" {
                return Err(wrong(sign.span, "expected `=`", EXAMPLE));
            }
            let value = next("expected a word, a number or a text in single quotes")?;
            equalities.push(Equality {
                field: field.text.to_owned(),
                value: literal(&value)?,
                field_span: field.span,
                value_span: value.span,
            });
            match tokens.next() {
                None => return Ok(Self { text: text.to_owned(), equalities }),
                Some(token) if token.text == "and" => last = token.span,
                Some(token) => return Err(wrong(token.span, "expected `and` or the end", EXAMPLE)),
            }
        }
    }
}

pub(super) fn literal(token: &Token<'_>) -> Result<Literal, LanguageError> {
    let text = token.text;
    if let Some(inner) = text.strip_prefix('\'') {
        let inner = inner.strip_suffix('\'');
        let inner = inner
            .ok_or_else(|| wrong(token.span.clone(), "this text has no second quote", "status = 'closed'"))?;
        return Ok(Literal::Text(inner.replace("''", "'")));
    }
    let is_number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    if text.starts_with(|first: char| first.is_ascii_digit() || first == '-') && is_number(text) {
        return Ok(Literal::Number(text.to_owned()));
    }
    if text.starts_with(|first: char| first == '_' || first.is_alphabetic()) {
        return Ok(Literal::Word(text.to_owned()));
    }
    Err(wrong(token.span.clone(), "expected a word, a number or a text in single quotes", "status = closed"))
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_words_numbers_and_texts() {
        let when: When = "status = closed and n = -3 and place = 'it''s here'".parse().unwrap();
        let values: Vec<Literal> = when.equalities.into_iter().map(|one| one.value).collect();
        let expected = [
            Literal::Word("closed".to_owned()),
            Literal::Number("-3".to_owned()),
            Literal::Text("it's here".to_owned()),
        ];
        assert_eq!(values, expected);
    }

    #[test]
    fn other_texts_are_told_with_their_places() {
        for (text, span) in [
            ("", 0..0),
            ("status", 0..6),
            ("status > 3", 7..8),
            ("status = ?", 9..10),
            ("status = 'x", 9..11),
            ("a = b or c = d", 6..8),
            ("a = b and", 6..9),
            ("a = 1x", 4..6),
        ] {
            assert_eq!(text.parse::<When>().unwrap_err().span, span, "{text}");
        }
    }
}
