//! `table`, `partition` and `row`: the table and the key templates.

use table_schema::design::TemplateText;

use super::{Word, hash, quote};

pub(super) const WORD: Word = Word {
    read: |design, keys, _, found| {
        design.table = keys.template("table", "Employees", found);
        design.partition = keys.template("partition", "{department}", found);
        design.row = keys.template("row", "empid_{id:06}", found);
    },
    write: |entity, lines| {
        lines.template("table", entity.table.as_ref());
        lines.template("partition", entity.partition.as_ref());
        lines.template("row", entity.row.as_ref());
    },
    hash: |entity| {
        vec![
            ("table", hash::text(entity.table.as_ref())),
            ("partition", hash::text(entity.partition.as_ref())),
            ("row", hash::text(entity.row.as_ref())),
        ]
    },
    attributes: |_, entity| {
        let [table, partition, row] = [&entity.table, &entity.partition, &entity.row]
            .map(|template| template.as_ref().map_or("", TemplateText::text));
        vec![quote!(name = #table, partition = #partition, row = #row)]
    },
    ..Word::NONE
};
