//! `impl TableValue` and `impl Filterable`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Type};
use table_grammar::resolve::newtype::{Form, Newtype};

use crate::expand::{discriminants::Discriminants, import};

/// Returns the implementations. With `is_stub`, the input has errors that a body would only repeat.
pub(crate) fn expand(newtype: &Newtype, is_stub: bool) -> TokenStream {
    let import = import(newtype.krate.as_ref());
    let ident = &newtype.ident;
    let (consts, body) = match &newtype.form {
        _ if is_stub => (None, stub_body()),
        Form::Names(names) => (None, names_body(ident, names)),
        Form::Discriminants(variants) => {
            let consts = Discriminants::of(ident, variants);
            let body = discriminants_body(ident, &consts);
            (Some(consts), body)
        }
        Form::Inner(ty) => (None, inner_body(ty, newtype.is_optional())),
    };
    quote! {
        const _: () = {
            #import
            #consts

            #[automatically_derived]
            impl _table::TableValue for #ident {
                #body
            }

            #[automatically_derived]
            impl _table::Filterable for #ident {
                type Literal<'a> = Self;

                fn literal(literal: Self) -> _table::Result<_table::Value, _table::ValueError> {
                    <Self as _table::TableValue>::to_value(&literal)
                }
            }
        };
    }
}

fn stub_body() -> TokenStream {
    quote! {
        const TYPE: _table::EdmType = _table::EdmType::String;

        fn to_value(&self) -> _table::Result<_table::Value, _table::ValueError> {
            loop {}
        }

        fn from_value(_: _table::Value) -> _table::Result<Self, _table::ValueError> {
            loop {}
        }
    }
}

fn names_body(ident: &Ident, names: &[(Ident, String)]) -> TokenStream {
    let (variants, texts): (Vec<_>, Vec<_>) = names.iter().map(|(ident, text)| (ident, text)).unzip();
    let expected = format!("a variant of `{ident}`");
    quote! {
        const TYPE: _table::EdmType = _table::EdmType::String;
        const KIND: _table::ValueKind = _table::ValueKind::Words(&[#(#texts),*]);

        fn to_value(&self) -> _table::Result<_table::Value, _table::ValueError> {
            let text = match self {
                #(Self::#variants => #texts,)*
            };
            _table::Ok(<_table::Value as _table::From<&str>>::from(text))
        }

        fn from_value(value: _table::Value) -> _table::Result<Self, _table::ValueError> {
            let text = <_table::String as _table::TableValue>::from_value(value)?;
            match _table::String::as_str(&text) {
                #(#texts => _table::Ok(Self::#variants),)*
                other => _table::Err(_table::ValueError::unreadable(other, #expected)),
            }
        }
    }
}

fn discriminants_body(ident: &Ident, consts: &Discriminants<'_>) -> TokenStream {
    let limit = format!("it is no discriminant of `{ident}`");
    let (variants, names) = (consts.variants, &consts.names);
    quote! {
        const TYPE: _table::EdmType = _table::EdmType::Int32;

        fn to_value(&self) -> _table::Result<_table::Value, _table::ValueError> {
            _table::Ok(_table::Value::Int32(match self {
                #(Self::#variants => #names,)*
            }))
        }

        fn from_value(value: _table::Value) -> _table::Result<Self, _table::ValueError> {
            match <i32 as _table::TableValue>::from_value(value)? {
                #(#names => _table::Ok(Self::#variants),)*
                other => _table::Err(_table::ValueError::out_of_range(other, #limit)),
            }
        }
    }
}

fn inner_body(ty: &Type, is_optional: bool) -> TokenStream {
    // An inner `Option` makes the property optional. A type that hides an `Option` behind an alias is always written.
    let optional = is_optional.then(|| {
        quote! {
            const OPTIONAL: bool = true;

            fn put(&self) -> _table::Result<_table::Option<_table::Value>, _table::ValueError> {
                <#ty as _table::TableValue>::put(&self.0)
            }

            fn take(
                value: _table::Option<_table::Value>,
            ) -> _table::Result<Self, _table::ValueError> {
                _table::Result::map(<#ty as _table::TableValue>::take(value), Self)
            }
        }
    });
    quote! {
        const TYPE: _table::EdmType = <#ty as _table::TableValue>::TYPE;
        const KIND: _table::ValueKind = <#ty as _table::TableValue>::KIND;

        fn to_value(&self) -> _table::Result<_table::Value, _table::ValueError> {
            <#ty as _table::TableValue>::to_value(&self.0)
        }

        fn from_value(value: _table::Value) -> _table::Result<Self, _table::ValueError> {
            _table::Result::map(<#ty as _table::TableValue>::from_value(value), Self)
        }

        #optional
    }
}
