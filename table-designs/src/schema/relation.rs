//! Relations between entities.

/// A relation between two entities.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// The name.
    pub name: String,
    /// The description.
    pub about: Option<String>,
    /// The kind of the relation.
    pub kind: RelationKind,
    /// The parent entity.
    pub from: String,
    /// The child entity.
    pub to: String,
    /// Pairs of a parent field and the child field with the same value.
    pub on: Vec<(String, String)>,
    /// `true` if the parent and its children are written in one transaction.
    pub atomic: bool,
    /// The average number of children per parent.
    pub many: Option<f64>,
    /// The maximum number of children per parent.
    pub most: Option<u64>,
}

/// A kind of relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelationKind {
    /// `one-to-many`
    OneToMany,
    /// `one-to-one`
    OneToOne,
    /// `join`: performed by the client.
    Join,
}

impl RelationKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::OneToMany, Self::OneToOne, Self::Join];

    /// Returns the kind as written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OneToMany => "one-to-many",
            Self::OneToOne => "one-to-one",
            Self::Join => "join",
        }
    }
}
