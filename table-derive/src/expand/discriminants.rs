//! The discriminants of an enum as constants, for use in patterns.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Ident, ext::IdentExt};

/// One `i32` constant per variant, with a check that the discriminant fits.
pub(crate) struct Discriminants<'i> {
    ident: &'i Ident,
    pub(crate) variants: &'i [Ident],
    pub(crate) names: Vec<Ident>,
}

impl<'i> Discriminants<'i> {
    pub(crate) fn of(ident: &'i Ident, variants: &'i [Ident]) -> Self {
        let names = (0..variants.len()).map(|index| format_ident!("VARIANT_{index}")).collect();
        Self { ident, variants, names }
    }
}

impl ToTokens for Discriminants<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { ident, variants, names } = self;
        let message = format!("a discriminant of `{}` does not fit an Int32", ident.unraw());
        tokens.extend(quote! {
            #(const #names: i32 = #ident::#variants as i32;)*
            const _: () = _table::assert!(#(#names as i128 == #ident::#variants as i128)&&*, #message);
        });
    }
}
