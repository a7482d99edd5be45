//! The setters of the patch.

use proc_macro2::TokenStream;
use quote::quote;
use table_grammar::resolve::entity::{Entity, Setter, Storage};

use crate::expand::{entity::docs, facade};

pub(super) fn expand(entity: &Entity) -> TokenStream {
    let (ident, patch) = (&entity.ident, &entity.companions.patch);
    let (facade, setters) = (facade(entity.facade.as_ref()), setters(entity, Setter::Any));
    let loaded = setters_of_loaded(entity, &facade);
    quote! {
        #[automatically_derived]
        impl<__S> #patch<__S> {
            #setters
        }
        #loaded

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

/// Returns the setters of fields that index rows repeat. They require a loaded entity, which determines the location of
/// these rows.
fn setters_of_loaded(entity: &Entity, facade: &TokenStream) -> Option<TokenStream> {
    let (patch, setters) = (&entity.companions.patch, setters(entity, Setter::Loaded));
    (!setters.is_empty()).then(|| {
        quote! {
            #[automatically_derived]
            impl #patch<#facade::Loaded> {
                #setters
            }
        }
    })
}

fn setters(entity: &Entity, wanted: Setter) -> TokenStream {
    let (ident, visibility) = (&entity.ident, &entity.visibility);
    let setters = entity.fields.iter().enumerate().filter_map(|(number, field)| {
        if entity.setter(number) != wanted {
            return None;
        }
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
            #visibility fn #name(mut self, #slot value: #ty) -> Self {
                self.0.#set(&<#ident as _table::TableEntity>::FIELDS.#name, #number &#value);
                self
            }
        })
    });
    setters.collect()
}
