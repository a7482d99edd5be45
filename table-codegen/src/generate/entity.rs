//! Generation of an entity: its enums, its struct, its functions.

use proc_macro2::TokenStream;
use quote::quote;
use table_schema::{
    catalogue::Code,
    design::{EntityDesign, TemplateText},
    rules,
};

use super::{
    Context,
    doc::{doc, link, plain, with_comment},
    enums, feeds,
    names::ident,
    query,
};
use crate::word;

pub(super) fn expand(
    context: &Context<'_>,
    entity: &EntityDesign,
    left_out: &mut Vec<(String, String)>,
) -> TokenStream {
    let enums = entity.fields.iter().filter_map(|field| enums::expand(context, entity, field));
    let about = doc(&about(context, entity));
    let name = ident(&entity.name);
    let attributes = attributes(context, entity);
    let feeds = feeds::attributes(context, entity);
    let fields = word::in_code().flat_map(|word| (word.fields)(context, entity));
    let conditions = conditions(context, entity);
    let queries = query::expand(context, entity, left_out);
    quote! {
        #about
        #[derive(TableEntity, Clone, Debug)]
        #attributes
        #feeds
        pub struct #name { #(#fields,)* }
        #conditions
        #queries
        #(#enums)*
    }
}

fn about(context: &Context<'_>, entity: &EntityDesign) -> String {
    let text = |text: &Option<TemplateText>| text.as_ref().map_or("", TemplateText::text).to_owned();
    let mut about = match entity.about.as_deref().map(plain).filter(|about| !about.is_empty()) {
        Some(about) => about,
        None => format!(
            "A row of `{}`: `{}` | `{}`.",
            text(&entity.table),
            text(&entity.partition),
            text(&entity.row)
        ),
    };
    about = with_comment(&about, context.options.comments.of_entity(&entity.name));
    for sentence in word::in_code().filter_map(|word| (word.sentence)(entity)) {
        about = format!("{about}\n\n{sentence}");
    }
    for relation in context.schema.relations.iter().filter(|relation| relation.from == entity.name) {
        let to = &relation.to;
        let many =
            if relation.kind == table_designs::schema::RelationKind::OneToOne { "one" } else { "many" };
        about = format!("{about}\n\nIt has {many} {}: `{}`.", link(to), relation.name);
    }
    about
}

fn attributes(context: &Context<'_>, entity: &EntityDesign) -> TokenStream {
    let words = word::in_code().flat_map(|word| (word.attributes)(context, entity));
    let denies_scans = context.schema.lint.denies_table_scans();
    let words = words.chain(denies_scans.then(|| quote!(deny(table_scan))));
    let mut attributes = quote!(#(#[table(#words)])*);
    // Two indexes may have equal attribute arguments, which `clippy::duplicated_attributes` reports.
    if entity.indexes.len() + entity.lookups.len() > 1 {
        attributes.extend(quote!(#[allow(clippy::duplicated_attributes)]));
    }
    let is_at_one_end = |code| matches!(code, Code::K03 | Code::K04 | Code::K05);
    if entity.allow_append_only || rules::check(entity).iter().any(|mistake| is_at_one_end(mistake.code)) {
        attributes.extend(quote!(#[table(allow(append_only))]));
    }
    attributes
}

/// Generates the functions of row conditions.
fn conditions(context: &Context<'_>, entity: &EntityDesign) -> Option<TokenStream> {
    let functions: Vec<TokenStream> =
        word::in_code().flat_map(|word| (word.conditions)(context, entity)).collect();
    let name = ident(&entity.name);
    let about = doc(&format!("The conditions of `{}`.", context.options.source));
    (!functions.is_empty()).then(|| quote!(#about impl #name { #(#functions)* }))
}
