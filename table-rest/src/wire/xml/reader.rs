use quick_xml::{
    Reader, XmlVersion,
    escape::resolve_predefined_entity,
    events::{BytesDecl, BytesRef, BytesStart, Event},
};
use table_model::{ErrorCode, TableError};

use super::{
    Element,
    characters::{is_legal, is_name},
};

/// Maximum nesting depth of elements.
const DEPTH: usize = 32;

/// Maximum number of attributes of an element.
const ATTRIBUTES: usize = 16;

/// Maximum length of a name in bytes.
const NAME_BYTES: usize = 256;

/// Resource limits of a document. An element uses about a hundred bytes of memory in addition to its strings.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum size in bytes.
    pub bytes: usize,
    /// Maximum number of elements.
    pub elements: usize,
}

impl Limits {
    /// Limits of a request: a list of 50,000 blocks, with a margin to recognize longer lists.
    pub const REQUEST: Self = Self { bytes: 8 << 20, elements: 60_000 };
    /// Limits of a response: 5,000 blobs with all properties.
    pub const ANSWER: Self = Self { bytes: 64 << 20, elements: 1_000_000 };
}

/// Parses a UTF-8 document, with or without a byte order mark.
///
/// # Errors
///
/// Returns `InvalidXmlDocument` if the document is invalid, `RequestBodyTooLarge` if it is too large.
pub fn parse(document: &[u8], limits: Limits) -> Result<Element, TableError> {
    if document.len() > limits.bytes {
        return Err(ErrorCode::RequestBodyTooLarge.into());
    }
    let text = std::str::from_utf8(document).map_err(|_| invalid("It is not UTF-8."))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !text.chars().all(is_legal) {
        return Err(invalid("It contains a character that XML does not allow."));
    }
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_comments = true;
    config.expand_empty_elements = true;
    let mut tree = Tree { left: limits.elements, ..Tree::default() };
    let mut begun = false;
    loop {
        match reader.read_event().map_err(|_| invalid("It is not well formed."))? {
            Event::Start(start) => tree.open(&start)?,
            Event::End(_) => tree.close()?,
            Event::Text(text) => tree.text(&text.xml10_content())?,
            Event::CData(text) if tree.is_open() => tree.text(&text.xml10_content())?,
            Event::GeneralRef(reference) if tree.is_open() => tree.reference(&reference)?,
            Event::Decl(declaration) if !begun => check_declaration(&declaration)?,
            Event::Comment(_) => {}
            Event::Eof => return tree.end(),
            Event::DocType(_) => return Err(invalid("Document type declarations are not allowed.")),
            _ => return Err(invalid("It is not well formed.")),
        }
        begun = true;
    }
}

/// The open elements, and the root once it is closed.
#[derive(Default)]
struct Tree {
    open: Vec<Element>,
    root: Option<Element>,
    left: usize,
}

impl Tree {
    fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    fn open(&mut self, start: &BytesStart<'_>) -> Result<(), TableError> {
        if self.root.is_some() || self.open.len() >= DEPTH {
            return Err(invalid("It has two root elements, or too many levels."));
        }
        self.left = self.left.checked_sub(1).ok_or_else(|| invalid("It has too many elements."))?;
        if let Some(parent) = self.open.last_mut() {
            if !is_blank(&parent.text) {
                return Err(invalid("Text and elements are mixed."));
            }
            parent.text = String::new();
        }
        let mut attributes = Vec::new();
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|_| invalid("An attribute is not well formed."))?;
            let name = attribute.key.into_inner();
            if attributes.len() >= ATTRIBUTES || name.len() > NAME_BYTES || !is_name(name) {
                return Err(invalid(
                    "An element has too many attributes, or an attribute with an invalid name.",
                ));
            }
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_err(|_| invalid("An attribute is not well formed."))?;
            if !value.chars().all(is_legal) {
                return Err(invalid("It contains a character that XML does not allow."));
            }
            attributes.push((name.into(), value.into_owned()));
        }
        let name = start.local_name().into_inner();
        if name.len() > NAME_BYTES || !is_name(start.name().into_inner()) {
            return Err(invalid("An element has an invalid or too long name."));
        }
        self.open.push(Element { name: name.into(), attributes, ..Element::default() });
        Ok(())
    }

    fn close(&mut self) -> Result<(), TableError> {
        let element = self.open.pop().ok_or_else(|| invalid("It is not well formed."))?;
        match self.open.last_mut() {
            Some(parent) => parent.children.push(element),
            None => self.root = Some(element),
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), TableError> {
        match self.open.last_mut() {
            // Whitespace between elements is formatting only.
            Some(element) if element.children.is_empty() => element.text.push_str(text),
            _ if is_blank(text) => {}
            _ => return Err(invalid("Text and elements are mixed.")),
        }
        Ok(())
    }

    fn reference(&mut self, reference: &BytesRef<'_>) -> Result<(), TableError> {
        if let Some(character) =
            reference.resolve_char_ref().map_err(|_| invalid("A character reference is invalid."))?
        {
            if !is_legal(character) {
                return Err(invalid("It contains a character that XML does not allow."));
            }
            return self.text(character.encode_utf8(&mut [0; 4]));
        }
        match resolve_predefined_entity(reference) {
            Some(text) => self.text(text),
            None => Err(invalid("An entity reference is unknown.")),
        }
    }

    fn end(self) -> Result<Element, TableError> {
        match self.root {
            Some(root) if self.open.is_empty() => Ok(root),
            _ => Err(invalid("It is not complete.")),
        }
    }
}

fn check_declaration(declaration: &BytesDecl<'_>) -> Result<(), TableError> {
    let encoding = declaration.encoding().transpose().map_err(|_| invalid("It is not well formed."))?;
    match encoding {
        Some(encoding) if !["utf-8", "us-ascii"].iter().any(|known| encoding.eq_ignore_ascii_case(known)) => {
            Err(invalid("It is not UTF-8."))
        }
        _ => Ok(()),
    }
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}

fn invalid(reason: &str) -> TableError {
    let code = ErrorCode::InvalidXmlDocument;
    TableError::with_message(code, format!("{} {reason}", code.message()))
}
