use std::{fmt, sync::Arc};

/// What shows that a message is still the one that was got, put or updated. Opaque, and good for that one message until
/// it is got or updated again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PopReceipt(Arc<str>);

impl PopReceipt {
    /// A receipt as it came over the wire. Whether it is one, the service finds out.
    #[must_use]
    pub fn new(receipt: impl Into<Arc<str>>) -> Self {
        Self(receipt.into())
    }

    /// The receipt as it is written on the wire.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PopReceipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
