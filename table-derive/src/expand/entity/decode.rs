//! Reading rows of the version before.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use crate::resolve::entity::Entity;

/// A row of the older struct's `EntityType` is read as that struct, then converted.
pub(super) fn expand(entity: &Entity) -> Option<TokenStream> {
    let older = entity.older.as_ref().filter(|_| !entity.is_stub)?;
    // The variable has this macro's own span: the type's can be that of a `macro_rules!`.
    let value = quote!(older);
    let converted = quote_spanned!(older.span()=> <Self as _table::From<#older>>::from(#value));
    Some(quote! {
        fn decode(
            source: _table::Source<'_>,
            row: _table::RowRef<'_>,
        ) -> _table::Result<Self, _table::DecodeError> {
            if _table::row::is_written_as::<#older>(row) {
                let older = _table::row::decode_older::<Self, #older>(source, row)?;
                return _table::Ok(#converted);
            }
            _table::row::decode::<Self>(source, row)
        }
    })
}
