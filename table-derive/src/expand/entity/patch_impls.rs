//! The setters of the patch.

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    expand::entity::docs,
    resolve::entity::{Entity, Storage},
};

pub(super) fn expand(entity: &Entity) -> TokenStream {
    let (ident, patch, visibility) = (&entity.ident, &entity.companions.patch, &entity.visibility);
    let setters = entity.fields.iter().filter_map(|field| {
        // A field of a key has no setter: it says where the row is.
        if field.key.is_some() {
            return None;
        }
        let Storage::Property(property) = &field.storage else { return None };
        let (name, doc) = (&field.ident, docs::setter(field, &property.name));
        let (ty, value) = if field.optional {
            (&field.inner, quote!(_table::Some(value)))
        } else {
            (&field.ty, quote!(value))
        };
        Some(quote! {
            #doc
            #visibility fn #name(mut self, value: #ty) -> Self {
                self.0.set(&<#ident as _table::TableEntity>::FIELDS.#name, &#value);
                self
            }
        })
    });
    quote! {
        #[automatically_derived]
        impl<S> #patch<S> {
            #(#setters)*
        }

        #[automatically_derived]
        impl<S> _table::From<_table::Patch<#ident, S>> for #patch<S> {
            fn from(patch: _table::Patch<#ident, S>) -> Self {
                Self(patch)
            }
        }

        #[automatically_derived]
        impl<S: _table::PatchState> _table::IntoMerge for #patch<S> {
            fn into_merge(self) -> _table::Result<_table::Merge, _table::Error> {
                _table::IntoMerge::into_merge(self.0)
            }
        }
    }
}
