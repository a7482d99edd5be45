//! Input of `#[derive(TableEntity)]`.

mod names;
mod words;

use syn::{Data, DeriveInput, Fields, Ident, Visibility, ext::IdentExt, punctuated::Punctuated};
use table_schema::catalogue::Code;

use crate::{
    errors::{Errors, coded},
    parse::{field::FieldInput, serde_words::SerdeWords},
};

pub(crate) use words::{EntityTypeWord, EntityWords, LEVEL};

/// A struct with named fields and its attributes, without decisions.
#[derive(Debug)]
pub(crate) struct EntityInput {
    pub(crate) visibility: Visibility,
    pub(crate) ident: Ident,
    pub(crate) words: EntityWords,
    pub(crate) serde: SerdeWords,
    pub(crate) fields: Vec<FieldInput>,
}

impl EntityInput {
    /// Parses the input. Returns `None` if it is not a struct with named fields.
    pub(crate) fn read(input: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let DeriveInput { attrs, vis, ident, generics, data } = input;
        let fields = errors.keep(named_fields(&ident, data));
        if !generics.params.is_empty() {
            errors.add_coded(
                Code::D034,
                &generics.params,
                format!("an entity cannot be generic: every `{}<..>` would be the same rows", ident.unraw()),
                "use one struct per type; for borrowed text use `String`",
            );
            return None;
        }
        let fields = fields?;
        let words = EntityWords::read(&attrs, &ident, errors);
        let serde = SerdeWords::read(&attrs, errors);
        let fields = fields.into_iter().map(|field| FieldInput::read(field, &ident, errors)).collect();
        Some(Self { visibility: vis, ident, words, serde, fields })
    }
}

fn named_fields(ident: &Ident, data: Data) -> syn::Result<Punctuated<syn::Field, syn::Token![,]>> {
    let shown = ident.unraw();
    match data {
        Data::Struct(data) => match data.fields {
            Fields::Named(fields) => Ok(fields.named),
            Fields::Unnamed(_) | Fields::Unit => Err(coded(
                Code::D034,
                ident,
                format!("`{shown}` is a struct without field names; an entity is a struct with named fields"),
                format!("properties have names: write `struct {shown} {{ id: u32 }}`"),
            )),
        },
        Data::Enum(_) => Err(coded(
            Code::D034,
            ident,
            format!("`{shown}` is an enum; an entity is a struct with named fields"),
            "several types in one table: TableUnion; as a property: TableValue",
        )),
        Data::Union(_) => Err(coded(
            Code::D034,
            ident,
            format!("`{shown}` is a union; an entity is a struct with named fields"),
            format!("write `struct {shown} {{ id: u32 }}`"),
        )),
    }
}
