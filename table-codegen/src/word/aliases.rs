//! `aliases`: older `EntityType` values of the entity.

use super::{Word, json, quote};
use crate::write::lines::texts;

pub(super) const WORD: Word = Word {
    read: |design, keys, _, found| {
        design.aliases = keys.names("aliases", "Employee_v1", found).unwrap_or_default();
    },
    write: |entity, lines| {
        lines.some("aliases", (!entity.aliases.is_empty()).then(|| texts(&entity.aliases)));
    },
    hash: |entity| vec![("aliases", json!(entity.aliases))],
    attributes: |_, entity| {
        let aliases = &entity.aliases;
        if aliases.is_empty() { Vec::new() } else { vec![quote!(aliases(#(#aliases),*))] }
    },
    ..Word::NONE
};
