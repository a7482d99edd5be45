use table_model::{Condition, Entity, Operation};

/// The write operation of an import, for existing and for missing entities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Inserts new entities and rejects existing entities.
    Insert,
    /// Replaces existing entities and rejects missing entities.
    Replace,
    /// Merges into existing entities and rejects missing entities. Properties that the line does not contain are kept.
    Merge,
    /// Inserts missing entities and replaces existing entities. This is the default.
    #[default]
    Upsert,
    /// Inserts missing entities and merges into existing entities. Properties that the line does not contain are kept.
    UpsertMerge,
}

impl Mode {
    pub(super) const fn operation(self, entity: Entity) -> Operation {
        match self {
            Self::Insert => Operation::Insert(entity),
            Self::Replace => Operation::Replace(entity, Condition::Exists),
            Self::Merge => Operation::Merge(entity, Condition::Exists),
            Self::Upsert => Operation::InsertOrReplace(entity),
            Self::UpsertMerge => Operation::InsertOrMerge(entity),
        }
    }
}
