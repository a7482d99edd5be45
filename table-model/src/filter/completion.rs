use super::{
    Comparison, Filter,
    lexer::{Lexer, Token},
};

/// The end of a filter that is being typed: the last word, and what can stand in its place.
///
/// ```
/// use table_model::filter::{Completion, Expected};
///
/// let end = Completion::at_end("PartitionKey eq 'Sales' and (Na").unwrap();
/// assert_eq!((end.expected, end.word, end.depth), (Expected::Property, "Na", 1));
/// assert_eq!(end.before, "PartitionKey eq 'Sales'");
/// let end = Completion::at_end("Name ").unwrap();
/// assert_eq!((end.expected, end.word), (Expected::Operator("Name"), ""));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completion<'t> {
    /// What can stand in place of the last word.
    pub expected: Expected<'t>,
    /// The last word, which can be incomplete. It is the end of the text, and empty after a space.
    pub word: &'t str,
    /// The conditions before the last `and` or `or`, or the empty string.
    pub before: &'t str,
    /// Number of parentheses that are not closed.
    pub depth: usize,
}

/// What can stand at a position of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected<'t> {
    /// A property, or `not`.
    Property,
    /// An operator after this property.
    Operator(&'t str),
    /// A value that a property is compared with.
    Value(&'t str, Comparison),
    /// `and` or `or`.
    Joint,
}

impl<'t> Completion<'t> {
    /// Examines the end of a text. Returns `None` if the text before the last word is not the beginning of a filter, or begins
    /// a comparison with its value.
    #[must_use]
    pub fn at_end(text: &'t str) -> Option<Self> {
        let mut lexer = Lexer::new(text);
        let mut found = Self { expected: Expected::Property, word: "", before: "", depth: 0 };
        let mut end = 0;
        loop {
            let (token, span) = match lexer.token() {
                Ok(token) => token,
                Err(unterminated) => {
                    let word = text.get(unterminated.span().start..)?;
                    return matches!(found.expected, Expected::Value(..)).then_some(Self { word, ..found });
                }
            };
            match token {
                Token::End => return Some(found),
                Token::Word(word) | Token::Number(word) if span.end == text.len() => {
                    return Some(Self { word, ..found });
                }
                Token::Open => found.depth += 1,
                Token::Close => found.depth = found.depth.checked_sub(1)?,
                Token::Word("and" | "or") => found.before = text.get(..end)?,
                _ => {}
            }
            end = span.end;
            found.expected = found.expected.after(token)?;
        }
    }
}

impl<'t> Expected<'t> {
    fn after(self, token: Token<'t>) -> Option<Self> {
        match (self, token) {
            (Self::Property, Token::Open | Token::Word("not"))
            | (Self::Operator(_) | Self::Joint, Token::Word("and" | "or")) => Some(Self::Property),
            (Self::Property, Token::Word("true" | "false"))
            | (Self::Operator(_) | Self::Joint, Token::Close)
            | (Self::Value(..), Token::Word(_) | Token::Number(_) | Token::Quoted { .. }) => {
                Some(Self::Joint)
            }
            (Self::Property, Token::Word(name)) => Some(Self::Operator(name)),
            (Self::Operator(name), Token::Word(word)) => {
                Some(Self::Value(name, Comparison::from_word(word)?))
            }
            (Self::Value(..), Token::Minus) => Some(self),
            _ => None,
        }
    }

    /// Returns the filter of a text that is completed by this word with a value of any type, for its class.
    #[must_use]
    pub fn completed(self, text: &str, depth: usize) -> Option<Filter> {
        let rest = match self {
            Self::Property => " eq ''",
            Self::Operator(_) => " ''",
            Self::Value(..) | Self::Joint => "",
        };
        Filter::parse(&format!("{text}{rest}{}", ")".repeat(depth))).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_has_a_place() {
        let at = |text| Completion::at_end(text).map(|end| (end.expected, end.word, end.depth));
        let value = |name| Expected::Value(name, Comparison::Ge);
        for (text, expected) in [
            ("", Some((Expected::Property, "", 0))),
            ("Par", Some((Expected::Property, "Par", 0))),
            ("not (", Some((Expected::Property, "", 1))),
            ("A ", Some((Expected::Operator("A"), "", 0))),
            ("((A g", Some((Expected::Operator("A"), "g", 2))),
            ("A ge ", Some((value("A"), "", 0))),
            ("A ge 'it''s", Some((value("A"), "'it''s", 0))),
            ("A ge datetime'2", Some((value("A"), "datetime'2", 0))),
            ("A ge 1", Some((value("A"), "1", 0))),
            ("A ge 'x'", Some((Expected::Joint, "", 0))),
            ("(A ge -1) ", Some((Expected::Joint, "", 0))),
            ("Flag or (B) a", Some((Expected::Joint, "a", 0))),
            ("A ge 'x' and ", Some((Expected::Property, "", 0))),
            ("Größe eq 'ü' and é", Some((Expected::Property, "é", 0))),
            ("'x' eq ", None),
            ("A ge 'x' )", None),
            ("A && B", None),
            ("'x", None),
            ("A B C", None),
        ] {
            assert_eq!(at(text), expected, "{text}");
        }
    }

    #[test]
    fn each_place_is_accepted_by_the_parser() {
        for (text, word) in
            [("(not (", "Size"), ("(A ", "eq"), ("A eq ", "'x'"), ("(A eq 1) or B eq '' ", "and C")]
        {
            let end = Completion::at_end(text).unwrap();
            assert!(end.expected.completed(&format!("{text}{word}"), end.depth).is_some(), "{text}{word}");
        }
    }
}
