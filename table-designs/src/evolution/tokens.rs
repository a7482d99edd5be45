//! Templates in comparable form: the fields of both versions have the names of the new version.

use table_schema::{
    design::{EntityDesign, TemplateText},
    template::{SegmentKind, Shape, Template},
};

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A literal.
    Literal(String),
    /// A field and its encoding.
    Field(String, Shape),
}

/// Returns the parts of a template of `entity`. `name` returns the comparable name of a field.
pub(super) fn tokens(
    entity: &EntityDesign,
    template: &Template,
    name: impl Fn(&str) -> String,
) -> Vec<Token> {
    let resolved = entity.resolve(template);
    let token = |kind: &SegmentKind| match kind {
        SegmentKind::Literal(text) => Token::Literal(text.clone()),
        SegmentKind::Field(hole) => Token::Field(name(&hole.field), hole.shape),
    };
    resolved.segments().iter().map(|segment| token(&segment.kind)).collect()
}

/// Returns the parts of a declared template, or an empty list if it is missing or invalid.
pub(super) fn declared(
    entity: &EntityDesign,
    text: Option<&TemplateText>,
    name: impl Fn(&str) -> String,
) -> Vec<Token> {
    text.and_then(TemplateText::template).map_or_else(Vec::new, |template| tokens(entity, template, name))
}

/// Returns the parts with literals in lower case: table names are compared case-insensitively.
pub(super) fn lowered(tokens: &[Token]) -> Vec<Token> {
    let lower = |token: &Token| match token {
        Token::Literal(text) => Token::Literal(text.to_ascii_lowercase()),
        field @ Token::Field(..) => field.clone(),
    };
    tokens.iter().map(lower).collect()
}

/// Returns the parts without a reserved field, and without the separator that precedes it, or follows it at the start.
pub(super) fn without(tokens: &[Token], reserved: &str) -> Vec<Token> {
    let mut kept: Vec<Token> = Vec::new();
    let mut trim_next = false;
    for token in tokens {
        match token {
            Token::Field(name, _) if name == reserved => match kept.last_mut() {
                Some(Token::Literal(before)) => {
                    before.truncate(before.trim_end_matches(is_separator).len());
                    if before.is_empty() {
                        kept.pop();
                        trim_next = kept.is_empty();
                    }
                }
                Some(Token::Field(..)) => {}
                None => trim_next = true,
            },
            Token::Literal(text) => {
                let text = if trim_next { text.trim_start_matches(is_separator) } else { text };
                trim_next = false;
                match kept.last_mut() {
                    Some(Token::Literal(before)) => before.push_str(text),
                    _ if text.is_empty() => {}
                    _ => kept.push(Token::Literal(text.to_owned())),
                }
            }
            field @ Token::Field(..) => kept.push(field.clone()),
        }
    }
    kept
}

fn is_separator(character: char) -> bool {
    !character.is_alphanumeric()
}
