use std::{fmt, slice};

use table_model::Value;

use super::no_comparisons;
use crate::{
    Blob, ValueError,
    core::{
        blob::Content,
        error::property::PropertyError,
        properties::{Reader, Writer},
    },
};

/// Types that are allowed for a field with `#[table(blob)]`: a [`Blob`], or an `Option` of a blob.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a blob field",
    label = "not a `Blob`",
    note = "a blob field has type `Blob` or `Option<Blob>`; its bytes are read on request, not with every row"
)]
pub trait BlobValue: Sized + 'static {
    /// Returns the value, if present.
    #[doc(hidden)]
    fn value(&self) -> Option<&Blob>;

    /// Converts a value to the field's type. Returns `None` if a required value is missing.
    #[doc(hidden)]
    fn of(value: Option<Blob>) -> Option<Self>;
}

impl BlobValue for Blob {
    fn value(&self) -> Option<&Blob> {
        Some(self)
    }

    fn of(value: Option<Blob>) -> Option<Self> {
        value
    }
}

impl BlobValue for Option<Blob> {
    fn value(&self) -> Option<&Blob> {
        self.as_ref()
    }

    fn of(value: Option<Blob>) -> Option<Self> {
        Some(value)
    }
}

/// A property with a value of any size: `#[table(blob)]`. Up to a limit, the value is stored in the property itself. A
/// larger value is stored in a blob that the property references.
pub struct Large<T> {
    name: &'static str,
    /// Maximum number of bytes in the property itself.
    inline: usize,
    value: fn(&T) -> Option<&Blob>,
    of: fn(Option<Blob>) -> Option<T>,
}

impl<T> Large<T> {
    /// Creates the property that is stored as `name`. This is the only function that requires the field's type to be a
    /// blob.
    #[doc(hidden)]
    pub const fn of(name: &'static str, inline: usize) -> Self
    where
        T: BlobValue,
    {
        Self { name, inline, value: T::value, of: T::of }
    }

    /// Creates a property of a struct that has derive errors and does not compile, without requirements on its type.
    #[doc(hidden)]
    pub const fn unusable(name: &'static str) -> Self {
        Self { name, inline: 0, value: |_| None, of: |_| None }
    }

    /// Returns the stored name of the property.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the stored name of the property, for the selection of a projection.
    #[doc(hidden)]
    pub const fn names(&'static self) -> &'static [&'static str] {
        slice::from_ref(&self.name)
    }

    /// Writes the property if its content is determined. The reference of a new blob is written after the upload.
    #[doc(hidden)]
    pub fn put(&self, value: &T, into: &mut Writer) -> Result<(), PropertyError> {
        let value = (self.value)(value);
        match value.map(Blob::content) {
            Some(Content::Bytes(bytes)) if bytes.len() <= self.inline => {
                into.put(self.name, Ok(Some(Value::Binary(bytes.to_vec()))))?;
            }
            Some(Content::Kept(kept)) => into.put(self.name, Ok(Some(kept.reference.text().into())))?,
            Some(_) | None => {}
        }
        into.put_blob(self.name, self.inline, value);
        Ok(())
    }

    /// Reads the property.
    #[doc(hidden)]
    pub fn take(&self, from: &mut Reader<'_>) -> Result<T, PropertyError> {
        let value = from.take_blob(self.name)?;
        let missing = || PropertyError { property: self.name.into(), reason: ValueError::Missing };
        (self.of)(value).ok_or_else(missing)
    }

    /// Reads the property into a projection.
    #[doc(hidden)]
    pub fn project<K>(&self, _key: &K, from: &mut Reader<'_>) -> Result<T, PropertyError> {
        self.take(from)
    }
}

no_comparisons!(impl<T> Large<T>: StoredInline);

/// Never implemented. The trait exists for its diagnostic message.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a blob cannot be used in a filter",
    label = "stored outside the row",
    note = "store the value to filter on in a separate property, for example the length, type or hash"
)]
pub trait StoredInline {}

impl<T> fmt::Debug for Large<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Large")
            .field("name", &self.name)
            .field("inline", &self.inline)
            .finish_non_exhaustive()
    }
}
