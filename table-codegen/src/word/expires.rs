//! `expires`: the field with the time at which an entity expires.

use super::{Word, ident, json, quote, text};

pub(super) const WORD: Word = Word {
    read: |design, keys, _, found| {
        design.expires = keys.text("expires", "ends", found).map(|field| field.text.to_owned());
    },
    write: |entity, lines| lines.some("expires", entity.expires.as_deref().map(text)),
    hash: |entity| entity.expires.iter().map(|field| ("expires", json!(field))).collect(),
    sentence: |entity| Some(format!("An entity expires at its `{}`.", entity.expires.as_ref()?)),
    attributes: |_, entity| {
        let field = entity.expires.as_deref().map(ident);
        field.map(|field| quote!(expires = #field)).into_iter().collect()
    },
    ..Word::NONE
};
