use std::fmt;

use super::no_comparisons;
use crate::properties::{PropertyError, Reader};

/// A field that stands in the key only. It is no property: queries ask for it through the key, and filters cannot.
pub struct KeyField<K, T> {
    of: fn(&K) -> T,
}

impl<K, T> KeyField<K, T> {
    /// The field that `of` finds in a key.
    #[doc(hidden)]
    pub const fn of(of: fn(&K) -> T) -> Self {
        Self { of }
    }

    /// Its value in a key.
    pub(crate) fn in_key(&self, key: &K) -> T {
        (self.of)(key)
    }

    /// What a projection asks the service for: the keys always come.
    #[doc(hidden)]
    pub const fn names(&'static self) -> &'static [&'static str] {
        &["RowKey"]
    }

    /// Reads the field into a projection.
    #[doc(hidden)]
    pub fn project(&self, key: &K, _from: &mut Reader<'_>) -> Result<T, PropertyError> {
        Ok((self.of)(key))
    }
}

no_comparisons!(impl<K, T> KeyField<K, T>: IsProperty);

/// Never implemented: it exists for its message.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a field that stands in the key only cannot be filtered on",
    label = "no property",
    note = "ask for it by `point`, `at`, `between` or `starts_with`; #[table(store)] keeps it as a property, too"
)]
pub trait IsProperty {}

impl<K, T> fmt::Debug for KeyField<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyField")
    }
}
