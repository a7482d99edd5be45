//! `[entity.NAME.lookup.NAME]`: lists of entities by field value.

use proc_macro2::TokenStream;
use table_schema::design::{EntityDesign, LookupDesign, LookupPlace};

use super::{Entry, Found, Keys, Table, Value, Word, hash, ident, json, quote, text};
use crate::{
    generate::template_word,
    read::{
        field,
        named::{function_name, not_a_word},
    },
    write::lines::texts,
};

/// The words of the derive's attribute.
const RESERVED: [&str; 6] = ["on", "place", "table", "partition", "row", "ids"];

const PLACES: &[(&str, LookupPlace)] =
    &[("partition", LookupPlace::Partition), ("table", LookupPlace::Table), ("blob", LookupPlace::Blob)];

pub(super) const WORD: Word = Word {
    read: |design, keys, _, found| {
        let tables = keys.tables("lookup", found).into_iter();
        design.lookups = tables.map(|(entry, table)| read(entry, table, found)).collect();
    },
    write: |entity, lines| {
        for lookup in &entity.lookups {
            lines.table(&["entity", &entity.name, "lookup", &lookup.name]);
            lines.some("about", lookup.about.as_deref().map(text));
            lines.key("on", texts(&lookup.on));
            lines.key("place", text(lookup.place.word()));
            lines.template("table", lookup.table.as_ref());
            lines.template("partition", lookup.partition.as_ref());
            lines.template("row", lookup.row.as_ref());
            lines.some("ids", lookup.ids.as_deref().map(text));
        }
    },
    hash: |entity| {
        let lookups = entity.lookups.iter().map(|lookup| (&lookup.name, hashed(entity, lookup)));
        vec![("lookups", hash::sorted(lookups))]
    },
    attributes: |_, entity| entity.lookups.iter().map(attribute).collect(),
    ..Word::NONE
};

fn read(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> LookupDesign {
    function_name(entry, "a lookup", found);
    not_a_word(entry, &RESERVED, "a lookup", found);
    let mut keys = Keys::of(table);
    let on = field::one_or_more(&mut keys, "on", "last_name", found);
    let design = LookupDesign {
        name: entry.name.clone(),
        about: keys.about(found),
        on: on.map(|fields| field::names(&fields)).unwrap_or_default(),
        place: keys.word("place", PLACES, found).unwrap_or_default(),
        table: keys.template("table", "EmployeesByLastName", found),
        partition: keys.template("partition", "{last_name}", found),
        row: keys.template("row", "lastname_{last_name}", found),
        ids: keys.text("ids", "EmployeeIDs", found).map(|text| text.text.to_owned()),
    };
    keys.finish(found);
    design
}

fn hashed(entity: &EntityDesign, lookup: &LookupDesign) -> Value {
    let number = entity.lookups.iter().position(|other| other.name == lookup.name);
    let lists = number.and_then(|number| entity.lists(number));
    json!({
        "on": lookup.on, "place": lookup.place.word(), "ids": lookup.ids,
        "table": lists.as_ref().map(|lists| lists.table.text()),
        "partition": lists.as_ref().map(|lists| lists.partition.text()),
        "row": lists.as_ref().map(|lists| lists.row.text()),
    })
}

fn attribute(lookup: &LookupDesign) -> TokenStream {
    let name = ident(&lookup.name);
    let on: Vec<_> = lookup.on.iter().map(|field| ident(field)).collect();
    let on = if let [only] = on.as_slice() { quote!(#only) } else { quote!((#(#on),*)) };
    let place = ident(lookup.place.word());
    let table = template_word("table", lookup.table.as_ref());
    let partition = template_word("partition", lookup.partition.as_ref());
    let row = template_word("row", lookup.row.as_ref());
    let ids = lookup.ids.as_ref().map(|ids| quote!(, ids = #ids));
    quote!(lookup(#name, on = #on, place = #place #table #partition #row #ids))
}
