//! Writes that read first, grouped into transactions.

use std::collections::HashSet;

use table_model::limits;

use crate::{Error, WriteResult, write::Intent};

/// Result of writes that read first and are sent together.
pub(crate) struct SentTogether {
    /// Result of the transaction.
    pub(crate) outcome: Result<Vec<Option<WriteResult>>, Error>,
    /// Writes of the transaction, with their numbers.
    pub(crate) sent: Vec<(usize, Intent)>,
    /// Writes whose rows could not be read.
    pub(crate) rejected: Vec<(usize, Error)>,
}

/// Splits the writes of a partition into groups that can be one transaction: writes that read first and change only
/// the entity's row, each entity once. Other writes are alone.
pub(super) fn together(intents: Vec<(usize, Intent)>) -> Vec<Vec<(usize, Intent)>> {
    let mut groups: Vec<Vec<(usize, Intent)>> = Vec::new();
    let mut keys: HashSet<String> = HashSet::new();
    let (mut is_open, mut bytes) = (false, 0);
    for (index, intent) in intents {
        let key = intent.only_row().map(str::to_owned);
        let is_new = key.as_ref().is_some_and(|key| !keys.contains(key));
        let size = intent.new_bytes();
        let has_room = is_open
            && is_new
            && keys.len() < limits::TRANSACTION_OPERATIONS
            && bytes + size < limits::TRANSACTION_BYTES;
        if let Some(group) = groups.last_mut().filter(|_| has_room) {
            group.push((index, intent));
        } else {
            keys.clear();
            bytes = 0;
            groups.push(vec![(index, intent)]);
        }
        is_open = key.is_some();
        keys.extend(key);
        bytes += size;
    }
    groups
}
