//! Tokens of a condition.

use std::ops::Range;

/// A token and its position.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) span: Range<usize>,
}

/// Splits a string into tokens: runs of letters, digits, `_`, `.` and `%`; runs of comparison signs; quoted strings;
/// other single characters.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let length = match first {
            _ if first.is_whitespace() => {
                rest = rest.trim_start();
                continue;
            }
            '\'' => quoted(rest),
            _ if is_word(first) => run(rest, is_word),
            _ if is_sign(first) => run(rest, is_sign),
            _ => first.len_utf8(),
        };
        let (word, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        tokens.push(Token { text: word, span: start..start + length });
        rest = after;
    }
    tokens
}

fn run(text: &str, holds: fn(char) -> bool) -> usize {
    text.find(|next| !holds(next)).unwrap_or(text.len())
}

/// Returns the length of a string in single quotes, or of the remaining input if the closing quote is missing. Two
/// quotes inside the string are an escaped quote.
fn quoted(text: &str) -> usize {
    let mut at = 1;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('\'')) {
        at += next + 1;
        if !text.get(at..).is_some_and(|rest| rest.starts_with('\'')) {
            return at;
        }
        at += 1;
    }
    text.len()
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '.' | '%' | '-')
}

const fn is_sign(character: char) -> bool {
    matches!(character, '=' | '!' | '<' | '>')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_need_no_spaces_between() {
        let words = |text| tokens(text).into_iter().map(|token| token.text).collect::<Vec<_>>();
        assert_eq!(words("a=? and b<=20%"), ["a", "=", "?", "and", "b", "<=", "20%"]);
        assert_eq!(words("s = 'it''s' x"), ["s", "=", "'it''s'", "x"]);
        assert_eq!(words("s = 'open"), ["s", "=", "'open"]);
        assert_eq!(words(" ü  ≤ "), ["ü", "≤"]);
    }

    #[test]
    fn each_word_has_its_place() {
        for token in tokens("  ü == ? or b") {
            assert_eq!("  ü == ? or b".get(token.span.clone()), Some(token.text));
        }
    }
}
