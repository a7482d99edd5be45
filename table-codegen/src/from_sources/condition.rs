//! Conversion of functions that select entities to conditions: `self.status == Status::Closed && self.size == 3`.

use syn::{BinOp, Expr, Lit, UnOp, ext::IdentExt};
use table_grammar::file::File;
use table_schema::{
    design::{EntityDesign, FieldKind},
    language::When,
};

/// The functions of an entity.
pub(super) struct Conditions<'f> {
    pub(super) file: &'f File,
    pub(super) entity: &'f EntityDesign,
}

impl Conditions<'_> {
    /// Returns the condition of a field or function with this name, or `None` if it contains more than comparisons of
    /// fields with values.
    pub(super) fn of(&self, name: &str) -> Option<When> {
        if self.entity.field(name).is_some_and(|field| field.kind == FieldKind::Bool) {
            return format!("{name} = true").parse().ok();
        }
        let mut functions = self.file.functions.iter();
        let found = functions.find(|(ty, function, _)| *ty == self.entity.name && function == name);
        self.all(&found?.2)?.parse().ok()
    }

    fn all(&self, expression: &Expr) -> Option<String> {
        match expression {
            Expr::Paren(inner) => self.all(&inner.expr),
            Expr::Binary(both) if matches!(both.op, BinOp::And(_)) => {
                Some(format!("{} and {}", self.all(&both.left)?, self.all(&both.right)?))
            }
            Expr::Binary(both) if matches!(both.op, BinOp::Eq(_)) => {
                Some(format!("{} = {}", self.field(&both.left)?, self.value(&both.right)?))
            }
            Expr::Unary(not) if matches!(not.op, UnOp::Not(_)) => {
                Some(format!("{} = false", self.field(&not.expr)?))
            }
            other => Some(format!("{} = true", self.field(other)?)),
        }
    }

    fn field(&self, expression: &Expr) -> Option<String> {
        match expression {
            Expr::MethodCall(call) if call.method == "as_deref" => self.field(&call.receiver),
            Expr::Field(access) => {
                let Expr::Path(base) = &*access.base else { return None };
                let syn::Member::Named(name) = &access.member else { return None };
                let name = name.unraw().to_string();
                (base.path.is_ident("self") && self.entity.field(&name).is_some()).then_some(name)
            }
            _ => None,
        }
    }

    fn value(&self, expression: &Expr) -> Option<String> {
        match expression {
            Expr::Call(call) => {
                let Expr::Path(some) = &*call.func else { return None };
                let only = call.args.first().filter(|_| call.args.len() == 1)?;
                some.path.is_ident("Some").then(|| self.value(only))?
            }
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(quoted(&text.value())),
                Lit::Int(number) => Some(number.base10_digits().to_owned()),
                Lit::Float(number) => Some(number.base10_digits().to_owned()),
                Lit::Bool(flag) => Some(flag.value.to_string()),
                _ => None,
            },
            Expr::Unary(minus) if matches!(minus.op, UnOp::Neg(_)) => {
                Some(format!("-{}", self.value(&minus.expr)?))
            }
            Expr::Path(path) => {
                let mut segments =
                    path.path.segments.iter().rev().map(|segment| segment.ident.unraw().to_string());
                let (variant, name) = (segments.next()?, segments.next()?);
                let known = self.file.enums.iter().find(|known| known.name == name)?;
                let (_, word) = known.variants.iter().find(|(known, _)| *known == variant)?;
                let is_word = word.starts_with(char::is_alphabetic)
                    && word
                        .chars()
                        .all(|character| character.is_alphanumeric() || matches!(character, '_' | '-'));
                Some(if is_word { word.clone() } else { quoted(word) })
            }
            _ => None,
        }
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
