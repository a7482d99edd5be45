//! The three companion types of an entity: its key, its patch, its fields.

use proc_macro2::TokenStream;
use quote::quote;
use table_grammar::resolve::entity::{Entity, Form, Storage};

use crate::expand::{entity::docs, facade};

pub(super) fn key_type(entity: &Entity) -> TokenStream {
    let (visibility, key) = (&entity.visibility, &entity.companions.key);
    let doc = docs::key_type(entity);
    let fields = entity.key_fields().map(|field| {
        let (ident, ty, doc) = (&field.ident, &field.ty, docs::key_field(entity, field));
        quote! {
            #doc
            #visibility #ident: #ty,
        }
    });
    quote! {
        #doc
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #visibility struct #key {
            #(#fields)*
        }
    }
}

pub(super) fn patch_type(entity: &Entity) -> TokenStream {
    let (visibility, ident, patch) = (&entity.visibility, &entity.ident, &entity.companions.patch);
    let (facade, doc) = (facade(entity.facade.as_ref()), docs::patch_type(entity));
    quote! {
        #doc
        #[must_use = "a patch does nothing until it is merged"]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #visibility struct #patch<__S = #facade::ByKey>(#facade::Patch<#ident, __S>);
    }
}

pub(super) fn fields_type(entity: &Entity) -> TokenStream {
    let (visibility, fields_type, key) =
        (&entity.visibility, &entity.companions.fields, &entity.companions.key);
    let (facade, doc) = (facade(entity.facade.as_ref()), docs::fields_type(entity));
    let fields = entity.fields.iter().filter_map(|field| {
        let (ident, ty) = (&field.ident, &field.ty);
        let written = match &field.storage {
            // For projections only: filters do not support these fields.
            Storage::Key => quote!(#[doc(hidden)] #visibility #ident: #facade::KeyField<#key, #ty>,),
            Storage::Property(property) | Storage::KeyAndProperty(property) => {
                let doc = docs::property(field, property);
                match property.form {
                    Form::Flattened => quote!(#doc #visibility #ident: #facade::Flattened<#ty>,),
                    form if property.is_sealed && !matches!(form, Form::Series(_) | Form::Blob { .. }) => {
                        quote!(#[doc(hidden)] #visibility #ident: #facade::Field<#ty, #facade::Encrypted>,)
                    }
                    Form::Json => {
                        quote!(#[doc(hidden)] #visibility #ident: #facade::Field<#ty, #facade::Json>,)
                    }
                    Form::Blob { .. } => quote!(#[doc(hidden)] #visibility #ident: #facade::Large<#ty>,),
                    Form::Plain => quote!(#doc #visibility #ident: #facade::Field<#ty>,),
                    Form::Series(_) => quote!(#doc #visibility #ident: #facade::Series<#ty>,),
                }
            }
            Storage::Skipped => return None,
        };
        Some(written)
    });
    quote! {
        #doc
        #[derive(::core::fmt::Debug)]
        #visibility struct #fields_type {
            #(#fields)*
        }
    }
}
