//! Input of `#[derive(TableValue)]` and `#[derive(KeyPart)]`: a field-less enum or a newtype.

use syn::{Data, DeriveInput, Fields, Ident, LitStr, Path, Type, ext::IdentExt, meta::ParseNestedMeta};

use crate::{
    errors::{Errors, mistake},
    parse::{
        attribute::{Slot, each_word, text, value},
        case::Case,
        serde_words::SerdeWords,
    },
    words::Level,
};

const ON_TYPE: Level = Level::new("the type", &["rename_all", "repr", "part", "crate"]);
const ON_VARIANT: Level = Level::new("a variant", &["rename"]);

/// An enum without fields, or a struct with one field.
#[derive(Debug)]
pub(crate) struct NewtypeInput {
    pub(crate) ident: Ident,
    pub(crate) words: NewtypeWords,
    pub(crate) serde: SerdeWords,
    pub(crate) body: Body,
}

/// The content of the type.
#[derive(Debug)]
pub(crate) enum Body {
    /// The variants, in order.
    Enum(Vec<VariantInput>),
    /// The single field.
    Newtype(Box<Type>),
}

/// The arguments on the type.
#[derive(Debug, Default)]
pub(crate) struct NewtypeWords {
    pub(crate) rename_all: Slot<Case>,
    pub(crate) repr_int: Slot<()>,
    pub(crate) part: Slot<Ident>,
    pub(crate) krate: Slot<Path>,
}

/// A variant and its names.
#[derive(Debug)]
pub(crate) struct VariantInput {
    pub(crate) ident: Ident,
    pub(crate) rename: Slot<LitStr>,
    pub(crate) serde: SerdeWords,
}

impl NewtypeInput {
    /// Parses the input. Returns `None` if it has another form. `derive` is the name of the derive in messages.
    pub(crate) fn read(input: DeriveInput, derive: &str, errors: &mut Errors) -> Option<Self> {
        let DeriveInput { attrs, ident, generics, data, .. } = input;
        if !generics.params.is_empty() {
            errors.add(
                &generics.params,
                format!(
                    "{derive} does not support generic types: each instance would need its own stored form"
                ),
                "use one type per instance",
            );
            return None;
        }
        let mut words = NewtypeWords::default();
        each_word(&attrs, ON_TYPE, &ident, errors, |name, meta| words.take(name, meta));
        let serde = SerdeWords::read(&attrs, errors);
        let body = match data {
            Data::Enum(data) => {
                let read = |variant| VariantInput::read(variant, &ident, errors);
                Body::Enum(data.variants.into_iter().filter_map(read).collect())
            }
            Data::Struct(data) if data.fields.len() == 1 => match data.fields {
                Fields::Unnamed(fields) => Body::Newtype(Box::new(fields.unnamed.into_iter().next()?.ty)),
                _ => return Self::refuse(&ident, derive, errors),
            },
            _ => return Self::refuse(&ident, derive, errors),
        };
        Some(Self { ident, words, serde, body })
    }

    fn refuse(ident: &Ident, derive: &str, errors: &mut Errors) -> Option<Self> {
        let shown = ident.unraw();
        errors.add(
            ident,
            format!(
                "`{shown}` is neither an enum without fields nor a newtype, as required by {derive}"
            ),
            format!(
                "write `struct {shown}(String);`, or, where it is a field, store its fields with #[derive(TableFields)] \
                 and #[table(flatten)], or its text with #[table(json)]"
            ),
        );
        None
    }
}

impl NewtypeWords {
    fn take(&mut self, name: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<bool> {
        match name {
            "rename_all" => {
                let case = text(meta, "rename_all = \"snake_case\"")?;
                self.rename_all.set(meta, Case::parse(&case)?)?;
            }
            "repr" => {
                let form: Ident = value(meta, "repr = int")?;
                if form != "int" {
                    return Err(mistake(&form, format!("unknown form `{form}`"), "write repr = int"));
                }
                self.repr_int.set(meta, ())?;
            }
            "part" => self.part.set(meta, value(meta, "part = number")?)?,
            "crate" => self.krate.set(meta, value(meta, "crate = ::table_patterns")?)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl VariantInput {
    fn read(variant: syn::Variant, owner: &Ident, errors: &mut Errors) -> Option<Self> {
        if !matches!(variant.fields, Fields::Unit) {
            errors.add(
                &variant.fields,
                format!("`{}` has fields; a stored enum has none", variant.ident.unraw()),
                "#[derive(TableFields)] stores a property for each field, #[table(json)] the type as text",
            );
            return None;
        }
        Some(Self::named(variant.ident, &variant.attrs, owner, errors))
    }

    /// Reads the names of a variant.
    pub(crate) fn named(
        ident: Ident,
        attributes: &[syn::Attribute],
        owner: &Ident,
        errors: &mut Errors,
    ) -> Self {
        let mut rename = Slot::default();
        let take = |name: &str, meta: &ParseNestedMeta<'_>| rename_word(&mut rename, name, meta);
        each_word(attributes, ON_VARIANT, owner, errors, take);
        let serde = SerdeWords::read(attributes, errors);
        Self { ident, rename, serde }
    }
}

fn rename_word(slot: &mut Slot<LitStr>, name: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<bool> {
    if name != "rename" {
        return Ok(false);
    }
    slot.set(meta, text(meta, "rename = \"open\"")?)?;
    Ok(true)
}
