use std::fmt;

use table_store::TableError;

use crate::Address;

/// A write whose answer was lost, and of which nobody can say any more whether it was done: others have written since, or
/// it may still be on its way. Read what is there, and decide.
#[derive(Clone, Debug)]
pub struct OutcomeUnknown {
    /// What was to be written; of a transaction its first.
    pub address: Address,
    /// The attempt's token, where the rows hold one: whoever finds it in the property `_tx` knows that it was done.
    pub token: Option<String>,
    /// What came instead of an answer.
    pub error: TableError,
}

impl fmt::Display for OutcomeUnknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, token, error } = self;
        write!(f, "whether {address} was written is not known, read it: {error}")?;
        token.as_ref().map_or(Ok(()), |token| write!(f, " (attempt {token})"))
    }
}

impl std::error::Error for OutcomeUnknown {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}
