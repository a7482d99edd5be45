//! The content of a generated file: a region between two marker lines that is regenerated every time.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use table_schema::design::{EntityDesign, FieldKind};

use super::{Context, names::ident};

/// The constant prefix of the first line of a region.
pub(super) const BEGIN: &str = "// <tables>";
/// The last line of a region.
pub(super) const END: &str = "// </tables>";

/// The header of a file.
pub(super) struct Head<'h, 's> {
    pub(super) context: &'h Context<'s>,
    pub(super) hash: &'h str,
}

/// Generates the module declarations and re-exports of other files.
pub(super) fn modules<'n>(names: impl Iterator<Item = &'n str>) -> TokenStream {
    let modules = names.map(|name| {
        let name = ident(name);
        quote!(mod #name; pub use #name::*;)
    });
    modules.collect()
}

pub(super) fn text(head: &Head<'_, '_>, entity: Option<&EntityDesign>, items: &TokenStream) -> String {
    let imports = imports(head.context, entity, items);
    let body = formatted(&quote!(#imports #items));
    let (source, hash) = (&head.context.options.source, head.hash);
    format!(
        "{BEGIN} Written from {source}, design {hash}. The region up to its end is replaced each time;\n\
         // derives and attributes that are added in it are kept, and so is everything outside of it.\n\n\
         {body}\n{END}\n"
    )
}

/// The types that generated functions use, and the modules that export them.
pub(super) const NAMED: [(&str, &[&str]); 2] = [
    ("std::ops", &["Bound", "RangeBounds"]),
    (
        "table_patterns",
        &[
            "FanOut",
            "FanOutScan",
            "PartitionScan",
            "PointQuery",
            "RangeQuery",
            "TableScan",
            "FullIndexRow",
            "WidePoint",
        ],
    ),
];

/// Returns whether an import contains only types of this list.
pub(super) fn is_import(tree: &syn::UseTree) -> bool {
    let text = quote!(#tree).to_string().replace(' ', "");
    NAMED.iter().any(|(from, names)| {
        let found = text.strip_prefix(from).and_then(|rest| rest.strip_prefix("::"));
        let found = found.map(|found| found.trim_start_matches('{').trim_end_matches('}'));
        found.is_some_and(|found| found.split(',').all(|name| name.is_empty() || names.contains(&name)))
    })
}

/// Returns the types of this list that are used.
fn used(items: &TokenStream) -> TokenStream {
    let mut words = Vec::new();
    gather(items.clone(), &mut words);
    let imports = NAMED.iter().filter_map(|(from, names)| {
        let names = names.iter().filter(|name| words.iter().any(|word| word == *name));
        let names: Vec<_> = names.map(|name| ident(name)).collect();
        let from: syn::Path = syn::parse_str(from).ok()?;
        match names.as_slice() {
            [] => None,
            [only] => Some(quote!(use #from::#only;)),
            names => Some(quote!(use #from::{#(#names),*};)),
        }
    });
    imports.collect()
}

fn gather(tokens: TokenStream, words: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => words.push(word.to_string()),
            TokenTree::Group(group) => gather(group.stream(), words),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Generates the imports of used types.
fn imports(context: &Context<'_>, entity: Option<&EntityDesign>, items: &TokenStream) -> TokenStream {
    if context.schema.entities.is_empty() || context.options.split && entity.is_none() {
        return TokenStream::new();
    }
    let mut others: Vec<String> = Vec::new();
    if let Some(entity) = entity {
        let sinks = context.schema.entities.iter();
        let sinks = sinks.filter(|sink| sink.totals.iter().any(|total| total.entity == entity.name));
        others.extend(sinks.map(|sink| sink.name.clone()));
        for embed in &entity.embeds {
            let Some(source) = context.schema.entity(&embed.from) else { continue };
            let fields = embed.fields.iter().filter_map(|name| source.field(name));
            let enums = fields.filter(|field| matches!(field.kind, FieldKind::Enum { .. }));
            others.extend(enums.map(|field| context.names.enum_of(source, field).to_string()));
        }
        others.retain(|other| *other != entity.name);
    }
    others.sort();
    others.dedup();
    let others = others.iter().map(|name| ident(name));
    let others: Vec<_> = others.collect();
    let others = (!others.is_empty()).then(|| quote!(use super::{#(#others),*};));
    let used = used(items);
    quote! {
        #others
        #used
        use table_patterns::prelude::*;
    }
}

/// Formats Rust code, with an empty line between items.
pub(super) fn formatted(tokens: &TokenStream) -> String {
    match syn::parse2::<syn::File>(tokens.clone()) {
        Ok(file) => spaced(&file),
        // Invalid Rust would be a bug in the generator. It is written unformatted, and the compiler reports it.
        Err(_) => tokens.to_string(),
    }
}

fn empty() -> syn::File {
    syn::File { shebang: None, frontmatter: None, attrs: Vec::new(), items: Vec::new() }
}

pub(super) fn spaced(file: &syn::File) -> String {
    let mut text = String::new();
    let mut was_line = None;
    for item in &file.items {
        let is_line = matches!(item, syn::Item::Use(_) | syn::Item::Mod(_));
        if was_line.is_some_and(|was| !(was && is_line)) {
            text.push('\n');
        }
        was_line = Some(is_line);
        let one = syn::File { items: vec![item.clone()], ..empty() };
        push_spaced(&mut text, &prettyplease::unparse(&one));
    }
    text
}

/// Appends an item, with an empty line between the functions of a block.
fn push_spaced(text: &mut String, item: &str) {
    let mut is_end = false;
    for line in item.lines() {
        if is_end && line.starts_with("    ///") {
            text.push('\n');
        }
        is_end = line == "    }";
        text.push_str(line);
        text.push('\n');
    }
}
