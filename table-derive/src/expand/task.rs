//! `impl Task`.

use proc_macro2::TokenStream;
use quote::quote;
use table_grammar::resolve::TaskInput;

use crate::expand;

pub(crate) fn expand(task: &TaskInput) -> TokenStream {
    let TaskInput { ident, name, queue, poison_after, krate } = task;
    let import = expand::import(krate.as_ref());
    let poison_after = poison_after.map(|times| quote!(const POISON_AFTER: u32 = #times;));
    quote! {
        const _: () = {
            #import

            #[automatically_derived]
            impl _table::Task for #ident {
                const NAME: &'static str = #name;
                const QUEUE: &'static str = #queue;
                #poison_after
            }
        };
    }
}
