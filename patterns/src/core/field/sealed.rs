use std::marker::PhantomData;

use super::{Field, no_comparisons};

/// A property that is encrypted before it is stored: `#[table(encrypt)]`.
#[derive(Debug)]
pub enum Encrypted {}

impl<T, Form> Field<T, Form> {
    /// Returns the property as an encrypted property.
    #[doc(hidden)]
    #[must_use]
    pub const fn sealed(self) -> Field<T, Encrypted> {
        let Self { name, put, take, no_slot, kind, is_optional, .. } = self;
        let types = PhantomData;
        Field { name, put, take, no_slot, is_sealed: true, kind, is_optional, copy: None, types }
    }
}

no_comparisons!(impl<T> Field<T, Encrypted>: IsReadable);

/// Never implemented. The trait exists for its diagnostic message.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "an encrypted property cannot be used in a filter",
    label = "encrypted before it is stored",
    note = "the store contains only ciphertext; filter on another property, or compare the values after reading"
)]
pub trait IsReadable {}
