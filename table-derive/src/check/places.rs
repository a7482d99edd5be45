//! Conversion of a location in the design to the tokens of the input.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::LitStr;
use table_schema::design::{Place, Which};

use crate::parse::entity::EntityInput;

/// Returns the tokens for the span of a diagnostic.
pub(super) fn tokens(input: &EntityInput, place: &Place) -> TokenStream {
    let field = |index: &usize| input.fields.get(*index);
    let index = |number: &usize| input.words.indexes.get(*number);
    let lookup = |number: &usize| input.words.lookups.get(*number);
    let found = match place {
        Place::Template { .. } => template(input, place).map(ToTokens::to_token_stream),
        Place::Word(word) => input.words.word(word).map(ToTokens::to_token_stream),
        Place::Field(index) => field(index).map(|field| field.ident.to_token_stream()),
        Place::FieldType(index) => field(index).map(|field| field.ty.to_token_stream()),
        Place::FieldWord(index, word) => field(index).map(|field| {
            field.words.word(word).map_or_else(|| field.ident.to_token_stream(), ToTokens::to_token_stream)
        }),
        Place::Index(number) => {
            index(number).map(|index| index.name.as_ref().unwrap_or(&index.word).to_token_stream())
        }
        Place::IndexCopy(number, item) => {
            index(number).and_then(|index| index.copy.value()?.get(*item)).map(ToTokens::to_token_stream)
        }
        Place::Lookup(number) => {
            lookup(number).map(|lookup| lookup.name.as_ref().unwrap_or(&lookup.word).to_token_stream())
        }
        Place::LookupOn(number, item) => {
            lookup(number).and_then(|lookup| lookup.on.value()?.0.get(*item)).map(ToTokens::to_token_stream)
        }
        Place::Entity => None,
    };
    found.unwrap_or_else(|| input.ident.to_token_stream())
}

/// Returns the template for the span of a diagnostic; on stable Rust, a macro cannot point inside a string literal.
pub(super) fn template<'i>(input: &'i EntityInput, place: &Place) -> Option<&'i LitStr> {
    let Place::Template { which, .. } = place else { return None };
    match which {
        Which::Table => input.words.name.value(),
        Which::Partition => input.words.partition.value(),
        Which::Row => input.words.row.value(),
        Which::IndexTable(number) => input.words.indexes.get(*number)?.table.value(),
        Which::IndexPartition(number) => input.words.indexes.get(*number)?.partition.value(),
        Which::IndexRow(number) => input.words.indexes.get(*number)?.row.value(),
        Which::LookupTable(number) => input.words.lookups.get(*number)?.table.value(),
        Which::LookupPartition(number) => input.words.lookups.get(*number)?.partition.value(),
        Which::LookupRow(number) => input.words.lookups.get(*number)?.row.value(),
    }
}
