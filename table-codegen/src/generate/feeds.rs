//! Generation of contributions to other entities, declared on the source.

use proc_macro2::TokenStream;
use quote::quote;
use table_schema::design::EntityDesign;

use super::{Context, names::ident};
use crate::word::total;

/// Generates `#[table(counted_in(Department::employee_count))]` for each aggregate over this entity.
pub(super) fn attributes(context: &Context<'_>, entity: &EntityDesign) -> TokenStream {
    let attributes = total::contributions(context.schema, entity).map(|(sink, total)| {
        let when = total.when.as_ref().map(|when| {
            let name = total::condition_field(when, entity)
                .map_or_else(|| total::condition_name(sink, total), str::to_owned);
            let name = ident(&name);
            quote!(, when = #name)
        });
        let (sink, field) = (ident(&sink.name), ident(&total.name));
        let of = total.field.as_ref().map(|of| {
            let of = ident(of);
            quote!(, of = #of)
        });
        let word = ident(total.by.contribution());
        quote!(#[table(#word(#sink::#field #of #when))])
    });
    attributes.collect()
}
