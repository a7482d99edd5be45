//! `impl Expires` and `impl SoftDelete`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use table_grammar::resolve::entity::{Entity, Field, Property};
use table_schema::role::Role;

/// Returns the field with a role, with its property.
fn field(entity: &Entity, role: Role) -> Option<(&Field, &Property)> {
    let name = entity.design.roles.get(role)?;
    let field = entity.fields.iter().find(|field| !entity.is_stub && field.name == name)?;
    Some((field, field.property()?))
}

/// Returns the properties with a role.
pub(super) fn properties(entity: &Entity) -> impl Iterator<Item = TokenStream> {
    Role::ALL.into_iter().filter_map(|role| {
        let (variant, name) = (format_ident!("{role:?}"), &field(entity, role)?.1.name);
        Some(quote!((_table::Role::#variant, #name)))
    })
}

/// Returns the implementations for the roles of fields.
pub(super) fn expand(entity: &Entity) -> TokenStream {
    let (expires, soft_delete) = (expires(entity), soft_delete(entity));
    quote!(#expires #soft_delete)
}

/// Returns the compile-time check that a field is a time, if its type as written does not determine that.
pub(super) fn is_time(field: &Field, purpose: &str, help: &str) -> Option<TokenStream> {
    let ty = &field.ty;
    field.is_opaque().then(|| {
        let message = format!("`{}` is not a time and {purpose}\n\nhelp: {help}", field.name);
        quote_spanned!(ty.span()=> const _: () = _table::assert!(_table::is_time::<#ty>(), #message);)
    })
}

/// Returns the compile-time check that the field with a role is a time.
fn can_contain(field: &Field, role: Role) -> Option<TokenStream> {
    let purpose = format!("cannot contain the time at which {}", role.event());
    is_time(field, &purpose, &format!("use a field of the type {}", role.types()))
}

/// Returns the implementation, if the entities expire.
fn expires(entity: &Entity) -> Option<TokenStream> {
    let (field, _) = field(entity, Role::Expires)?;
    let (ident, name) = (&entity.ident, &field.ident);
    let is_time = can_contain(field, Role::Expires);
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
fn soft_delete(entity: &Entity) -> Option<TokenStream> {
    let (field, _) = field(entity, Role::SoftDelete)?;
    let (ident, name) = (&entity.ident, &field.ident);
    let is_time = can_contain(field, Role::SoftDelete);
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
    field(entity, Role::SoftDelete)?;
    Some(quote! {
        if _table::SoftDelete::is_deleted(self) {
            return _table::Ok(());
        }
    })
}
