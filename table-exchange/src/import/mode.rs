use table_store::{Condition, Entity, Operation};

/// What is done with an entity that is there, and with one that is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Only new ones are written; one that is there is refused.
    Insert,
    /// Only those that are there are written, in place of what they were.
    Replace,
    /// Only those that are there are written; what the line does not say stays.
    Merge,
    /// All are written, in place of what was there.
    #[default]
    Upsert,
    /// All are written; what the line does not say stays.
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
