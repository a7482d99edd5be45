//! The functions of an entity: its designed access paths.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::Ident;
use table_grammar::resolve::{
    entity::{Entity, Field, Key},
    newtype::KeyTrait,
};

use crate::expand::entity::{docs, holes, indexes};

pub(super) fn expand(entity: &Entity) -> TokenStream {
    let ident = &entity.ident;
    let patch_type = &entity.companions.patch;
    let (point, rows) = (&entity.methods.point, &entity.methods.rows);
    let (patch, scan_partition) = (&entity.methods.patch, &entity.methods.scan_partition);
    let docs::Functions { point: point_doc, rows: rows_doc, patch: patch_doc, scan_partition: scan_doc } =
        docs::functions(entity);
    let all: Vec<_> = entity.point_fields().into_iter().map(parameter).collect();
    let leading: Vec<_> = entity.fields_of(&entity.partition).map(parameter).collect();
    let parts = parts(entity, &entity.row);
    let (partition, row) =
        (holes::of_arguments(entity, &entity.partition), holes::of_arguments(entity, &entity.row));
    let address = quote!(_table::row::address::<#ident>(#partition, #row));
    let function = |name, parameters, returned, body| function(entity, name, parameters, returned, body);
    let point_type = point_type(entity);
    let point = function(
        point,
        &all,
        quote!(_table::#point_type<#ident>),
        quote!(_table::#point_type::at_address(#address)),
    );
    let (rows_type, all_rows, scan_type) = if entity.is_spread() {
        (quote!(FanOutRows), quote!(spread), quote!(FanOutScan))
    } else {
        (quote!(Rows), quote!(of), quote!(PartitionScan))
    };
    let rows = function(
        rows,
        &leading,
        quote!(_table::#rows_type<#ident, #parts>),
        quote!(_table::Rows::#all_rows(#partition)),
    );
    let scan_partition = function(
        scan_partition,
        &leading,
        quote!(_table::#scan_type<#ident>),
        quote!(_table::#scan_type::of(#partition)),
    );
    let patch =
        function(patch, &all, quote!(#patch_type), quote!(#patch_type(_table::Patch::by_key(#address))));
    let indexes =
        entity.indexes.iter().enumerate().map(|(number, index)| indexes::functions(entity, number, index));
    // A single part is not the complete entity, so wide entities have no ranges and scans, which return single rows.
    let by_row = entity.design.wide.is_none().then(|| {
        quote! {
            #rows_doc
            #[must_use = "a query does nothing until it runs"]
            #rows
            #scan_doc
            #[must_use = "a query does nothing until it runs"]
            #scan_partition
        }
    });
    quote! {
        #[automatically_derived]
        #[allow(
            dead_code,
            clippy::many_single_char_names,
            clippy::needless_pass_by_value,
            clippy::similar_names,
            clippy::too_many_arguments
        )]
        impl #ident {
            #point_doc
            #[must_use = "a query does nothing until it runs"]
            #point
            #by_row
            #patch_doc
            #patch
            #(#indexes)*
        }
    }
}

/// Returns the type of a query for one entity.
pub(super) fn point_type(entity: &Entity) -> Ident {
    Ident::new(if entity.design.wide.is_some() { "WidePoint" } else { "PointQuery" }, Span::call_site())
}

/// Returns a function whose first and last tokens have the span of its name, which is the span of its template. If the
/// user has a function with this name, the compiler reports the error there. A single token with another span would
/// move the error to the derive.
pub(super) fn function(
    entity: &Entity,
    name: &Ident,
    parameters: &[TokenStream],
    returned: TokenStream,
    body: TokenStream,
) -> TokenStream {
    let there = |mut token: TokenTree| {
        token.set_span(name.span());
        token
    };
    let visibility = entity.visibility.to_token_stream().into_iter().map(there);
    let mut returned: Vec<TokenTree> = returned.into_iter().collect();
    let last = returned.pop().map(there);
    let begin = quote_spanned!(name.span()=> fn #name);
    let mut body = Group::new(Delimiter::Brace, body);
    body.set_span(name.span());
    quote!(#(#visibility)* #begin(#(#parameters),*) -> #(#returned)* #last #body)
}

pub(super) fn parameter(field: &Field) -> TokenStream {
    let (ident, ty) = (&field.ident, field.hole_type());
    if field.is_string { quote!(#ident: impl _table::AsRef<str>) } else { quote!(#ident: #ty) }
}

/// Returns the types of the open RowKey parts, as a tuple.
pub(super) fn parts(entity: &Entity, row: &Key) -> TokenStream {
    let parts = row.holes.iter().filter_map(|hole| entity.fields.get(hole.field?)).map(part);
    quote!((#(#parts,)*))
}

fn part(field: &Field) -> TokenStream {
    let ty = field.hole_type();
    match field.hole {
        Some(KeyTrait::Text) | None if field.is_string => quote!(_table::part::Text),
        Some(KeyTrait::Text) | None => quote!(_table::part::TextOf<#ty>),
        Some(KeyTrait::Num) => quote!(_table::part::Num<#ty>),
        Some(KeyTrait::Time) => quote!(_table::part::Time<#ty>),
        Some(KeyTrait::Id) => quote!(_table::part::Id<#ty>),
        Some(KeyTrait::Flag) => quote!(_table::part::Flag<#ty>),
    }
}
