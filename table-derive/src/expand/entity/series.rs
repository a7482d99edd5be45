//! The slot names of each series and the property names of each copy, as constants.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use table_grammar::resolve::entity::{Entity, Field, Form};

use crate::expand::{entity::holes, facade};

/// Returns a constant for each series, and for each field that may be a copy. A stub has none, since it requires no
/// traits.
pub(super) fn consts(entity: &Entity) -> TokenStream {
    if entity.is_stub {
        return TokenStream::new();
    }
    let facade = facade(entity.facade.as_ref());
    let several = entity.fields.iter().filter(|field| field.has_slots());
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
    let constant = holes::name(field);
    quote!(#constant)
}

/// If a slot count is a user constant or depends on the fields of another struct, only the compiler can compute the
/// total.
fn limit(entity: &Entity) -> Option<TokenStream> {
    let is_unknown = |field: &Field| {
        field.may_be_copy() || field.property().is_some_and(|property| property.form == Form::Series(None))
    };
    if entity.design.wide.is_some() || !entity.fields.iter().any(is_unknown) {
        return None;
    }
    let (ident, most) = (&entity.ident, entity.most_properties);
    let message = format!(
        "`{}` needs more than {most} properties, including one per slot of a series; {}",
        entity.name,
        if entity.fields.iter().any(Field::may_be_copy) {
            "copy fewer fields of other entities"
        } else {
            "split it over several entities: #[table(wide = 200, ..)]"
        }
    );
    let count = quote!(<#ident as _table::TableEntity>::DESIGN.property_count());
    Some(quote_spanned!(ident.span()=> const _: () = _table::assert!(#count <= #most, #message);))
}
