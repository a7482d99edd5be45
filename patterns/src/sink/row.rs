//! The row of a sink.

use table_store::{Condition, ETag, Entity, Operation, Properties, RowRef, ValueRef};

use super::counts_for_nothing;
use crate::{
    Address, Error, Tables,
    derived::{NO_TOKEN, TRANSACTION},
    design::Design,
    entity::ENTITY_TYPE,
    follow::{SOURCE, STATE, STUB},
};

/// The state of a sink's row that contains values and no entity.
const KEEPS: &str = "k";

/// The row of a sink as it was found.
#[derive(Clone, Debug)]
pub(crate) struct SinkRow {
    pub(crate) etag: ETag,
    /// Whether it stands there without its entity.
    pub(crate) is_stub: bool,
    /// All that it holds.
    pub(crate) properties: Properties,
}

/// Returns whether the row of a sink exists without its entity.
pub(crate) fn is_stub(row: RowRef<'_>) -> bool {
    matches!(row.properties.get(STATE), Some(ValueRef::String(KEEPS | STUB)))
}

/// Returns whether a row is the empty placeholder of a worker: it contains nothing beyond its state and its source. Any
/// other property may be a value that earlier versions kept for a sink under the same state.
pub(crate) fn is_placeholder(row: RowRef<'_>) -> bool {
    row.properties.get(STATE) == Some(ValueRef::String(STUB))
        && row.properties.iter().all(|(name, _)| name == STATE || name == SOURCE)
}

/// What a row keeps for others.
pub(crate) fn kept(design: &Design, row: RowRef<'_>) -> Properties {
    let mut kept = Properties::new();
    for name in design.fed_names() {
        if let Some(value) = row.properties.get(name) {
            kept.push_new(name, value.to_value());
        }
    }
    kept
}

/// The row that keeps values while its entity is not there; none if there is nothing to keep.
pub(crate) fn stub(design: &Design, kept: &Properties) -> Option<Properties> {
    let is_something =
        |(name, value): &&(table_store::Name, table_store::Value)| !counts_for_nothing(design, name, value);
    kept.iter().find(is_something)?;
    let mut properties = kept.clone();
    properties.push_new(STATE, KEEPS);
    properties.push_new(TRANSACTION, NO_TOKEN);
    if let Some(entity_type) = design.entity_type {
        properties.push_new(ENTITY_TYPE, entity_type);
    }
    Some(properties)
}

impl SinkRow {
    pub(crate) async fn read(tables: &Tables, address: &Address) -> Result<Option<Self>, Error> {
        let rows = tables.read(address, None).await?;
        Ok(rows.get(0).map(|row| Self {
            etag: row.etag.clone(),
            is_stub: is_stub(row),
            properties: row.properties.to_properties(),
        }))
    }

    /// What it keeps for others.
    pub(crate) fn kept(&self, design: &Design) -> Properties {
        let fed: Vec<&str> = design.fed_names().collect();
        let kept = self.properties.iter().filter(|(name, _)| fed.contains(&&**name));
        kept.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// What makes a row keep these values, if it is still as it was read. It is written also if it keeps them already: who
    /// looked for the largest among the sources must lose to whoever added one. None if it is not there and need not be.
    pub(crate) fn keep(
        row: Option<Self>,
        design: &Design,
        address: &Address,
        kept: &Properties,
    ) -> Option<Operation> {
        let (partition_key, row_key) = (address.partition_key.clone(), address.row_key.clone());
        let Some(Self { etag, is_stub, mut properties }) = row else {
            let properties = stub(design, kept)?;
            return Some(Operation::Insert(Entity { partition_key, row_key, properties }));
        };
        let condition = Condition::Matches(etag);
        if is_stub {
            return Some(match stub(design, kept) {
                Some(properties) => {
                    Operation::Replace(Entity { partition_key, row_key, properties }, condition)
                }
                None => Operation::Delete { partition_key, row_key, condition },
            });
        }
        // A merge cannot take away a value.
        let is_gone = |name: &str| properties.get(name).is_some() && kept.get(name).is_none();
        if design.fed_names().any(is_gone) {
            for name in design.fed_names() {
                properties.remove(name);
            }
            for (name, value) in kept {
                properties.set(name.clone(), value.clone());
            }
            properties.set(TRANSACTION, NO_TOKEN);
            return Some(Operation::Replace(Entity { partition_key, row_key, properties }, condition));
        }
        let mut properties = kept.clone();
        properties.push_new(TRANSACTION, NO_TOKEN);
        Some(Operation::Merge(Entity { partition_key, row_key, properties }, condition))
    }
}
