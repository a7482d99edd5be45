//! Regeneration of a file that preserves user additions.
//!
//! The region between the two marker lines is generated. In this region, user derives and attributes remain on their
//! items, fields and variants; other user items are moved below the region unchanged. Text outside the region is
//! unchanged.

use std::ops::Range;

use syn::{
    Attribute, Field, Item, Meta, Path, Token, parse::Parser, punctuated::Punctuated, spanned::Spanned,
};
use thiserror::Error;

use super::form::{BEGIN, END, is_import, spaced};

/// The error of regenerating a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MergeError {
    /// The file exists and was not generated from a design.
    #[error("the file was not written from a design: it has no line `{BEGIN}`")]
    NoRegion,
    /// The end of the region is missing.
    #[error("the regenerated region has no end: add the line `{END}` after it")]
    NoEnd,
    /// The region does not contain valid Rust.
    #[error("the regenerated region is not valid Rust: {0}")]
    NotRust(String),
}

/// Attribute words of the derive that are not generated: an attribute with only these words was added by the user.
/// `version` and `from` are generated if the design has a version; see [`replace_version`].
const FOREIGN_WORDS: [&str; 10] =
    ["names", "methods", "crate", "version", "oldest", "from", "rename_all", "skip", "keep", "deny"];
/// Derives that identify generated items.
const OUR_DERIVES: [&str; 3] = ["TableEntity", "Projection", "TableValue"];

/// Returns the new text with the user additions of the old text.
///
/// ```
/// use table_codegen::generate::merge;
///
/// let old = "use std::fmt;\n// <tables> old\n#[derive(TableEntity, Clone, Hash)]\npub struct A { pub id: u32 }\n// </tables>\n";
/// let new = "// <tables> new\n#[derive(TableEntity, Clone)]\npub struct A {\n    pub id: u64,\n}\n// </tables>\n";
/// let merged = merge(old, new)?;
/// assert!(merged.starts_with("use std::fmt;\n// <tables> new\n#[derive(TableEntity, Clone, Hash)]\npub struct A {\n    pub id: u64,"));
/// assert_eq!(merge(&merged, new)?, merged);
/// # Ok::<(), table_codegen::generate::MergeError>(())
/// ```
///
/// # Errors
///
/// Returns [`MergeError`] if the old text has no generated region, or if the region does not contain valid Rust.
pub fn merge(old: &str, new: &str) -> Result<String, MergeError> {
    let (old_region, new_region) = (region(old)?, region(new)?);
    let inside = old.get(old_region.body.clone()).unwrap_or_default();
    let old_file = syn::parse_file(inside).map_err(|error| MergeError::NotRust(error.to_string()))?;
    let written = new.get(new_region.body.clone()).unwrap_or_default();
    let mut new_file = syn::parse_file(written).map_err(|error| MergeError::NotRust(error.to_string()))?;
    for item in &mut new_file.items {
        if let Some(old) = old_file.items.iter().find(|old| is_same(old, item)) {
            keep_attributes(old, item);
        }
    }
    let moved = moved(inside, &old_file, &new_file);
    let mut merged = old.get(..old_region.whole.start).unwrap_or_default().to_owned();
    merged.push_str(new.get(new_region.whole.start..new_region.body.start).unwrap_or_default());
    merged.push_str(&spaced(&new_file));
    merged.push('\n');
    merged.push_str(END);
    merged.push('\n');
    merged.push_str(&moved);
    merged.push_str(old.get(old_region.whole.end..).unwrap_or_default());
    Ok(merged)
}

/// A generated region, with and without its marker lines.
struct Region {
    whole: Range<usize>,
    body: Range<usize>,
}

fn region(text: &str) -> Result<Region, MergeError> {
    let line_of = |mark: &str, from: usize| {
        let mut at = from;
        for line in text.get(from..)?.split_inclusive('\n') {
            if line.trim_start().starts_with(mark) {
                return Some(at..at + line.len());
            }
            at += line.len();
        }
        None
    };
    let begin = line_of(BEGIN, 0).ok_or(MergeError::NoRegion)?;
    let end = line_of(END, begin.end).ok_or(MergeError::NoEnd)?;
    // The comment that the first line starts is not part of the items.
    let mut body = begin.end;
    for line in text.get(begin.end..end.start).unwrap_or_default().split_inclusive('\n') {
        let is_comment = line.starts_with("//") && !line.starts_with("///");
        if is_comment || line.trim().is_empty() {
            body += line.len();
        }
        if !is_comment {
            break;
        }
    }
    Ok(Region { whole: begin.start..end.end, body: body..end.start })
}

fn name(item: &Item) -> Option<&syn::Ident> {
    match item {
        Item::Struct(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        _ => None,
    }
}

fn is_same(old: &Item, new: &Item) -> bool {
    name(old).is_some() && name(old) == name(new)
}

fn attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    match item {
        Item::Struct(item) => Some(&mut item.attrs),
        Item::Enum(item) => Some(&mut item.attrs),
        _ => None,
    }
}

fn keep_attributes(old: &Item, new: &mut Item) {
    let mut old = old.clone();
    if let (Some(from), Some(to)) = (attributes(&mut old), attributes(new)) {
        keep(from, to);
    }
    match (&old, new) {
        (Item::Struct(old), Item::Struct(new)) => {
            for field in &mut new.fields {
                let is_same = |other: &&Field| other.ident == field.ident;
                if let Some(other) = old.fields.iter().find(is_same) {
                    keep(&other.attrs, &mut field.attrs);
                }
            }
        }
        (Item::Enum(old), Item::Enum(new)) => {
            // The default of the design replaces that of the user.
            let is_default = |attribute: &Attribute| attribute.path().is_ident("default");
            let has_default = new.variants.iter().any(|variant| variant.attrs.iter().any(is_default));
            for variant in &mut new.variants {
                if let Some(other) = old.variants.iter().find(|other| other.ident == variant.ident) {
                    let mut kept = other.attrs.clone();
                    kept.retain(|attribute| !(has_default && is_default(attribute)));
                    keep(&kept, &mut variant.attrs);
                }
            }
        }
        _ => {}
    }
}

/// Adds the user derives and attributes.
fn keep(from: &[Attribute], to: &mut Vec<Attribute>) {
    let added: Vec<Path> = {
        let ours = derives(to);
        derives(from).into_iter().filter(|path| !ours.contains(path)).collect()
    };
    if !added.is_empty()
        && let Some(derive) = to.iter_mut().find(|attribute| attribute.path().is_ident("derive"))
    {
        let mut all = paths(derive);
        // Derives of this library that the design no longer requires are not user additions.
        all.extend(added.into_iter().filter(|path| !OUR_DERIVES.iter().any(|ours| path.is_ident(ours))));
        let all = all.iter();
        *derive = syn::parse_quote!(#[derive(#(#all),*)]);
    }
    for attribute in from {
        let is_ours = ["doc", "derive"].iter().any(|ours| attribute.path().is_ident(ours))
            || attribute.path().is_ident("table") && !is_foreign(attribute);
        if !is_ours && !to.contains(attribute) && !replace_version(attribute, to) {
            to.push(attribute.clone());
        }
    }
}

/// Handles a user attribute with `version` if the design has a version, too. The same version with another older struct
/// replaces the generated attribute, unless the design has retired the older versions. Another version is outdated.
/// Returns `false` for other attributes.
fn replace_version(attribute: &Attribute, to: &mut [Attribute]) -> bool {
    let Some(version) = version(attribute) else { return false };
    let Some(generated) = to.iter_mut().find(|other| self::version(other).is_some()) else { return false };
    if self::version(generated).as_ref() == Some(&version) && has_word(generated, "from") {
        generated.clone_from(attribute);
    }
    true
}

/// Returns the words of an attribute.
fn words(attribute: &Attribute) -> Option<Punctuated<Meta, Token![,]>> {
    let Meta::List(list) = &attribute.meta else { return None };
    Punctuated::parse_terminated.parse2(list.tokens.clone()).ok()
}

fn has_word(attribute: &Attribute, word: &str) -> bool {
    words(attribute).into_iter().flatten().any(|one| one.path().is_ident(word))
}

/// Returns the version in an attribute of the derive.
fn version(attribute: &Attribute) -> Option<String> {
    words(attribute)?.iter().find_map(|word| match word {
        Meta::NameValue(word) if word.path.is_ident("version") => match &word.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => {
                Some(number.base10_digits().to_owned())
            }
            _ => None,
        },
        _ => None,
    })
}

fn derives(attributes: &[Attribute]) -> Vec<Path> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("derive")).flat_map(paths).collect()
}

fn paths(derive: &Attribute) -> Vec<Path> {
    let parsed = derive.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated);
    parsed.map(|paths| paths.into_iter().collect()).unwrap_or_default()
}

/// Returns whether an attribute of the derive contains only words that are never generated.
fn is_foreign(attribute: &Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    let parsed = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list.tokens.clone());
    parsed.is_ok_and(|words| {
        let is_foreign = |word: &Meta| FOREIGN_WORDS.iter().any(|foreign| word.path().is_ident(foreign));
        !words.is_empty() && words.iter().all(is_foreign) && !is_denial_of_ours(&words)
    })
}

/// Returns whether the words contain `deny(table_scan)`, which is generated if the design specifies it.
fn is_denial_of_ours(words: &Punctuated<Meta, Token![,]>) -> bool {
    words.iter().any(|word| word.path().is_ident("deny"))
}

/// Returns the source of the user items in the old region, unchanged.
fn moved(text: &str, old: &syn::File, new: &syn::File) -> String {
    let mut moved = String::new();
    let mut end = 0;
    for item in &old.items {
        let range = item.span().byte_range();
        let start = std::mem::replace(&mut end, range.end);
        if !is_ours(item, new) {
            // The comments above an item are moved with it.
            moved.push('\n');
            moved.push_str(text.get(start..range.end).unwrap_or_default().trim());
            moved.push('\n');
        }
    }
    moved
}

fn is_ours(item: &Item, new: &syn::File) -> bool {
    let is_derived = |attributes: &[Attribute]| {
        derives(attributes).iter().any(|path| OUR_DERIVES.iter().any(|ours| path.is_ident(ours)))
    };
    match item {
        Item::Struct(item) => is_derived(&item.attrs),
        Item::Enum(item) => is_derived(&item.attrs),
        Item::Impl(block) => block.attrs.iter().any(is_mark),
        Item::Use(_) | Item::Mod(_) => {
            new.items.contains(item)
                || matches!(item, Item::Mod(module) if module.content.is_none())
                || is_import_of_ours(item)
        }
        _ => new.items.contains(item),
    }
}

/// Returns whether the item is a generated `use super::{..}`, a generated re-export or a generated import.
fn is_import_of_ours(item: &Item) -> bool {
    let Item::Use(import) = item else { return false };
    let syn::UseTree::Path(path) = &import.tree else { return false };
    path.ident == "super"
        || path.ident == "table_patterns"
        || matches!(*path.tree, syn::UseTree::Glob(_))
        || is_import(&import.tree)
}

/// Returns whether the attribute is the doc sentence that generated impl blocks start with.
fn is_mark(attribute: &Attribute) -> bool {
    let Meta::NameValue(doc) = &attribute.meta else { return false };
    let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &doc.value else { return false };
    let text = text.value();
    doc.path.is_ident("doc")
        && ["The queries of `", "The conditions of `"].iter().any(|mark| text.trim_start().starts_with(mark))
}
