//! Code generation from the resolved model: one file per generated item, without decisions.
//!
//! The generated code must not depend on its context. Private items are in an anonymous constant and refer to all other
//! items, including the standard library, through a single import: `_table`. The code binds no name that can collide
//! with a user field.

pub(crate) mod discriminants;
pub(crate) mod entity;
pub(crate) mod key_part;
pub(crate) mod nested;
pub(crate) mod projection;
pub(crate) mod task;
pub(crate) mod union;
pub(crate) mod value;
pub(crate) mod warning;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Path;

/// Returns the import: `__private` of the facade crate, unless `crate = ..` names another crate.
pub(crate) fn import(given: Option<&Path>) -> TokenStream {
    let facade = facade(given);
    quote!(use #facade::__private as _table;)
}

/// Returns the location of user tokens for generated tokens. The compiler reports errors there and still attributes the
/// code to the macro.
pub(crate) fn at(place: Span) -> Span {
    Span::call_site().located_at(place)
}

/// Returns the path of the facade crate.
pub(crate) fn facade(given: Option<&Path>) -> TokenStream {
    given.map_or_else(|| quote!(::table_patterns), |path| quote!(#path))
}

/// A doc comment: one attribute per line, as for `///`.
pub(crate) struct Doc(pub(crate) String);

impl ToTokens for Doc {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for line in self.0.lines() {
            let line = if line.is_empty() { String::new() } else { format!(" {line}") };
            tokens.extend(quote!(#[doc = #line]));
        }
    }
}
