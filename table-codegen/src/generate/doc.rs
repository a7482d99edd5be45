//! Generation of doc comments.

use proc_macro2::TokenStream;
use quote::quote;

/// Converts sentences to doc comments, one line each. Empty sentences become empty lines.
pub(crate) fn doc(text: &str) -> TokenStream {
    let lines = text.lines().map(|line| {
        let line = if line.is_empty() { String::new() } else { format!(" {line}") };
        quote!(#[doc = #line])
    });
    lines.collect()
}

/// Escapes user text that Markdown would interpret as a link or HTML.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '<' | '>' | '[' | ']') {
            plain.push('\\');
        }
        plain.push(if is_unprintable(character) { ' ' } else { character });
    }
    plain.trim().to_owned()
}

/// Returns whether a character is a control character, or changes the direction of text, so that a reader sees other
/// text than the compiler.
pub(crate) fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Formats text as a code span.
pub(crate) fn code(text: &str) -> String {
    let plain: String = text.chars().filter(|character| *character != '`').collect();
    format!("`{}`", plain.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Formats a link to an entity. The link specifies its namespace, because the prelude has derives that may have the
/// same name.
pub(crate) fn link(entity: &str) -> String {
    const DERIVES: [&str; 6] = ["KeyPart", "Projection", "TableEntity", "TableUnion", "TableValue", "Task"];
    if DERIVES.contains(&entity) { format!("[`{entity}`](struct@{entity})") } else { format!("[`{entity}`]") }
}
