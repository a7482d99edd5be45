//! The items of a source file that describe a design, for tools: entities with their enums and functions.
//!
//! ```
//! let text = r#"
//!     #[derive(TableEntity)]
//!     #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
//!     struct Employee { department: String, id: u32, status: Status }
//!
//!     #[derive(TableValue)]
//!     #[table(rename_all = "snake_case")]
//!     enum Status { Active, OnLeave }
//! "#;
//! let file = table_grammar::file::read(text)?;
//! assert_eq!(file.entities[0].design.row.as_ref().unwrap().text(), "empid_{id:06}");
//! let words: Vec<&str> = file.enums[0].variants.iter().map(|(_, word)| word.as_str()).collect();
//! assert_eq!(words, ["active", "on_leave"]);
//! # Ok::<(), Vec<table_grammar::file::RuleViolation>>(())
//! ```

use std::fmt;

use quote::ToTokens;
use syn::{
    Data, DeriveInput, Expr, ExprLit, Ident, ImplItem, Item, Lit, Stmt, Type, ext::IdentExt, spanned::Spanned,
};
use table_schema::design::{EntityDesign, FieldDesign, FieldKind};

use crate::{
    check,
    errors::Errors,
    parse::{entity::EntityInput, field::FieldInput, nested::NestedInput},
    resolve::{
        design, nested,
        newtype::{Form, Newtype},
    },
};

/// The design items of a source file.
#[derive(Debug, Default)]
pub struct File {
    /// Structs with `#[derive(TableEntity)]`, in source order.
    pub entities: Vec<Entity>,
    /// Structs and enums with `#[derive(TableFields)]`, in source order.
    pub nested: Vec<NestedStruct>,
    /// Enums that are stored as strings (`#[derive(TableValue)]`).
    pub enums: Vec<Enum>,
    /// Newtypes, enums that are stored as integers, and aliases, in source order.
    pub newtypes: Vec<NewtypeKind>,
    /// Inherent functions whose body is a single expression: the type name, the function name and the expression.
    pub functions: Vec<(String, String, Expr)>,
}

/// A struct with `#[derive(TableEntity)]`.
#[derive(Debug)]
pub struct Entity {
    /// The design that its attributes declare. Types are resolved as in a macro: an enum is an unknown type.
    pub design: EntityDesign,
    /// The types of its fields, in field order.
    pub types: Vec<TypeOfField>,
}

/// The type of a field in its source.
#[derive(Clone, Debug)]
pub struct TypeOfField {
    /// The name as written.
    pub name: String,
    /// The line and the column, starting at 1.
    pub position: (usize, usize),
}

/// A struct or an enum whose fields entities store as their own properties.
#[derive(Debug)]
pub struct NestedStruct {
    /// The Rust name of the type.
    pub name: String,
    /// Its fields, starting with the tag of an enum. The names of their properties are suffixes.
    pub fields: Vec<FieldDesign>,
    /// The types of its fields, in field order.
    pub types: Vec<TypeOfField>,
}

/// An enum that is stored as strings.
#[derive(Debug)]
pub struct Enum {
    /// The Rust name of the enum.
    pub name: String,
    /// The variants: the Rust name and the stored string.
    pub variants: Vec<(String, String)>,
    /// The stored string of the variant with `#[default]`.
    pub default: Option<String>,
}

/// A type that is stored as another type.
#[derive(Debug)]
pub struct NewtypeKind {
    /// The Rust name of the type.
    pub name: String,
    /// The kind of its values. Unknown if the inner type is declared elsewhere.
    pub kind: FieldKind,
    /// The inner type as written in the source. Empty for an enum.
    pub inner: String,
    /// `true` unless it is an enum whose default is missing or not 0, as far as literals determine it.
    pub is_zero_default: bool,
}

/// An error in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleViolation {
    /// The line, starting at 1.
    pub line: usize,
    /// The column, starting at 1.
    pub column: usize,
    /// The error and its remedy.
    pub message: String,
}

impl fmt::Display for RuleViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for RuleViolation {}

/// Reads the design items of a source file.
///
/// # Errors
/// Returns every error of every item, with the messages of the derive, or the syntax error of a file that is not valid
/// Rust.
pub fn read(text: &str) -> Result<File, Vec<RuleViolation>> {
    let items = syn::parse_file(text).map_err(|error| mistakes(&error))?.items;
    let (mut file, mut errors) = (File::default(), Errors::default());
    file.take(items, &mut errors);
    match errors.0 {
        None => Ok(file),
        Some(error) => Err(mistakes(&error)),
    }
}

fn mistakes(error: &syn::Error) -> Vec<RuleViolation> {
    let one = |error: syn::Error| {
        let start = error.span().start();
        RuleViolation { line: start.line, column: start.column + 1, message: error.to_string() }
    };
    error.clone().into_iter().map(one).collect()
}

impl File {
    fn take(&mut self, items: Vec<Item>, errors: &mut Errors) {
        for item in items {
            match item {
                Item::Mod(module) => {
                    let items = module.content.map(|(_, items)| items);
                    self.take(items.unwrap_or_default(), errors);
                }
                Item::Impl(block) if block.trait_.is_none() => self.take_functions(&block),
                Item::Struct(ref one) if has_derive(&one.attrs, "TableEntity") => {
                    let input = errors.keep(syn::parse2::<DeriveInput>(item.into_token_stream()));
                    self.entities.extend(input.and_then(|input| Entity::read(input, errors)));
                }
                Item::Enum(syn::ItemEnum { ref attrs, .. })
                | Item::Struct(syn::ItemStruct { ref attrs, .. })
                    if has_derive(attrs, "TableFields") =>
                {
                    let input = errors.keep(syn::parse2::<DeriveInput>(item.into_token_stream()));
                    self.take_nested(input.and_then(|input| NestedInput::read(input, errors)), errors);
                }
                Item::Enum(syn::ItemEnum { ref attrs, .. })
                | Item::Struct(syn::ItemStruct { ref attrs, .. }) => {
                    let is_value = has_derive(attrs, "TableValue");
                    if is_value || has_derive(attrs, "KeyPart") {
                        let input = errors.keep(syn::parse2::<DeriveInput>(item.into_token_stream()));
                        let default = input.as_ref().and_then(default_variant);
                        let read = if is_value { Newtype::read_value } else { Newtype::read_key_part };
                        if let Some(newtype) = input.and_then(|input| read(input, errors)) {
                            self.take_newtype(newtype, default);
                        }
                    }
                }
                Item::Type(alias) if alias.generics.params.is_empty() => {
                    self.newtypes.push(NewtypeKind::of_type(alias.ident.unraw().to_string(), &alias.ty));
                }
                _ => {}
            }
        }
    }

    fn take_nested(&mut self, input: Option<NestedInput>, errors: &mut Errors) {
        let Some(input) = input else { return };
        self.enums.extend(nested::Variants::of(&input).map(|variants| {
            Enum {
                name: variants.kind.to_string(),
                variants: variants
                    .list
                    .into_iter()
                    .map(|variant| (variant.ident.unraw().to_string(), variant.word))
                    .collect(),
                default: None,
            }
        }));
        self.nested.push(NestedStruct::of(&input, errors));
    }

    fn take_newtype(&mut self, newtype: Newtype, default: Option<(Ident, bool)>) {
        let name = newtype.ident.unraw().to_string();
        match newtype.form {
            Form::Names(names) => {
                let is_default = |ident| default.as_ref().is_some_and(|(default, _)| default == ident);
                let default = names.iter().find(|(ident, _)| is_default(ident));
                let default = default.map(|(_, word)| word.clone());
                let variants = names.into_iter().map(|(ident, word)| (ident.unraw().to_string(), word));
                self.enums.push(Enum { name, variants: variants.collect(), default });
            }
            Form::Discriminants(_) => {
                let kind = FieldKind::Int { bits: 32, signed: true };
                let is_zero_default = default.is_some_and(|(_, is_zero)| is_zero);
                self.newtypes.push(NewtypeKind { name, kind, inner: String::new(), is_zero_default });
            }
            Form::Inner(ty) => self.newtypes.push(NewtypeKind::of_type(name, &ty)),
        }
    }

    fn take_functions(&mut self, block: &syn::ItemImpl) {
        let Type::Path(path) = &*block.self_ty else { return };
        let Some(name) = path.path.segments.last().map(|last| last.ident.unraw().to_string()) else { return };
        for item in &block.items {
            let ImplItem::Fn(function) = item else { continue };
            if let [Stmt::Expr(expression, None)] = function.block.stmts.as_slice() {
                let function = function.sig.ident.unraw().to_string();
                self.functions.push((name.clone(), function, expression.clone()));
            }
        }
    }
}

impl TypeOfField {
    fn of(field: &FieldInput) -> Self {
        let start = field.ty.span().start();
        Self { name: crate::types::shown(field.value_type()), position: (start.line, start.column + 1) }
    }
}

impl NestedStruct {
    fn of(input: &NestedInput, errors: &mut Errors) -> Self {
        let design = nested::design_of(input);
        check::nested::check(input, &design, errors);
        let types = input.fields.iter().map(TypeOfField::of).collect();
        Self { name: design.name, fields: design.fields, types }
    }
}

impl NewtypeKind {
    fn of_type(name: String, ty: &Type) -> Self {
        let ty = crate::types::TypeName::of(ty);
        Self {
            name,
            kind: design::kind_of(ty.named, None),
            inner: crate::types::shown(ty.inner),
            is_zero_default: true,
        }
    }
}

impl Entity {
    fn read(input: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let input = EntityInput::read(input, errors)?;
        let design = design::of(&input);
        check::entity(&input, &design, errors);
        Some(Self { types: input.fields.iter().map(TypeOfField::of).collect(), design })
    }
}

/// Returns the variant with `#[default]`, and whether its discriminant is 0.
fn default_variant(input: &DeriveInput) -> Option<(Ident, bool)> {
    let Data::Enum(data) = &input.data else { return None };
    let has_default =
        |variant: &syn::Variant| variant.attrs.iter().any(|attribute| attribute.path().is_ident("default"));
    let (at, variant) = data.variants.iter().enumerate().find(|(_, variant)| has_default(variant))?;
    let is_zero = match &variant.discriminant {
        Some((_, Expr::Lit(ExprLit { lit: Lit::Int(number), .. }))) => {
            number.base10_parse::<u32>().is_ok_and(|number| number == 0)
        }
        Some(_) => false,
        None => at == 0,
    };
    Some((variant.ident.clone(), is_zero))
}

/// Returns whether an item derives `name`, regardless of the path that precedes the name.
fn has_derive(attributes: &[syn::Attribute], name: &str) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("derive")).any(|attribute| {
        let mut found = false;
        let parsed = attribute.parse_nested_meta(|meta| {
            found |= meta.path.segments.last().is_some_and(|last| last.ident == name);
            Ok(())
        });
        parsed.is_ok() && found
    })
}
