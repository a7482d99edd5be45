//! Mermaid diagrams in Markdown: the effects of a write, the relations of entities, the cost of a month.

mod cost;
mod relations;
mod writes;

use std::fmt::Write;

pub(super) use self::{cost::chart, relations::diagram, writes::flow};

/// A fenced block.
fn block(lines: &[String]) -> String {
    format!("```mermaid\n{}\n```\n", lines.join("\n"))
}

/// Returns a quoted string without special meaning in Mermaid: special characters are written as their numbers.
fn label(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        if character.is_alphanumeric() || " _-.,/()[]{}+=×→…".contains(character) {
            out.push(character);
        } else if character.is_control() {
            out.push(' ');
        } else {
            _ = write!(out, "#{};", u32::from(character));
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_holds_nothing_that_ends_or_begins_anything() {
        assert_eq!(label("by_email"), "\"by_email\"");
        assert_eq!(label("a\"b`c;#<%%{init}\n"), "\"a#34;b#96;c#59;#35;#60;#37;#37;{init} \"");
        assert_eq!(label("größe 4 × 2"), "\"größe 4 × 2\"");
    }
}
