//! The entity that the cases write.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct Entity {
    #[serde(rename = "PartitionKey")]
    pub(crate) partition: String,
    #[serde(rename = "RowKey")]
    pub(crate) row: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) a: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) b: Option<String>,
}

impl Entity {
    pub(crate) fn new(partition: &str, row: &str) -> Self {
        Self { partition: partition.to_owned(), row: row.to_owned(), ..Self::default() }
    }

    pub(crate) fn a(self, a: i32) -> Self {
        Self { a: Some(a), ..self }
    }

    pub(crate) fn b(self, b: &str) -> Self {
        Self { b: Some(b.to_owned()), ..self }
    }
}
