//! Suggested corrections for unexpected tokens.

use super::{lexer::Token, word};

/// Input expected at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// A property or a value.
    Operand,
    /// A comparison, or the end of a condition, after an operand.
    Operator,
    /// `and`, `or`, or the end, after a complete condition.
    Joint,
    /// `)`
    Closing,
}

const PREFIX: &str = "functions are not supported; write a range for a prefix: `Name ge 'ab' and Name lt \
                      'ac'`";

/// Returns the hint for `token` after the token `previous`, where `expected` is required.
pub(super) fn for_token(token: Token<'_>, previous: &str, expected: Expected) -> String {
    if previous != "not" && previous.eq_ignore_ascii_case("not") {
        return format!("write `not` instead of `{previous}`; keywords are lower case");
    }
    let known = match token {
        Token::Symbol(symbol) => for_symbol(symbol),
        Token::Word(word) if expected != Expected::Operand => for_word(word),
        Token::Quoted { prefix, .. } if expected != Expected::Operand => for_prefix(prefix),
        _ => None,
    };
    known.unwrap_or_else(|| for_place(token == Token::End, expected).to_owned())
}

/// Returns the hint for a function call.
pub(super) fn for_function(name: &str) -> String {
    match name {
        "startswith" | "substring" => PREFIX.to_owned(),
        _ => format!("functions such as `{name}` are not supported; compare properties with values"),
    }
}

/// Returns the hint for a keyword without a space before the following quote.
pub(super) fn for_prefix(prefix: &str) -> Option<String> {
    word::is_reserved(prefix).then(|| format!("put a space after `{prefix}`"))
}

/// Returns the hint for an unquoted string in the position of a value.
pub(super) fn for_bare_value(text: &str) -> String {
    match text.to_ascii_lowercase().as_str() {
        "nan" => format!("write `NaN` instead of `{text}`"),
        "inf" | "infinity" => format!("write `INF` instead of `{text}`"),
        _ => format!("one side must be a value; if `{text}` is a string, write '{text}' in single quotes"),
    }
}

fn for_symbol(symbol: &str) -> Option<String> {
    let word = match symbol {
        "=" | "==" | "===" => "eq",
        "!=" | "!==" | "<>" => "ne",
        ">" => "gt",
        ">=" | "=>" => "ge",
        "<" => "lt",
        "<=" | "=<" => "le",
        "&" | "&&" => "and",
        "|" | "||" => "or",
        "!" => "not",
        "\"" | "`" | "\u{2018}" | "\u{2019}" | "\u{201c}" | "\u{201d}" => {
            return Some("write strings in single quotes: 'Smith'".to_owned());
        }
        "." => return Some("write a digit before the decimal point: 0.5".to_owned()),
        "+" | "*" | "/" | "%" => return Some("arithmetic is not supported; compare with a value".to_owned()),
        _ => return None,
    };
    Some(format!("write `{word}` instead of `{symbol}`"))
}

fn for_word(written: &str) -> Option<String> {
    let lower = written.to_ascii_lowercase();
    let word = match lower.as_str() {
        "equal" | "equals" | "is" => "eq",
        "neq" => "ne",
        "gte" => "ge",
        "lte" => "le",
        "like" | "contains" | "startswith" => return Some(PREFIX.to_owned()),
        "in" => return Some("write `A eq 1 or A eq 2` instead of `A in (1, 2)`".to_owned()),
        "between" => return Some("write `A ge 1 and A le 2` instead of `A between 1 and 2`".to_owned()),
        "not" => {
            return Some(
                "`not` must precede a condition: `not (A eq 1)`; for inequality write `ne`".to_owned(),
            );
        }
        other if other != written && word::is_reserved(other) => {
            return Some(format!("write `{other}` instead of `{written}`; keywords are lower case"));
        }
        _ => return None,
    };
    Some(format!("write `{word}` instead of `{written}`"))
}

const fn for_place(ends: bool, expected: Expected) -> &'static str {
    match (expected, ends) {
        (Expected::Operand, false) => "expected a property or a value",
        (Expected::Operand, true) => "a property or a value is missing at the end",
        (Expected::Operator, false) => "expected a comparison: eq, ne, gt, ge, lt or le",
        (Expected::Operator, true) => "a comparison is missing at the end: eq, ne, gt, ge, lt or le",
        (Expected::Joint, _) => "expected `and` or `or`",
        (Expected::Closing, false) => "expected `)`",
        (Expected::Closing, true) => "a `)` is missing at the end",
    }
}
