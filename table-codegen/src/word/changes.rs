//! `changes`: the change feed of an entity.

use table_schema::design::ChangesDesign;

use super::{Found, Keys, Table, Word, json, quote, text};

const EXAMPLE: &str = "{ keep = \"30d\", old = true }";

pub(super) const WORD: Word = Word {
    read: |design, keys, _, found| {
        design.changes = keys.settings("changes", EXAMPLE, found).map(|table| read(table, found));
    },
    write: |entity, lines| {
        let value = entity.changes.map(|changes| {
            let old = if changes.old { ", old = true" } else { "" };
            format!("{{ keep = {}{old} }}", text(&changes.keep.to_string()))
        });
        lines.some("changes", value);
    },
    hash: |entity| {
        let changes = entity.changes.iter();
        changes
            .map(|changes| ("changes", json!({ "keep": changes.keep.seconds(), "old": changes.old })))
            .collect()
    },
    sentence: |entity| {
        let changes = entity.changes?;
        Some(format!("Its changes are recorded; the records are kept for {}.", changes.keep))
    },
    attributes: |_, entity| {
        let attribute = entity.changes.map(|changes| {
            let keep = changes.keep.to_string();
            let old = changes.old.then(|| quote!(, old));
            quote!(changes(keep = #keep #old))
        });
        attribute.into_iter().collect()
    },
    ..Word::NONE
};

fn read(table: &Table, found: &mut Vec<Found>) -> ChangesDesign {
    let mut keys = Keys::of(table);
    let default = ChangesDesign::default();
    let keep = keys.parsed("keep", "7d", found).unwrap_or(default.keep);
    let old = keys.bool("old", found).unwrap_or_default();
    keys.finish(found);
    ChangesDesign { keep, old }
}
