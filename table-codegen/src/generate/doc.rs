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

/// Adds the lines of a comment of the design below a sentence.
pub(crate) fn with_comment(text: &str, comment: &[String]) -> String {
    if comment.is_empty() {
        return text.to_owned();
    }
    let lines: Vec<String> = comment.iter().map(|line| with_code(&plain(line))).collect();
    format!("{text}\n\n{}", lines.join("\n"))
}

/// Formats the names in a line as code spans, unless it contains some already. `clippy::doc_markdown` requires it.
fn with_code(line: &str) -> String {
    if line.contains('`') {
        return line.to_owned();
    }
    let is_name = |word: &str| {
        let is_inner = |(one, next): (char, char)| one.is_lowercase() && next.is_uppercase();
        word.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | ':'))
            && (word.contains('_')
                || word.contains("::")
                || word.chars().zip(word.chars().skip(1)).any(is_inner))
    };
    let words = line.split(' ').map(|word| {
        let name = word.trim_matches(|character: char| !character.is_alphanumeric() && character != '_');
        if is_name(name) { word.replacen(name, &format!("`{name}`"), 1) } else { word.to_owned() }
    });
    words.collect::<Vec<_>>().join(" ")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_comments_are_code() {
        for (comment, expected) in [
            ("celsius_0000 to celsius_1439.", "`celsius_0000` to `celsius_1439`."),
            ("the PartitionKey (P1)", "the `PartitionKey` (P1)"),
            ("`a_b` and c_d", "`a_b` and c_d"),
            ("<a_b>", "\\<`a_b`\\>"),
            ("plain text, 10:30", "plain text, 10:30"),
        ] {
            assert_eq!(with_comment("First.", &[comment.to_owned()]), format!("First.\n\n{expected}"));
        }
    }
}
