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

const PREFIX: &str = "there are no functions; for a prefix write a range: `Name ge 'ab' and Name lt 'ac'`";

/// Returns the hint for `token` after the token `previous`, where `expected` is required.
pub(super) fn for_token(token: Token<'_>, previous: &str, expected: Expected) -> String {
    if previous != "not" && previous.eq_ignore_ascii_case("not") {
        return format!("write `not` for `{previous}`: words of the language are in lower case");
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
        _ => format!("there are no functions such as `{name}`; compare properties with values"),
    }
}

/// Returns the hint for a keyword without a space before the following quote.
pub(super) fn for_prefix(prefix: &str) -> Option<String> {
    word::is_reserved(prefix).then(|| format!("put a space after `{prefix}`"))
}

/// Returns the hint for an unquoted string in the position of a value.
pub(super) fn for_bare_value(text: &str) -> String {
    match text.to_ascii_lowercase().as_str() {
        lower @ ("true" | "false") => format!("write `{lower}` for `{text}`"),
        "nan" => format!("write `NaN` for `{text}`"),
        "inf" | "infinity" => format!("write `INF` for `{text}`"),
        _ => format!("one side must be a value; if `{text}` is a text, write '{text}' in single quotes"),
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
            return Some("write texts in single quotes: 'Smith'".to_owned());
        }
        "." => return Some("write a digit before the point: 0.5".to_owned()),
        "+" | "*" | "/" | "%" => return Some("there is no arithmetic; compare with a value".to_owned()),
        _ => return None,
    };
    Some(format!("write `{word}` for `{symbol}`"))
}

fn for_word(written: &str) -> Option<String> {
    let lower = written.to_ascii_lowercase();
    let word = match lower.as_str() {
        "equal" | "equals" | "is" => "eq",
        "neq" => "ne",
        "gte" => "ge",
        "lte" => "le",
        "like" | "contains" | "startswith" => return Some(PREFIX.to_owned()),
        "in" => return Some("write `A eq 1 or A eq 2` for `A in (1, 2)`".to_owned()),
        "between" => return Some("write `A ge 1 and A le 2` for `A between 1 and 2`".to_owned()),
        "not" => {
            return Some(
                "`not` stands before a condition: `not (A eq 1)`; for unequal write `ne`".to_owned(),
            );
        }
        other if other != written && word::is_reserved(other) => {
            return Some(format!("write `{other}` for `{written}`: words of the language are in lower case"));
        }
        _ => return None,
    };
    Some(format!("write `{word}` for `{written}`"))
}

const fn for_place(ends: bool, expected: Expected) -> &'static str {
    match (expected, ends) {
        (Expected::Operand, false) => "a property or a value should stand here",
        (Expected::Operand, true) => "a property or a value is missing at the end",
        (Expected::Operator, false) => "a comparison should stand here: eq, ne, gt, ge, lt or le",
        (Expected::Operator, true) => "a comparison is missing at the end: eq, ne, gt, ge, lt or le",
        (Expected::Joint, _) => "`and` or `or` should stand here",
        (Expected::Closing, false) => "`)` should stand here",
        (Expected::Closing, true) => "a `)` is missing at the end",
    }
}
