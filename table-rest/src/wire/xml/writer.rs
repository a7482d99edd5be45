use std::fmt::{self, Write as _};

use bytes::Bytes;

use super::characters::is_legal;

/// Writes a UTF-8 document with a byte order mark, as the services do.
///
/// Names of elements and attributes are written unchanged; text and attribute values are escaped. Characters that are
/// illegal in XML are written as U+FFFD.
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
    /// Creates a document that contains only its declaration.
    #[must_use]
    pub fn new() -> Self {
        Self("\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>".to_owned())
    }

    /// Creates a document without a byte order mark, the form of requests.
    #[must_use]
    pub fn unmarked() -> Self {
        Self("<?xml version=\"1.0\" encoding=\"utf-8\"?>".to_owned())
    }

    /// Writes an element with the content that `inside` writes; `<name />` if it is empty.
    pub fn element(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        self.element_with(name, &[], inside);
    }

    /// Writes an element with attributes.
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

    /// Writes an element with text; `<name />` if the text is empty.
    pub fn text(&mut self, name: &str, text: &str) {
        self.element(name, |xml| xml.characters(text));
    }

    /// Writes an element with the `Display` form of a value.
    pub fn value(&mut self, name: &str, value: impl fmt::Display) {
        self.element(name, |xml| {
            // Writing to a string cannot fail.
            let _ = write!(Escaping(xml), "{value}");
        });
    }

    /// Returns the document.
    #[must_use]
    pub fn finish(self) -> Bytes {
        self.0.into()
    }

    /// Writes escaped text in an element.
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
                // In an attribute, parsers normalize these to spaces.
                '\n' => "&#xA;",
                '\t' => "&#x9;",
                // Parsers treat a literal carriage return as a line end.
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
