//! Contributions to other entities, and aggregated fields of this entity.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{ext::IdentExt, spanned::Spanned};
use table_grammar::resolve::entity::{Contribution, Entity, Field, Form, Storage, Total};
use table_schema::static_design::Aggregate;

use crate::expand::entity::{design::option, indexes::condition, series};

/// Returns a contribution in the design.
pub(super) fn design(entity: &Entity, feed: &Contribution) -> TokenStream {
    let (name, sink) = (&feed.name, &feed.sink);
    let totals = feed.totals.iter().map(|total| {
        let field = total.field.unraw().to_string();
        let by = format_ident!("{}", format!("{:?}", total.by));
        let of = total.of.and_then(|of| entity.fields.get(of)?.property());
        let of = option(of.map(|property| &property.name));
        quote!(_table::Total { field: #field, by: _table::Aggregate::#by, of: #of })
    });
    quote! {
        _table::Contribution {
            name: #name,
            sink: || <#sink as _table::TableEntity>::DESIGN,
            totals: &[#(#totals),*],
        }
    }
}

/// Returns the contribution to one target entity: a part of `derive`.
pub(super) fn fed_row(entity: &Entity, number: usize, feed: &Contribution) -> TokenStream {
    let sink = &feed.sink;
    let parts = entity.fields.iter().filter(|field| match &field.storage {
        Storage::Key | Storage::KeyAndProperty(_) => true,
        Storage::Property(property) => property.form == Form::Plain && !property.is_fed,
        Storage::Skipped => false,
    });
    let parts = parts.map(|field| {
        let (name, ident) = (&field.name, &field.ident);
        if field.optional && field.key.is_none() {
            return quote!((#name, _table::part_of_option(&self.#ident)));
        }
        quote!((#name, _table::part_of(&self.#ident)))
    });
    let values = feed.totals.iter().enumerate().map(|(number, total)| {
        let of = total.of.and_then(|of| entity.fields.get(of));
        let value = match of {
            None if total.by == Aggregate::Copy => {
                let field = &total.field;
                // The span of the field: an error here means that it cannot store a copy.
                let into = quote_spanned!(field.span()=> &<#sink as _table::TableEntity>::FIELDS.#field);
                let values = quote!(values);
                let copy = quote_spanned!(field.span()=> #values.copy);
                quote!(#copy(#number, #into, self)?;)
            }
            None => quote!(values.count(#number);),
            Some(field) => {
                let ident = &field.ident;
                quote!(values.add(#number, &Self::FIELDS.#ident, &self.#ident)?;)
            }
        };
        match &total.when {
            None => value,
            Some(when) => {
                let condition = condition(entity, when);
                quote!(#condition { #value })
            }
        }
    });
    // The variables have the span of this macro, since that of the path can belong to a `macro_rules!`.
    let rows = quote!(rows);
    let feed = quote_spanned!(sink.span()=> #rows.feed::<Self, #sink>);
    quote! {
        #feed(#number, &_table::Parts::new(&[#(#parts),*]), |values| {
            #(#values)*
            _table::Ok(())
        })?;
    }
}

/// Returns the value of an aggregated field. The compiler determines whether it is a single value or a copy.
pub(super) fn kept_field(entity: &Entity, field: &Field, name: &str) -> TokenStream {
    let (ty, slots) = (&field.ty, series::slots(entity, field));
    let value = quote_spanned!(ty.span()=> <_table::Fed<#ty>>::FIELD);
    quote!(#value.named(#name, #slots))
}

/// Imports the trait for aggregated fields that are not copies.
pub(super) fn import(entity: &Entity) -> Option<TokenStream> {
    let has_copy = entity.fields.iter().any(Field::may_be_copy) && !entity.is_stub;
    has_copy.then(|| {
        quote! {
            #[allow(unused_imports)]
            use _table::OneValue as _;
        }
    })
}

/// Returns compile-time checks of the copies stored in this entity.
fn copies(entity: &Entity) -> TokenStream {
    let copies = entity.fields.iter().filter(|field| field.may_be_copy());
    let asked = copies.map(|field| {
        let (ty, name) = (&field.ty, &field.name);
        let message = format!(
            "`{name}` copies a field that is encrypted, set by the library, or not a single property\n\n\
             help: remove it from the projection: a copy contains values that every reader may see, and is not copied again",
        );
        let differ = names_differ(entity, field);
        quote_spanned! {ty.span()=>
            const _: () = _table::assert!(<_table::Fed<#ty>>::IS_PLAIN, #message);
            #differ
        }
    });
    quote!(#(#asked)*)
}

/// Returns the compile-time check that no other property has a name of this field, which is stored in several.
pub(super) fn names_differ(entity: &Entity, field: &Field) -> TokenStream {
    let (ident, ty, name) = (&entity.ident, &field.ty, &field.property_name);
    let twice = format!(
        "two properties of `{}` have the same name: the properties of `{}` are named `{name}_..`\n\n\
         help: rename one of them: #[table(rename = \"..\")]",
        entity.name, field.name,
    );
    let design = quote!(<#ident as _table::TableEntity>::DESIGN);
    quote_spanned!(ty.span()=> const _: () = _table::assert!(!#design.has_a_name_twice(), #twice);)
}

/// Returns `impl TargetEntity` if the entity has aggregated fields.
pub(super) fn sink(entity: &Entity) -> Option<TokenStream> {
    let mut properties = entity.fields.iter().filter_map(|field| field.property());
    if entity.is_stub || !properties.any(|property| property.is_fed) {
        return None;
    }
    let (ident, key) = (&entity.ident, &entity.companions.key);
    let fields = entity.key_fields().map(|field| {
        let (ident, ty, name) = (&field.ident, &field.ty, &field.name);
        quote!(#ident: parts.get::<#ty>(#name)?)
    });
    Some(quote! {
        #[automatically_derived]
        impl _table::TargetEntity for #ident {
            fn key_among(parts: &_table::Parts<'_>) -> _table::Option<#key> {
                _table::Some(#key { #(#fields),* })
            }
        }
    })
}

/// Returns the compile-time checks that involve both entities.
pub(super) fn asked(entity: &Entity) -> TokenStream {
    if entity.is_stub {
        return TokenStream::new();
    }
    let ident = &entity.ident;
    let asked = entity.feeds.iter().map(|feed| {
        let (sink, name) = (&feed.sink, &feed.name);
        let key = format!(
            "the key of `{name}` contains fields that `{}` does not have with the same names and types\n\n\
             help: add these fields to `{}`, or aggregate it in an entity whose key fields it has",
            entity.name, entity.name,
        );
        let designs = quote! {
            const SOURCE: &_table::Design = <#ident as _table::TableEntity>::DESIGN;
            const SINK: &_table::Design = <#sink as _table::TableEntity>::DESIGN;
        };
        let key = quote_spanned!(sink.span()=> _table::assert!(SOURCE.knows_key_of(SINK), #key););
        // Both sides of a copy are checked where its fields are copied.
        let totals = feed.totals.iter().filter(|total| total.by != Aggregate::Copy);
        let totals = totals.map(|total| self::total(entity, name, total));
        quote!(const _: () = { #designs #key #(#totals)* };)
    });
    let copies = copies(entity);
    quote!(#(#asked)* #copies)
}

/// Returns the check that the target entity has the field, for this use.
fn total(entity: &Entity, sink: &str, total: &Total) -> TokenStream {
    let (field, word) = (total.field.unraw().to_string(), total.by.example());
    let word = word.split_once('(').map_or(word, |(word, _)| word);
    let inner = total.of.and_then(|of| entity.fields.get(of)).map(Field::inner_rust_type);
    let ty = match total.by {
        Aggregate::Count | Aggregate::Sum => "i64".to_owned(),
        Aggregate::Max | Aggregate::Min | Aggregate::Copy => format!("Option<{}>", inner.unwrap_or_default()),
    };
    let message = format!(
        "`{word}` maintains an `{ty}` in `{sink}::{field}`, which is missing, has another type, or is not marked\n\n\
         help: write in `{sink}`: #[table(from_source)] {field}: {ty}"
    );
    quote_spanned!(total.field.span()=> _table::assert!(SINK.takes(#field, &[#ty]), #message);)
}
