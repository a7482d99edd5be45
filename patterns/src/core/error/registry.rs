use crate::{Address, IndexState, MoveState};

/// Operation that the registry of indexes rejects. Nothing was sent, and nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// The table contains rows of the entity type, which is not registered, so its indexes may be incomplete.
    #[error(
        "table `{table}` has rows of `{entity}`, which is not in the registry; call \
         `tables.register::<{entity}>()`, which returns the indexes without rows; add them with `add_index`"
    )]
    NotRegistered {
        /// Name of the entity type.
        entity: &'static str,
        /// Name of its table.
        table: &'static str,
    },
    /// Another version of the program maintains an index that is not defined in this program. Writes of this program
    /// would be missing in that index.
    #[error(
        "`{entity}` has an index `{index}` ({state}) that this program does not define; this program can \
         read, but writes require a program that defines the index"
    )]
    SchemaTooOld {
        /// Name of the entity type.
        entity: &'static str,
        /// Name of the index.
        index: String,
        /// State of the index.
        state: IndexState,
    },
    /// The version of the entity is being retired, or is retired, so that programs may only write newer versions.
    #[error(
        "`{entity}` is written in version {required} or newer, and this program writes version {version}; this program \
         can read, but writes require a program of version {required}: deploy it"
    )]
    VersionTooOld {
        /// Name of the entity type.
        entity: String,
        /// Version of the entity in this program.
        version: u32,
        /// Lowest version that programs may write.
        required: u32,
    },
    /// Rows of older versions remain, so the versions cannot be retired.
    #[error(
        "the versions of `{entity}` before {version} cannot be retired because of {count} rows, the first: {first}; then \
         retry"
    )]
    VersionsLeft {
        /// Name of the entity type.
        entity: String,
        /// Lowest version that is to remain.
        version: u32,
        /// Number of listed rows.
        count: usize,
        /// Description of the first row, with the remedy.
        first: String,
    },
    /// The versions are retired: programs can rely on their absence, so they cannot be written again.
    #[error(
        "the versions of `{entity}` before {version} are retired, so programs cannot write them again; deploy programs of \
         version {version}"
    )]
    Retired {
        /// Name of the entity type.
        entity: String,
        /// Lowest version that remains.
        version: u32,
    },
    /// The rows of the entity contain no `EntityType`, so no version of them can be retired.
    #[error("rows of `{entity}` contain no `EntityType`, so they have no version that could be retired")]
    NoVersions {
        /// Name of the entity type.
        entity: String,
    },
    /// The registry does not contain the entity, so it cannot reject writers of older versions.
    #[error(
        "`{entity}` is not in the registry, so writers of older versions cannot be rejected; use `Tables::with_registry` \
         in all programs, and call `tables.register::<{entity}>()`"
    )]
    Unregistered {
        /// Name of the entity type.
        entity: String,
    },
    /// Another version of the program records the changes of the entity, and this program does not. Writes of this
    /// program would be missing in the change feed.
    #[error(
        "the changes of `{entity}` are recorded, and this program does not record them; this program can read, but \
         writes require `#[table(changes)]`"
    )]
    ChangesNotRecorded {
        /// Name of the entity type.
        entity: &'static str,
    },
    /// A row of the registry exists and cannot be read: it is damaged, or a newer version of the library wrote it. It is
    /// not treated as missing, because that would allow writes that it may reject.
    #[error(
        "the registry row {row} cannot be read: `{property}` is {found}, expected {expected}; programs can read, but \
         writes are rejected; if a newer version of the library wrote the row, deploy programs with this version; \
         otherwise restore the row from a backup"
    )]
    Unreadable {
        /// Address of the row.
        row: Box<Address>,
        /// Name of the property.
        property: &'static str,
        /// Description of the value.
        found: String,
        /// Description of a valid value.
        expected: &'static str,
    },
    /// The index is registered with a different definition under the same name.
    #[error(
        "index `{index}` of `{entity}` is registered with a different definition; declare the new one under \
         another name next to this one, add it, then drop this one; `tables diff` prints the steps"
    )]
    Differs {
        /// Name of the entity type.
        entity: &'static str,
        /// Name of the index.
        index: &'static str,
    },
    /// The index may be incomplete.
    #[error("index `{index}` of `{entity}` cannot be read: {}", reason(*state, index))]
    NotReadable {
        /// Name of the entity type.
        entity: &'static str,
        /// Name of the index.
        index: &'static str,
        /// State of the index. `None` if adding the index was not started.
        state: Option<IndexState>,
    },
    /// Writers do not maintain the rows of the index, so rows that a job wrote would become stale.
    #[error("rows of index `{index}` of `{entity}` are not maintained: {}", remedy(*state, index))]
    NotMaintained {
        /// Name of the entity type.
        entity: &'static str,
        /// Name of the index.
        index: &'static str,
        /// State of the index. `None` if adding the index was not started.
        state: Option<IndexState>,
    },
    /// The index cannot be added while it is being removed.
    #[error("index `{index}` of `{entity}` is {state}; complete `drop_index`, then add the index")]
    Goes {
        /// Name of the entity type.
        entity: &'static str,
        /// Name of the index.
        index: &'static str,
        /// State of the index.
        state: IndexState,
    },
    /// Some entities cannot have a row in the index, or rows at its keys may be entities and are not deleted with it.
    #[error(
        "index `{index}` of `{entity}` cannot be changed because of {count} entities or rows, the first: {first}; repair, \
         move or delete them, then retry"
    )]
    Stuck {
        /// Name of the entity type.
        entity: &'static str,
        /// Name of the index.
        index: &'static str,
        /// Number of listed entities.
        count: usize,
        /// Description of the first entity.
        first: String,
    },
    /// The entities of the type move to other keys, and a program that ignores the move could write a second one.
    #[error(
        "the entities of `{entity}` move to other keys; use `tables.moving::<{to}>()`, which reads and writes by key; the \
         indexes can be read again when the migration is complete"
    )]
    Moving {
        /// Name of the entity type.
        entity: &'static str,
        /// Name of the type that the entities move to.
        to: String,
    },
    /// The entities of the type move to other keys, and this program does not know the other type, so it cannot
    /// determine the entity that has a unique value.
    #[error(
        "entities of `{entity}` move to other keys, and this program does not know the other type; call \
         `tables.moving::<..>()` of the new type before writes and before the worker starts"
    )]
    UnknownMove {
        /// Name of the entity type.
        entity: &'static str,
    },
    /// The conversion of an entity changes its value in a unique index, so the entity cannot be moved.
    #[error(
        "the old and the new form of {address} have different values in the unique index `{index}`; keep the value \
         in the conversion, and change it before or after the move"
    )]
    ValueChanged {
        /// Address by the old key.
        address: Box<Address>,
        /// Name of the index.
        index: &'static str,
    },
    /// The old and the new key of an entity do not determine each other, so the entity cannot be moved.
    #[error(
        "the old key that belongs to the new key {to} is not {from}; change the conversions of the keys, so that          each determines the other"
    )]
    NotReversible {
        /// Address by the old key.
        from: Box<Address>,
        /// Address by the new key.
        to: Box<Address>,
    },
    /// Another entity is at the new key, or at the old key of a new entity.
    #[error("{from} cannot be moved, because another entity is at {to}; delete one of them, then retry")]
    KeyTaken {
        /// Address by the old key.
        from: Box<Address>,
        /// Address by the new key.
        to: Box<Address>,
    },
    /// The entity has one key in both types of a move, and its row cannot be replaced in place, because a type has indexes
    /// or a change feed.
    #[error(
        "the old and the new key of {address} are equal, and a type of the move has indexes or `changes`; give the new \
         type another table or another form of the row key"
    )]
    SameKey {
        /// Address by both keys.
        address: Box<Address>,
    },
    /// The step is not possible in this state of a move.
    #[error("{step} is not possible while the move of `{entity}` is {state}: {reason}")]
    MoveState {
        /// Name of the new entity type.
        entity: &'static str,
        /// State of the move.
        state: MoveState,
        /// The step.
        step: &'static str,
        /// The reason, and the remedy.
        reason: &'static str,
    },
    /// Some entities cannot be moved.
    #[error("{count} entities of `{entity}` cannot be moved, the first: {first}; repair them, then retry")]
    MoveStuck {
        /// Name of the old entity type.
        entity: &'static str,
        /// Number of listed entities.
        count: usize,
        /// Description of the first entity.
        first: String,
    },
    /// The handle has no registry.
    #[error("this handle has no registry; create it with `Tables::with_registry`")]
    None,
}

fn reason(state: Option<IndexState>, index: &str) -> String {
    state.map_or_else(
        || format!("it was not added; call `tables.add_index::<E>(\"{index}\")`"),
        |state| format!("it is {state} and may be incomplete"),
    )
}

fn remedy(state: Option<IndexState>, index: &str) -> String {
    match state {
        None => format!(
            "it was not added; use `tables.add_index::<E>(\"{index}\")` or `tables migrate`, which write its rows"
        ),
        Some(IndexState::DeleteOnly) => {
            "it is being added; complete `add_index`, which writes its rows".to_owned()
        }
        Some(state) => format!("it is {state}; complete `drop_index`, which deletes its rows"),
    }
}

impl From<RegistryError> for crate::Error {
    fn from(error: RegistryError) -> Self {
        Self::Registry(Box::new(error))
    }
}
