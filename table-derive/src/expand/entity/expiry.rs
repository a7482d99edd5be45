//! `impl Expires`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use table_grammar::resolve::entity::{Entity, Field, Property};

/// Returns the field with the time at which an entity expires.
fn field(entity: &Entity) -> Option<(&Field, &Property)> {
    let name = entity.design.expires.as_ref().filter(|_| !entity.is_stub)?;
    let field = entity.fields.iter().find(|field| field.name == *name)?;
    Some((field, field.property()?))
}

/// Returns the name of its property.
pub(super) fn property(entity: &Entity) -> Option<&str> {
    field(entity).map(|(_, property)| property.name.as_str())
}

/// Returns the compile-time check that a field is a time, if its type as written does not determine that.
pub(super) fn is_time(field: &Field, purpose: &str, help: &str) -> Option<TokenStream> {
    let ty = &field.ty;
    field.is_opaque().then(|| {
        let message = format!("`{}` is not a time and {purpose}\n\nhelp: {help}", field.name);
        quote_spanned!(ty.span()=> const _: () = _table::assert!(_table::is_time::<#ty>(), #message);)
    })
}

/// Returns the implementation, if the entities expire.
pub(super) fn expand(entity: &Entity) -> Option<TokenStream> {
    let (field, _) = field(entity)?;
    let (ident, name) = (&entity.ident, &field.ident);
    let is_time = is_time(
        field,
        "cannot contain the time at which an entity expires",
        "use a field of the type `Timestamp` or `Option<Timestamp>`",
    );
    Some(quote! {
        #[automatically_derived]
        impl _table::Expires for #ident {
            fn expires_at(&self) -> _table::Option<_table::Timestamp> {
                _table::time_of(&Self::FIELDS.#name, &self.#name)
            }
        }
        #is_time
    })
}
