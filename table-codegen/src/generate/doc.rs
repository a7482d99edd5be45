//! Doc comments.

use proc_macro2::TokenStream;
use quote::quote;

/// Sentences as doc comments, a line each; empty ones are empty lines.
pub(super) fn doc(text: &str) -> TokenStream {
    let lines = text.lines().map(|line| {
        let line = if line.is_empty() { String::new() } else { format!(" {line}") };
        quote!(#[doc = #line])
    });
    lines.collect()
}

/// A text that a person wrote, with what Markdown would take for a link or HTML made plain.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '<' | '>' | '[' | ']') {
            plain.push('\\');
        }
        plain.push(if character.is_control() { ' ' } else { character });
    }
    plain.trim().to_owned()
}

/// A text between backquotes.
pub(super) fn code(text: &str) -> String {
    let plain: String = text.chars().filter(|character| *character != '`').collect();
    format!("`{}`", plain.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A link to an entity. The prelude has derives of its own, and a link must say that it is not one of them.
pub(super) fn link(entity: &str) -> String {
    const DERIVES: [&str; 6] = ["KeyPart", "Projection", "TableEntity", "TableUnion", "TableValue", "Task"];
    if DERIVES.contains(&entity) { format!("[`{entity}`](struct@{entity})") } else { format!("[`{entity}`]") }
}
