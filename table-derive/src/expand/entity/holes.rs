//! One constant per key field, with its conversion from and to strings. Only this constant requires the trait of the
//! format, so an unsupported field type causes a single error.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Ident, spanned::Spanned};
use table_grammar::resolve::{
    entity::{Entity, Field, Key},
    newtype::KeyTrait,
};

/// Returns the name of the constant. No other generated name has a leading underscore followed by uppercase letters.
pub(super) fn name(field: &Field) -> Ident {
    format_ident!("_{}", field.name.to_uppercase())
}

pub(super) fn consts(entity: &Entity) -> TokenStream {
    let fields = entity.fields.iter().filter(|field| field.hole.is_some());
    let consts = fields.filter_map(|field| {
        let (name, ty, text) = (name(field), field.hole_type(), &field.name);
        if entity.is_stub {
            return Some(
                quote!(const #name: _table::TemplateField<#ty> = _table::TemplateField::unusable(#text);),
            );
        }
        let form = match field.hole? {
            KeyTrait::Text => "text",
            KeyTrait::Num => "num",
            KeyTrait::Time => "time",
            KeyTrait::Id => "id",
            KeyTrait::Flag => "flag",
        };
        // Use the span of the type, so that the compiler reports the trait error there.
        let form = Ident::new(form, ty.span());
        let hole = quote_spanned!(ty.span()=> _table::TemplateField::<#ty>::#form(#text));
        Some(quote!(const #name: _table::TemplateField<#ty> = #hole;))
    });
    quote!(#(#consts)*)
}

/// Returns the values of the template fields of a key, taken from `self`.
pub(super) fn of_self(entity: &Entity, key: &Key) -> TokenStream {
    let values = entity.fields_of(key).map(|field| {
        let (name, ident) = (name(field), &field.ident);
        quote!(#name.value(&self.#ident))
    });
    list(values)
}

/// Returns the values of the template fields of a key, taken from function arguments.
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
