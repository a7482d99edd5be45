//! Reads of rows of the previous version.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use table_grammar::resolve::entity::Entity;

/// Reads a row with the `EntityType` of the previous struct as that struct, then converts it.
pub(super) fn expand(entity: &Entity) -> Option<TokenStream> {
    let older = entity.older.as_ref().filter(|_| !entity.is_stub)?;
    // The variable has the span of this macro, since the span of the type can belong to a `macro_rules!`.
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

        fn older_version() -> _table::Option<_table::row::EntityInfo> {
            _table::Option::Some(_table::row::version::<#older>())
        }
    })
}
