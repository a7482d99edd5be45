use serde::Deserialize;

/// One write of one entity. Exactly one of the operations is set.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Inserts an entity.
    pub insert: Option<String>,
    /// Replaces an existing entity.
    pub replace: Option<String>,
    /// Merges properties into an existing entity.
    pub merge: Option<String>,
    /// Inserts or replaces an entity.
    pub upsert: Option<String>,
    /// Inserts or merges an entity.
    pub upsert_merge: Option<String>,
    /// PartitionKey and RowKey of an entity to delete.
    pub delete: Option<[String; 2]>,
    /// The required version: a name that a step has kept, or `*`, which is the default.
    #[serde(rename = "if")]
    pub condition: Option<String>,
}

/// The action of a step, and its expected result.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The table; defaults to the case's own table.
    pub table: Option<String>,
    /// A table to create.
    pub create_table: Option<String>,
    /// A table to delete.
    pub delete_table: Option<String>,
    /// As in [`Change`].
    pub insert: Option<String>,
    /// As in [`Change`].
    pub replace: Option<String>,
    /// As in [`Change`].
    pub merge: Option<String>,
    /// As in [`Change`].
    pub upsert: Option<String>,
    /// As in [`Change`].
    pub upsert_merge: Option<String>,
    /// As in [`Change`].
    pub delete: Option<[String; 2]>,
    /// As in [`Change`].
    #[serde(rename = "if")]
    pub condition: Option<String>,
    /// Several changes in one transaction.
    pub transact: Option<Vec<Change>>,
    /// This number of inserts or replaces with RowKeys from `000000` on, in transactions of 100; `PARTITION COUNT`.
    pub fill: Option<String>,
    /// PartitionKey and RowKey of an entity to read.
    pub get: Option<[String; 2]>,
    /// A filter of a query; empty for no filter.
    pub query: Option<String>,
    /// The selected properties.
    pub select: Option<Vec<String>>,
    /// The size of a page.
    pub top: Option<u32>,
    /// The entities that a read returns, in order. An entity must contain exactly the listed properties; keys are
    /// optional.
    pub gives: Option<Vec<String>>,
    /// Number of returned entities.
    pub count: Option<usize>,
    /// Minimum number of pages.
    pub pages: Option<usize>,
    /// The name under which the written or read version is kept.
    pub keep: Option<String>,
    /// The expected error code.
    pub refused: Option<String>,
    /// The index of the failed operation of a transaction.
    pub at: Option<usize>,
}

impl Step {
    /// Returns the step as one change, if it is one.
    pub(crate) fn change(&self) -> Option<Change> {
        let change = Change {
            insert: self.insert.clone(),
            replace: self.replace.clone(),
            merge: self.merge.clone(),
            upsert: self.upsert.clone(),
            upsert_merge: self.upsert_merge.clone(),
            delete: self.delete.clone(),
            condition: self.condition.clone(),
        };
        let entities = [&change.insert, &change.replace, &change.merge, &change.upsert, &change.upsert_merge];
        (entities.iter().any(|entity| entity.is_some()) || change.delete.is_some()).then_some(change)
    }
}
