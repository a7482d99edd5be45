//! `[entity.NAME.total.NAME]`: aggregates over another entity.

use heck::ToSnakeCase;
use proc_macro2::TokenStream;
use table_schema::{
    design::{EntityDesign, FieldKind, TotalDesign},
    language::{Literal, When},
    static_design::Aggregate,
};

use super::{Code, Context, Entry, Found, Keys, Schema, Table, Word, hash, ident, json, names, quote, text};
use crate::{
    generate::{
        condition,
        doc::{code, doc, link, plain},
        fields::value_type,
    },
    read::{
        keys::Text,
        named::{function_name, missing},
    },
    write::lines,
};

/// The aggregate functions, with examples of their sources.
const AGGREGATES: [(Aggregate, &str, &str); 4] = [
    (Aggregate::Count, "count", "Employee"),
    (Aggregate::Sum, "sum", "Employee.salary"),
    (Aggregate::Max, "max", "Employee.age"),
    (Aggregate::Min, "min", "Employee.age"),
];

/// Returns the name of the aggregate function that a table declares.
fn declared(table: &Table) -> Option<&'static str> {
    AGGREGATES.map(|(_, word, _)| word).into_iter().find(|word| table.get(word).is_some())
}

pub(super) const WORD: Word = Word {
    read: |design, keys, _, found| {
        let tables = keys.tables("total", found).into_iter();
        design.totals = tables.filter_map(|(entry, table)| read(entry, table, found)).collect();
    },
    resolve: |table, entity, schema, found| {
        for total in &entity.totals {
            let Some(at) = table.find(&["total", &total.name]) else { continue };
            let word = at.table().and_then(declared);
            let theirs = names::entity_at(at, word.unwrap_or("count"), &total.entity, schema, found);
            if let (Some(theirs), Some(name)) = (theirs, &total.field)
                && theirs.field(name).is_none()
                && let Some(source) = word.and_then(|word| at.table()?.get(word))
            {
                let start = total.entity.len() + 1;
                let spot = source.value.part(&(start..start + name.len()));
                found.push(names::no_field(Code::D021, &spot, name, theirs));
            }
            if let Some(theirs) = theirs {
                names::rows(table.find(&["total", &total.name, "when"]), total.when.as_ref(), theirs, found);
            }
            names::pairs(at, "match", theirs, Some(entity), found);
            let mine: Vec<&str> = total.matches.iter().map(|(_, mine)| mine.as_str()).collect();
            names::covers(at, entity, &mine, "the aggregated entities", found);
        }
    },
    write: |entity, lines| {
        for total in &entity.totals {
            lines.table(&["entity", &entity.name, "total", &total.name]);
            lines.some("about", total.about.as_deref().map(text));
            let word =
                AGGREGATES.iter().find(|(by, ..)| *by == total.by).map_or("count", |(_, word, _)| word);
            let of = total.field.as_ref().map(|field| format!(".{field}")).unwrap_or_default();
            lines.key(word, text(&format!("{}{of}", total.entity)));
            lines.key("match", lines::names(&total.matches));
            lines.some("when", total.when.as_ref().map(|when| text(&when.text)));
        }
    },
    hash: |entity| {
        let totals = entity.totals.iter().map(|total| {
            let (by, matches) = (total.by.word(), hash::pairs(&total.matches));
            let mut hashed =
                json!({ "by": by, "entity": total.entity, "field": total.field, "match": matches });
            if let (Some(when), Some(parts)) = (&total.when, hashed.as_object_mut()) {
                parts.insert("when".to_owned(), json!(when.text));
            }
            (&total.name, hashed)
        });
        vec![("totals", hash::sorted(totals))]
    },
    fields: |context, entity| entity.totals.iter().map(|total| maintained(context, total)).collect(),
    conditions: |context, entity| {
        let conditions = contributions(context.schema, entity).filter_map(|(target, total)| {
            let when = total.when.as_ref().filter(|when| condition_field(when, entity).is_none())?;
            let about = format!(
                "Returns whether the entity contributes to `{}.{}`: {}.",
                target.name,
                total.name,
                code(&when.text)
            );
            Some(condition::expand(context, entity, &condition_name(target, total), &about, when))
        });
        conditions.collect()
    },
    ..Word::NONE
};

/// Returns the aggregates that an entity contributes to, with their targets.
pub(crate) fn contributions<'s>(
    schema: &'s Schema,
    entity: &EntityDesign,
) -> impl Iterator<Item = (&'s EntityDesign, &'s TotalDesign)> {
    let totals =
        schema.entities.iter().flat_map(|target| target.totals.iter().map(move |total| (target, total)));
    totals.filter(|(_, total)| total.entity == entity.name)
}

/// Returns the name of the function that decides whether an entity contributes to an aggregate.
pub(crate) fn condition_name(target: &EntityDesign, total: &TotalDesign) -> String {
    format!("contributes_to_{}_{}", target.name.to_snake_case(), total.name)
}

/// Returns the field of the source that is the complete condition. With it, a patch can change the other fields.
pub(crate) fn condition_field<'w>(when: &'w When, source: &EntityDesign) -> Option<&'w str> {
    let [only] = when.equalities.as_slice() else { return None };
    let is_flag =
        source.field(&only.field).is_some_and(|field| field.kind == FieldKind::Bool && !field.optional);
    (is_flag && only.value == Literal::Word("true".to_owned())).then_some(only.field.as_str())
}

fn read(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> Option<TotalDesign> {
    function_name(entry, "a total", found);
    let mut keys = Keys::of(table);
    let about = keys.about(found);
    let made = AGGREGATES.map(|(by, word, example)| Some((by, word, keys.text(word, example, found)?)));
    let mut made = made.into_iter().flatten();
    let first = made.next();
    for (_, word, text) in made {
        let message = format!("total `{}` has two aggregate functions", entry.name);
        let mistake = Found::new(Code::D036, &text.value.inner(), message).label("one too many");
        found.push(mistake.help(format!("remove `{word}`, or declare a separate total for it")));
    }
    if first.is_none() && declared(table).is_none() {
        let message = format!("total `{}` has no aggregate function", entry.name);
        let mistake = Found::new(Code::D006, &entry.key, message);
        found.push(mistake.label("needs `count`, `sum`, `max` or `min`").help("count = \"Employee\""));
    }
    missing(entry, table, "total", &[("match", "{ department = \"name\" }")], found);
    let matches = keys.pairs("match", "{ department = \"name\" }", found);
    let when = keys.parsed("when", "status = open", found);
    keys.finish(found);
    let (by, word, text) = first?;
    let (entity, field) = source(by, word, &text, found)?;
    Some(TotalDesign { name: entry.name.clone(), about, by, entity, field, matches, when })
}

/// Parses the source of an aggregate: an entity, and its field unless the entities are counted.
fn source(
    by: Aggregate,
    word: &str,
    text: &Text<'_>,
    found: &mut Vec<Found>,
) -> Option<(String, Option<String>)> {
    let (entity, field) = match text.text.split_once('.') {
        Some((entity, field)) => (entity, Some(field.to_owned())),
        None => (text.text, None),
    };
    let (message, help) = match (by, &field) {
        (Aggregate::Count, Some(_)) => ("a count has no source field", format!("{word} = {entity:?}")),
        (Aggregate::Sum | Aggregate::Max | Aggregate::Min, None) => {
            ("this aggregate requires a source field", format!("{word} = \"{entity}.field\""))
        }
        _ => return Some((entity.to_owned(), field)),
    };
    found.push(Found::new(Code::D005, &text.value.inner(), message).help(help));
    None
}

/// Generates the field that other entities maintain.
fn maintained(context: &Context<'_>, total: &TotalDesign) -> TokenStream {
    let name = ident(&total.name);
    let source = context.schema.entity(&total.entity);
    let field = source.and_then(|source| Some((source, source.field(total.field.as_ref()?)?)));
    let ty = if let (true, Some((source, field))) = (total.by.is_extreme(), field) {
        let value = value_type(context, source, field);
        quote!(Option<#value>)
    } else {
        quote!(i64)
    };
    let of = total.field.as_ref().map(|field| format!(" of `{field}`")).unwrap_or_default();
    let of_when = total.when.as_ref().map(|when| format!(" with {}", code(&when.text))).unwrap_or_default();
    let made = match total.by {
        Aggregate::Count => format!("The number of {}{of_when}", link(&total.entity)),
        by => format!("The {}{of} of {}{of_when}", by.word(), link(&total.entity)),
    };
    let about = match total.about.as_deref().map(plain) {
        Some(about) => format!("{about}\n\n{made}: maintained by them, read-only here."),
        None => format!("{made}: maintained by them, read-only here."),
    };
    let about = doc(&about);
    quote!(#about #[table(from_source)] pub #name: #ty)
}
