//! Warnings. A macro cannot print a warning, so it generates the use of a deprecated constant.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use table_grammar::resolve::entity::Warning;

pub(crate) fn expand(warning: &Warning) -> TokenStream {
    let text = &warning.text;
    // The use has the span of the template, where the compiler reports the warning without mention of macros.
    let used = quote_spanned!(warning.place.span()=> design);
    quote! {
        const _: () = {
            #[deprecated(note = #text)]
            #[allow(non_upper_case_globals)]
            const design: () = ();
            #used
        };
    }
}
