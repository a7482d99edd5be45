use table_model::Name;

use super::Blob;

/// New value of a blob field.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Put {
    pub(crate) property: Name,
    /// Maximum size of a value stored in the property, in bytes.
    pub(crate) inline: usize,
    /// `None` if the entity has no value.
    pub(crate) value: Option<Blob>,
}
