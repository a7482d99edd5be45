//! `soft_delete`: the field with the time at which an entity was soft-deleted.

use super::{Word, ident, json, quote, text};

pub(super) const WORD: Word = Word {
    read: |design, keys, _, found| {
        design.soft_delete = keys.text("soft_delete", "deleted", found).map(|field| field.text.to_owned());
    },
    write: |entity, lines| lines.some("soft_delete", entity.soft_delete.as_deref().map(text)),
    hash: |entity| entity.soft_delete.iter().map(|field| ("soft_delete", json!(field))).collect(),
    sentence: |entity| {
        Some(format!("An entity is soft-deleted while its `{}` is set.", entity.soft_delete.as_ref()?))
    },
    attributes: |_, entity| {
        let field = entity.soft_delete.as_deref().map(ident);
        field.map(|field| quote!(soft_delete = #field)).into_iter().collect()
    },
    ..Word::NONE
};
