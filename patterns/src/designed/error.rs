use table_schema::Mistake;

/// Why an entity cannot be looked at by its design alone. Nothing was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DesignError {
    /// The design has no such entity.
    #[error("the design has no entity `{entity}`; it has {}", known.join(", "))]
    NoSuchEntity {
        /// What was asked for.
        entity: String,
        /// The entities that there are.
        known: Vec<String>,
    },
    /// The design has mistakes: the first of them.
    #[error("the design of `{entity}` has a mistake: {mistake}")]
    Mistake {
        /// The entity.
        entity: String,
        /// What is wrong with it.
        mistake: Box<Mistake>,
    },
    /// The design does not say the type of a field of the entity's key.
    #[error("`{field}` is in the key of `{entity}`, and its type is not known")]
    NoType {
        /// The entity.
        entity: String,
        /// The field.
        field: String,
    },
    /// Entities of several tables, or of several rows each: no rows are derived from them.
    #[error(
        "`{entity}` has a table for each period, spread keys or several rows for one entity: nothing is derived from it"
    )]
    Spread {
        /// The entity.
        entity: String,
    },
}
