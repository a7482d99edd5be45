use table_schema::Mistake;

/// Error of deriving an entity's rows from its design alone. Nothing was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DesignError {
    /// The design does not contain the entity.
    #[error("the design has no entity `{entity}`; it has {}", known.join(", "))]
    NoSuchEntity {
        /// Requested name.
        entity: String,
        /// Names of the existing entities.
        known: Vec<String>,
    },
    /// The design violates rules. Contains the first violation.
    #[error("the design of `{entity}` has a mistake: {mistake}")]
    Mistake {
        /// Name of the entity type.
        entity: String,
        /// The rule violation.
        mistake: Box<Mistake>,
    },
    /// The design does not specify the type of a key field.
    #[error("`{field}` is in the key of `{entity}`, and its type is not known")]
    NoType {
        /// Name of the entity type.
        entity: String,
        /// Name of the field.
        field: String,
    },
    /// The entity type has several tables, spread keys, or several rows for each entity. No rows are derived from it.
    #[error(
        "`{entity}` has a table for each period, spread keys or several rows for one entity: nothing is derived from it"
    )]
    Spread {
        /// Name of the entity type.
        entity: String,
    },
}
