use std::fmt;

use table_model::TableError;

use crate::Address;

/// Error of a write whose response was lost and whose outcome cannot be determined: concurrent writers have changed the
/// entity, or the request can still take effect.
///
/// A request takes effect within two minutes or never. Until then, a write without a version (`upsert`, `replace_any`,
/// a merge or a delete by key) can overwrite later writes. A write with a version cannot: it fails after the entity has
/// changed. Therefore, read the entity, then write it with the version that was read: `tables.replace(&stored)`,
/// `tables.merge(stored.patch()..)` or `tables.delete(&stored)`.
#[derive(Clone, Debug)]
pub struct OutcomeUnknownError {
    /// Address of the write; for a transaction, the address of its first write.
    pub address: Address,
    /// Token of the attempt, if its rows contain one. A row with this token in the property `_tx` proves that the write
    /// was executed.
    pub token: Option<String>,
    /// Error that was returned instead of a response.
    pub error: TableError,
}

impl fmt::Display for OutcomeUnknownError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, token, error } = self;
        write!(f, "the outcome of the write to {address} is unknown: {error}")?;
        if let Some(token) = token {
            write!(f, " (attempt {token})")?;
        }
        f.write_str(
            "; read the entity, then write it with its version, for example `tables.merge(stored.patch()..)`",
        )
    }
}

impl std::error::Error for OutcomeUnknownError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}
