use table_model::{ErrorCode, TableError};

/// An element that contains either text or child elements.
///
/// ```
/// use table_rest::wire::xml::{Limits, parse};
///
/// let queue = parse(b"<Queue><Name>photos</Name><Metadata /></Queue>", Limits::REQUEST)?;
/// assert_eq!(queue.text_of("Name"), Some("photos"));
/// assert!(queue.child("Metadata").is_some_and(|metadata| metadata.children.is_empty()));
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// The name without a prefix: `code` of `<m:code>`.
    pub name: Box<str>,
    /// The attributes in order, with prefixed names.
    pub attributes: Vec<(Box<str>, String)>,
    /// The text; empty if the element has children.
    pub text: String,
    /// The child elements.
    pub children: Vec<Element>,
}

impl Element {
    /// Returns the element if it has this name.
    ///
    /// # Errors
    ///
    /// Returns `InvalidXmlDocument` otherwise.
    pub fn named(self, name: &str) -> Result<Self, TableError> {
        if *self.name == *name { Ok(self) } else { Err(ErrorCode::InvalidXmlDocument.into()) }
    }

    /// Returns the first child with a name.
    #[must_use]
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| *child.name == *name)
    }

    /// Returns the text of the first child with a name.
    #[must_use]
    pub fn text_of(&self, name: &str) -> Option<&str> {
        self.child(name).map(|child| child.text.as_str())
    }

    /// Returns the text of a required child.
    ///
    /// # Errors
    ///
    /// Returns `MissingRequiredXmlNode`.
    pub fn required(&self, name: &str) -> Result<&str, TableError> {
        self.text_of(name).ok_or_else(|| ErrorCode::MissingRequiredXmlNode.into())
    }

    /// Returns the value of an attribute.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| **known == *name).map(|(_, value)| value.as_str())
    }
}
