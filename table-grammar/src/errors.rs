//! Collection of all diagnostics of an input, to report them together.

use std::fmt::{self, Display};

use proc_macro2::TokenStream;
use quote::ToTokens;
use table_schema::{RuleViolation, catalogue::Code};

/// The diagnostics collected so far. The owner must call [`Errors::into_tokens`]: a diagnostic that is not reported
/// would let invalid code compile.
#[derive(Debug, Default)]
#[must_use = "mistakes must be printed"]
pub struct Errors(pub(crate) Option<syn::Error>);

impl Errors {
    /// Returns `true` if the input is valid so far.
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Adds a diagnostic with a message and a help text at `place`.
    pub(crate) fn add(&mut self, place: impl ToTokens, message: impl Display, help: impl Display) {
        self.push(mistake(place, message, help));
    }

    /// Adds a diagnostic with a code of the catalog.
    pub(crate) fn add_coded(
        &mut self,
        code: Code,
        place: impl ToTokens,
        message: impl Display,
        help: impl Display,
    ) {
        self.push(coded(code, place, message, help));
    }

    /// Adds a diagnostic of `table-schema`.
    pub(crate) fn add_found(&mut self, place: impl ToTokens, mistake: &RuleViolation) {
        self.push(syn::Error::new_spanned(place, mistake.with_code()));
    }

    /// Adds a complete diagnostic.
    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            none => *none = Some(error),
        }
    }

    /// Returns the value, or records the error and returns `None`.
    pub fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// Returns one `compile_error!` per diagnostic.
    pub fn into_tokens(self) -> TokenStream {
        self.0.as_ref().map(syn::Error::to_compile_error).unwrap_or_default()
    }
}

/// Creates a diagnostic at `place` in the common form: the message, an empty line, `help:` and the remedy.
pub(crate) fn mistake(place: impl ToTokens, message: impl Display, help: impl Display) -> syn::Error {
    syn::Error::new_spanned(place, Text { message, help })
}

/// Creates a diagnostic with a code of the catalog.
pub(crate) fn coded(
    code: Code,
    place: impl ToTokens,
    message: impl Display,
    help: impl Display,
) -> syn::Error {
    mistake(place, format_args!("{message} [{code}]"), help)
}

struct Text<M, H> {
    message: M,
    help: H,
}

impl<M: Display, H: Display> Display for Text<M, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n\nhelp: {}", self.message, self.help)
    }
}
