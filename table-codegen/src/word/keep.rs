//! `keep`: the retention period of rows, or of per-period tables.

use table_schema::language::Span;

use super::{Word, json, text};

pub(super) const WORD: Word = Word {
    read: |design, keys, _, found| design.keep = keys.parsed("keep", "90d", found),
    write: |entity, lines| lines.some("keep", entity.keep.map(|keep| text(&keep.to_string()))),
    hash: |entity| vec![("keep", json!(entity.keep.map(Span::seconds)))],
    sentence: |entity| {
        let what = if entity.has_table_per_period() { "tables" } else { "rows" };
        Some(format!("The retention period of its {what} is {}.", entity.keep?))
    },
    ..Word::NONE
};
