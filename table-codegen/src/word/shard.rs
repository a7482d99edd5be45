//! `shard`: keys that are distributed by a hash.

use proc_macro2::Literal;
use table_schema::design::Shard;

use super::{Code, Entry, Found, Keys, Table, Word, ident, json, quote, text};

pub(super) const WORD: Word = Word {
    read: |design, keys, entry, found| {
        design.shard = keys.table("shard", found).and_then(|table| read(table, entry, found));
    },
    write: |entity, lines| {
        let shard = entity.shard.as_ref();
        let value = shard.map(|shard| format!("{{ of = {}, count = {} }}", text(&shard.of), shard.count));
        lines.some("shard", value);
    },
    hash: |entity| {
        let shard = entity.shard.as_ref().map(|shard| json!({ "of": shard.of, "count": shard.count }));
        vec![("shard", json!(shard))]
    },
    attributes: |_, entity| {
        let attribute = entity.shard.as_ref().map(|shard| {
            let (of, count) = (ident(&shard.of), Literal::u32_unsuffixed(shard.count));
            quote!(shard(of = #of, count = #count))
        });
        attribute.into_iter().collect()
    },
    ..Word::NONE
};

fn read(table: &Table, entity: &Entry, found: &mut Vec<Found>) -> Option<Shard> {
    let mut keys = Keys::of(table);
    let of = keys.text("of", "id", found).map(|text| text.text.to_owned());
    let count =
        keys.whole("count", (0, u64::from(u32::MAX)), 16, found).and_then(|count| u32::try_from(count).ok());
    let key = table.entries.first().map_or(&entity.key, |entry| &entry.key);
    for name in ["of", "count"].into_iter().filter(|name| table.get(name).is_none()) {
        let mistake = Found::new(Code::D006, key, format!("the shard of `{}` has no `{name}`", entity.name));
        found.push(mistake.label("needs `of`, `count`").help("shard = { of = \"id\", count = 16 }"));
    }
    keys.finish(found);
    Some(Shard { of: of?, count: count? })
}
