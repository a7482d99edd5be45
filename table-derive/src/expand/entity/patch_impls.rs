//! The setters of the patch.

use proc_macro2::TokenStream;
use quote::quote;
use table_grammar::resolve::entity::{Entity, Field, Setter, Storage};

use crate::expand::entity::docs;

pub(super) fn expand(entity: &Entity) -> TokenStream {
    let (ident, patch) = (&entity.ident, &entity.companions.patch);
    let loaded = quote!(where __S: _table::PatchesStored);
    let setters =
        entity.fields.iter().enumerate().filter_map(|(number, field)| match entity.setter(number) {
            Setter::Any => setter(entity, field, None),
            Setter::Loaded => setter(entity, field, Some(&loaded)),
            Setter::None => missing(entity, field),
        });
    quote! {
        #[automatically_derived]
        #[allow(dead_code, clippy::wrong_self_convention)]
        impl<__S> #patch<__S> {
            #(#setters)*
        }

        #[automatically_derived]
        impl<__S> _table::From<_table::Patch<#ident, __S>> for #patch<__S> {
            fn from(patch: _table::Patch<#ident, __S>) -> Self {
                Self(patch)
            }
        }

        #[automatically_derived]
        impl<__S: _table::PatchState> _table::IntoMerge for #patch<__S> {
            fn into_merge(self) -> _table::Result<_table::Merge, _table::Error> {
                _table::IntoMerge::into_merge(self.0)
            }
        }
    }
}

/// Returns a setter. A field that index rows repeat has a `bound`: the patch of a loaded entity, which determines the
/// location of these rows.
fn setter(entity: &Entity, field: &Field, bound: Option<&TokenStream>) -> Option<TokenStream> {
    let (ident, visibility) = (&entity.ident, &entity.visibility);
    let Storage::Property(property) = &field.storage else { return None };
    let (name, doc) = (&field.ident, docs::setter(field, property));
    let (ty, value) = if field.optional {
        (&field.inner, quote!(_table::Some(value)))
    } else if field.is_series() {
        (&field.inner, quote!(value))
    } else {
        (&field.ty, quote!(value))
    };
    let (slot, set, number) = if field.is_series() {
        (quote!(slot: usize,), quote!(set_slot), quote!(slot,))
    } else if field.is_blob() {
        (quote!(), quote!(set_blob), quote!())
    } else {
        (quote!(), quote!(set), quote!())
    };
    Some(quote! {
        #doc
        #visibility fn #name(mut self, #slot value: #ty) -> Self #bound {
            self.0.#set(&<#ident as _table::TableEntity>::FIELDS.#name, #number &#value);
            self
        }
    })
}

/// Returns a method in the place of a setter that does not exist, so that the compiler reports the reason. No state of
/// a patch has its trait.
fn missing(entity: &Entity, field: &Field) -> Option<TokenStream> {
    let is_fed = field.property().is_some_and(|property| property.is_fed);
    let reason = match &field.storage {
        Storage::Skipped => return None,
        _ if entity.is_stub => return None,
        _ if field.key.is_some() => quote!(PatchesKey),
        _ if is_fed => quote!(PatchesAggregate),
        _ => quote!(PatchesIndexKey),
    };
    let (visibility, name) = (&entity.visibility, &field.ident);
    let ty = if field.optional { &field.inner } else { &field.ty };
    Some(quote! {
        #[doc(hidden)]
        #visibility fn #name(self, _value: #ty) -> Self where __S: _table::#reason {
            self
        }
    })
}
