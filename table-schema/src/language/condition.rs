//! Conditions of queries: `department = ? and status = open and age > 20%`.

use std::{fmt, ops::Range, str::FromStr};

use super::{
    LanguageError, Span, number,
    token::{Token, tokens},
    when::{Literal, literal},
};
use crate::catalogue::Code;

/// The filter of a query: a disjunction of alternatives.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The source text.
    pub text: String,
    /// The operands of `or`. Never empty.
    pub alternatives: Vec<Conjunction>,
}

/// A conjunction of tests.
#[derive(Clone, Debug, PartialEq)]
pub struct Conjunction {
    /// The operands of `and`. Never empty.
    pub tests: Vec<Test>,
    /// The byte range in the source text.
    pub span: Range<usize>,
}

/// A test of one field.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// The name of the field. In a workload, `seller.region` is the field of another entity.
    pub field: String,
    /// The comparison operator.
    pub comparison: Comparison,
    /// The argument of the comparison.
    pub argument: Argument,
    /// The value of a test of equality, unless it is a parameter (`?`).
    pub value: Option<Literal>,
    /// The byte range of the complete test.
    pub span: Range<usize>,
    /// The byte range of the field name.
    pub field_span: Range<usize>,
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `in`: one of several values.
    In,
    /// `between`: from one value to another.
    Between,
    /// `within`: a time in a window.
    Within,
    /// `starts`: text with a prefix.
    Starts,
}

/// The argument of a comparison, as far as the design specifies it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument {
    /// `?`: any single value, or a range of unknown width.
    Any,
    /// The number of values of `in`.
    Values(u64),
    /// The fraction of the values that a range selects, from 0 to 1.
    Share(f64),
    /// The duration of the window of `within`.
    Window(Span),
}

impl Comparison {
    /// All operators, in grammar order.
    pub const ALL: [Self; 10] = [
        Self::Equal,
        Self::NotEqual,
        Self::Less,
        Self::AtMost,
        Self::Greater,
        Self::AtLeast,
        Self::In,
        Self::Between,
        Self::Within,
        Self::Starts,
    ];

    /// Returns the operator as written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
            Self::In => "in",
            Self::Between => "between",
            Self::Within => "within",
            Self::Starts => "starts",
        }
    }

    /// Returns whether the operator selects a range of adjacent values.
    pub const fn is_range(self) -> bool {
        !matches!(self, Self::Equal | Self::NotEqual | Self::In)
    }

    fn reads(self, argument: &str) -> Option<Argument> {
        if argument == "?" {
            return Some(Argument::Any);
        }
        match self {
            Self::Equal | Self::NotEqual => None,
            Self::In => {
                let (values, rest) = number::whole(argument)?;
                (rest.is_empty() && values > 0).then_some(Argument::Values(values))
            }
            Self::Within => argument.parse().ok().map(Argument::Window),
            Self::Less | Self::AtMost | Self::Greater | Self::AtLeast | Self::Between | Self::Starts => {
                let (percent, rest) = number::leading(argument)?;
                (rest == "%" && percent <= 100.0).then_some(Argument::Share(percent / 100.0))
            }
        }
    }

    const fn takes(self) -> (&'static str, &'static str) {
        match self {
            Self::Equal => ("expected `?`, a word, a number or a text in single quotes", "?"),
            Self::NotEqual => ("expected `?`", "?"),
            Self::In => ("expected how many values: a number, or `?`", "5"),
            Self::Within => ("expected a time span, or `?`", "7d"),
            _ => ("expected a share of the values in percent, or `?`", "10%"),
        }
    }
}

/// The state of the parser.
struct Reader<'t> {
    text: &'t str,
    tokens: std::vec::IntoIter<Token<'t>>,
}

impl FromStr for Condition {
    type Err = LanguageError;

    fn from_str(text: &str) -> Result<Self, LanguageError> {
        let mut reader = Reader { text, tokens: tokens(text).into_iter() };
        let mut alternatives = Vec::new();
        let mut tests: Vec<Test> = Vec::new();
        loop {
            tests.push(reader.test()?);
            let joined = reader.tokens.next();
            if joined.as_ref().is_some_and(|token| token.text == "and") {
                continue;
            }
            let start = tests.first().map_or(0, |test| test.span.start);
            let end = tests.last().map_or(0, |test| test.span.end);
            alternatives.push(Conjunction { tests: std::mem::take(&mut tests), span: start..end });
            match joined {
                None => return Ok(Self { text: text.to_owned(), alternatives }),
                Some(token) if token.text == "or" => {}
                Some(token) => {
                    return Err(wrong(
                        token.span,
                        "expected `and`, `or` or the end",
                        "department = ? and id = ?",
                    ));
                }
            }
        }
    }
}

impl Reader<'_> {
    fn test(&mut self) -> Result<Test, LanguageError> {
        let end = self.text.len();
        let field = self.tokens.next().ok_or_else(|| wrong(0..end, "expected a field", "department = ?"))?;
        let is_name = |text: &str| {
            text.starts_with(|first: char| first == '_' || first.is_alphabetic())
                && text.chars().all(|next| next == '_' || next.is_alphanumeric())
        };
        if field.text.split('.').count() > 2 || !field.text.split('.').all(is_name) {
            return Err(wrong(field.span, "expected a field", "department = ?"));
        }
        let right = |argument: &str, sign: &str| format!("{} {sign} {argument}", field.text);
        let known = Comparison::ALL.map(Comparison::as_str).join(" ");
        let sign = self.tokens.next();
        let comparison = sign
            .as_ref()
            .and_then(|sign| Comparison::ALL.into_iter().find(|known| known.as_str() == sign.text));
        let Some(comparison) = comparison else {
            let span = sign.map_or(field.span.clone(), |sign| sign.span);
            return Err(wrong(span, &format!("expected one of: {known}"), &right("?", "=")));
        };
        let (label, example) = comparison.takes();
        let Some(given) = self.tokens.next() else {
            let span = sign.map_or(field.span.clone(), |sign| sign.span);
            return Err(wrong(span, label, &right(example, comparison.as_str())));
        };
        let is_value = comparison == Comparison::Equal && given.text != "?";
        let value = is_value.then(|| literal(&given)).transpose();
        let value =
            value.map_err(|error| LanguageError { help: right(example, comparison.as_str()), ..error })?;
        let argument = if is_value { Some(Argument::Any) } else { comparison.reads(given.text) };
        let argument =
            argument.ok_or_else(|| wrong(given.span.clone(), label, &right(example, comparison.as_str())))?;
        Ok(Test {
            field: field.text.to_owned(),
            comparison,
            argument,
            value,
            span: field.span.start..given.span.end,
            field_span: field.span,
        })
    }
}

pub(super) fn wrong(span: Range<usize>, label: &str, help: &str) -> LanguageError {
    LanguageError {
        code: Code::D016,
        span,
        message: "cannot read this condition".to_owned(),
        label: label.to_owned(),
        help: help.to_owned(),
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn and_binds_before_or() {
        let condition: Condition = "a = ? and b in 40 or c within 7d".parse().unwrap();
        let fields: Vec<Vec<&str>> = condition
            .alternatives
            .iter()
            .map(|all| all.tests.iter().map(|test| test.field.as_str()).collect())
            .collect();
        assert_eq!(fields, [vec!["a", "b"], vec!["c"]]);
        assert_eq!(condition.alternatives[0].tests[1].argument, Argument::Values(40));
        assert_eq!(condition.alternatives[1].tests[0].argument, Argument::Window(Span::days(7)));
        assert_eq!(condition.alternatives[0].span, 0..17);
    }

    #[test]
    fn an_equality_may_have_a_value() {
        let condition: Condition = "a = open and b = -3 and c = 'it''s' and d = ?".parse().unwrap();
        let values = condition.alternatives[0].tests.iter();
        let values: Vec<Option<String>> =
            values.map(|test| test.value.as_ref().map(ToString::to_string)).collect();
        assert_eq!(values, [Some("open".into()), Some("-3".into()), Some("'it''s'".into()), None]);
    }

    #[test]
    fn each_comparison_has_arguments_of_its_own() {
        for (text, argument) in [
            ("a between 4%", Argument::Share(0.04)),
            ("a > ?", Argument::Any),
            ("a starts 0.5%", Argument::Share(0.005)),
            ("a != ?", Argument::Any),
            ("a in 3", Argument::Values(3)),
        ] {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.alternatives[0].tests[0].argument, argument, "{text}");
        }
        for (text, span) in [
            ("a != 5", 5..6),
            ("a = 5x", 4..6),
            ("a in 5%", 5..7),
            ("a in 0", 5..6),
            ("a > 200%", 4..8),
            ("a within 4%", 9..11),
            ("a", 0..1),
            ("a =", 2..3),
            ("", 0..0),
            ("a = ? b = ?", 6..7),
            ("a = ? and", 0..9),
            ("5 = ?", 0..1),
            ("a ~ ?", 2..3),
        ] {
            assert_eq!(text.parse::<Condition>().unwrap_err().span, span, "{text}");
        }
    }
}
