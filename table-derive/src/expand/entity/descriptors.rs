//! Parts of the descriptors of properties, which entities and nested structs share.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use table_grammar::resolve::entity::{Field, Form, Property};

use crate::expand::entity::design::option;

/// Returns the descriptor of a field that is stored in a single property. Its type must be a property type, or
/// serializable; errors have the span of the type.
pub(in crate::expand) fn single(field: &Field, property: &Property, name: &impl ToTokens) -> TokenStream {
    let ty = &field.ty;
    if property.form == Form::Json {
        return quote_spanned!(ty.span()=> _table::Field::<#ty, _table::Json>::json(#name));
    }
    quote_spanned!(ty.span()=> _table::Field::<#ty>::of(#name))
}

/// Returns the call that sets the value of rows without the property, if it has a default.
pub(in crate::expand) fn or_default(field: &Field, property: &Property) -> Option<TokenStream> {
    let ty = &field.ty;
    property.or_default.then(|| match &property.default_function {
        None => quote_spanned!(ty.span()=> .or_default()),
        Some(function) => {
            let read = if property.form == Form::Json { quote!(json_or) } else { quote!(value_or) };
            quote!(.read_by(|value| _table::default::#read::<#ty>(value, #function)))
        }
    })
}

/// Returns the type of a property of a nested struct. The name is a suffix.
pub(in crate::expand) fn stored_type(field: &Field, property: &Property) -> TokenStream {
    let (ty, name) = (&field.ty, &property.name);
    if property.form == Form::Json {
        return quote!(_table::StoredType::json(#name));
    }
    quote_spanned!(ty.span()=> _table::Field::<#ty>::of(#name).stored_type())
}

/// Returns the call of the default function as text, for the design.
pub(in crate::expand) fn default_call(property: &Property) -> TokenStream {
    option(property.default_call())
}
