//! The borrowed form of an entity: `#[table(borrowed)]`.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Ident, Index};
use table_grammar::resolve::entity::{Borrow, Entity, Field, Storage};

use crate::expand::entity::{docs, holes};

/// Returns the struct.
pub(super) fn borrowed_type(entity: &Entity) -> Option<TokenStream> {
    let (name, visibility) = (entity.companions.borrowed.as_ref()?, &entity.visibility);
    let doc = docs::borrowed_type(entity);
    let fields = stored(entity).map(|field| {
        let (ident, ty, doc) = (&field.ident, shown_type(field), docs::borrowed_field(field));
        quote! {
            #doc
            #visibility #ident: #ty,
        }
    });
    let marker = marker(entity).map(|marker| {
        quote! {
            #[doc(hidden)]
            #marker: ::core::marker::PhantomData<&'r ()>,
        }
    });
    Some(quote! {
        #doc
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #[allow(dead_code)]
        #visibility struct #name<'r> {
            #(#fields)*
            #marker
        }
    })
}

/// Returns the implementations.
pub(super) fn expand(entity: &Entity) -> Option<TokenStream> {
    let (ident, name) = (&entity.ident, entity.companions.borrowed.as_ref()?);
    if entity.is_stub {
        return Some(stub(ident, name));
    }
    let marker = marker(entity).map(|marker| quote!(#marker: _table::PhantomData,));
    let lent = stored(entity).map(lend);
    let keys: Vec<&Field> = entity.key_fields().collect();
    let key_types = keys.iter().map(|field| {
        if is_text(field) {
            quote!(&'r str)
        } else {
            let ty = &field.ty;
            quote!(#ty)
        }
    });
    let key_type = quote!((#(#key_types,)*));
    let key_reads = keys.iter().map(|field| {
        let constant = holes::name(field);
        if is_text(field) { quote!(keys.str()?) } else { quote!(#constant.read(keys)?) }
    });
    let reads = stored(entity).map(|field| read(field, &keys));
    Some(quote! {
        #[automatically_derived]
        impl<'r> _table::From<&'r #ident> for #name<'r> {
            fn from(entity: &'r #ident) -> Self {
                Self { #(#lent,)* #marker }
            }
        }

        #[automatically_derived]
        impl _table::BorrowRow for #ident {
            type Ref<'r> = #name<'r>;

            fn lend_row<T>(
                source: _table::Source<'_>,
                row: _table::RowRef<'_>,
                visit: impl _table::FnOnce(#name<'_>) -> T,
            ) -> _table::Result<T, _table::DecodeError> {
                _table::row::lend::<Self, T>(source, row, visit)
            }
        }

        #[automatically_derived]
        impl _table::BorrowedEntity for #ident {
            type KeyRef<'r> = #key_type;

            fn read_key<'r>(keys: &mut _table::KeyReader<'r>) -> _table::Option<#key_type> {
                _table::Some((#(#key_reads,)*))
            }

            fn read_ref<'r>(
                key: #key_type,
                from: &mut _table::Reader<'r>,
            ) -> _table::Result<#name<'r>, _table::PropertyError> {
                _table::Ok(#name { #(#reads,)* #marker })
            }

            fn lent(&self) -> #name<'_> {
                _table::From::from(self)
            }
        }
    })
}

/// Returns implementations that require nothing, for a struct that does not compile.
fn stub(ident: &Ident, name: &Ident) -> TokenStream {
    quote! {
        impl<'r> _table::From<&'r #ident> for #name<'r> {
            fn from(_: &'r #ident) -> Self {
                loop {}
            }
        }

        impl _table::BorrowRow for #ident {
            type Ref<'r> = #name<'r>;

            fn lend_row<T>(
                _: _table::Source<'_>,
                _: _table::RowRef<'_>,
                _: impl _table::FnOnce(#name<'_>) -> T,
            ) -> _table::Result<T, _table::DecodeError> {
                loop {}
            }
        }
    }
}

fn stored(entity: &Entity) -> impl Iterator<Item = &Field> {
    entity.fields.iter().filter(|field| !matches!(field.storage, Storage::Skipped))
}

/// Returns the name of the field that uses the lifetime, if no other field does.
fn marker(entity: &Entity) -> Option<Ident> {
    let is_unused = stored(entity).all(|field| field.borrow == Borrow::Value);
    is_unused.then(|| Ident::new("__row", Span::mixed_site()))
}

/// Returns whether a key field is borrowed from the key.
fn is_text(field: &Field) -> bool {
    field.is_string && field.borrow == Borrow::Text
}

fn shown_type(field: &Field) -> TokenStream {
    let ty = &field.ty;
    let inner = match field.borrow {
        Borrow::Text => quote!(&'r str),
        Borrow::Bytes => quote!(&'r [u8]),
        Borrow::Value => return quote!(#ty),
    };
    if field.optional { quote!(::core::option::Option<#inner>) } else { inner }
}

/// Borrows a field of the entity.
fn lend(field: &Field) -> TokenStream {
    let ident = &field.ident;
    let value = match field.borrow {
        Borrow::Value => quote!(_table::Clone::clone(&entity.#ident)),
        _ if field.optional => quote!(_table::Option::as_deref(&entity.#ident)),
        Borrow::Text => quote!(_table::AsRef::<str>::as_ref(&entity.#ident)),
        Borrow::Bytes => quote!(_table::AsRef::<[u8]>::as_ref(&entity.#ident)),
    };
    quote!(#ident: #value)
}

/// Reads a field from a row.
fn read(field: &Field, keys: &[&Field]) -> TokenStream {
    let ident = &field.ident;
    let key = keys.iter().position(|key| key.name == field.name).map(Index::from);
    let value = match (&field.storage, key) {
        (Storage::KeyAndProperty(property), Some(key)) if is_text(field) => {
            let name = &property.name;
            quote!(from.same_str(#name, key.#key)?)
        }
        (Storage::KeyAndProperty(_), Some(key)) => quote!(Self::FIELDS.#ident.same(key.#key, from)?),
        (Storage::Property(property), _) if field.borrow != Borrow::Value => {
            let name = &property.name;
            let read = if field.borrow == Borrow::Text { quote!(str) } else { quote!(bytes) };
            let found = quote!(from.#read(#name)?);
            match (field.optional, property.or_default) {
                (true, _) => found,
                (false, true) => quote!(_table::Option::unwrap_or_default(#found)),
                (false, false) => quote!(_table::Reader::required(#name, #found)?),
            }
        }
        (Storage::Property(_), _) => quote!(Self::FIELDS.#ident.take(from)?),
        (_, Some(key)) => quote!(key.#key),
        (_, None) => quote!(_table::Default::default()),
    };
    quote!(#ident: #value)
}
