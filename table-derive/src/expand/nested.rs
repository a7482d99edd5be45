//! The output of `#[derive(TableFields)]`: the descriptors and the patch of a nested struct, or those of an enum.

mod variants;

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use table_grammar::resolve::{
    entity::{Field, Form, Property},
    nested::Nested,
};

use crate::expand::{
    Doc,
    entity::{descriptors, design::option, docs, patch_impls::argument},
    facade, import,
};

pub(crate) fn expand(nested: &Nested) -> TokenStream {
    let (ident, descriptors) = (&nested.ident, &nested.descriptors);
    let import = import(nested.facade.as_ref());
    let (descriptors_type, descriptors_at) = (descriptors_type(nested), descriptors_at(nested));
    let names: Vec<&String> = stored(nested).map(|(_, property)| &property.name).collect();
    let properties = properties(nested);
    let (put, take, companions) = match &nested.variants {
        Some(of) => (variants::put(nested, of), variants::take(nested, of), variants::kind_type(nested, of)),
        None => (put(nested), take(nested), patch_type(nested)),
    };
    let take = if nested.is_stub { quote!(loop {}) } else { take };
    let patch = nested.variants.is_none().then(|| patch_impls(nested));
    quote! {
        #descriptors_type
        #companions

        #[allow(unused_qualifications)]
        const _: () = {
            #import

            enum __Suffixes {}

            impl _table::PropertyNames for __Suffixes {
                const NAMES: &'static [&'static str] = &[#(#names),*];
            }

            #[automatically_derived]
            impl _table::TableFields for #ident {
                type Fields = #descriptors;

                const NAMES: &'static [_table::Option<&'static str>] = &[#(_table::Some(#names)),*];

                const PROPERTIES: &'static [_table::NestedProperty] = &[#(#properties),*];

                const SUFFIXES: &'static #descriptors = <Self as _table::FieldsAt<__Suffixes>>::FIELDS;

                fn put(
                    &self,
                    fields: &#descriptors,
                    into: &mut _table::Writer,
                ) -> _table::Result<(), _table::PropertyError> {
                    #put
                }

                fn take(
                    fields: &#descriptors,
                    from: &mut _table::Reader<'_>,
                ) -> _table::Result<Self, _table::PropertyError> {
                    #take
                }
            }

            #descriptors_at

            #patch
        };
    }
}

/// Returns the properties for the design.
fn properties(nested: &Nested) -> impl Iterator<Item = TokenStream> {
    let fields = nested.fields.iter().zip(&nested.design.fields).filter(|_| !nested.is_stub);
    fields.filter_map(|(field, design)| {
        let property = field.property()?;
        let (name, stored) = (&field.name, descriptors::stored_type(field, property));
        let has_default = property.or_default;
        let function = descriptors::default_call(property);
        let max = option(design.kind.longest_text().map(Literal::usize_unsuffixed));
        let required_in = design.required_if.iter().flat_map(|required| &required.words);
        Some(quote! {
            _table::NestedProperty {
                field: #name,
                stored: #stored,
                max: #max,
                has_default: #has_default,
                default_function: #function,
                required_in: &[#(#required_in),*],
            }
        })
    })
}

fn put(nested: &Nested) -> TokenStream {
    let writes = stored(nested).map(|(field, _)| {
        let ident = &field.ident;
        quote!(fields.#ident.put(&self.#ident, into)?;)
    });
    quote! {
        #(#writes)*
        _table::Ok(())
    }
}

fn take(nested: &Nested) -> TokenStream {
    let reads = nested.fields.iter().map(read);
    quote!(_table::Ok(Self { #(#reads,)* }))
}

/// Returns the initializer of a field.
fn read(field: &Field) -> TokenStream {
    let ident = &field.ident;
    if field.property().is_none() {
        return quote!(#ident: _table::Default::default());
    }
    quote!(#ident: fields.#ident.take(from)?)
}

/// Iterates over the stored fields and their properties.
fn stored(nested: &Nested) -> impl Iterator<Item = (&Field, &Property)> {
    nested.fields.iter().filter_map(|field| Some((field, field.property()?)))
}

fn descriptors_type(nested: &Nested) -> TokenStream {
    let (visibility, descriptors) = (&nested.visibility, &nested.descriptors);
    let facade = facade(nested.facade.as_ref());
    let doc = Doc(format!("The properties of a [`{}`] in filters: `.filter(|e| e.field..)`.", nested.name));
    let fields = stored(nested).map(|(field, property)| {
        let (ident, ty) = (&field.ident, &field.ty);
        if property.form == Form::Json {
            return quote!(#[doc(hidden)] #visibility #ident: #facade::Field<#ty, #facade::Json>,);
        }
        let doc = Doc(format!("Stored with the suffix `_{}`.", property.name));
        quote!(#doc #visibility #ident: #facade::Field<#ty>,)
    });
    quote! {
        #doc
        #[derive(::core::fmt::Debug)]
        #visibility struct #descriptors {
            #(#fields)*
        }
    }
}

fn patch_type(nested: &Nested) -> TokenStream {
    let (visibility, descriptors, patch) = (&nested.visibility, &nested.descriptors, &nested.patch);
    let facade = facade(nested.facade.as_ref());
    let doc = Doc(format!(
        "Changes to properties of a [`{}`] in a patch of an entity: `.field(|it| it..)`. Other properties are unchanged.",
        nested.name
    ));
    quote! {
        #doc
        #[must_use = "the patch of the entity requires the changes"]
        #[derive(::core::fmt::Debug)]
        #visibility struct #patch(#facade::FieldsPatch<#descriptors>);
    }
}

/// Returns the implementations of the patch.
fn patch_impls(nested: &Nested) -> TokenStream {
    let (ident, descriptors, patch) = (&nested.ident, &nested.descriptors, &nested.patch);
    let setters = stored(nested).map(|(field, property)| setter(nested, field, property));
    quote! {
        #[automatically_derived]
        impl _table::PatchedFields for #ident {
            type Patch = #patch;

            fn changes(patch: #patch) -> _table::FieldsPatch<#descriptors> {
                patch.0
            }
        }

        #[automatically_derived]
        impl _table::From<_table::FieldsPatch<#descriptors>> for #patch {
            fn from(changes: _table::FieldsPatch<#descriptors>) -> Self {
                Self(changes)
            }
        }

        #[automatically_derived]
        #[allow(dead_code, clippy::wrong_self_convention)]
        impl #patch {
            #(#setters)*
        }
    }
}

/// Returns the descriptors under the names of any entity.
fn descriptors_at(nested: &Nested) -> TokenStream {
    let (ident, descriptors) = (&nested.ident, &nested.descriptors);
    let fields = stored(nested).enumerate().map(|(number, (field, property))| {
        let (ident, number) = (&field.ident, Literal::usize_unsuffixed(number));
        let name = quote!(_table::name_at::<__N>(#number));
        if nested.is_stub {
            return quote!(#ident: _table::Field::unusable(#name));
        }
        let value = descriptors::single(field, property, &name);
        let or_default = descriptors::or_default(field, property);
        quote!(#ident: #value #or_default)
    });
    quote! {
        #[automatically_derived]
        impl<__N: _table::PropertyNames> _table::FieldsAt<__N> for #ident {
            const FIELDS: &'static #descriptors = &#descriptors { #(#fields,)* };
        }
    }
}

fn setter(nested: &Nested, field: &Field, property: &Property) -> TokenStream {
    let (visibility, name) = (&nested.visibility, &field.ident);
    let doc = Doc(format!("Sets the property with the suffix `_{}`.{}", property.name, docs::limit(field)));
    let (ty, value) = argument(field);
    quote! {
        #doc
        #visibility fn #name(mut self, value: #ty) -> Self {
            self.0.set(|fields| &fields.#name, &#value);
            self
        }
    }
}
