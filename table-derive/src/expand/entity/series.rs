//! The slot names of each series and the property names of each copy, as constants.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use table_grammar::resolve::entity::{Entity, Field, Form};

use crate::expand::{
    entity::{flatten, holes},
    facade,
};

/// Returns a constant for each series, and for each field that may be a copy. A stub has none, since it requires no
/// traits.
pub(super) fn consts(entity: &Entity) -> TokenStream {
    if entity.is_stub {
        return TokenStream::new();
    }
    let facade = facade(entity.facade.as_ref());
    let several = entity.fields.iter().filter(|field| field.has_slots() && !field.is_flattened());
    let names = several.filter_map(|field| {
        let (constant, ty, name) = (holes::name(field), &field.ty, &field.property()?.name);
        if field.is_series() {
            return Some(quote!(const #constant: &[&str] = #facade::__slots!(#name, #ty);));
        }
        // Use the span of the type, so that the compiler reports the trait error there.
        let names = quote_spanned!(ty.span()=> #facade::__copied!(#name, #ty));
        Some(quote!(const #constant: &[&str] = #names;))
    });
    let limit = limit(entity);
    quote!(#(#names)* #limit)
}

/// Returns the slots for the design and the field.
pub(super) fn slots(entity: &Entity, field: &Field) -> TokenStream {
    if entity.is_stub || !field.has_slots() {
        return quote!(&[]);
    }
    if field.is_flattened() {
        return flatten::names(field);
    }
    let constant = holes::name(field);
    quote!(#constant)
}

/// If a slot count is a user constant or depends on the fields of another struct, only the compiler can compute the
/// total.
fn limit(entity: &Entity) -> Option<TokenStream> {
    let is_unknown = |field: &Field| {
        let form = field.property().map(|property| property.form);
        field.may_be_copy() || matches!(form, Some(Form::Series(None) | Form::Flattened))
    };
    if entity.design.wide.is_some() || !entity.fields.iter().any(is_unknown) {
        return None;
    }
    let (ident, most) = (&entity.ident, entity.most_properties);
    let fields = || entity.fields.iter();
    let (counted, help) = if fields().any(Field::may_be_copy) {
        ("slot of a series", "copy fewer fields of other entities")
    } else if fields().any(Field::is_flattened) {
        ("field of a nested struct", "store a nested struct as JSON text: #[table(json)]")
    } else {
        ("slot of a series", "split it over several entities: #[table(wide = 200, ..)]")
    };
    let name = &entity.name;
    let message = format!("`{name}` needs more than {most} properties, including one per {counted}; {help}");
    let count = quote!(<#ident as _table::TableEntity>::DESIGN.property_count());
    Some(quote_spanned!(ident.span()=> const _: () = _table::assert!(#count <= #most, #message);))
}
