//! Writes of entities that store aggregates. The aggregates are preserved by every write of the entity.

use table_model::{Condition, Entity, ErrorCode, Operation, Properties, TableError};

use super::Totals;
use crate::{
    Error, Tables,
    core::{cross_partition_row::STATE, old::Old, reserved::ENTITY_TYPE, versions::Versions},
    design::Design,
    pattern::aggregate::target_entity::{TargetRow, stub},
    write::{Change, New, Write, change_mut, properties_mut},
};

/// State of the row of such an entity when it is written.
#[derive(Clone, Debug)]
pub(crate) struct OwnTarget {
    pub(crate) design: &'static Design,
    /// Aggregates stored in the row. Unknown for an insert, because a row without an entity may exist.
    pub(crate) kept: Option<Properties>,
    /// `true` for an insert based on a read that found no entity. If the row has changed since, it must be read again.
    pub(crate) takes_over: bool,
    /// `true` if the entity is deleted, although its row may remain.
    pub(crate) goes: bool,
    /// Properties that the type does not declare, of a row without entity or of an entity that is deleted.
    pub(crate) others: Properties,
}

impl OwnTarget {
    pub(crate) fn of(old: &Old) -> Option<Self> {
        let (design, kept) = (target(old.design())?, old.kept.clone());
        Some(Self { design, kept: Some(kept), takes_over: false, goes: false, others: Properties::new() })
    }

    pub(crate) fn of_new(new: &New) -> Option<Self> {
        let design = target(new.design())?;
        Some(Self { design, kept: None, takes_over: false, goes: false, others: Properties::new() })
    }

    /// Returns `true` if the current row must be read first.
    pub(crate) const fn is_open(&self) -> bool {
        self.kept.is_none()
    }
}

/// Returns the design, if other entities keep values in the entity's row.
fn target(design: Option<&'static Design>) -> Option<&'static Design> {
    design.filter(|design| Versions::new(design).any(|version| !version.fed.is_empty()))
}

impl Write {
    /// Makes the entity operation preserve the aggregates in the row.
    pub(super) fn keep_known(&mut self) {
        if let Some(kept) = self.own_target().and_then(|own| own.kept.clone()) {
            self.keep(&kept);
        }
    }

    /// Makes the entity operation store these aggregates.
    pub(super) fn keep(&mut self, kept: &Properties) {
        let Some(own) = own(&mut self.changes) else { return };
        own.kept = Some(kept.clone());
        if own.goes {
            let condition = match &self.operation {
                Operation::Delete { condition, .. } | Operation::Replace(_, condition) => condition.clone(),
                _ => return,
            };
            let (partition_key, row_key) =
                (self.operation.partition_key().to_owned(), self.operation.row_key().to_owned());
            self.operation = match stub(own.design, kept, &own.others) {
                Some(properties) => {
                    Operation::Replace(Entity { partition_key, row_key, properties }, condition)
                }
                None => Operation::Delete { partition_key, row_key, condition },
            };
            return;
        }
        let (design, others) = (own.design, own.others.clone());
        if let Some(properties) = properties_mut(&mut self.operation) {
            for name in Versions::new(design).fed_names() {
                properties.remove(name);
            }
            let last = properties.remove(ENTITY_TYPE);
            for (name, value) in kept {
                properties.push_new(name.clone(), value.clone());
            }
            for (name, value) in others {
                if properties.get(&name).is_none() {
                    properties.push_new(name, value);
                }
            }
            // `EntityType` is always the last property.
            if let Some(entity_type) = last {
                properties.push_new(ENTITY_TYPE, entity_type);
            }
        }
    }

    /// Makes an insert replace an existing row that contains no entity. Fails if the row contains the entity: an insert
    /// with the aggregates of that row must not be sent, because a delayed one would restore them after a delete.
    pub(super) fn take_over(&mut self, row: Option<TargetRow>) -> Result<(), Error> {
        let (Some(own), Operation::Insert(entity)) = (own(&mut self.changes), &self.operation) else {
            return Ok(());
        };
        if row.as_ref().is_some_and(|row| !row.is_stub) {
            return Err(TableError::new(ErrorCode::EntityAlreadyExists).into());
        }
        own.takes_over = true;
        own.kept = Some(row.as_ref().map(|row| row.kept(own.design)).unwrap_or_default());
        own.others = row.as_ref().map(|row| row.others(own.design)).unwrap_or_default();
        if let Some(row) = row {
            self.operation = Operation::Replace(entity.clone(), Condition::Matches(row.etag));
        }
        Ok(())
    }

    /// Converts a merge to a replace of the complete row if aggregates must be removed, because a merge cannot remove
    /// properties.
    pub(super) async fn keep_less(&mut self, tables: &Tables, kept: &Properties) -> Result<(), Error> {
        let is_gone = |own: &OwnTarget| {
            let before = own.kept.iter().flatten();
            before.map(|(name, _)| name).any(|name| kept.get(name).is_none())
        };
        if !matches!(self.operation, Operation::Merge(..)) || !self.own_target().is_some_and(is_gone) {
            return Ok(());
        }
        let Some(row) = TargetRow::read(tables, &self.address()).await? else { return Ok(()) };
        // The stored properties are already encrypted. Only the properties of the patch must be encrypted.
        tables.seal(self)?;
        let Operation::Merge(entity, condition) = &self.operation else { return Ok(()) };
        let mut whole = entity.clone();
        for (name, value) in row.properties {
            if entity.properties.get(&name).is_none() && name != STATE {
                whole.properties.push_new(name, value);
            }
        }
        self.operation = Operation::Replace(whole, condition.clone());
        Ok(())
    }
}

fn own(changes: &mut [Box<dyn Change>]) -> Option<&mut OwnTarget> {
    change_mut::<Totals>(changes)?.own.as_mut()
}
