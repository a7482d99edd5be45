//! Recursive-descent parser with one token of lookahead.
//!
//! ```text
//! disjunction := conjunction ( "or" conjunction )*
//! conjunction := negation ( "and" negation )*
//! negation    := "not" negation | primary
//! primary     := "(" disjunction ")" [ comparison operand ] | operand [ comparison operand ]
//! operand     := property | literal | "-" number | "(" operand ")"
//! ```
//!
//! Each parenthesis and each `not` adds one level of depth. The depth is checked before the descent, so stack use is
//! bounded.

mod operand;

use std::ops::Range;

use super::{
    Comparison, Filter, FilterError,
    hint::{self, Expected},
    lexer::{Lexer, Token},
    word,
};
use crate::{Value, limits};
use operand::{Operand, Sided};

/// Parses a complete filter string.
pub(super) fn parse(text: &str) -> Result<Filter, FilterError> {
    if text.len() > limits::FILTER_BYTES {
        let what =
            format!("The filter has {} bytes; at most {} are allowed.", text.len(), limits::FILTER_BYTES);
        return Err(FilterError::invalid(text, 0..0, &what));
    }
    let mut parser = Parser::new(text)?;
    if parser.token == Token::End {
        return Ok(Filter::Constant(true));
    }
    let node = parser.disjunction()?;
    let filter = parser.condition(node)?;
    match parser.token {
        Token::End => Ok(filter.normalized()),
        _ => Err(parser.unexpected(Expected::Joint)),
    }
}

/// Parsed input that can still become a condition or one side of a comparison, such as `(A)`.
enum Node<'a> {
    Condition(Filter),
    Operand(Sided<'a>),
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// Next token, not consumed yet.
    token: Token<'a>,
    span: Range<usize>,
    /// Span of the last consumed token.
    taken: Range<usize>,
    depth: usize,
    comparisons: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Result<Self, FilterError> {
        let mut lexer = Lexer::new(text);
        let (token, span) = lexer.token()?;
        Ok(Self { lexer, token, span, taken: 0..0, depth: 0, comparisons: 0 })
    }

    fn disjunction(&mut self) -> Result<Node<'a>, FilterError> {
        let first = self.conjunction()?;
        if self.token != Token::Word("or") {
            return Ok(first);
        }
        let mut parts = vec![self.condition(first)?];
        while self.token == Token::Word("or") {
            self.take()?;
            let next = self.conjunction()?;
            parts.push(self.condition(next)?);
        }
        Ok(Node::Condition(Filter::Or(parts)))
    }

    fn conjunction(&mut self) -> Result<Node<'a>, FilterError> {
        let first = self.negation()?;
        if self.token != Token::Word("and") {
            return Ok(first);
        }
        let mut parts = vec![self.condition(first)?];
        while self.token == Token::Word("and") {
            self.take()?;
            let next = self.negation()?;
            parts.push(self.condition(next)?);
        }
        Ok(Node::Condition(Filter::And(parts)))
    }

    fn negation(&mut self) -> Result<Node<'a>, FilterError> {
        if self.token != Token::Word("not") {
            return self.primary();
        }
        self.enter()?;
        let inner = self.negation()?;
        let condition = self.condition(inner)?;
        self.depth -= 1;
        Ok(Node::Condition(condition.not()))
    }

    fn primary(&mut self) -> Result<Node<'a>, FilterError> {
        let left = if self.token == Token::Open {
            self.enter()?;
            let inner = self.disjunction()?;
            self.close(&inner)?;
            inner
        } else {
            Node::Operand(self.operand()?)
        };
        let Token::Word(written) = self.token else { return Ok(left) };
        let Some(comparison) = Comparison::from_word(written) else { return Ok(left) };
        let Node::Operand(left) = left else {
            return Err(FilterError::syntax(self.text(), self.span.clone())
                .hinting("a condition cannot be compared; compare a property with a value"));
        };
        self.take()?;
        let right = self.operand()?;
        self.count(left.span.start..right.span.end)?;
        operand::compare(self.text(), left, comparison, right).map(Node::Condition)
    }

    /// Converts parsed input to a condition: a bare property is a Boolean condition, `true` and `false` are constants.
    fn condition(&mut self, node: Node<'a>) -> Result<Filter, FilterError> {
        let Sided { operand, span } = match node {
            Node::Condition(filter) => return Ok(filter),
            Node::Operand(sided) => sided,
        };
        if !matches!(self.token, Token::End | Token::Close | Token::Word("and" | "or")) {
            return Err(self.unexpected(Expected::Operator));
        }
        match operand {
            Operand::Literal(Value::Boolean(holds)) => Ok(Filter::Constant(holds)),
            Operand::Literal(_) => {
                Err(FilterError::invalid(self.text(), span, "A value alone is not a condition.")
                    .hinting("compare it with a property: `Age eq 5`"))
            }
            Operand::Property(name) => {
                self.count(span)?;
                Ok(Filter::flag(name.to_owned()))
            }
        }
    }

    const fn text(&self) -> &'a str {
        self.lexer.text()
    }

    /// Consumes one token.
    fn take(&mut self) -> Result<(), FilterError> {
        let (token, span) = self.lexer.token()?;
        let clings = matches!(self.token, Token::Quoted { .. })
            && matches!(token, Token::Word(_) | Token::Number(_))
            && span.start == self.span.end;
        if clings {
            return Err(FilterError::syntax(self.text(), span).hinting("put a space after the closing quote"));
        }
        self.token = token;
        self.taken = std::mem::replace(&mut self.span, span);
        Ok(())
    }

    /// Consumes a `(` or a `not` and increases the depth.
    fn enter(&mut self) -> Result<(), FilterError> {
        if self.depth >= limits::FILTER_DEPTH {
            let what = format!("The filter is nested more than {} levels deep.", limits::FILTER_DEPTH);
            return Err(FilterError::invalid(self.text(), self.span.clone(), &what)
                .hinting("remove unnecessary parentheses and `not` operators"));
        }
        self.depth += 1;
        self.take()
    }

    /// Consumes the `)` after the parsed input.
    fn close(&mut self, inner: &Node<'a>) -> Result<(), FilterError> {
        match (self.token, inner) {
            (Token::Close, _) => {
                self.depth -= 1;
                self.take()
            }
            (Token::End, _) | (_, Node::Condition(_)) => Err(self.unexpected(Expected::Closing)),
            (_, Node::Operand(_)) => Err(self.unexpected(Expected::Operator)),
        }
    }

    /// Counts a comparison. A bare property is counted too, because the service may treat `A` as `A eq true`.
    fn count(&mut self, span: Range<usize>) -> Result<(), FilterError> {
        self.comparisons += 1;
        if self.comparisons > limits::FILTER_COMPARISONS {
            let what = format!("The filter has more than {} comparisons.", limits::FILTER_COMPARISONS);
            return Err(FilterError::invalid(self.text(), span, &what).hinting("send several queries"));
        }
        Ok(())
    }

    /// Creates the error for the next token, where `expected` is required.
    fn unexpected(&self, expected: Expected) -> FilterError {
        let (text, span) = (self.text(), self.span.clone());
        let arithmetic = match self.token {
            Token::Word(name) => word::is_arithmetic(name),
            token => token == Token::Minus,
        };
        if arithmetic && expected != Expected::Operand {
            return FilterError::not_implemented(text, span)
                .hinting("arithmetic is not supported; compare a property with a value");
        }
        let previous = text.get(self.taken.clone()).unwrap_or_default();
        FilterError::syntax(text, span).hinting(hint::for_token(self.token, previous, expected))
    }
}
