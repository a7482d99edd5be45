//! `impl Expires` and `impl SoftDelete`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use table_grammar::resolve::entity::{Entity, Field, Property};

/// Returns a field that the design names, with its property.
fn field<'e>(entity: &'e Entity, name: Option<&String>) -> Option<(&'e Field, &'e Property)> {
    let field = entity.fields.iter().find(|field| !entity.is_stub && Some(&field.name) == name)?;
    Some((field, field.property()?))
}

/// Returns the name of the property of the field.
pub(super) fn property<'e>(entity: &'e Entity, name: Option<&String>) -> Option<&'e str> {
    field(entity, name).map(|(_, property)| property.name.as_str())
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
    let (field, _) = field(entity, entity.design.expires.as_ref())?;
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

/// Returns the implementation, if entities can be soft-deleted.
pub(super) fn soft_delete(entity: &Entity) -> Option<TokenStream> {
    let (field, _) = field(entity, entity.design.soft_delete.as_ref())?;
    let (ident, name) = (&entity.ident, &field.ident);
    let is_time = is_time(
        field,
        "cannot contain the time at which an entity was deleted",
        "use a field of the type `Option<Timestamp>`",
    );
    Some(quote! {
        #[automatically_derived]
        impl _table::SoftDelete for #ident {
            fn deleted_at(&self) -> _table::Option<_table::Timestamp> {
                _table::time_of(&Self::FIELDS.#name, &self.#name)
            }

            fn set_deleted_at(&mut self, at: _table::Option<_table::Timestamp>) -> _table::Result<(), _table::Error> {
                _table::set_time::<Self, _>(&Self::FIELDS.#name, &mut self.#name, at)
            }
        }
        #is_time
    })
}

/// Returns the statement by which a soft-deleted entity has no derived rows.
pub(super) fn if_deleted(entity: &Entity) -> Option<TokenStream> {
    field(entity, entity.design.soft_delete.as_ref())?;
    Some(quote! {
        if _table::SoftDelete::is_deleted(self) {
            return _table::Ok(());
        }
    })
}
