//! Row of an aggregate entity.

use table_model::{Condition, ETag, Entity, Operation, Properties, RowRef, ValueRef};

use super::counts_for_nothing;
use crate::{
    Address, Error, Tables,
    core::{
        cross_partition_row::{KEEPS, SOURCE, STATE, STUB, is_stub},
        reserved::{ENTITY_TYPE, NO_TOKEN, TRANSACTION},
        unread::is_of_library,
        versions::Versions,
    },
    design::Design,
};

/// The row of an aggregate entity, as it was read.
#[derive(Clone, Debug)]
pub(crate) struct TargetRow {
    pub(crate) etag: ETag,
    /// `true` if the row exists without its entity.
    pub(crate) is_stub: bool,
    /// All properties of the row.
    pub(crate) properties: Properties,
}

/// Returns whether a row is the empty placeholder of a worker: it contains only its state and its source. Other
/// properties may be aggregates, which earlier versions stored under the same state.
pub(crate) fn is_placeholder(row: RowRef<'_>) -> bool {
    row.properties.get(STATE) == Some(ValueRef::String(STUB))
        && row.properties.iter().all(|(name, _)| name == STATE || name == SOURCE)
}

/// Returns the row that stores aggregates without an entity, or `None` if there are no aggregates to store.
///
/// `others` are properties that the design does not declare. They may be values of other entities, too, so they remain.
pub(crate) fn stub(design: &Design, kept: &Properties, others: &Properties) -> Option<Properties> {
    let is_something =
        |(name, value): &&(table_model::Name, table_model::Value)| !counts_for_nothing(design, name, value);
    if others.is_empty() {
        kept.iter().find(is_something)?;
    }
    let mut properties = kept.clone();
    for (name, value) in others {
        properties.set(name.clone(), value.clone());
    }
    properties.push_new(STATE, KEEPS);
    properties.push_new(TRANSACTION, NO_TOKEN);
    if let Some(entity_type) = design.entity_type {
        properties.push_new(ENTITY_TYPE, entity_type);
    }
    Some(properties)
}

impl TargetRow {
    pub(crate) async fn read(tables: &Tables, address: &Address) -> Result<Option<Self>, Error> {
        let rows = tables.read(address, None).await?;
        Ok(rows.get(0).map(|row| Self {
            etag: row.etag.clone(),
            is_stub: is_stub(row),
            properties: row.properties.to_properties(),
        }))
    }

    /// Returns the aggregates stored in the row.
    pub(crate) fn kept(&self, design: &'static Design) -> Properties {
        let fed: Vec<&str> = Versions::new(design).fed_names().collect();
        let kept = self.properties.iter().filter(|(name, _)| fed.contains(&&**name));
        kept.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Returns the properties of a row without entity that the design does not declare.
    pub(crate) fn others(&self, design: &'static Design) -> Properties {
        let is_other =
            |name: &str| !is_of_library(name) && !Versions::new(design).fed_names().any(|fed| fed == name);
        let others = self.properties.iter().filter(|(name, _)| self.is_stub && is_other(name));
        others.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Returns the operation that stores these aggregates, conditional on the ETag that was read. The row is written
    /// even if it already contains them, so that a concurrent process that computed an extreme from all sources fails.
    /// Returns `None` if the row does not exist and is not required.
    pub(crate) fn keep(
        row: Option<Self>,
        design: &'static Design,
        address: &Address,
        kept: &Properties,
    ) -> Option<Operation> {
        let (partition_key, row_key) = (address.partition_key.clone(), address.row_key.clone());
        let others = row.as_ref().map(|row| row.others(design)).unwrap_or_default();
        let Some(Self { etag, is_stub, mut properties }) = row else {
            let properties = stub(design, kept, &others)?;
            return Some(Operation::Insert(Entity { partition_key, row_key, properties }));
        };
        let condition = Condition::Matches(etag);
        if is_stub {
            return Some(match stub(design, kept, &others) {
                Some(properties) => {
                    Operation::Replace(Entity { partition_key, row_key, properties }, condition)
                }
                None => Operation::Delete { partition_key, row_key, condition },
            });
        }
        // A merge cannot remove a property.
        let is_gone = |name: &str| properties.get(name).is_some() && kept.get(name).is_none();
        if Versions::new(design).fed_names().any(is_gone) {
            for name in Versions::new(design).fed_names() {
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
