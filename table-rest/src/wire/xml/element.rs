use table_store::{ErrorCode, TableError};

/// An element: either text or further elements.
///
/// ```
/// use table_rest::wire::xml::{Limits, parse};
///
/// let queue = parse(b"<Queue><Name>photos</Name><Metadata /></Queue>", Limits::REQUEST)?;
/// assert_eq!(queue.text_of("Name"), Some("photos"));
/// assert!(queue.child("Metadata").is_some_and(|metadata| metadata.children.is_empty()));
/// # Ok::<(), table_store::TableError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// Its name without a prefix: `code` of `<m:code>`.
    pub name: Box<str>,
    /// Its attributes in their order, names with their prefixes.
    pub attributes: Vec<(Box<str>, String)>,
    /// Its text; empty if it has children.
    pub text: String,
    /// The elements in it.
    pub children: Vec<Element>,
}

impl Element {
    /// The same, if it has this name.
    ///
    /// # Errors
    /// `InvalidXmlDocument`.
    pub fn named(self, name: &str) -> Result<Self, TableError> {
        if *self.name == *name { Ok(self) } else { Err(ErrorCode::InvalidXmlDocument.into()) }
    }

    /// The first child of a name.
    #[must_use]
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| *child.name == *name)
    }

    /// The text of the first child of a name.
    #[must_use]
    pub fn text_of(&self, name: &str) -> Option<&str> {
        self.child(name).map(|child| child.text.as_str())
    }

    /// The text of a child that must be there.
    ///
    /// # Errors
    /// `MissingRequiredXmlNode`.
    pub fn required(&self, name: &str) -> Result<&str, TableError> {
        self.text_of(name).ok_or_else(|| ErrorCode::MissingRequiredXmlNode.into())
    }

    /// The value of an attribute.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| **known == *name).map(|(_, value)| value.as_str())
    }
}
