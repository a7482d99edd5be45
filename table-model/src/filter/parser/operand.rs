use std::ops::Range;

use super::{
    super::{Comparison, Filter, FilterError, hint, lexer::Token, literal, word},
    Expected, Parser,
};
use crate::{Value, key::utf16_units, limits};

/// Operand of a comparison.
pub(super) enum Operand<'a> {
    Property(&'a str),
    Literal(Value),
}

/// Operand and its span.
pub(super) struct Sided<'a> {
    pub(super) operand: Operand<'a>,
    pub(super) span: Range<usize>,
}

/// Creates a comparison from two operands. Exactly one of them must be a property.
pub(super) fn compare(
    text: &str,
    left: Sided<'_>,
    comparison: Comparison,
    right: Sided<'_>,
) -> Result<Filter, FilterError> {
    match spelled_booleans(left.operand, right.operand) {
        (Operand::Property(name), Operand::Literal(value)) => {
            Ok(Filter::compare(name.to_owned(), comparison, value))
        }
        (Operand::Literal(value), Operand::Property(name)) => {
            Ok(Filter::compare(name.to_owned(), comparison.flipped(), value))
        }
        (Operand::Property(_), Operand::Property(name)) => {
            Err(FilterError::invalid(text, right.span, "Two properties cannot be compared.")
                .hinting(hint::for_bare_value(name)))
        }
        (Operand::Literal(_), Operand::Literal(_)) => {
            Err(FilterError::invalid(text, left.span.start..right.span.end, "Two values cannot be compared.")
                .hinting("one side must be the name of a property, without quotes"))
        }
    }
}

/// Reads `True`, `FALSE` and other spellings of the two words as Boolean values if both operands would be properties,
/// which is never valid. Azurite and clients that print Booleans in their own language use such spellings. Next to a
/// value they are names: `True eq 5` compares the property `True`.
fn spelled_booleans<'a>(left: Operand<'a>, right: Operand<'a>) -> (Operand<'a>, Operand<'a>) {
    let boolean = |name: &str| match name.to_ascii_lowercase().as_str() {
        "true" => Some(Operand::Literal(Value::Boolean(true))),
        "false" => Some(Operand::Literal(Value::Boolean(false))),
        _ => None,
    };
    let (Operand::Property(first), Operand::Property(second)) = (&left, &right) else { return (left, right) };
    match (boolean(first), boolean(second)) {
        (_, Some(value)) => (left, value),
        (Some(value), None) => (value, right),
        (None, None) => (left, right),
    }
}

impl<'a> Parser<'a> {
    /// Parses one operand of a comparison, with optional parentheses.
    pub(super) fn operand(&mut self) -> Result<Sided<'a>, FilterError> {
        let outside = self.depth;
        while self.token == Token::Open {
            self.enter()?;
        }
        let start = self.span.start;
        let operand = self.bare_operand()?;
        let span = start..self.taken.end;
        while self.depth > outside {
            if self.token != Token::Close {
                return Err(self.unexpected(Expected::Closing));
            }
            self.depth -= 1;
            self.take()?;
        }
        Ok(Sided { operand, span })
    }

    fn bare_operand(&mut self) -> Result<Operand<'a>, FilterError> {
        match self.token {
            Token::Minus => self.negative(),
            Token::Number(raw) => {
                let value = literal::number(&self.place(), raw, false)?;
                self.take_literal(value)
            }
            Token::Quoted { prefix, content } => {
                let value = literal::quoted(&self.place(), prefix, content)?;
                self.take_literal(value)
            }
            Token::Word("true") => self.take_literal(Value::Boolean(true)),
            Token::Word("false") => self.take_literal(Value::Boolean(false)),
            Token::Word("NaN") => self.take_literal(Value::Double(f64::NAN)),
            Token::Word("INF") => self.take_literal(Value::Double(f64::INFINITY)),
            Token::Word("null") => Err(FilterError::invalid(
                self.text(),
                self.span.clone(),
                "A property is never null.",
            )
            .hinting(
                "an entity without the property fails every comparison; use `not (P ge 0 or P lt 0)` to find \
                 it",
            )),
            Token::Word(name) if !word::is_reserved(name) => self.property(name),
            _ => Err(self.unexpected(Expected::Operand)),
        }
    }

    /// Parses a `-` and the following number.
    fn negative(&mut self) -> Result<Operand<'a>, FilterError> {
        let sign = self.span.clone();
        self.take()?;
        match self.token {
            Token::Number(raw) => {
                let place = literal::Place { text: self.text(), span: sign.start..self.span.end };
                let value = literal::number(&place, raw, true)?;
                self.take_literal(value)
            }
            Token::Word("INF") => self.take_literal(Value::Double(f64::NEG_INFINITY)),
            Token::Word(_) | Token::Open => Err(FilterError::not_implemented(self.text(), sign)
                .hinting("arithmetic is not supported; `-` is only allowed before a number")),
            _ => Err(self.unexpected(Expected::Operand)),
        }
    }

    fn property(&mut self, name: &'a str) -> Result<Operand<'a>, FilterError> {
        let span = self.span.clone();
        if utf16_units(name) > limits::PROPERTY_NAME_UNITS {
            return Err(FilterError::invalid(self.text(), span, "The name is too long for a property.")
                .hinting("a name has at most 255 characters; write strings in single quotes"));
        }
        self.take()?;
        if self.token == Token::Open {
            let error = if word::is_function(name) {
                FilterError::not_implemented(self.text(), span)
            } else {
                FilterError::syntax(self.text(), self.span.clone())
            };
            return Err(error.hinting(hint::for_function(name)));
        }
        Ok(Operand::Property(name))
    }

    fn take_literal(&mut self, value: Value) -> Result<Operand<'a>, FilterError> {
        self.take()?;
        Ok(Operand::Literal(value))
    }

    fn place(&self) -> literal::Place<'a> {
        literal::Place { text: self.text(), span: self.span.clone() }
    }
}
