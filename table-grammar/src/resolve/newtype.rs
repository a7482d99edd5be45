//! Resolved types of `#[derive(TableValue)]` and `#[derive(KeyPart)]`.

use std::collections::BTreeMap;

use syn::{DeriveInput, Ident, Path, Type, ext::IdentExt};

use crate::{
    errors::{Errors, mistake},
    parse::{
        case::Case,
        newtype::{Body, NewtypeInput, VariantInput},
    },
    resolve::build::key_trait_of_type,
    types::TypeName,
};

/// A type that is stored as text, as a number, or as its field.
#[derive(Debug)]
pub struct Newtype {
    /// The identifier of the type.
    pub ident: Ident,
    /// The path of the facade crate, if it is not `::table_patterns`.
    pub krate: Option<Path>,
    /// The stored form.
    pub form: Form,
    /// The key trait to implement, for `KeyPart`.
    pub part: KeyTrait,
}

/// The stored form.
#[derive(Debug)]
pub enum Form {
    /// Each variant by its name.
    Names(Vec<(Ident, String)>),
    /// Each variant by its discriminant.
    Discriminants(Vec<Ident>),
    /// As its field.
    Inner(Box<Type>),
}

/// One of the five traits that formats require.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyTrait {
    /// `key::Text`.
    Text,
    /// `key::Num`.
    Num,
    /// `key::Time`.
    Time,
    /// `key::Id`.
    Id,
    /// `key::Flag`.
    Flag,
}

impl KeyTrait {
    /// Returns the trait as part of a sentence: "written as text".
    pub(crate) const fn shown(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Num => "a number",
            Self::Time => "a time",
            Self::Id => "an id",
            Self::Flag => "true or false",
        }
    }
}

impl Newtype {
    /// Reads the input of `#[derive(TableValue)]`.
    ///
    /// # Errors
    /// Adds each diagnostic to `errors`. Returns `None` if the input is neither an enum nor a newtype.
    pub fn read_value(input: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let input = NewtypeInput::read(input, "TableValue", errors)?;
        Some(Self::of_value(input, errors))
    }

    /// Reads the input of `#[derive(KeyPart)]`.
    ///
    /// # Errors
    /// Adds each diagnostic to `errors`. Returns `None` if the input is neither an enum nor a newtype, or if the key
    /// trait is unknown.
    pub fn read_key_part(input: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let input = NewtypeInput::read(input, "KeyPart", errors)?;
        let part = errors.keep(key_trait(&input))?;
        Some(Self { part, ..Self::of_value(input, errors) })
    }

    /// Returns `true` if the type is a newtype of an `Option`, as far as its name determines it.
    pub fn is_optional(&self) -> bool {
        matches!(&self.form, Form::Inner(ty) if TypeName::of(ty).optional)
    }

    /// Determines the stored form.
    fn of_value(input: NewtypeInput, errors: &mut Errors) -> Self {
        let krate = input.words.krate.value().cloned();
        input.serde.ask_for_one_name(input.words.rename_all.get().is_some(), errors);
        Self { krate, part: KeyTrait::Text, form: form(&input, errors), ident: input.ident }
    }
}

fn form(input: &NewtypeInput, errors: &mut Errors) -> Form {
    match &input.body {
        Body::Newtype(ty) => Form::Inner(ty.clone()),
        Body::Enum(variants) if input.words.repr_int.is_set() => {
            Form::Discriminants(variants.iter().map(|variant| variant.ident.clone()).collect())
        }
        Body::Enum(variants) => {
            let case = input.words.rename_all.value().copied().or(input.serde.rename_all);
            check_names(variants, case, errors);
            Form::Names(
                variants.iter().map(|variant| (variant.ident.clone(), variant.stored_name(case))).collect(),
            )
        }
    }
}

/// Checks that each variant has one name in storage, and no other variant has it.
pub(crate) fn check_names<'v>(
    variants: impl IntoIterator<Item = &'v VariantInput>,
    case: Option<Case>,
    errors: &mut Errors,
) {
    let mut seen = BTreeMap::new();
    for variant in variants {
        variant.serde.ask_for_one_name(variant.rename.get().is_some(), errors);
        let (ident, name) = (&variant.ident, variant.stored_name(case));
        if let Some(first) = seen.insert(name.clone(), ident) {
            errors.add(
                ident,
                format!("`{}` and `{}` are both stored as `{name}`", first.unraw(), ident.unraw()),
                "rename one of them: #[table(rename = \"...\")]",
            );
        }
    }
}

impl VariantInput {
    pub(crate) fn stored_name(&self, case: Option<Case>) -> String {
        let name = self.ident.unraw().to_string();
        match (self.rename.value(), &self.serde.rename) {
            (Some(ours), _) => ours.value(),
            (None, Some(serde)) => serde.value(),
            (None, None) => case.map_or_else(|| name.clone(), |case| case.apply(&name)),
        }
    }
}

fn key_trait(input: &NewtypeInput) -> syn::Result<KeyTrait> {
    if let Some(given) = input.words.part.get() {
        return match given.value.to_string().as_str() {
            "text" => Ok(KeyTrait::Text),
            "number" => Ok(KeyTrait::Num),
            "time" => Ok(KeyTrait::Time),
            "id" => Ok(KeyTrait::Id),
            "flag" => Ok(KeyTrait::Flag),
            other => Err(mistake(
                &given.value,
                format!("`{other}` is not a key part"),
                "write `text`, `number`, `time`, `id` or `flag`",
            )),
        };
    }
    let ty = match &input.body {
        Body::Enum(_) if input.words.repr_int.is_set() => return Ok(KeyTrait::Num),
        Body::Enum(_) => return Ok(KeyTrait::Text),
        Body::Newtype(ty) => ty,
    };
    key_trait_of_type(TypeName::of(ty).named).ok_or_else(|| {
        mistake(
            ty,
            "this type does not specify its key format",
            "add #[table(part = text)], or `number`, `time`, `id`, `flag`",
        )
    })
}
