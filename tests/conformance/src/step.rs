use serde::Deserialize;

/// One write of one entity. Exactly one of the verbs is given.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// A new entity.
    pub insert: Option<String>,
    /// All of an entity that is there.
    pub replace: Option<String>,
    /// Some properties of an entity that is there.
    pub merge: Option<String>,
    /// An entity, whether or not it is there.
    pub upsert: Option<String>,
    /// Some properties, whether or not it is there.
    pub upsert_merge: Option<String>,
    /// PartitionKey and RowKey of an entity that goes.
    pub delete: Option<[String; 2]>,
    /// The version that must be there: a name that a step has kept, or `*`, which is the default.
    #[serde(rename = "if")]
    pub condition: Option<String>,
}

/// What a step does, and what comes of it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The table; the case's own unless it is named.
    pub table: Option<String>,
    /// A table to make.
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
    /// Several changes or none.
    pub transact: Option<Vec<Change>>,
    /// So many inserts or replaces with RowKeys `000000` and on, in transactions of 100; `PARTITION COUNT`.
    pub fill: Option<String>,
    /// PartitionKey and RowKey of an entity to read.
    pub get: Option<[String; 2]>,
    /// A filter to query by; empty for none.
    pub query: Option<String>,
    /// The properties that are wanted.
    pub select: Option<Vec<String>>,
    /// The size of a page.
    pub top: Option<u32>,
    /// The entities that a read gives, in their order. What is written of one must be there and nothing else, keys aside.
    pub gives: Option<Vec<String>>,
    /// How many entities it gives.
    pub count: Option<usize>,
    /// In how many pages at least.
    pub pages: Option<usize>,
    /// The name under which the version that was written or read is kept.
    pub keep: Option<String>,
    /// The code that it is refused with.
    pub refused: Option<String>,
    /// The operation of a transaction that is at fault.
    pub at: Option<usize>,
}

impl Step {
    /// The step as one change, if it is one.
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
