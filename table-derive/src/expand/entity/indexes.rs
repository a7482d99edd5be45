//! Index code: query functions, the rows derived from an entity, and the way back from such a row to the entity.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, spanned::Spanned};
use table_grammar::resolve::entity::{Entity, Field, Index, Key, Lookup, Storage, When};

use crate::expand::entity::{docs, expiry, feeds, functions, holes};

/// Returns `by_email(..)` and `by_email_rows(..)`; for a lookup, `by_last_name(..)`.
pub(super) fn functions(entity: &Entity, number: usize, index: &Index) -> TokenStream {
    let ident = &entity.ident;
    if let Some(lookup) = &index.lookup {
        return lookup_function(entity, number, index, lookup);
    }
    let path = quote!(_table::AccessPath::Index(#number));
    let shape = match &index.copy {
        Some(copy) => quote!(, #copy),
        None if index.near => TokenStream::new(),
        None => quote!(, _table::FullIndexRow<#ident>),
    };
    let parameters =
        |fields: &[&Field]| fields.iter().map(|field| functions::parameter(field)).collect::<Vec<_>>();
    let leading: Vec<&Field> = entity.fields_of(&index.partition).collect();
    let mut all = leading.clone();
    for field in entity.fields_of(&index.row) {
        if !all.iter().any(|known| known.name == field.name) {
            all.push(field);
        }
    }
    let (partition, row) =
        (holes::of_arguments(entity, &index.partition), holes::of_arguments(entity, &index.row));
    let (point_doc, rows_doc) = docs::index(entity, index);
    let point = index.is_point.then(|| {
        let body =
            quote!(_table::PointQuery::by(#path, _table::row::address_by::<#ident>(#path, #partition, #row)));
        let returned = quote!(_table::PointQuery<#ident #shape>);
        let point = functions::function(entity, &index.name, &parameters(&all), returned, body);
        quote! {
            #point_doc
            #[must_use = "a query does nothing until it runs"]
            #point
        }
    });
    let parts = functions::parts(entity, &index.row);
    let returned = quote!(_table::Rows<#ident, #parts #shape>);
    let body = quote!(_table::Rows::by(#path, #partition));
    let rows = functions::function(entity, &index.rows, &parameters(&leading), returned, body);
    quote! {
        #point
        #rows_doc
        #[must_use = "a query does nothing until it runs"]
        #rows
    }
}

/// Returns `by_last_name(..)`, with the fields of the partition and of the list as parameters.
fn lookup_function(entity: &Entity, number: usize, index: &Index, lookup: &Lookup) -> TokenStream {
    let mut fields: Vec<&Field> = entity.fields_of(&index.partition).collect();
    for field in entity.fields_of(&lookup.list) {
        if !fields.iter().any(|known| known.name == field.name) {
            fields.push(field);
        }
    }
    let parameters: Vec<_> = fields.into_iter().map(functions::parameter).collect();
    let (partition, list) =
        (holes::of_arguments(entity, &index.partition), holes::of_arguments(entity, &lookup.list));
    let (ident, doc) = (&entity.ident, docs::lookup(entity, index, lookup));
    let returned = quote!(_table::MultiPoint<#ident>);
    let body = quote!(_table::MultiPoint::of_list(#number, #partition, #list));
    let function = functions::function(entity, &index.name, &parameters, returned, body);
    quote! {
        #doc
        #[must_use = "a query does nothing until it runs"]
        #function
    }
}

/// Returns `derive` and `read_copy`.
pub(super) fn derive(entity: &Entity) -> Option<TokenStream> {
    if entity.indexes.is_empty() && entity.feeds.is_empty() || entity.is_stub {
        return None;
    }
    let rows = entity.indexes.iter().enumerate().map(|(number, index)| derived_row(entity, number, index));
    let feeds = entity.feeds.iter().enumerate().map(|(number, feed)| feeds::fed_row(entity, number, feed));
    let arms = entity.indexes.iter().enumerate().filter(|(_, index)| leads_back(entity, index));
    let arms: Vec<_> = arms
        .map(|(number, index)| {
            let key = key_of_copy(entity, index);
            quote!(#number => #key)
        })
        .collect();
    let key = &entity.companions.key;
    // The key of a list member in the same partition is sufficient.
    let read_copy = (!arms.is_empty()).then(|| {
        quote! {
            fn read_copy(
                number: usize,
                from: &mut _table::CopyReader<'_, '_, '_>,
            ) -> _table::Result<#key, _table::IndexRowError> {
                match number {
                    #(#arms)*
                    _ => _table::Err(_table::IndexRowError::Foreign),
                }
            }
        }
    });
    let if_deleted = expiry::if_deleted(entity);
    Some(quote! {
        fn derive(&self, rows: &mut _table::DerivedRows<'_>) -> _table::Result<(), _table::Error> {
            #if_deleted
            #(#rows)*
            #(#feeds)*
            _table::Ok(())
        }

        #read_copy
    })
}

/// Returns `true` if an index row identifies its entity by its key and the stored parts of the entity key. A list
/// member stores no parts, and a member in the partition of the entity is identified by its RowKey alone.
fn leads_back(entity: &Entity, index: &Index) -> bool {
    let exact = |key: &Key, name: &str| key.template.holes().any(|hole| hole.exact && hole.field == name);
    index.lookup.is_none()
        || !index.near
            && entity
                .key_fields()
                .all(|field| exact(&index.partition, &field.name) || exact(&index.row, &field.name))
}

/// Derives one row, if the index includes the entity.
fn derived_row(entity: &Entity, number: usize, index: &Index) -> TokenStream {
    let mut optional: Vec<&Field> = Vec::new();
    for field in entity.fields_of(&index.partition).chain(entity.fields_of(&index.row)) {
        if field.optional && !optional.iter().any(|known| known.name == field.name) {
            optional.push(field);
        }
    }
    let values = |key: &Key| {
        let values = entity.fields_of(key).map(|field| {
            let (name, ident) = (holes::name(field), &field.ident);
            if let Some(at) = optional.iter().position(|known| known.name == field.name) {
                let value = local(at);
                quote!(#name.value(#value))
            } else {
                quote!(#name.value(&self.#ident))
            }
        });
        quote!(&[#(#values),*])
    };
    let (partition, row) = (values(&index.partition), values(&index.row));
    let own = index.own.iter().filter_map(|field| entity.fields.get(*field)).map(|field| {
        let (name, ident) = (stored_name(field), &field.ident);
        quote!(#name.put(&self.#ident, own)?;)
    });
    let own: Vec<_> = own.collect();
    let own =
        if own.is_empty() { quote!(|_| _table::Ok(())) } else { quote!(|own| { #(#own)* _table::Ok(()) }) };
    let row = quote!(rows.row::<Self>(#number, #partition, #row, #own)?;);
    let some = optional.iter().enumerate().map(|(at, field)| {
        let (value, ident) = (local(at), &field.ident);
        quote!(if let _table::Some(#value) = &self.#ident)
    });
    let when = index.when.as_ref().map(|when| condition(entity, when));
    // Nested, since `if a && let b` requires a later edition than some users have.
    let conditions: Vec<TokenStream> = when.into_iter().chain(some).collect();
    conditions.into_iter().rev().fold(row, |inner, condition| quote!(#condition { #inner }))
}

/// Returns the `if ..` of a condition.
pub(super) fn condition(entity: &Entity, when: &When) -> TokenStream {
    // With the span of this macro, since that of the condition can belong to a `macro_rules!`.
    let this = quote!(self);
    match when {
        When::Field(field) => {
            let ident = entity.fields.get(*field).map(|field| &field.ident);
            quote!(if self.#ident)
        }
        When::Method(method) => quote_spanned!(method.span()=> if Self::#method(#this)),
        When::Function(path) => quote_spanned!(path.span()=> if #path(#this)),
    }
}

/// Returns a local variable name that cannot collide with a field.
fn local(at: usize) -> Ident {
    Ident::new(&format!("value{at}"), Span::mixed_site())
}

/// Returns the key of the entity, from the template fields of the row key in order, then from properties.
fn key_of_copy(entity: &Entity, index: &Index) -> TokenStream {
    let key = &entity.companions.key;
    let mut pending: Vec<TokenStream> = Vec::new();
    let mut fields: Vec<TokenStream> = Vec::new();
    let mut read: Vec<usize> = Vec::new();
    let holes =
        [&index.partition, &index.row].into_iter().flat_map(|key| key.holes.iter().zip(key.template.holes()));
    for (hole, template) in holes {
        let Some(number) = hole.field else { continue };
        let Some(field) = entity.fields.get(number) else { continue };
        let (ident, name) = (&field.ident, holes::name(field));
        if !template.exact || read.contains(&number) {
            pending.push(quote!(from.skip()?;));
            continue;
        }
        read.push(number);
        if field.key.is_some() && matches!(field.storage, Storage::Property(_)) {
            // The key of the entity truncates the field, so it is read as a property as well.
            fields.push(key_field(ident, &mut pending, &quote!(from.give(&Self::FIELDS.#ident, &#name)?)));
        } else if field.key.is_some() {
            fields.push(key_field(ident, &mut pending, &quote!(from.hole(&#name)?)));
        } else if field.optional {
            pending.push(quote!(from.give_some(&Self::FIELDS.#ident, &#name)?;));
        } else {
            pending.push(quote!(from.give(&Self::FIELDS.#ident, &#name)?;));
        }
    }
    for field in kept_key_fields(entity, index) {
        let (ident, name) = (&field.ident, stored_name(field));
        fields.push(key_field(ident, &mut pending, &quote!(from.property(&#name)?)));
    }
    let value = quote!(#key { #(#fields),* });
    if pending.is_empty() {
        return quote!(_table::Ok(#value),);
    }
    quote!({ let read = #value; #(#pending)* _table::Ok(read) })
}

/// Returns a key field, with the pending reads before it.
fn key_field(ident: &Ident, pending: &mut Vec<TokenStream>, read: &TokenStream) -> TokenStream {
    let before = std::mem::take(pending);
    if before.is_empty() { quote!(#ident: #read) } else { quote!(#ident: { #(#before)* #read }) }
}

/// Returns the fields of the entity key that index rows store as properties, since their keys do not contain them
/// exactly.
fn kept_key_fields<'e>(entity: &'e Entity, index: &'e Index) -> impl Iterator<Item = &'e Field> {
    let is_given = |field: &Field| {
        let mut holes = index.partition.template.holes().chain(index.row.template.holes());
        holes.any(|hole| hole.exact && hole.field == field.name)
    };
    entity.key_fields().filter(move |field| !is_given(field))
}

/// Returns the name of the constant for a stored part of the entity key.
fn stored_name(field: &Field) -> Ident {
    format_ident!("{}_STORED", holes::name(field))
}

/// Returns a constant for each part of the entity key that index rows store as a property.
pub(super) fn stored_consts(entity: &Entity) -> TokenStream {
    let mut fields: Vec<&Field> = Vec::new();
    let indexes = entity.indexes.iter().filter(|index| index.lookup.is_none());
    for field in indexes.flat_map(|index| kept_key_fields(entity, index)) {
        if !fields.iter().any(|known| known.name == field.name) {
            fields.push(field);
        }
    }
    let consts = fields.into_iter().filter(|_| !entity.is_stub).map(|field| {
        let (name, ty, property) = (stored_name(field), &field.ty, &field.property_name);
        let value = quote_spanned!(ty.span()=> _table::Field::<#ty>::of(#property));
        quote!(const #name: _table::Field<#ty> = #value;)
    });
    quote!(#(#consts)*)
}

/// Returns the fields of the index row type: the entity key, then the copied fields.
fn fields_of_copy<'e>(entity: &'e Entity, index: &'e Index) -> Vec<&'e Field> {
    let mut fields: Vec<&Field> = entity.key_fields().collect();
    let holes = [&index.partition, &index.row].into_iter().flat_map(|key| entity.fields_of(key));
    let copied = index.copied.iter().filter_map(|number| entity.fields.get(*number));
    for field in holes.chain(copied) {
        if !fields.iter().any(|known| known.name == field.name) {
            fields.push(field);
        }
    }
    fields
}

/// Returns the types of index rows with a subset of the fields.
pub(super) fn copy_types(entity: &Entity) -> TokenStream {
    let types = entity.indexes.iter().filter_map(|index| {
        let (copy, visibility) = (index.copy.as_ref()?, &entity.visibility);
        let doc = docs::copy_type(entity, index);
        let fields = fields_of_copy(entity, index).into_iter().map(|field| {
            let (ident, ty, doc) = (&field.ident, &field.ty, docs::copied_field(field));
            quote!(#doc #visibility #ident: #ty,)
        });
        Some(quote! {
            #doc
            #[allow(dead_code)]
            #[derive(::core::clone::Clone, ::core::fmt::Debug)]
            #visibility struct #copy {
                #(#fields)*
            }
        })
    });
    quote!(#(#types)*)
}

/// Returns the code that reads these types.
pub(super) fn copy_impls(entity: &Entity) -> TokenStream {
    let (ident, key) = (&entity.ident, &entity.companions.key);
    let impls = entity.indexes.iter().filter_map(|index| {
        let copy = index.copy.as_ref()?;
        let fields = fields_of_copy(entity, index).into_iter().map(|field| {
            let ident_of_field = &field.ident;
            if field.key.is_some() {
                return quote!(#ident_of_field: _table::Clone::clone(&key.#ident_of_field));
            }
            quote!(#ident_of_field: <#ident as _table::TableEntity>::FIELDS.#ident_of_field.take(from)?)
        });
        let read = if entity.is_stub {
            quote!(loop {})
        } else {
            quote!(_table::copy::read::<Self>(source, row, |key, from| _table::Ok(Self { #(#fields),* })))
        };
        let key_fields = entity.key_fields().map(|field| {
            let ident = &field.ident;
            quote!(#ident: _table::Clone::clone(&self.#ident))
        });
        Some(quote! {
            #[automatically_derived]
            impl _table::FromRow for #copy {
                type Out = _table::IndexRow<Self>;

                fn from_row(
                    source: _table::Source<'_>,
                    row: _table::RowRef<'_>,
                ) -> _table::Result<_table::IndexRow<Self>, _table::DecodeError> {
                    #read
                }
            }

            #[automatically_derived]
            impl _table::IndexRowType for #copy {
                type Of = #ident;

                fn key(&self) -> #key {
                    #key { #(#key_fields),* }
                }
            }
        })
    });
    quote!(#(#impls)*)
}
