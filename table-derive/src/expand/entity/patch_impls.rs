//! The setters of the patch.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Ident, Type};
use table_grammar::resolve::entity::{Entity, Field, Setter, Storage, When};

use crate::expand::entity::docs;

pub(super) fn expand(entity: &Entity) -> TokenStream {
    let (ident, patch) = (&entity.ident, &entity.companions.patch);
    let loaded = quote!(__S: _table::PatchesStored);
    let setters =
        entity.fields.iter().enumerate().filter_map(|(number, field)| match entity.setter(number) {
            Setter::Any => setter(entity, field, None),
            Setter::Loaded => setter(entity, field, Some(&loaded)),
            Setter::None => missing(entity, number, field),
        });
    let conditions = conditions(entity);
    quote! {
        #(
            #[allow(non_camel_case_types, unreachable_pub)]
            pub enum #conditions {}
        )*

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

/// Returns a type for each condition that a patch cannot change, so that messages of the compiler contain its name.
fn conditions(entity: &Entity) -> Vec<Ident> {
    let mut names: Vec<Ident> = Vec::new();
    for (number, field) in entity.fields.iter().enumerate().filter(|_| !entity.is_stub) {
        let Some(name) = entity.condition(number).and_then(|when| name_of(entity, when)) else { continue };
        if field.property().is_some() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the name of the field or the function of a condition.
fn name_of(entity: &Entity, when: &When) -> Option<Ident> {
    let mut name = match when {
        When::Field(number) => entity.fields.get(*number)?.ident.clone(),
        When::Method(name) => name.clone(),
        When::Function(path) => path.segments.last()?.ident.clone(),
    };
    name.set_span(Span::call_site());
    Some(name)
}

/// Returns a setter. A field that index rows repeat has a `bound`: the patch of a loaded entity, which determines the
/// location of these rows.
fn setter(entity: &Entity, field: &Field, bound: Option<&TokenStream>) -> Option<TokenStream> {
    let (ident, visibility) = (&entity.ident, &entity.visibility);
    let Storage::Property(property) = &field.storage else { return None };
    let (name, doc) = (&field.ident, docs::setter(field, property));
    if field.is_flattened() {
        let (set, is_nested) = (changes(field), is_nested(field));
        return Some(quote! {
            #doc
            #visibility fn #name(mut self, set: #set) -> Self
            where
                #is_nested
                #bound
            {
                self.0.set_fields(&<#ident as _table::TableEntity>::FIELDS.#name, set);
                self
            }
        });
    }
    let bound = bound.map(|bound| quote!(where #bound));
    let (ty, value) = argument(field);
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

/// Returns the type and the value of the argument of a setter.
pub(in crate::expand) fn argument(field: &Field) -> (&Type, TokenStream) {
    if field.optional {
        (&field.inner, quote!(_table::Some(value)))
    } else if field.is_series() {
        (&field.inner, quote!(value))
    } else {
        (&field.ty, quote!(value))
    }
}

/// Returns the bound of a setter of a nested struct. A bound with a lifetime is checked at the use of the setter, so that
/// a type without `derive(TableFields)` is reported once, at the field, and an enum has an entity without this setter.
fn is_nested(field: &Field) -> Option<TokenStream> {
    let ty = &field.ty;
    field.is_flattened().then(|| quote!(for<'any> #ty: _table::PatchedFields,))
}

/// Returns the type of the closure that sets properties of a nested struct.
fn changes(field: &Field) -> TokenStream {
    let ty = &field.ty;
    let patch = quote!(<#ty as _table::PatchedFields>::Patch);
    quote!(impl _table::FnOnce(#patch) -> #patch)
}

/// Returns a method in the place of a setter that does not exist, so that the compiler reports the reason. No state of
/// a patch has its trait.
fn missing(entity: &Entity, number: usize, field: &Field) -> Option<TokenStream> {
    let condition = entity.condition(number).and_then(|when| name_of(entity, when));
    let is_fed = field.property().is_some_and(|property| property.is_fed);
    let reason = match &field.storage {
        Storage::Skipped => return None,
        _ if entity.is_stub => return None,
        _ if field.key.is_some() => quote!(PatchesKey),
        _ if is_fed => quote!(PatchesAggregate),
        _ if field.stamp().is_some() => quote!(PatchesStamp),
        _ if field.hole.is_none() && condition.is_some() => quote!(PatchesCondition<#condition>),
        _ => quote!(PatchesIndexKey),
    };
    let (visibility, name, is_nested) = (&entity.visibility, &field.ident, is_nested(field));
    let ty = match (field.is_flattened(), field.optional) {
        (true, _) => changes(field),
        (false, true) => field.inner.to_token_stream(),
        (false, false) => field.ty.to_token_stream(),
    };
    Some(quote! {
        #[doc(hidden)]
        #visibility fn #name(self, _value: #ty) -> Self where #is_nested __S: _table::#reason {
            self
        }
    })
}
