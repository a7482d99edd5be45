use crate::IndexState;

/// What the registry of indexes refuses. Nothing was sent, and nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// The table has rows, and nobody has said yet whether the indexes have theirs.
    #[error(
        "table `{table}` has rows, and the registry does not know `{entity}`: `tables.register::<{entity}>()` takes its \
         indexes as they are; run `verify` before, if others wrote them"
    )]
    NotRegistered {
        /// The entity.
        entity: &'static str,
        /// Its table.
        table: &'static str,
    },
    /// Another version of the program keeps an index that this one does not know: what it wrote would be missing there.
    #[error(
        "`{entity}` has an index `{index}` ({state}) that this program does not know; it may read, but a program that \
         knows the index must write"
    )]
    SchemaTooOld {
        /// The entity.
        entity: &'static str,
        /// The index.
        index: String,
        /// How far it has come.
        state: IndexState,
    },
    /// An index is kept in another form under the same name.
    #[error(
        "index `{index}` of `{entity}` is kept in another form: give the new one another name, add that, then drop this"
    )]
    Differs {
        /// The entity.
        entity: &'static str,
        /// The index.
        index: &'static str,
    },
    /// An index may not have all its rows.
    #[error("index `{index}` of `{entity}` cannot be read: {}", why(*state, index))]
    NotReadable {
        /// The entity.
        entity: &'static str,
        /// The index.
        index: &'static str,
        /// How far it has come; none if it was not begun.
        state: Option<IndexState>,
    },
    /// An index cannot come in while it goes.
    #[error("index `{index}` of `{entity}` is {state}: run `drop_index` to its end, then add it")]
    Goes {
        /// The entity.
        entity: &'static str,
        /// The index.
        index: &'static str,
        /// How far it has gone.
        state: IndexState,
    },
    /// Some entities cannot have a row in an index.
    #[error(
        "{count} entities cannot have a row in index `{index}` of `{entity}`, the first: {first}; mend them, and run it again"
    )]
    Stuck {
        /// The entity.
        entity: &'static str,
        /// The index.
        index: &'static str,
        /// How many were listed.
        count: usize,
        /// One of them.
        first: String,
    },
    /// The handle has no registry.
    #[error("this handle goes by no registry; make it with `Tables::with_registry`")]
    None,
}

fn why(state: Option<IndexState>, index: &str) -> String {
    state.map_or_else(
        || format!("it was not added yet; `tables.add_index(\"{index}\")` does"),
        |state| format!("it is {state}, and may not have all its rows"),
    )
}

impl From<RegistryError> for crate::Error {
    fn from(error: RegistryError) -> Self {
        Self::Registry(Box::new(error))
    }
}
