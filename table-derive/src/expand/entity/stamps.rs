//! The times that the library sets.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use table_grammar::resolve::entity::{Entity, Field};
use table_schema::design::Stamp;

use crate::expand::entity::expiry::is_time;

fn field(entity: &Entity, stamp: Stamp) -> Option<&Field> {
    entity.fields.iter().find(|field| !entity.is_stub && field.stamp() == Some(stamp))
}

/// Returns the name of the property.
pub(super) fn property(entity: &Entity, stamp: Stamp) -> Option<&str> {
    Some(field(entity, stamp)?.property()?.name.as_str())
}

/// Returns the functions that read and set the fields.
pub(super) fn functions(entity: &Entity) -> TokenStream {
    let created = field(entity, Stamp::Created).map(|field| {
        let ident = &field.ident;
        quote! {
            fn stored_creation(&self) -> _table::Option<_table::Timestamp> {
                _table::time_of(&Self::FIELDS.#ident, &self.#ident)
            }
        }
    });
    let sets = Stamp::ALL.into_iter().filter_map(|stamp| {
        let (ident, set) = (&field(entity, stamp)?.ident, format_ident!("set_{}", stamp.word()));
        Some(quote!(stamps.#set(&mut self.#ident);))
    });
    let sets: Vec<_> = sets.collect();
    let set = (!sets.is_empty()).then(|| {
        quote! {
            fn set_stored_stamps(&mut self, stamps: _table::Stamps) {
                #(#sets)*
            }
        }
    });
    quote!(#created #set)
}

/// Returns the compile-time checks of the types.
pub(super) fn checks(entity: &Entity) -> TokenStream {
    let checks = Stamp::ALL.into_iter().filter_map(|stamp| {
        let help = "use a field of the type `Timestamp` or `Option<Timestamp>`";
        is_time(field(entity, stamp)?, "cannot be set when the entity is written", help)
    });
    quote!(#(#checks)*)
}
