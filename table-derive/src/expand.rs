//! The resolved model to tokens: one file for each thing that is written, and no decisions.
//!
//! The code must mean the same wherever it lands. What is private to it stands in an anonymous constant and calls
//! everything, the standard library included, through one import: `_table`. It binds no name that a field of the user's
//! has.

pub(crate) mod discriminants;
pub(crate) mod entity;
pub(crate) mod key_part;
pub(crate) mod projection;
pub(crate) mod task;
pub(crate) mod union;
pub(crate) mod value;
pub(crate) mod warning;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Path;

/// The one import: the facade crate's `__private`, unless `crate = ..` names another crate.
pub(crate) fn import(given: Option<&Path>) -> TokenStream {
    let facade = facade(given);
    quote!(use #facade::__private as _table;)
}

/// The place of the user's tokens, for generated ones: the compiler points there, and still knows who wrote them.
pub(crate) fn at(place: Span) -> Span {
    Span::call_site().located_at(place)
}

/// The facade crate's path.
pub(crate) fn facade(given: Option<&Path>) -> TokenStream {
    given.map_or_else(|| quote!(::table_patterns), |path| quote!(#path))
}

/// A documentation comment: one attribute for each line, as `///` makes them.
pub(crate) struct Doc(pub(crate) String);

impl ToTokens for Doc {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for line in self.0.lines() {
            let line = if line.is_empty() { String::new() } else { format!(" {line}") };
            tokens.extend(quote!(#[doc = #line]));
        }
    }
}
