//! Conversion of a location in the design to the tokens of the input.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::LitStr;
use table_schema::{
    design::{Place, Which},
    static_design::Aggregate,
};

use crate::parse::{entity::EntityInput, feed::FeedInput};

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
        Place::IndexWord(number, _) => {
            index(number).and_then(|index| index.when.value()).map(ToTokens::to_token_stream)
        }
        Place::IndexCopy(number, item) => {
            index(number).and_then(|index| index.copy.value()?.get(*item)).map(ToTokens::to_token_stream)
        }
        Place::Lookup(number) => {
            lookup(number).map(|lookup| lookup.name.as_ref().unwrap_or(&lookup.word).to_token_stream())
        }
        Place::LookupWord(number, word) => {
            lookup(number).and_then(|lookup| lookup.word(word)).map(ToTokens::to_token_stream)
        }
        Place::LookupOn(number, item) => {
            lookup(number).and_then(|lookup| lookup.on.value()?.0.get(*item)).map(ToTokens::to_token_stream)
        }
        Place::Contribution(number) => input.words.feeds.get(*number).map(|feed| feed.word.to_token_stream()),
        Place::ContributionWord(number, word) => {
            input.words.feeds.get(*number).map(|feed| contribution(feed, word))
        }
        // Aggregates and copied fields are declared on the source.
        Place::Entity | Place::Total(_) | Place::Embed(_) => None,
    };
    found.unwrap_or_else(|| input.ident.to_token_stream())
}

/// Returns the tokens of a part of a contribution. A forbidden `of` is marked at its name, an invalid field at its value.
fn contribution(feed: &FeedInput, word: &str) -> TokenStream {
    let of = feed.of.get().map(|of| match feed.by {
        Aggregate::Count | Aggregate::Copy => &of.word,
        _ => &of.value,
    });
    let found = match word {
        "target" => Some(feed.sink.to_token_stream()),
        "field" => Some(feed.field.to_token_stream()),
        "of" => of.map(ToTokens::to_token_stream),
        "when" => feed.when.value().map(ToTokens::to_token_stream),
        _ => None,
    };
    found.unwrap_or_else(|| feed.word.to_token_stream())
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
