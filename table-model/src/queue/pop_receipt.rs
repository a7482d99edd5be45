use std::{fmt, sync::Arc};

/// Proof that a message has not changed since it was received, put or updated. Receipts are opaque and valid for one
/// message until it is received or updated again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PopReceipt(Arc<str>);

impl PopReceipt {
    /// Creates a receipt from its wire form. The service validates it when it is used.
    #[must_use]
    pub fn new(receipt: impl Into<Arc<str>>) -> Self {
        Self(receipt.into())
    }

    /// Returns the wire form of the receipt.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PopReceipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
