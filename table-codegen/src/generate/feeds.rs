//! Generation of contributions to other entities, declared on the source.

use proc_macro2::TokenStream;
use quote::quote;
use table_schema::design::EntityDesign;

use super::{Context, names::ident};

/// Generates `#[table(counted_in(Department::employee_count))]` for each aggregate over this entity.
pub(super) fn attributes(context: &Context<'_>, entity: &EntityDesign) -> TokenStream {
    let totals =
        context.schema.entities.iter().flat_map(|sink| sink.totals.iter().map(move |total| (sink, total)));
    let attributes = totals.filter(|(_, total)| total.entity == entity.name).map(|(sink, total)| {
        let (sink, field) = (ident(&sink.name), ident(&total.name));
        let of = total.field.as_ref().map(|of| {
            let of = ident(of);
            quote!(, of = #of)
        });
        let word = ident(total.by.contribution());
        quote!(#[table(#word(#sink::#field #of))])
    });
    attributes.collect()
}
