//! A warning. A macro cannot print one; the use of a deprecated constant does.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::check::Warning;

pub(crate) fn expand(warning: &Warning) -> TokenStream {
    let text = &warning.text;
    // The use has the template's own span: that is where the compiler points, and it is silent about macros.
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
