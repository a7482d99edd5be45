use std::ops::Range;

use super::FilterError;
use crate::name;

/// Token of a filter string. Numbers and quoted literals are not decoded yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `-`, before a number or alone.
    Minus,
    /// A name or a keyword.
    Word(&'a str),
    /// A digit and the adjacent characters: `5`, `5L`, `1.5E+10`.
    Number(&'a str),
    /// `'text'`, or `prefix'text'`. Doubled quotes are not decoded yet.
    Quoted { prefix: &'a str, content: &'a str },
    /// Characters without a meaning in filters. Operators of other languages stay together: `==`.
    Symbol(&'a str),
    /// End of the filter string.
    End,
}

/// Lexer of filter strings. It never fails on a single character. The parser reports such errors because it has the
/// expected input.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the whole filter string.
    pub(super) const fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the next token and its byte span. Returns `End` repeatedly at the end.
    pub(super) fn token(&mut self) -> Result<(Token<'a>, Range<usize>), FilterError> {
        self.advance(|each| each.is_ascii_whitespace());
        let start = self.at;
        let token = match self.rest().chars().next() {
            None => Token::End,
            Some('(') => self.single(Token::Open),
            Some(')') => self.single(Token::Close),
            Some('-') => self.single(Token::Minus),
            Some('\'') => self.quoted("", start)?,
            Some(first) if first.is_ascii_digit() => Token::Number(self.number()),
            Some(first) if name::is_start(first) => {
                let word = self.advance(name::is_part);
                if self.rest().starts_with('\'') { self.quoted(word, start)? } else { Token::Word(word) }
            }
            Some(first) if is_operator(first) => Token::Symbol(self.advance(is_operator)),
            Some(other) => {
                self.at += other.len_utf8();
                Token::Symbol(self.text.get(start..self.at).unwrap_or_default())
            }
        };
        Ok((token, start..self.at))
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn single(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }

    /// Consumes all characters that satisfy `belongs` and returns them.
    fn advance(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|each| !belongs(each)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// Consumes digits, letters and points, and a sign after an `e`.
    fn number(&mut self) -> &'a str {
        let start = self.at;
        self.advance(|each| each == '.' || name::is_part(each));
        let so_far = self.text.get(start..self.at).unwrap_or_default();
        if so_far.ends_with(['e', 'E']) && self.rest().starts_with(['+', '-']) {
            self.at += 1;
            self.advance(|each| each == '.' || name::is_part(each));
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Consumes a quoted literal from the opening to the closing quote.
    fn quoted(&mut self, prefix: &'a str, start: usize) -> Result<Token<'a>, FilterError> {
        self.at += 1;
        let content_start = self.at;
        loop {
            let Some(quote) = self.rest().find('\'') else {
                let hint = "close it with a quote; a quote inside a string is written twice";
                return Err(FilterError::unterminated(self.text, start..self.text.len()).hinting(hint));
            };
            let content_end = self.at + quote;
            self.at = content_end + 1;
            if self.rest().starts_with('\'') {
                self.at += 1;
                continue;
            }
            let content = self.text.get(content_start..content_end).unwrap_or_default();
            return Ok(Token::Quoted { prefix, content });
        }
    }
}

const fn is_operator(character: char) -> bool {
    matches!(character, '=' | '<' | '>' | '!' | '&' | '|')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text);
        let mut tokens = Vec::new();
        loop {
            match lexer.token().unwrap().0 {
                Token::End => return tokens,
                token => tokens.push(token),
            }
        }
    }

    #[test]
    fn cuts_a_text_into_tokens() {
        use Token::{Close, Minus, Number, Open, Quoted, Symbol, Word};
        assert_eq!(tokens(""), []);
        assert_eq!(tokens(" \t\r\n "), []);
        assert_eq!(tokens("A ge -5L"), [Word("A"), Word("ge"), Minus, Number("5L")]);
        assert_eq!(tokens("not(A)"), [Word("not"), Open, Word("A"), Close]);
        assert_eq!(tokens("1.5E+10 2e-3-4"), [Number("1.5E+10"), Number("2e-3"), Minus, Number("4")]);
        assert_eq!(tokens("'O''Brien'''"), [Quoted { prefix: "", content: "O''Brien''" }]);
        assert_eq!(
            tokens("X'01ff' ''"),
            [Quoted { prefix: "X", content: "01ff" }, Quoted { prefix: "", content: "" }]
        );
        assert_eq!(
            tokens("a>=b&&#😀"),
            [Word("a"), Symbol(">="), Word("b"), Symbol("&&"), Symbol("#"), Symbol("😀")]
        );
        assert_eq!(tokens("Größe名"), [Word("Größe名")]);
    }

    #[test]
    fn an_open_quote_is_reported_from_where_it_opens() {
        for (text, start) in [("'", 0), ("A eq 'x", 5), ("A eq 'x''", 5), ("A eq guid'", 5)] {
            let mut lexer = Lexer::new(text);
            let error = loop {
                match lexer.token() {
                    Ok((Token::End, _)) => panic!("no error in {text}"),
                    Ok(_) => {}
                    Err(error) => break error,
                }
            };
            assert_eq!(error.span(), start..text.len(), "{text}");
            let message = format!("There is an unterminated literal at position {} in '{text}'.", text.len());
            assert_eq!(error.message(), message);
        }
    }
}
