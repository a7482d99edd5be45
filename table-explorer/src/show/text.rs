use maud::{Markup, html};
use table_model::is_invisible;

/// A part of a text: characters as they are, or one that has no picture.
enum Part<'t> {
    Plain(&'t str),
    Symbol(char),
}

/// Renders a text of at most `most` characters. Characters without a picture, and those that reorder others, become
/// symbols. The direction of the text does not affect its surroundings.
pub(crate) fn visible(text: &str, most: usize) -> Markup {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let (shown, rest) = text.split_at(end);
    html! {
        bdi {
            @for part in parts(shown) {
                @match part {
                    Part::Plain(text) => (text),
                    Part::Symbol(character) => span.symbol { (symbol(character)) },
                }
            }
            @if !rest.is_empty() { "…" }
        }
    }
}

/// Returns a string for a title, with symbols in place of characters without a picture.
pub(crate) fn plain(text: &str) -> String {
    let shown = parts(text).into_iter().map(|part| match part {
        Part::Plain(text) => text.to_owned(),
        Part::Symbol(character) => symbol(character),
    });
    shown.collect()
}

/// Renders the lines of a text of at most `most` characters, for an element that keeps line breaks.
pub(crate) fn lines(text: &str, most: usize) -> Markup {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let (shown, rest) = text.split_at(end);
    html! {
        @for line in shown.split('\n') { (visible(line, usize::MAX)) "\n" }
        @if !rest.is_empty() { "…" }
    }
}

/// Returns the number of bytes of a text as HTML, at most.
pub(crate) fn html_len(text: &str) -> usize {
    text.chars().map(html_len_of).sum()
}

/// Returns the longest start of a text that has at most `most` bytes as HTML.
pub(crate) fn start(text: &str, most: usize) -> &str {
    let mut left = most;
    let end = text.char_indices().find(|(_, character)| {
        let length = html_len_of(*character);
        let is_over = length > left;
        left = left.saturating_sub(length);
        is_over
    });
    text.get(..end.map_or(text.len(), |(at, _)| at)).unwrap_or(text)
}

fn html_len_of(character: char) -> usize {
    match character {
        '<' | '>' => 4,
        '&' => 5,
        '"' => 6,
        // The elements of a line and of a symbol.
        '\n' => 12,
        character if is_invisible(character) => 36,
        character => character.len_utf8(),
    }
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((at, character)) = rest.char_indices().find(|(_, character)| is_invisible(*character)) {
        let (plain, behind) = rest.split_at(at);
        if !plain.is_empty() {
            parts.push(Part::Plain(plain));
        }
        parts.push(Part::Symbol(character));
        rest = behind.get(character.len_utf8()..).unwrap_or_default();
    }
    if !rest.is_empty() {
        parts.push(Part::Plain(rest));
    }
    parts
}

/// Returns the picture of a control character, or the number of another one.
fn symbol(character: char) -> String {
    match u32::from(character) {
        code @ 0..0x20 => char::from_u32(0x2400 + code).map(String::from).unwrap_or_default(),
        0x7f => "\u{2421}".to_owned(),
        code => format!("U+{code:04X}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_markup_or_hidden() {
        let text = visible("<b>\u{202e}\u{0}\n&\u{200b}'\"", 100).into_string();
        assert_eq!(
            text,
            "<bdi>&lt;b&gt;<span class=\"symbol\">U+202E</span><span class=\"symbol\">\u{2400}</span>\
             <span class=\"symbol\">\u{240a}</span>&amp;<span class=\"symbol\">U+200B</span>'&quot;</bdi>"
        );
        assert_eq!(plain("a\u{202e}\n&"), "aU+202E\u{240a}&");
        assert_eq!(visible("äöü", 2).into_string(), "<bdi>äö…</bdi>");
        let long = "<&>\"'\n\u{0}é".repeat(100);
        let shown = start(&long, 1_000);
        let length = lines(shown, usize::MAX).into_string().len();
        assert!((800..=1_020).contains(&length) && html_len(shown) <= 1_000, "{length}");
        assert_eq!(start("<é", 6), "<é");
        assert_eq!(visible("äöü", 3).into_string(), "<bdi>äöü</bdi>");
    }
}
