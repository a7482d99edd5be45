use std::{iter::Peekable, str::Chars};

use super::expression::Operator;

/// Word or sign of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A key, with or without double quotes.
    Key(String),
    /// `@container`.
    Container,
    /// A value in single quotes.
    Value(String),
    Operator(Operator),
    And,
    Or,
    Open,
    Close,
}

/// Token and the number of its first character, from 1.
pub(super) type Placed = (usize, Token);

/// Reader of tokens.
pub(super) struct Tokens<'t> {
    text: Peekable<Chars<'t>>,
    /// Number of read characters.
    read: usize,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text: text.chars().peekable(), read: 0 }
    }

    /// Returns the next token, or `None` at the end. An error is a position and the reason.
    pub(super) fn next(&mut self) -> Result<Option<Placed>, (usize, String)> {
        while self.take_if(|character| character.is_ascii_whitespace()).is_some() {}
        let at = self.read + 1;
        let Some(first) = self.take_if(|_| true) else { return Ok(None) };
        let token = match first {
            '(' => Token::Open,
            ')' => Token::Close,
            '=' => Token::Operator(Operator::Equal),
            '<' if self.take('>') => Token::Operator(Operator::NotEqual),
            '<' if self.take('=') => Token::Operator(Operator::AtMost),
            '<' => Token::Operator(Operator::Less),
            '>' if self.take('=') => Token::Operator(Operator::AtLeast),
            '>' => Token::Operator(Operator::Greater),
            '\'' => {
                Token::Value(self.quoted('\'').ok_or_else(|| (at, "the quote is not closed".to_owned()))?)
            }
            '"' => Token::Key(self.quoted('"').ok_or_else(|| (at, "the quote is not closed".to_owned()))?),
            '@' if self.word(String::new()) == "container" => Token::Container,
            '@' => return Err((at, "only @container may follow @".to_owned())),
            first if is_start(first) => match self.word(first.to_string()) {
                word if word.eq_ignore_ascii_case("and") => Token::And,
                word if word.eq_ignore_ascii_case("or") => Token::Or,
                word if word.eq_ignore_ascii_case("not") => return Err((at, unexpected(&word))),
                word => Token::Key(word),
            },
            other => return Err((at, unexpected(&other.to_string()))),
        };
        Ok(Some((at, token)))
    }

    /// Returns the number of the next character.
    pub(super) fn place(&self) -> usize {
        self.read + 1
    }

    fn take_if(&mut self, is_wanted: impl Fn(char) -> bool) -> Option<char> {
        let taken = self.text.next_if(|character| is_wanted(*character));
        self.read += usize::from(taken.is_some());
        taken
    }

    fn take(&mut self, wanted: char) -> bool {
        self.take_if(|character| character == wanted).is_some()
    }

    /// Reads the rest of a word.
    fn word(&mut self, mut word: String) -> String {
        while let Some(part) = self.take_if(|character| is_start(character) || character.is_ascii_digit()) {
            word.push(part);
        }
        word
    }

    /// Reads text up to its closing quote; a doubled quote is one in the text. Returns `None` if the text is not closed.
    fn quoted(&mut self, quote: char) -> Option<String> {
        let mut text = String::new();
        loop {
            let character = self.take_if(|_| true)?;
            if character == quote && !self.take(quote) {
                return Some(text);
            }
            text.push(character);
        }
    }
}

/// A key without quotes is a regular identifier of SQL.
const fn is_start(character: char) -> bool {
    character.is_ascii_alphabetic() || character == '_'
}

pub(super) fn unexpected(what: &str) -> String {
    let shown: String = what.chars().take(64).flat_map(char::escape_default).collect();
    format!("unexpected '{shown}'")
}
