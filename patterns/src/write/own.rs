//! Writes of an entity in which others keep values: what they keep stays, whoever writes the entity.

use table_store::{Condition, Entity, Operation, Properties};

use super::{New, Old, Write, properties_mut};
use crate::{
    Error, Tables,
    design::Design,
    entity::ENTITY_TYPE,
    follow::STATE,
    sink::{SinkRow, stub},
};

/// What is known of such an entity's row when it is written.
#[derive(Clone, Debug)]
pub(crate) struct OwnSink {
    pub(crate) design: &'static Design,
    /// What its row keeps; not known of one that is to be inserted, whose row may be there without it.
    pub(crate) kept: Option<Properties>,
    /// An insert that knows what was there, no entity: if something else is, it must be read again.
    pub(crate) takes_over: bool,
    /// Whether the entity goes, though its row may stay.
    pub(crate) goes: bool,
}

impl OwnSink {
    pub(crate) fn of(old: &Old) -> Option<Self> {
        let (design, kept) = old.sink.clone()?;
        Some(Self { design, kept: Some(kept), takes_over: false, goes: false })
    }

    pub(crate) fn of_new(new: &New) -> Option<Self> {
        Some(Self { design: new.sink?, kept: None, takes_over: false, goes: false })
    }

    /// Whether it has to be asked first what is there.
    pub(crate) const fn is_open(&self) -> bool {
        self.kept.is_none()
    }
}

impl Write {
    /// Has the entity's own operation keep what others keep in its row.
    pub(super) fn keeping(mut self) -> Self {
        if let Some(kept) = self.own.as_ref().and_then(|own| own.kept.clone()) {
            self.keep(&kept);
        }
        self
    }

    /// The same, with what they are to keep.
    pub(super) fn keep(&mut self, kept: &Properties) {
        let Some(own) = &mut self.own else { return };
        own.kept = Some(kept.clone());
        if own.goes {
            let condition = match &self.operation {
                Operation::Delete { condition, .. } | Operation::Replace(_, condition) => condition.clone(),
                _ => return,
            };
            let (partition_key, row_key) =
                (self.operation.partition_key().to_owned(), self.operation.row_key().to_owned());
            self.operation = match stub(own.design, kept) {
                Some(properties) => {
                    Operation::Replace(Entity { partition_key, row_key, properties }, condition)
                }
                None => Operation::Delete { partition_key, row_key, condition },
            };
            return;
        }
        let design = own.design;
        if let Some(properties) = properties_mut(&mut self.operation) {
            for name in design.fed_names() {
                properties.remove(name);
            }
            let last = properties.remove(ENTITY_TYPE);
            for (name, value) in kept {
                properties.push_new(name.clone(), value.clone());
            }
            // It is written last.
            if let Some(entity_type) = last {
                properties.push_new(ENTITY_TYPE, entity_type);
            }
        }
    }

    /// Of an insert: takes over the row that is there without its entity.
    pub(super) fn take_over(&mut self, row: Option<SinkRow>) {
        let (Some(own), Operation::Insert(entity)) = (&mut self.own, &self.operation) else { return };
        own.takes_over = row.as_ref().is_none_or(|row| row.is_stub);
        own.kept = Some(row.as_ref().map(|row| row.kept(own.design)).unwrap_or_default());
        let Some(row) = row.filter(|row| row.is_stub) else { return };
        self.operation = Operation::Replace(entity.clone(), Condition::Matches(row.etag));
    }

    /// A merge cannot take a value away: it becomes a replace of all that the row holds.
    pub(super) async fn keep_less(&mut self, tables: &Tables, kept: &Properties) -> Result<(), Error> {
        let is_gone = |own: &OwnSink| {
            let before = own.kept.iter().flatten();
            before.map(|(name, _)| name).any(|name| kept.get(name).is_none())
        };
        if !matches!(self.operation, Operation::Merge(..)) || !self.own.as_ref().is_some_and(is_gone) {
            return Ok(());
        }
        let Some(row) = SinkRow::read(tables, &self.address()).await? else { return Ok(()) };
        // What the row holds is sealed already: only what the patch brings must be.
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
