//! `[entity.NAME.embed.NAME]`: fields copied from another entity.

use proc_macro2::TokenStream;
use table_schema::design::{EmbedDesign, FieldKind};

use super::{Code, Context, Entry, Found, Keys, Table, Word, hash, ident, json, names, quote, text};
use crate::{
    generate::{
        doc::{doc, link},
        fields::value_type,
    },
    read::named::{function_name, missing},
    write::lines::{self, texts},
};

pub(super) const WORD: Word = Word {
    read: |design, keys, _, found| {
        let tables = keys.tables("embed", found).into_iter();
        design.embeds = tables.filter_map(|(entry, table)| read(entry, table, found)).collect();
    },
    resolve: |table, entity, schema, found| {
        for embed in &entity.embeds {
            let Some(at) = table.find(&["embed", &embed.name]) else { continue };
            let theirs = names::entity_at(at, "from", &embed.from, schema, found);
            names::pairs(at, "match", theirs, Some(entity), found);
            if let Some(theirs) = theirs {
                names::list(at, "fields", &embed.fields, Code::D021, theirs, found);
                let named: Vec<&str> = embed.matches.iter().map(|(theirs, _)| theirs.as_str()).collect();
                names::covers(at, theirs, &named, &format!("the `{}`", theirs.name), found);
            }
        }
    },
    write: |entity, lines| {
        for embed in &entity.embeds {
            lines.table(&["entity", &entity.name, "embed", &embed.name]);
            lines.some("about", embed.about.as_deref().map(text));
            lines.key("from", text(&embed.from));
            lines.key("match", lines::names(&embed.matches));
            lines.key("fields", texts(&embed.fields));
        }
    },
    hash: |entity| {
        let embeds = entity.embeds.iter().map(|embed| {
            let mut fields = embed.fields.clone();
            fields.sort();
            let matches = hash::pairs(&embed.matches);
            (&embed.name, json!({ "from": embed.from, "match": matches, "fields": fields }))
        });
        vec![("embeds", hash::sorted(embeds))]
    },
    fields: |context, entity| {
        let all = entity.embeds.iter().flat_map(|embed| embed.fields.iter().map(move |field| (embed, field)));
        all.filter_map(|(embed, field)| copied(context, embed, field)).collect()
    },
    ..Word::NONE
};

fn read(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> Option<EmbedDesign> {
    function_name(entry, "copied fields", found);
    let pairs = "{ department = \"name\", id = \"manager_id\" }";
    let needs = [("from", "\"Employee\""), ("match", pairs), ("fields", "[\"first_name\"]")];
    missing(entry, table, "embed", &needs, found);
    let mut keys = Keys::of(table);
    let about = keys.about(found);
    let from = keys.text("from", "Employee", found).map(|text| text.text.to_owned());
    let matches = keys.pairs("match", pairs, found);
    let fields = keys.names("fields", "first_name", found).unwrap_or_default();
    keys.finish(found);
    Some(EmbedDesign { name: entry.name.clone(), about, from: from?, matches, fields })
}

/// Generates a copied field.
fn copied(context: &Context<'_>, embed: &EmbedDesign, field: &str) -> Option<TokenStream> {
    let source = context.schema.entity(&embed.from)?;
    let field = source.field(field)?;
    let value = value_type(context, source, field);
    let is_json = matches!(field.kind, FieldKind::Json { .. });
    let json = is_json.then(|| quote!(#[table(json, default)]));
    let pairs: Vec<String> =
        embed.matches.iter().map(|(theirs, mine)| format!("`{theirs}` is this `{mine}`")).collect();
    let about = doc(&format!(
        "`{}` of the {} whose {}. A copy that the program maintains.",
        field.name,
        link(&source.name),
        pairs.join(" and ")
    ));
    let name = ident(&format!("{}_{}", embed.name, field.name));
    Some(quote!(#about #json pub #name: Option<#value>))
}
