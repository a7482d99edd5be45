use std::fmt;

use super::no_comparisons;
use crate::core::{error::property::PropertyError, properties::Reader};

/// A field that is stored only in the key. It is not a property: queries select it through the key, and filters do not
/// support it.
pub struct KeyField<K, T> {
    of: fn(&K) -> T,
}

impl<K, T> KeyField<K, T> {
    /// Creates the field that `of` reads from a key.
    #[doc(hidden)]
    pub const fn of(of: fn(&K) -> T) -> Self {
        Self { of }
    }

    /// Returns the field's value in a key.
    pub(crate) fn in_key(&self, key: &K) -> T {
        (self.of)(key)
    }

    /// Returns no property names for the selection of a projection, because the keys are always requested.
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

/// Never implemented. The trait exists for its diagnostic message.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a field that is stored only in the key cannot be used in a filter",
    label = "not a property",
    note = "use `point`, `at`, `between` or `starts_with`; #[table(store)] stores the field as a property, too"
)]
pub trait IsProperty {}

impl<K, T> fmt::Debug for KeyField<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyField")
    }
}
