//! Input of `changes` and `changes(keep = "7d", old)`.

use syn::{LitStr, meta::ParseNestedMeta};
use table_schema::{design::ChangesDesign, language::Span};

use crate::{
    errors::mistake,
    parse::attribute::{Slot, each_inner_word, text},
};

const EXAMPLE: &str = "changes(keep = \"7d\", old)";

/// Parses the change feed of an entity.
pub(crate) fn read(meta: &ParseNestedMeta<'_>) -> syn::Result<ChangesDesign> {
    let (mut keep, mut old) = (Slot::<LitStr>::default(), Slot::default());
    if meta.input.peek(syn::token::Paren) {
        each_inner_word(meta, &["keep", "old"], EXAMPLE, |name, meta| {
            match name {
                "keep" => keep.set(meta, text(meta, "keep = \"7d\"")?)?,
                "old" => old.set(meta, ())?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
    }
    let mut changes = ChangesDesign { old: old.is_set(), ..ChangesDesign::default() };
    if let Some(given) = keep.value() {
        let span = given.value().parse::<Span>();
        changes.keep =
            span.map_err(|error| mistake(given, error.message, format!("write {}", error.help)))?;
    }
    Ok(changes)
}
