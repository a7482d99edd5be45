use crate::IndexState;

/// Operation that the registry of indexes rejects. Nothing was sent, and nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// The table contains rows, and the entity type is not registered, so its indexes may be incomplete.
    #[error(
        "table `{table}` has rows, but `{entity}` is not in the registry; call \
         `tables.register::<{entity}>()` to register its indexes as readable; run `verify` first if other \
         clients wrote the rows"
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
    /// The index is registered with a different definition under the same name.
    #[error(
        "index `{index}` of `{entity}` is registered with a different definition; add the new index under \
         another name, then drop this one"
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
    /// Some entities cannot have a row in the index.
    #[error(
        "{count} entities cannot have a row in index `{index}` of `{entity}`, the first: {first}; repair \
         them, then retry"
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
    /// The handle has no registry.
    #[error("this handle has no registry; create it with `Tables::with_registry`")]
    None,
}

fn reason(state: Option<IndexState>, index: &str) -> String {
    state.map_or_else(
        || format!("it was not added; call `tables.add_index(\"{index}\")`"),
        |state| format!("it is {state} and may be incomplete"),
    )
}

impl From<RegistryError> for crate::Error {
    fn from(error: RegistryError) -> Self {
        Self::Registry(Box::new(error))
    }
}
