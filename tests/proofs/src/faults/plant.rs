//! Rules that are broken intentionally, to verify that the suite detects them.
//!
//! They are broken where requests leave the program: the library itself is unchanged.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use table_store::{
    Condition, ErrorCode, Operation, TableError, TableName, TableService, Written, service::Pending,
};
use table_tests::forward;

/// A rule that can be broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// Writes are not conditional on the version that was read.
    Unconditional,
    /// Commits contain no commit record.
    NoRecord,
    /// Commits omit index rows in their partition.
    NoIndexRow,
    /// Aggregates in other partitions change without the contribution row.
    NoContribution,
    /// A merge by key is sent again after a later merge.
    StaleMerge,
}

impl Plant {
    pub const ALL: [Self; 5] =
        [Self::Unconditional, Self::NoRecord, Self::NoIndexRow, Self::NoContribution, Self::StaleMerge];

    /// Returns the name of the rule on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unconditional => "unconditional",
            Self::NoRecord => "no-record",
            Self::NoIndexRow => "no-index-row",
            Self::NoContribution => "no-contribution",
            Self::StaleMerge => "stale-merge",
        }
    }

    /// Changes the operations of a request.
    fn change(self, operations: &mut Vec<Operation>) {
        match self {
            Self::Unconditional => operations.iter_mut().for_each(strip),
            Self::NoRecord => operations
                .retain(|operation| !operation.row_key().starts_with("!o_") || !is_insert(operation)),
            Self::NoIndexRow => operations.retain(|operation| !operation.row_key().starts_with("name_")),
            Self::NoContribution => operations.retain(operations_left),
            Self::StaleMerge => {}
        }
    }
}

fn operations_left(operation: &Operation) -> bool {
    !operation.row_key().starts_with("!c_")
}

const fn is_insert(operation: &Operation) -> bool {
    matches!(operation, Operation::Insert(_))
}

fn strip(operation: &mut Operation) {
    match operation {
        Operation::Replace(_, condition)
        | Operation::Merge(_, condition)
        | Operation::Delete { condition, .. } => *condition = Condition::Exists,
        _ => {}
    }
}

/// Table, PartitionKey and RowKey.
type Place = (String, String, String);

/// A table service that breaks a rule.
pub struct Planted {
    below: Arc<dyn TableService>,
    plant: Plant,
    /// The last merge of each row.
    stale: Mutex<BTreeMap<Place, Operation>>,
}

impl Planted {
    pub(crate) fn new(below: Arc<dyn TableService>, plant: Plant) -> Self {
        Self { below, plant, stale: Mutex::default() }
    }

    /// Returns the merge that is sent again: the previous merge of the same row.
    fn stale(&self, table: &TableName, operation: &Operation) -> Option<Operation> {
        let is_merge = matches!(operation, Operation::Merge(..) | Operation::InsertOrMerge(_));
        if self.plant != Plant::StaleMerge || !is_merge {
            return None;
        }
        let (partition_key, row_key) = operation.clone().into_keys();
        let mut stale = self.stale.lock().unwrap_or_else(PoisonError::into_inner);
        stale.insert((table.to_string(), partition_key, row_key), operation.clone())
    }
}

impl fmt::Debug for Planted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} without {:?}", self.below, self.plant)
    }
}

impl TableService for Planted {
    forward!(self, to self.below => capabilities create_table delete_table list_tables find query list_outbox);

    fn execute<'a>(&'a self, table: &'a TableName, operation: &'a Operation) -> Pending<'a, Written> {
        Box::pin(async move {
            let mut changed = vec![operation.clone()];
            self.plant.change(&mut changed);
            // Omitting the operation would return no response: single requests are always sent.
            let written = self.below.execute(table, changed.first().unwrap_or(operation)).await;
            if let (Ok(_), Some(mut stale)) = (&written, self.stale(table, operation)) {
                strip(&mut stale);
                let _ = self.below.execute(table, &stale).await;
            }
            written
        })
    }

    fn transact<'a>(
        &'a self,
        table: &'a TableName,
        operations: &'a [Operation],
    ) -> Pending<'a, Vec<Written>> {
        Box::pin(async move {
            let mut changed = operations.to_vec();
            self.plant.change(&mut changed);
            if changed.is_empty() {
                return Err(TableError::with_message(ErrorCode::ServerBusy, "nothing is left to send"));
            }
            let kept: Vec<bool> = operations
                .iter()
                .map(|one| changed.iter().any(|other| other.row_key() == one.row_key()))
                .collect();
            let mut answers = self.below.transact(table, &changed).await?.into_iter();
            Ok(kept
                .iter()
                .map(|kept| kept.then(|| answers.next()).flatten().unwrap_or(Written::Deleted))
                .collect())
        })
    }
}
