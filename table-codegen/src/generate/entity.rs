//! Generation of an entity: its enums, its struct, its functions.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use table_schema::{
    catalogue::Code,
    design::{
        CopiedFields, EntityDesign, EntityTypeRule, FieldKind, IndexDesign, LookupDesign, LookupPlace,
        TemplateText,
    },
    language::{self, When},
    rules,
};

use super::{
    Context,
    doc::{code, doc, link, plain},
    enums, feeds, fields,
    names::ident,
    query,
};

pub(super) fn expand(
    context: &Context<'_>,
    entity: &EntityDesign,
    left_out: &mut Vec<(String, String)>,
) -> TokenStream {
    let enums = entity.fields.iter().filter_map(|field| enums::expand(context, entity, field));
    let about = doc(&about(context, entity));
    let name = ident(&entity.name);
    let attributes = attributes(context, entity);
    let feeds = feeds::attributes(context, entity);
    let own = entity.fields.iter().map(|field| fields::expand(context, entity, field));
    let kept = fields::kept(context, entity);
    let conditions = conditions(context, entity);
    let queries = query::expand(context, entity, left_out);
    quote! {
        #about
        #[derive(TableEntity, Clone, Debug)]
        #attributes
        #feeds
        pub struct #name { #(#own,)* #(#kept,)* }
        #conditions
        #queries
        #(#enums)*
    }
}

fn about(context: &Context<'_>, entity: &EntityDesign) -> String {
    let text = |text: &Option<TemplateText>| text.as_ref().map_or("", TemplateText::text).to_owned();
    let mut about = match entity.about.as_deref().map(plain).filter(|about| !about.is_empty()) {
        Some(about) => about,
        None => format!(
            "A row of `{}`: `{}` | `{}`.",
            text(&entity.table),
            text(&entity.partition),
            text(&entity.row)
        ),
    };
    if let Some(keep) = entity.keep {
        let what = if text(&entity.table).contains('{') {
            "The retention period of its tables is"
        } else {
            "The retention period of its rows is"
        };
        about = format!("{about}\n\n{what} {keep}.");
    }
    for relation in context.schema.relations.iter().filter(|relation| relation.from == entity.name) {
        let to = &relation.to;
        let many = if relation.kind == table_schema::schema::RelationKind::OneToOne { "one" } else { "many" };
        about = format!("{about}\n\nIt has {many} {}: `{}`.", link(to), relation.name);
    }
    about
}

fn attributes(context: &Context<'_>, entity: &EntityDesign) -> TokenStream {
    let text = |text: &Option<TemplateText>| text.as_ref().map_or("", TemplateText::text).to_owned();
    let (table, partition, row) = (text(&entity.table), text(&entity.partition), text(&entity.row));
    let mut attributes = quote!(#[table(name = #table, partition = #partition, row = #row)]);
    let mut add = |words: TokenStream| attributes.extend(quote!(#[table(#words)]));
    match &entity.entity_type {
        EntityTypeRule::Auto if entity.version == 1 && !context.schema.shares_table(entity) => {
            add(quote!(entity_type = none));
        }
        EntityTypeRule::None => add(quote!(entity_type = none)),
        EntityTypeRule::Named(name) => {
            // The derive adds the version.
            let stem = name.strip_suffix(&format!(".v{}", entity.version)).filter(|_| entity.version > 1);
            let stem = stem.unwrap_or(name);
            add(quote!(entity_type = #stem));
        }
        EntityTypeRule::Auto | EntityTypeRule::Always => {}
    }
    if entity.version > 1 {
        let version = Literal::u32_unsuffixed(entity.version);
        let from = entity.from.iter().filter_map(|older| older.parse::<TokenStream>().ok());
        add(quote!(version = #version, from(#(#from),*)));
    }
    if !entity.aliases.is_empty() {
        let aliases = &entity.aliases;
        add(quote!(aliases(#(#aliases),*)));
    }
    if let Some(shard) = &entity.shard {
        let (of, count) = (ident(&shard.of), Literal::u32_unsuffixed(shard.count));
        add(quote!(shard(of = #of, count = #count)));
    }
    if let Some(wide) = entity.wide {
        let wide = Literal::usize_unsuffixed(wide);
        add(quote!(wide = #wide));
    }
    for index in &entity.indexes {
        add(index_words(index));
    }
    for lookup in &entity.lookups {
        add(lookup_words(lookup));
    }
    if let Some(archive) = &entity.archive {
        let to = &archive.to;
        add(quote!(archive = #to));
    }
    if context.schema.lint.denies_table_scans() {
        add(quote!(deny(table_scan)));
    }
    // Two indexes may have equal attribute arguments, which `clippy::duplicated_attributes` reports.
    if entity.indexes.len() + entity.lookups.len() > 1 {
        attributes.extend(quote!(#[allow(clippy::duplicated_attributes)]));
    }
    let mut add = |words: TokenStream| attributes.extend(quote!(#[table(#words)]));
    let is_at_one_end = |code| matches!(code, Code::K03 | Code::K04 | Code::K05);
    if entity.allow_append_only || rules::check(entity).iter().any(|mistake| is_at_one_end(mistake.code)) {
        add(quote!(allow(append_only)));
    }
    attributes
}

fn index_words(index: &IndexDesign) -> TokenStream {
    let name = ident(&index.name);
    let text = |word: &str, text: &Option<TemplateText>| {
        let (word, text) = (ident(word), text.as_ref()?.text().to_owned());
        Some(quote!(, #word = #text))
    };
    let (table, partition, row) =
        (text("table", &index.table), text("partition", &index.partition), text("row", &index.row));
    let unique = index.unique.then(|| quote!(, unique));
    let when = index.when.as_ref().map(|_| {
        let function = ident(&taken_in(&index.name));
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
fn taken_in(index: &str) -> String {
    format!("is_in_{index}")
}

fn lookup_words(lookup: &LookupDesign) -> TokenStream {
    let name = ident(&lookup.name);
    let text = |word: &str, text: Option<&str>| {
        let (word, text) = (ident(word), text?);
        Some(quote!(, #word = #text))
    };
    let template = |text: &Option<TemplateText>| text.as_ref().map(|text| text.text().to_owned());
    let on: Vec<_> = lookup.on.iter().map(|field| ident(field)).collect();
    let on = if let [only] = on.as_slice() { quote!(#only) } else { quote!((#(#on),*)) };
    let place = ident(match lookup.place {
        LookupPlace::Partition => "partition",
        LookupPlace::Table => "table",
        LookupPlace::Blob => "blob",
    });
    let table = text("table", template(&lookup.table).as_deref());
    let partition = text("partition", template(&lookup.partition).as_deref());
    let row = text("row", template(&lookup.row).as_deref());
    let ids = text("ids", lookup.ids.as_deref());
    quote!(lookup(#name, on = #on, place = #place #table #partition #row #ids))
}

/// Generates the functions of row conditions.
fn conditions(context: &Context<'_>, entity: &EntityDesign) -> Option<TokenStream> {
    let indexes = entity.indexes.iter().filter_map(|index| {
        let when = index.when.as_ref()?;
        let about =
            format!("Returns whether the entity has a row in `{}`: {}.", index.name, code(&when.text));
        Some(condition(context, entity, &taken_in(&index.name), &about, when))
    });
    let archive = entity.archive.as_ref().and_then(|archive| {
        let when = archive.when.as_ref()?;
        let about =
            format!("Returns whether the entity must move to `{}`: {}.", archive.to, code(&when.text));
        Some(condition(context, entity, "is_to_be_archived", &about, when))
    });
    let functions: Vec<TokenStream> = indexes.chain(archive).collect();
    let name = ident(&entity.name);
    let about = doc(&format!("The conditions of `{}`.", context.options.source));
    (!functions.is_empty()).then(|| quote!(#about impl #name { #(#functions)* }))
}

fn condition(
    context: &Context<'_>,
    entity: &EntityDesign,
    name: &str,
    about: &str,
    when: &When,
) -> TokenStream {
    let tests = when.equalities.iter().filter_map(|one| {
        let field = entity.field(&one.field)?;
        let name = ident(&field.name);
        let text = match &one.value {
            language::Literal::Word(text)
            | language::Literal::Number(text)
            | language::Literal::Text(text) => text,
        };
        let value: TokenStream = match &field.kind {
            FieldKind::Enum { variants } => {
                let (ty, variant) =
                    (context.names.enum_of(entity, field), ident(&enums::variant(variants, text)?));
                quote!(#ty::#variant)
            }
            FieldKind::Text { .. } => quote!(#text),
            FieldKind::Bool if !field.optional => {
                return Some(if text == "true" { quote!(self.#name) } else { quote!(!self.#name) });
            }
            _ => text.parse().ok()?,
        };
        Some(match (&field.kind, field.optional) {
            (FieldKind::Text { .. }, true) => quote!(self.#name.as_deref() == Some(#value)),
            (_, true) => quote!(self.#name == Some(#value)),
            (_, false) => quote!(self.#name == #value),
        })
    });
    let tests: Vec<TokenStream> = tests.collect();
    let (name, about) = (ident(name), doc(about));
    quote! {
        #about
        pub fn #name(&self) -> bool { #(#tests)&&* }
    }
}
