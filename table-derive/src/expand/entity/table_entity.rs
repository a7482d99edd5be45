//! `impl TableEntity`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use table_grammar::resolve::entity::{Entity, Field, Form, Storage};
use table_schema::role::Role;

use crate::expand::entity::{
    decode, descriptors, design, expiry, feeds, flatten, holes, indexes, series, stamps,
};

pub(super) fn expand(entity: &Entity) -> TokenStream {
    let ident = &entity.ident;
    let (key, patch, fields_type) =
        (&entity.companions.key, &entity.companions.patch, &entity.companions.fields);
    let design = design::value(entity);
    let fields = fields(entity);
    let key_values = entity.key_fields().map(|field| {
        let ident = &field.ident;
        quote!(#ident: _table::Clone::clone(&self.#ident))
    });
    let (partition, row) = (holes::of_self(entity, &entity.partition), holes::of_self(entity, &entity.row));
    let is_written = |field: &&Field| field.property().is_some_and(|property| !property.is_fed);
    let writes = entity.fields.iter().filter(is_written).map(|field| {
        let ident = &field.ident;
        quote!(Self::FIELDS.#ident.put(&self.#ident, into)?;)
    });
    let read = read(entity);
    let (derive, decode) = (indexes::derive(entity), decode::expand(entity));
    let (per_period, archived, changes) = (per_period(entity), archived(entity), has_changes(entity));
    let (roles, stamps) = (expiry::expand(entity), stamps::functions(entity));
    let are_times = stamps::checks(entity);
    let clear = not_encrypted(entity);
    let validation = validation(entity);
    let (sink, asked, checks) = (feeds::sink(entity), feeds::asked(entity), flatten::checks(entity));
    quote! {
        #[automatically_derived]
        impl _table::TableEntity for #ident {
            type Key = #key;
            type Patch<S: _table::PatchState> = #patch<S>;
            type Fields = #fields_type;

            const DESIGN: &'static _table::Design = &#design;

            const FIELDS: &'static #fields_type = #fields;

            fn key(&self) -> #key {
                #key {
                    #(#key_values,)*
                }
            }

            fn address(&self) -> _table::Result<_table::Address, _table::Error> {
                _table::row::address::<Self>(#partition, #row)
            }

            fn write(&self, into: &mut _table::Writer) -> _table::Result<(), _table::PropertyError> {
                #(#writes)*
                _table::Ok(())
            }

            fn read(key: #key, from: &mut _table::Reader<'_>) -> _table::Result<Self, _table::PropertyError> {
                #read
            }

            #derive
            #decode
            #stamps
            #validation
        }

        #clear
        #per_period
        #archived
        #changes
        #roles
        #are_times
        #sink
        #asked
        #checks
    }
}

/// Returns the call of the function that checks an entity.
fn validation(entity: &Entity) -> Option<TokenStream> {
    let path = entity.validate.as_ref().filter(|_| !entity.is_stub)?;
    // A soft delete does not fail because the entity is invalid.
    let unless_deleted = entity.design.roles.get(Role::SoftDelete).map(|_| {
        quote! {
            if _table::SoftDelete::is_deleted(self) {
                return _table::Ok(());
            }
        }
    });
    // With the span of this macro, since that of the path can belong to a `macro_rules!`.
    let this = quote!(self);
    Some(quote_spanned! {path.span()=>
        fn validation(&#this) -> _table::Result<(), _table::Error> {
            #unless_deleted
            _table::validated::<Self, _>(#path(#this))
        }
    })
}

/// Returns `impl NotEncrypted` if no field is encrypted. A stub has it, so that the compiler reports only its errors.
fn not_encrypted(entity: &Entity) -> Option<TokenStream> {
    let mut properties = entity.fields.iter().filter_map(Field::property);
    if !entity.is_stub && properties.any(|property| property.is_sealed) {
        return None;
    }
    let ident = &entity.ident;
    Some(quote! {
        #[automatically_derived]
        impl _table::NotEncrypted for #ident {}
    })
}

/// Returns `impl HasChanges` if the entity has a change feed.
fn has_changes(entity: &Entity) -> Option<TokenStream> {
    entity.design.changes.filter(|_| !entity.is_stub)?;
    let ident = &entity.ident;
    Some(quote! {
        #[automatically_derived]
        impl _table::HasChanges for #ident {}
    })
}

/// Returns `impl Archived` if the entity has an archive table.
fn archived(entity: &Entity) -> Option<TokenStream> {
    let archive = entity.design.archive.as_ref().filter(|_| !entity.is_stub).map(|archive| &archive.to)?;
    let ident = &entity.ident;
    Some(quote! {
        #[automatically_derived]
        impl _table::Archived for #ident {
            const ARCHIVE: &'static str = #archive;
        }
    })
}

/// Returns `impl PerPeriod` if the table name contains a date.
fn per_period(entity: &Entity) -> Option<TokenStream> {
    let field = entity.period().filter(|_| !entity.is_stub)?;
    let (ident, ty, name) = (&entity.ident, &field.ty, &field.name);
    Some(quote! {
        #[automatically_derived]
        impl _table::PerPeriod for #ident {
            type Time = #ty;
            const FIELD: &'static str = #name;
        }
    })
}

/// Returns the value of `const FIELDS`.
fn fields(entity: &Entity) -> TokenStream {
    let fields_type = &entity.companions.fields;
    let fields = entity.fields.iter().filter_map(|field| field_value(entity, field));
    quote!(&#fields_type { #(#fields,)* })
}

/// Returns the field as a value. Its type must be a property type; errors have the span of the type.
fn field_value(entity: &Entity, field: &Field) -> Option<TokenStream> {
    let (ident, ty) = (&field.ident, &field.ty);
    let value = match &field.storage {
        Storage::Property(property) | Storage::KeyAndProperty(property) => {
            let name = &property.name;
            if property.form == Form::Flattened {
                let value = flatten::field_value(field);
                return Some(quote!(#ident: #value));
            }
            if entity.is_stub {
                let form = match property.form {
                    Form::Series(_) => quote!(Series),
                    Form::Blob { .. } => quote!(Large),
                    Form::Plain | Form::Json | Form::Flattened => quote!(Field),
                };
                return Some(quote!(#ident: _table::#form::unusable(#name)));
            }
            // Use the span of the type, so that the compiler reports the trait error there.
            let value = match property.form {
                Form::Plain if field.may_be_copy() => feeds::kept_field(entity, field, name),
                Form::Plain | Form::Json | Form::Flattened => descriptors::single(field, property, name),
                Form::Blob { inline } => {
                    let inline = proc_macro2::Literal::usize_unsuffixed(inline);
                    quote_spanned!(ty.span()=> _table::Large::<#ty>::of(#name, #inline))
                }
                Form::Series(_) => {
                    let slots = series::slots(entity, field);
                    quote_spanned!(ty.span()=> _table::Series::<#ty>::of(#name, #slots))
                }
            };
            let or_default = descriptors::or_default(field, property);
            let sealed = property.is_sealed.then(|| quote_spanned!(ty.span()=> .sealed()));
            quote!(#value #or_default #sealed)
        }
        Storage::Key => {
            let key = &entity.companions.key;
            quote!(_table::KeyField::of(|key: &#key| _table::Clone::clone(&key.#ident)))
        }
        Storage::Skipped => return None,
    };
    Some(quote!(#ident: #value))
}

/// Returns the body of `read`.
fn read(entity: &Entity) -> TokenStream {
    if entity.is_stub {
        return quote!(loop {});
    }
    let fields = entity.fields.iter().map(read_field);
    quote!(_table::Ok(Self { #(#fields,)* }))
}

fn read_field(field: &Field) -> TokenStream {
    let ident = &field.ident;
    match &field.storage {
        Storage::Key => quote!(#ident: key.#ident),
        Storage::Property(_) => quote!(#ident: Self::FIELDS.#ident.take(from)?),
        Storage::KeyAndProperty(_) => quote!(#ident: Self::FIELDS.#ident.same(key.#ident, from)?),
        Storage::Skipped => quote!(#ident: _table::Default::default()),
    }
}
