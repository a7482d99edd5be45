//! All mistakes of one input, gathered, then printed together.

use std::fmt::{self, Display};

use proc_macro2::TokenStream;
use quote::ToTokens;
use table_schema::{Mistake, catalogue::Code};

/// The mistakes found so far. Whoever makes one must end it with [`Errors::into_tokens`]: a mistake that is not printed
/// would let wrong code compile.
#[derive(Debug, Default)]
#[must_use = "mistakes must be printed"]
pub(crate) struct Errors(pub(crate) Option<syn::Error>);

impl Errors {
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Adds a mistake in the form of the input: what is wrong with `place`, and what to do.
    pub(crate) fn add(&mut self, place: impl ToTokens, message: impl Display, help: impl Display) {
        self.push(mistake(place, message, help));
    }

    /// Adds a mistake of the catalogue.
    pub(crate) fn add_coded(
        &mut self,
        code: Code,
        place: impl ToTokens,
        message: impl Display,
        help: impl Display,
    ) {
        self.push(coded(code, place, message, help));
    }

    /// Adds a mistake that `table-schema` found.
    pub(crate) fn add_found(&mut self, place: impl ToTokens, mistake: &Mistake) {
        self.push(syn::Error::new_spanned(place, mistake.with_code()));
    }

    /// Adds a mistake that has its text and place already.
    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            none => *none = Some(error),
        }
    }

    /// The value, or nothing and one mistake more.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// One `compile_error!` for each mistake.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.0.as_ref().map(syn::Error::to_compile_error).unwrap_or_default()
    }
}

/// A mistake at `place`, in the form that all have: what is wrong, an empty line, `help:` and what to do.
pub(crate) fn mistake(place: impl ToTokens, message: impl Display, help: impl Display) -> syn::Error {
    syn::Error::new_spanned(place, Text { message, help })
}

/// A mistake with its code in the catalogue.
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
