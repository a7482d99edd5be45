use std::fmt::{self, Write as _};

use bytes::Bytes;

use super::characters::is_legal;

/// Writes a document, in UTF-8 behind a byte order mark, as the services do.
///
/// Names of elements are written as they are, and so are the names of attributes; texts and values are escaped. What no
/// XML document can hold is written as U+FFFD.
///
/// ```
/// use table_rest::wire::xml::Writer;
///
/// let mut xml = Writer::new();
/// xml.element("Queue", |xml| {
///     xml.text("Name", "photos & films");
///     xml.text("Metadata", "");
/// });
/// let written = String::from_utf8(xml.finish().to_vec()).unwrap();
/// let expected = "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\
///     <Queue><Name>photos &amp; films</Name><Metadata /></Queue>";
/// assert_eq!(written, expected);
/// ```
#[derive(Debug)]
pub struct Writer(String);

impl Default for Writer {
    fn default() -> Self {
        Self::new()
    }
}

impl Writer {
    /// A document that has its declaration only.
    #[must_use]
    pub fn new() -> Self {
        Self("\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>".to_owned())
    }

    /// A document without a byte order mark, as requests have it.
    #[must_use]
    pub fn unmarked() -> Self {
        Self("<?xml version=\"1.0\" encoding=\"utf-8\"?>".to_owned())
    }

    /// An element, and in it what `inside` writes; `<name />` if that is nothing.
    pub fn element(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        self.element_with(name, &[], inside);
    }

    /// The same with attributes.
    pub fn element_with(&mut self, name: &str, attributes: &[(&str, &str)], inside: impl FnOnce(&mut Self)) {
        self.0.push('<');
        self.0.push_str(name);
        for (name, value) in attributes {
            self.0.push(' ');
            self.0.push_str(name);
            self.0.push_str("=\"");
            self.escaped(value, true);
            self.0.push('"');
        }
        self.0.push('>');
        let before = self.0.len();
        inside(self);
        if self.0.len() == before {
            self.0.pop();
            self.0.push_str(" />");
            return;
        }
        self.0.push_str("</");
        self.0.push_str(name);
        self.0.push('>');
    }

    /// An element that holds text; `<name />` if that is empty.
    pub fn text(&mut self, name: &str, text: &str) {
        self.element(name, |xml| xml.characters(text));
    }

    /// An element that holds a value as it is displayed.
    pub fn value(&mut self, name: &str, value: impl fmt::Display) {
        self.element(name, |xml| {
            // Writing into a string never fails.
            let _ = write!(Escaping(xml), "{value}");
        });
    }

    /// The document.
    #[must_use]
    pub fn finish(self) -> Bytes {
        self.0.into()
    }

    /// Text in an element.
    pub fn characters(&mut self, text: &str) {
        self.escaped(text, false);
    }

    fn escaped(&mut self, text: &str, quoted: bool) {
        let mut rest = text;
        let is_special = |character| is_special(character) || quoted && is_quoting(character);
        while let Some((at, character)) = rest.char_indices().find(|(_, character)| is_special(*character)) {
            let (plain, behind) = rest.split_at_checked(at).unwrap_or_default();
            self.0.push_str(plain);
            self.0.push_str(match character {
                '<' => "&lt;",
                '>' => "&gt;",
                '&' => "&amp;",
                '"' => "&quot;",
                // In an attribute these read as blanks.
                '\n' => "&#xA;",
                '\t' => "&#x9;",
                // Readers take one that stands there as itself for the end of a line.
                '\r' => "&#xD;",
                _ => "\u{fffd}",
            });
            rest = behind.get(character.len_utf8()..).unwrap_or_default();
        }
        self.0.push_str(rest);
    }
}

fn is_special(character: char) -> bool {
    matches!(character, '<' | '>' | '&' | '\r') || !is_legal(character)
}

fn is_quoting(character: char) -> bool {
    matches!(character, '"' | '\n' | '\t')
}

struct Escaping<'a>(&'a mut Writer);

impl fmt::Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.characters(text);
        Ok(())
    }
}
