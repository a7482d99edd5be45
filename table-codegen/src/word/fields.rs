//! `rename_all` and `[entity.NAME.fields]`.

use table_grammar::Case;

use super::{Word, hash};
use crate::{generate, read::field, write::field::value};

pub(super) const WORD: Word = Word {
    read: |design, keys, _, found| {
        let case = keys.word("rename_all", &Case::WORDS, found);
        let table = keys.table("fields", found);
        design.fields = table.map(|table| field::all(table, case, found)).unwrap_or_default();
    },
    write: |entity, lines| {
        if !entity.fields.is_empty() {
            lines.table(&["entity", &entity.name, "fields"]);
            for field in entity.fields.iter().filter(|field| !field.skip) {
                lines.key(&field.name, value(field, &entity.fields));
            }
        }
    },
    hash: |entity| vec![("fields", hash::fields(&entity.fields))],
    fields: |context, entity| {
        entity.fields.iter().map(|field| generate::fields::expand(context, entity, field)).collect()
    },
    ..Word::NONE
};
