//! Parser of the subset of SQL's `WHERE` that the service accepts.
//!
//! ```text
//! any   = all *( OR all )
//! all   = term *( AND term )
//! term  = "(" any ")" / subject operator value
//! ```
//!
//! The operators of both dialects, and the quotes, are those of "Manage and find Azure Blob data with blob index tags" and of
//! the REST reference, "Find Blobs by Tags". Parentheses are not documented; Azurite accepts them.

use super::{
    check_key,
    expression::{Comparison, Expression, Operator, Subject},
    token::{Placed, Token, Tokens, unexpected},
};
use crate::{ErrorCode, TableError};

/// Maximum number of nested parentheses. The parser calls itself for each.
const DEPTH: usize = 32;

/// Kind of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// A search: no `OR`, no `<>`, but `@container`.
    Search,
    /// A condition on the tags of one blob: no `@container`.
    Condition,
}

impl Dialect {
    const fn code(self) -> ErrorCode {
        match self {
            Self::Search => ErrorCode::InvalidQueryParameterValue,
            Self::Condition => ErrorCode::InvalidHeaderValue,
        }
    }

    /// Returns the error of an expression, in the words of the service.
    pub(super) fn error(self, problem: &str) -> TableError {
        TableError::with_message(self.code(), format!("Error parsing query: {problem}"))
    }

    fn error_at(self, (at, problem): (usize, String)) -> TableError {
        let message = format!("Error parsing query at or near character position {at}: {problem}");
        TableError::with_message(self.code(), message)
    }
}

/// Parses an expression.
///
/// # Errors
/// `InvalidQueryParameterValue` for a search, `InvalidHeaderValue` for a condition, with the position.
pub(super) fn parse(text: &str, dialect: Dialect) -> Result<Expression, TableError> {
    let mut parser = Parser { tokens: Tokens::new(text), next: None, dialect };
    let parsed =
        parser.advance().and_then(|()| parser.any(0)).and_then(|expression| match parser.next.take() {
            None => Ok(expression),
            Some((at, token)) => Err((at, surprise(&token))),
        });
    parsed.map_err(|problem| dialect.error_at(problem))
}

/// Position and reason.
type Problem = (usize, String);

struct Parser<'t> {
    tokens: Tokens<'t>,
    next: Option<Placed>,
    dialect: Dialect,
}

impl Parser<'_> {
    fn any(&mut self, depth: usize) -> Result<Expression, Problem> {
        let mut operands = vec![self.all(depth)?];
        while let Some(at) = self.take_if(&Token::Or)? {
            if self.dialect == Dialect::Search {
                return Err((at, unexpected("OR")));
            }
            operands.push(self.all(depth)?);
        }
        Ok(single(operands).unwrap_or_else(Expression::Any))
    }

    fn all(&mut self, depth: usize) -> Result<Expression, Problem> {
        let mut operands = vec![self.term(depth)?];
        while self.take_if(&Token::And)?.is_some() {
            operands.push(self.term(depth)?);
        }
        Ok(single(operands).unwrap_or_else(Expression::All))
    }

    fn term(&mut self, depth: usize) -> Result<Expression, Problem> {
        let subject = match self.take()? {
            (at, Token::Open) if depth == DEPTH => return Err((at, "too many parentheses".to_owned())),
            (_, Token::Open) => {
                let inner = self.any(depth + 1)?;
                return match self.take()? {
                    (_, Token::Close) => Ok(inner),
                    (at, other) => Err((at, surprise(&other))),
                };
            }
            (at, Token::Key(key)) => {
                check_key(&key).map_err(|error| (at, error.message().to_owned()))?;
                Subject::Tag(key)
            }
            (_, Token::Container) if self.dialect == Dialect::Search => Subject::Container,
            (at, other) => return Err((at, surprise(&other))),
        };
        let operator = match self.take()? {
            (at, Token::Operator(Operator::NotEqual)) if self.dialect == Dialect::Search => {
                return Err((at, unexpected("<>")));
            }
            (at, Token::Operator(operator))
                if subject == Subject::Container && operator != Operator::Equal =>
            {
                return Err((at, "@container can be compared with = only".to_owned()));
            }
            (_, Token::Operator(operator)) => operator,
            (at, other) => return Err((at, surprise(&other))),
        };
        match self.take()? {
            (_, Token::Value(value)) => Ok(Expression::Comparison(Comparison { subject, operator, value })),
            (at, other) => Err((at, surprise(&other))),
        }
    }

    /// Takes the next token, which must exist.
    fn take(&mut self) -> Result<Placed, Problem> {
        let taken = self.next.take().ok_or_else(|| (self.tokens.place(), "unexpected end".to_owned()))?;
        self.advance()?;
        Ok(taken)
    }

    /// Takes the next token if it is this one. Returns its position.
    fn take_if(&mut self, wanted: &Token) -> Result<Option<usize>, Problem> {
        match &self.next {
            Some((at, token)) if token == wanted => {
                let at = *at;
                self.advance()?;
                Ok(Some(at))
            }
            _ => Ok(None),
        }
    }

    fn advance(&mut self) -> Result<(), Problem> {
        self.next = self.tokens.next()?;
        Ok(())
    }
}

/// Returns the only operand, or all operands.
fn single(mut operands: Vec<Expression>) -> Result<Expression, Vec<Expression>> {
    match operands.pop() {
        Some(only) if operands.is_empty() => Ok(only),
        Some(last) => {
            operands.push(last);
            Err(operands)
        }
        None => Err(operands),
    }
}

/// Returns the reason for an unexpected token.
fn surprise(token: &Token) -> String {
    unexpected(match token {
        Token::Key(text) | Token::Value(text) => text,
        Token::Container => "@container",
        Token::Operator(operator) => match operator {
            Operator::Equal => "=",
            Operator::NotEqual => "<>",
            Operator::Less => "<",
            Operator::AtMost => "<=",
            Operator::Greater => ">",
            Operator::AtLeast => ">=",
        },
        Token::And => "AND",
        Token::Or => "OR",
        Token::Open => "(",
        Token::Close => ")",
    })
}
