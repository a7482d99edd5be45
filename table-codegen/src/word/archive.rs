//! `[entity.NAME.archive]`: the table that receives completed entities.

use table_schema::design::ArchiveDesign;

use super::{Code, Entry, Found, Keys, Table, Word, json, names, quote, text};
use crate::{
    generate::{condition, doc::code},
    read::keys::table_of,
};

pub(super) const WORD: Word = Word {
    read: |design, keys, _, found| {
        let entry = keys.entry("archive");
        design.archive = entry.and_then(|entry| read(entry, table_of(entry, "", found)?, found));
    },
    resolve: |table, entity, _, found| {
        let when = entity.archive.as_ref().and_then(|archive| archive.when.as_ref());
        names::rows(table.find(&["archive", "when"]), when, entity, found);
    },
    write: |entity, lines| {
        if let Some(archive) = &entity.archive {
            lines.table(&["entity", &entity.name, "archive"]);
            lines.some("about", archive.about.as_deref().map(text));
            lines.key("to", text(&archive.to));
            lines.some("when", archive.when.as_ref().map(|when| text(&when.text)));
        }
    },
    hash: |entity| {
        let archive = entity.archive.as_ref().map(|archive| {
            let when = archive.when.as_ref().map(|when| &when.text);
            json!({ "to": archive.to, "when": when })
        });
        vec![("archive", json!(archive))]
    },
    attributes: |_, entity| {
        let to = entity.archive.as_ref().map(|archive| &archive.to);
        to.map(|to| quote!(archive = #to)).into_iter().collect()
    },
    conditions: |context, entity| {
        let condition = entity.archive.as_ref().and_then(|archive| {
            let when = archive.when.as_ref()?;
            let about =
                format!("Returns whether the entity must move to `{}`: {}.", archive.to, code(&when.text));
            Some(condition::expand(context, entity, "is_to_be_archived", &about, when))
        });
        condition.into_iter().collect()
    },
    ..Word::NONE
};

fn read(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> Option<ArchiveDesign> {
    if table.get("to").is_none() {
        let mistake = Found::new(Code::D006, &entry.key, "the archive has no `to`");
        found.push(mistake.label("needs `to`").help("to = \"OrdersArchive\""));
    }
    let mut keys = Keys::of(table);
    let about = keys.about(found);
    let to = keys.text("to", "OrdersArchive", found).map(|text| text.text.to_owned());
    let when = keys.parsed("when", "status = closed", found);
    keys.finish(found);
    Some(ArchiveDesign { to: to?, about, when })
}
