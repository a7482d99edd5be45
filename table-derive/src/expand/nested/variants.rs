//! An enum: the tag selects the properties that a row has.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use table_grammar::resolve::{
    entity::Field,
    nested::{Nested, Variant, Variants},
    newtype::{Form, KeyTrait, Newtype},
};

use super::read;
use crate::expand::{Doc, value};

/// Returns the type of the tag.
pub(super) fn kind_type(nested: &Nested, variants: &Variants) -> TokenStream {
    let (visibility, kind) = (&nested.visibility, &variants.kind);
    let doc = Doc(format!("The variants of [`{}`]: the tag of a row, in filters.", nested.name));
    let idents = variants.list.iter().map(|variant| {
        let (ident, doc) = (&variant.ident, Doc(format!("Stored as `{}`.", variant.word)));
        quote!(#doc #ident,)
    });
    let names = variants.list.iter().map(|variant| (variant.ident.clone(), variant.word.clone()));
    let newtype = Newtype {
        ident: kind.clone(),
        krate: nested.facade.clone(),
        form: Form::Names(names.collect()),
        part: KeyTrait::Text,
    };
    let stored = value::expand(&newtype, nested.is_stub);
    quote! {
        #doc
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #visibility enum #kind {
            #(#idents)*
        }

        #stored
    }
}

/// Writes the tag and the fields of the variant.
pub(super) fn put(nested: &Nested, variants: &Variants) -> TokenStream {
    if nested.is_stub {
        return quote!(loop {});
    }
    let kind = &variants.kind;
    let arms = variants.list.iter().map(|variant| {
        let ident = &variant.ident;
        let fields: Vec<_> = fields(nested, variant).filter(|field| field.property().is_some()).collect();
        let idents: Vec<_> = fields.iter().map(|field| &field.ident).collect();
        let values: Vec<_> = fields.iter().map(|field| format_ident!("__{}", field.name)).collect();
        quote! {
            Self::#ident { #(#idents: #values,)* .. } => {
                fields.kind.put(&#kind::#ident, into)?;
                #(fields.#idents.put(#values, into)?;)*
            }
        }
    });
    quote! {
        match self {
            #(#arms)*
        }
        _table::Ok(())
    }
}

/// Reads the fields of the variant that the tag names.
pub(super) fn take(nested: &Nested, variants: &Variants) -> TokenStream {
    let kind = &variants.kind;
    let arms = variants.list.iter().map(|variant| {
        let (ident, reads) = (&variant.ident, fields(nested, variant).map(read));
        quote!(#kind::#ident => Self::#ident { #(#reads,)* },)
    });
    quote! {
        _table::Ok(match fields.kind.take(from)? {
            #(#arms)*
        })
    }
}

fn fields<'n>(nested: &'n Nested, variant: &'n Variant) -> impl Iterator<Item = &'n Field> {
    variant.fields.iter().filter_map(|number| nested.fields.get(*number))
}
