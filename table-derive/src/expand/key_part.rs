//! `impl key::Text` (or `Num`, `Time`, `Id`, `Flag`): an enum or a newtype as a part of keys.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, Type};
use table_grammar::resolve::newtype::{Form, KeyTrait, Newtype};

use crate::expand::{discriminants::Discriminants, import};

pub(crate) fn expand(newtype: &Newtype) -> TokenStream {
    let import = import(newtype.krate.as_ref());
    let ident = &newtype.ident;
    let implementation = match &newtype.form {
        Form::Names(names) => names_impl(ident, names),
        Form::Discriminants(variants) => discriminants_impl(ident, variants),
        Form::Inner(ty) => inner_impl(ident, ty, newtype.part),
    };
    quote! {
        const _: () = {
            #import
            #implementation
        };
    }
}

fn names_impl(ident: &Ident, names: &[(Ident, String)]) -> TokenStream {
    let (variants, texts): (Vec<_>, Vec<_>) = names.iter().map(|(ident, text)| (ident, text)).unzip();
    let expected = format!("a variant of `{ident}`");
    quote! {
        #[automatically_derived]
        impl _table::key::Text for #ident {
            const KIND: _table::Option<_table::ValueKind> =
                _table::Some(_table::ValueKind::Words(&[#(#texts),*]));

            fn to_text(&self) -> _table::Cow<'_, str> {
                _table::Cow::Borrowed(match self {
                    #(Self::#variants => #texts,)*
                })
            }

            fn from_text(text: &str) -> _table::Result<Self, _table::ValueError> {
                match text {
                    #(#texts => _table::Ok(Self::#variants),)*
                    other => _table::Err(_table::ValueError::unreadable(other, #expected)),
                }
            }
        }
    }
}

fn discriminants_impl(ident: &Ident, variants: &[Ident]) -> TokenStream {
    let consts = Discriminants::of(ident, variants);
    let (names, limit) = (&consts.names, format!("it is no discriminant of `{ident}`"));
    quote! {
        #consts

            #[automatically_derived]
            impl _table::key::Num for #ident {
                const IS_FLOAT: bool = false;
                const KIND: _table::Option<_table::ValueKind> = <i32 as _table::key::Num>::KIND;

                fn to_number(&self) -> _table::KeyValue<'static> {
                    <i32 as _table::key::Num>::to_number(&match self {
                        #(Self::#variants => #names,)*
                    })
                }

                fn from_number(
                    number: _table::KeyValue<'_>,
                ) -> _table::Result<Self, _table::ValueError> {
                    match <i32 as _table::key::Num>::from_number(number)? {
                        #(#names => _table::Ok(Self::#variants),)*
                        other => _table::Err(_table::ValueError::out_of_range(other, #limit)),
                    }
                }
            }
    }
}

/// Returns the implementation for a newtype: both trait functions delegate to its field.
fn inner_impl(ident: &Ident, ty: &Type, part: KeyTrait) -> TokenStream {
    let (name, word, written) = match part {
        KeyTrait::Text => ("Text", "text", quote!(_table::Cow<'_, str>)),
        KeyTrait::Num => ("Num", "number", quote!(_table::KeyValue<'static>)),
        KeyTrait::Time => ("Time", "ticks", quote!(_table::Result<i64, _table::ValueError>)),
        KeyTrait::Id => ("Id", "guid", quote!([u8; 16])),
        KeyTrait::Flag => ("Flag", "flag", quote!(bool)),
    };
    let read = match part {
        KeyTrait::Text => quote!(&str),
        KeyTrait::Time => quote!(i64),
        KeyTrait::Num => quote!(_table::KeyValue<'_>),
        KeyTrait::Id | KeyTrait::Flag => written.clone(),
    };
    let form =
        (part == KeyTrait::Num).then(|| quote!(const IS_FLOAT: bool = <#ty as _table::key::Num>::IS_FLOAT;));
    let has_kind = matches!(part, KeyTrait::Text | KeyTrait::Num | KeyTrait::Time);
    let (name, to, from) =
        (format_ident!("{name}"), format_ident!("to_{word}"), format_ident!("from_{word}"));
    let kind = has_kind
        .then(|| quote!(const KIND: _table::Option<_table::ValueKind> = <#ty as _table::key::#name>::KIND;));
    quote! {
        #[automatically_derived]
        impl _table::key::#name for #ident {
            #form
            #kind

            fn #to(&self) -> #written {
                <#ty as _table::key::#name>::#to(&self.0)
            }

            fn #from(value: #read) -> _table::Result<Self, _table::ValueError> {
                _table::Result::map(<#ty as _table::key::#name>::#from(value), Self)
            }
        }
    }
}
