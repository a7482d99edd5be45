//! One constant for each field of a key: how it is written and read. The only place where a field's type is asked for the
//! trait of its format, so that a type that does not fit is one error.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Ident, spanned::Spanned};

use crate::resolve::{
    entity::{Entity, Field, Key},
    newtype::KeyTrait,
};

/// The constant's name: nothing else begins with an underscore and goes on in capitals.
pub(super) fn name(field: &Field) -> Ident {
    format_ident!("_{}", field.name.to_uppercase())
}

pub(super) fn consts(entity: &Entity) -> TokenStream {
    let fields = entity.fields.iter().filter(|field| field.hole.is_some());
    let consts = fields.filter_map(|field| {
        let (name, ty, text) = (name(field), field.hole_type(), &field.name);
        if entity.is_stub {
            return Some(quote!(const #name: _table::Hole<#ty> = _table::Hole::unusable(#text);));
        }
        let form = match field.hole? {
            KeyTrait::Text => "text",
            KeyTrait::Num => "num",
            KeyTrait::Time => "time",
            KeyTrait::Id => "id",
            KeyTrait::Flag => "flag",
        };
        // The span is the type's: the compiler's error about the trait points there.
        let form = Ident::new(form, ty.span());
        let hole = quote_spanned!(ty.span()=> _table::Hole::<#ty>::#form(#text));
        Some(quote!(const #name: _table::Hole<#ty> = #hole;))
    });
    quote!(#(#consts)*)
}

/// The values of a key's holes, taken from `self`.
pub(super) fn of_self(entity: &Entity, key: &Key) -> TokenStream {
    let values = entity.fields_of(key).map(|field| {
        let (name, ident) = (name(field), &field.ident);
        quote!(#name.value(&self.#ident))
    });
    list(values)
}

/// The values of a key's holes, taken from the arguments of a function.
pub(super) fn of_arguments(entity: &Entity, key: &Key) -> TokenStream {
    arguments(&entity.fields_of(key).collect::<Vec<_>>())
}

fn arguments(fields: &[&Field]) -> TokenStream {
    let values = fields.iter().map(|field| {
        let (name, ident) = (name(field), &field.ident);
        if field.is_string {
            quote!(#name.str(_table::AsRef::<str>::as_ref(&#ident)))
        } else {
            quote!(#name.value(&#ident))
        }
    });
    list(values)
}

fn list(values: impl Iterator<Item = impl ToTokens>) -> TokenStream {
    quote!(&[#(#values),*])
}
