use std::{fmt, slice};

use table_store::Value;

use super::no_comparisons;
use crate::{
    Blob, ValueError,
    large::Content,
    properties::{PropertyError, Reader, Writer},
};

/// What a field with `#[table(blob)]` may be: a [`Blob`], or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a blob field",
    label = "not a `Blob`",
    note = "a blob field has type `Blob` or `Option<Blob>`: its bytes are read when you ask, not with every row"
)]
pub trait BlobValue: Sized + 'static {
    /// The value, if there is one.
    #[doc(hidden)]
    fn value(&self) -> Option<&Blob>;

    /// The field of a value; none where there must be one.
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

/// A property that holds a value of any size: `#[table(blob)]`. Up to a bound it is in the property itself, above it in a
/// blob that the property names.
pub struct Large<T> {
    name: &'static str,
    /// Most bytes in the property itself.
    inline: usize,
    value: fn(&T) -> Option<&Blob>,
    of: fn(Option<Blob>) -> Option<T>,
}

impl<T> Large<T> {
    /// The property stored as `name`. The one place where a field's type is asked to be a blob.
    #[doc(hidden)]
    pub const fn of(name: &'static str, inline: usize) -> Self
    where
        T: BlobValue,
    {
        Self { name, inline, value: T::value, of: T::of }
    }

    /// A property of a struct that has mistakes and does not compile: its type is asked for nothing.
    #[doc(hidden)]
    pub const fn unusable(name: &'static str) -> Self {
        Self { name, inline: 0, value: |_| None, of: |_| None }
    }

    /// The property's stored name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The property's stored name, as what a projection asks for.
    #[doc(hidden)]
    pub const fn names(&'static self) -> &'static [&'static str] {
        slice::from_ref(&self.name)
    }

    /// Writes what the property holds by itself; of a value that goes to a blob it is written once that is there.
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
        let missing = || PropertyError { property: self.name.into(), why: ValueError::Missing };
        (self.of)(value).ok_or_else(missing)
    }

    /// Reads the property into a projection.
    #[doc(hidden)]
    pub fn project<K>(&self, _key: &K, from: &mut Reader<'_>) -> Result<T, PropertyError> {
        self.take(from)
    }
}

no_comparisons!(impl<T> Large<T>: IsInTheRow);

/// Never implemented: it exists for its message.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a blob cannot be filtered on",
    label = "kept beside the row",
    note = "keep what is asked for in a property of its own: its length, its kind, its hash"
)]
pub trait IsInTheRow {}

impl<T> fmt::Debug for Large<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Large")
            .field("name", &self.name)
            .field("inline", &self.inline)
            .finish_non_exhaustive()
    }
}
