//! Generation of struct fields.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use table_schema::design::{EntityDesign, FieldDesign, FieldKind, Series, Stamp};

use super::{
    Context,
    doc::{doc, plain, with_comment},
    names::ident,
};

/// Returns the type of a field value, without `Option`.
pub(crate) fn value_type(context: &Context<'_>, entity: &EntityDesign, field: &FieldDesign) -> TokenStream {
    match &field.kind {
        FieldKind::Bool => quote!(bool),
        FieldKind::Int { bits, signed } => {
            ident(&format!("{}{bits}", if *signed { 'i' } else { 'u' })).into_token_stream()
        }
        FieldKind::Float { bits } => ident(&format!("f{bits}")).into_token_stream(),
        FieldKind::Time => quote!(Timestamp),
        FieldKind::Date => quote!(Date),
        FieldKind::Guid => quote!(Uuid),
        FieldKind::Binary { .. } => quote!(Vec<u8>),
        FieldKind::Json { .. } => quote!(serde_json::Value),
        FieldKind::Enum { .. } => context.names.enum_of(entity, field).into_token_stream(),
        FieldKind::Blob => quote!(Blob),
        _ => quote!(String),
    }
}

/// Returns the complete type.
pub(super) fn whole_type(context: &Context<'_>, entity: &EntityDesign, field: &FieldDesign) -> TokenStream {
    let value = value_type(context, entity, field);
    let value = if field.optional { quote!(Option<#value>) } else { value };
    match field.series {
        Some(Series::Slots(slots)) => {
            let slots = Literal::usize_unsuffixed(slots);
            quote!([#value; #slots])
        }
        _ => value,
    }
}

/// Returns the parameter type of a function: strings and bytes are borrowed.
pub(super) fn argument_type(
    context: &Context<'_>,
    entity: &EntityDesign,
    field: &FieldDesign,
) -> TokenStream {
    match &field.kind {
        FieldKind::Text { .. } => quote!(&str),
        FieldKind::Binary { .. } => quote!(&[u8]),
        _ => value_type(context, entity, field),
    }
}

pub(crate) fn expand(context: &Context<'_>, entity: &EntityDesign, field: &FieldDesign) -> TokenStream {
    let (name, ty) = (ident(&field.name), whole_type(context, entity, field));
    let about = doc(&about(context, entity, field));
    let words = words(field);
    let attribute = (!words.is_empty()).then(|| quote!(#[table(#(#words),*)]));
    quote!(#about #attribute pub #name: #ty)
}

fn words(field: &FieldDesign) -> Vec<TokenStream> {
    let mut words = Vec::new();
    if field.property != field.name && !field.skip {
        let property = &field.property;
        words.push(quote!(rename = #property));
    }
    if let Some(was) = &field.was {
        words.push(quote!(was = #was));
    }
    if matches!(field.kind, FieldKind::Json { .. }) {
        words.push(quote!(json));
    }
    if let Some(max) = field.kind.longest_text().filter(|_| matches!(field.kind, FieldKind::Text { .. })) {
        let max = Literal::usize_unsuffixed(max);
        words.push(quote!(max = #max));
    }
    if field.store {
        words.push(quote!(store));
    }
    if field.series.is_some() {
        words.push(quote!(series));
    }
    if field.encrypted {
        words.push(quote!(encrypt));
    }
    if let Some(stamp) = field.stamp {
        words.push(ident(stamp.word()).into_token_stream());
    }
    if let Some(blob) = &field.blob {
        words.push(quote!(blob));
        if let Some(over) = blob.over {
            let bytes = Literal::u64_unsuffixed(over.bytes());
            words.push(quote!(inline = #bytes));
        }
    }
    // JSON stores an absent value as `null`; rows of other writers may lack the property.
    if let Some(path) = field.default_path().and_then(|path| syn::parse_str::<syn::Path>(path).ok()) {
        words.push(quote!(default = #path));
    } else if field.default.is_some() || field.optional && matches!(field.kind, FieldKind::Json { .. }) {
        words.push(quote!(default));
    }
    words
}

fn about(context: &Context<'_>, entity: &EntityDesign, field: &FieldDesign) -> String {
    let said = field.about.as_deref().map(plain).filter(|about| !about.is_empty());
    let renamed =
        context.renamed.iter().find(|renamed| renamed.entity == entity.name && renamed.to == field.name);
    let in_file = renamed.map_or(field.name.as_str(), |renamed| &renamed.from);
    let comment = context.options.comments.of_field(&entity.name, in_file);
    let renamed = renamed.map(|renamed| format!(" `{}` in the design.", renamed.from)).unwrap_or_default();
    let said = said.unwrap_or_else(|| {
        let holes = |text: &Option<table_schema::design::TemplateText>| {
            let template = text.as_ref().and_then(|text| text.template());
            template.is_some_and(|template| template.holes().any(|hole| hole.field == field.name))
        };
        let bound = match &field.kind {
            FieldKind::Text { max: Some(max) } => format!(", at most {max} characters"),
            FieldKind::Binary { max: Some(max) } => format!(", at most {max} bytes"),
            _ => String::new(),
        };
        if holes(&entity.partition) {
            return format!("In the PartitionKey{bound}.");
        }
        if holes(&entity.row) {
            return format!("In the RowKey{bound}.");
        }
        if let Some(stamp) = field.stamp {
            let what = match stamp {
                Stamp::Created => "insert",
                Stamp::Updated => "last write",
            };
            return format!("The time of the {what}, stored as `{}`.", field.property);
        }
        let absent = if field.optional && field.series.is_none() { "; may be absent" } else { "" };
        match (&field.kind, field.encrypted, field.series) {
            (FieldKind::Blob, ..) => {
                format!("Stored in a blob alongside the row, named by `{}`{absent}.", field.property)
            }
            (_, true, _) => format!("Encrypted in `{}`{bound}{absent}.", field.property),
            (.., Some(_)) => format!("One property per slot: `{}_..`.", field.property),
            _ => format!("Stored as `{}`{bound}{absent}.", field.property),
        }
    });
    with_comment(&format!("{said}{renamed}"), comment)
}
