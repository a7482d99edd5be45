//! `[entity.NAME.index.NAME]`: copies of the entity under other keys.

use proc_macro2::TokenStream;
use table_schema::design::{CopiedFields, EntityDesign, IndexDesign};

use super::{Entry, Found, Keys, Table, Value, Word, hash, ident, json, names, quote, text};
use crate::{
    generate::{condition, doc::code, template_word},
    read::named::{function_name, not_a_word},
    write::lines::texts,
};

/// The words of the derive's attribute.
const RESERVED: [&str; 7] = ["table", "partition", "row", "unique", "sparse", "copy", "when"];

pub(super) const WORD: Word = Word {
    read: |design, keys, _, found| {
        let tables = keys.tables("index", found).into_iter();
        design.indexes = tables.map(|(entry, table)| read(entry, table, found)).collect();
    },
    resolve: |table, entity, _, found| {
        for index in &entity.indexes {
            names::rows(table.find(&["index", &index.name, "when"]), index.when.as_ref(), entity, found);
        }
    },
    write: |entity, lines| {
        for index in &entity.indexes {
            lines.table(&["entity", &entity.name, "index", &index.name]);
            lines.some("about", index.about.as_deref().map(text));
            lines.template("table", index.table.as_ref());
            lines.template("partition", index.partition.as_ref());
            lines.template("row", index.row.as_ref());
            lines.flag("unique", index.unique);
            lines.some("when", index.when.as_ref().map(|when| text(&when.text)));
            lines.flag("sparse", index.sparse && index.when.is_none());
            if let CopiedFields::Only(fields) = &index.copy {
                lines.key("copy", texts(fields));
            }
        }
    },
    hash: |entity| {
        let indexes = entity.indexes.iter().map(|index| (&index.name, hashed(entity, index)));
        vec![("indexes", hash::sorted(indexes))]
    },
    attributes: |_, entity| entity.indexes.iter().map(attribute).collect(),
    conditions: |context, entity| {
        let conditions = entity.indexes.iter().filter_map(|index| {
            let when = index.when.as_ref()?;
            let about =
                format!("Returns whether the entity has a row in `{}`: {}.", index.name, code(&when.text));
            Some(condition::expand(context, entity, &condition_name(index), &about, when))
        });
        conditions.collect()
    },
    ..Word::NONE
};

fn read(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> IndexDesign {
    function_name(entry, "an index", found);
    not_a_word(entry, &RESERVED, "an index", found);
    let mut keys = Keys::of(table);
    let design = IndexDesign {
        name: entry.name.clone(),
        about: keys.about(found),
        table: keys.template("table", "EmployeesByEmail", found),
        partition: keys.template("partition", "email_{department}", found),
        row: keys.template("row", "email_{email}", found),
        unique: keys.bool("unique", found).unwrap_or(false),
        sparse: keys.bool("sparse", found).unwrap_or(false) || table.get("when").is_some(),
        copy: keys.names("copy", "first_name", found).map_or(CopiedFields::All, CopiedFields::Only),
        when: keys.parsed("when", "status = open", found),
        condition: None,
    };
    keys.finish(found);
    design
}

fn hashed(entity: &EntityDesign, index: &IndexDesign) -> Value {
    let copy = match &index.copy {
        CopiedFields::All => None,
        CopiedFields::Only(fields) => {
            let mut fields = fields.clone();
            fields.sort();
            Some(fields)
        }
    };
    json!({
        "table": hash::text(index.table.as_ref().or(entity.table.as_ref())),
        "partition": hash::text(index.partition.as_ref().or(entity.partition.as_ref())),
        "row": hash::text(index.row.as_ref()), "unique": index.unique, "sparse": index.sparse, "copy": copy,
        "when": index.when.as_ref().map(|when| &when.text),
    })
}

fn attribute(index: &IndexDesign) -> TokenStream {
    let name = ident(&index.name);
    let table = template_word("table", index.table.as_ref());
    let partition = template_word("partition", index.partition.as_ref());
    let row = template_word("row", index.row.as_ref());
    let unique = index.unique.then(|| quote!(, unique));
    let when = index.when.as_ref().map(|_| {
        let function = ident(&condition_name(index));
        quote!(, when = #function)
    });
    let sparse = (index.sparse && when.is_none()).then(|| quote!(, sparse));
    let copy = match &index.copy {
        CopiedFields::All => None,
        CopiedFields::Only(fields) => {
            let fields = fields.iter().map(|field| ident(field));
            Some(quote!(, copy(#(#fields),*)))
        }
    };
    quote!(index(#name #table #partition #row #unique #sparse #when #copy))
}

/// Returns the name of the function that decides whether an index contains an entity.
fn condition_name(index: &IndexDesign) -> String {
    format!("is_in_{}", index.name)
}
