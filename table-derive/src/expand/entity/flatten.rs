//! Flattened fields. A type has the property names of each: the descriptors of a nested struct are constants of its own
//! expansion, and only a type can pass the names to them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, spanned::Spanned};
use table_grammar::resolve::entity::{Entity, Field};

use crate::expand::{entity::feeds, facade};

fn flattened(entity: &Entity) -> impl Iterator<Item = &Field> {
    entity.fields.iter().filter(|field| field.is_flattened())
}

/// Returns a type for each flattened field, with its names. A stub has them, too: its descriptors require them.
pub(super) fn types(entity: &Entity) -> TokenStream {
    let facade = facade(entity.facade.as_ref());
    let names = flattened(entity).map(|field| {
        let (names, ty, name) = (names_type(field), &field.ty, &field.property_name);
        // Use the span of the type, so that the compiler reports the trait error there.
        let spelt = quote_spanned!(ty.span()=> #facade::__flattened!(#name, #ty));
        quote! {
            #[allow(non_camel_case_types)]
            enum #names {}

            impl _table::PropertyNames for #names {
                const NAMES: &'static [&'static str] = #spelt;
            }
        }
    });
    let import = flattened(entity).next().map(|_| {
        quote! {
            #[allow(unused_imports)]
            use _table::NotNested as _;
        }
    });
    quote!(#import #(#names)*)
}

/// Returns the descriptor of a flattened field.
pub(super) fn field_value(field: &Field) -> TokenStream {
    let (ty, names) = (&field.ty, names_type(field));
    quote_spanned!(ty.span()=> _table::Flattened::<#ty>::of::<#names>())
}

/// Returns the property names of a flattened field.
pub(super) fn names(field: &Field) -> TokenStream {
    let names = names_type(field);
    quote!(<#names as _table::PropertyNames>::NAMES)
}

/// Returns the type that has the names. Generated constants have uppercase names.
fn names_type(field: &Field) -> Ident {
    // The span of the field's type, where the compiler reports that it has no descriptors.
    format_ident!("_{}", field.name, span = field.ty.span())
}

/// Returns the compile-time checks of the names, which only the compiler knows.
pub(super) fn checks(entity: &Entity) -> TokenStream {
    let fields = || flattened(entity).filter(|_| !entity.is_stub);
    let are_short = fields().map(|field| {
        let (ty, names) = (&field.ty, names(field));
        let message = format!(
            "a property of `{}` has a name of more than 255 characters\n\nhelp: rename it: #[table(rename = \"..\")]",
            field.name,
        );
        quote_spanned!(ty.span()=> const _: () = _table::assert!(_table::are_short(#names), #message);)
    });
    let differ = fields().next().map(|field| feeds::names_differ(entity, field));
    quote!(#(#are_short)* #differ)
}
