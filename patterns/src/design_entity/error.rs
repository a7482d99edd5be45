use table_schema::RuleViolation;

/// Error of deriving an entity's rows from its design alone. Nothing was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DesignError {
    /// The design does not contain the entity.
    #[error("the design does not contain the entity `{entity}`; existing entities: {}", known.join(", "))]
    NoSuchEntity {
        /// Requested name.
        entity: String,
        /// Names of the existing entities.
        known: Vec<String>,
    },
    /// The design violates rules. Contains the first violation.
    #[error("the design of `{entity}` violates a rule: {mistake}")]
    RuleViolation {
        /// Name of the entity type.
        entity: String,
        /// The rule violation.
        mistake: Box<RuleViolation>,
    },
    /// The design does not specify the type of a key field.
    #[error("the key of `{entity}` contains `{field}`, but the design does not specify its type")]
    NoType {
        /// Name of the entity type.
        entity: String,
        /// Name of the field.
        field: String,
    },
    /// The design does not declare what a sweep requires.
    #[error("`{entity}` does not declare `{word}`; add the key, with the field that contains the time")]
    NotDeclared {
        /// Name of the entity type.
        entity: String,
        /// The missing key of the design.
        word: &'static str,
    },
    /// The design does not specify all that is deleted with an entity.
    #[error(
        "`{entity}` cannot be deleted by its design alone: {part}; run the sweep in a program with its type"
    )]
    Undeletable {
        /// Name of the entity type.
        entity: String,
        /// The part of the entity that would remain.
        part: String,
    },
    /// The design does not specify all that is written with an entity.
    #[error("`{entity}` cannot be written by its design alone: {part}; write it in a program with its type")]
    Unwritable {
        /// Name of the entity type.
        entity: String,
        /// The part of the entity that would be missing.
        part: String,
    },
    /// The design does not determine the tables of the entity type.
    #[error("the design does not determine the tables of `{entity}`; specify their names")]
    Spread {
        /// Name of the entity type.
        entity: String,
    },
}
