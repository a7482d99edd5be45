//! Relations between entities.

/// How the entities of two kinds belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// Its name.
    pub name: String,
    /// A sentence about it.
    pub about: Option<String>,
    /// What kind it is.
    pub kind: RelationKind,
    /// The entity that is the parent.
    pub from: String,
    /// The entity that is the child.
    pub to: String,
    /// A field of the parent, and the child's that has the same value.
    pub on: Vec<(String, String)>,
    /// Whether parent and children are written in one transaction.
    pub atomic: bool,
    /// The children of a parent, on average.
    pub many: Option<f64>,
    /// The children of a parent, at most.
    pub most: Option<u64>,
}

/// A kind of relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelationKind {
    /// `one-to-many`
    OneToMany,
    /// `one-to-one`
    OneToOne,
    /// `join`: on the client's side.
    Join,
}

impl RelationKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::OneToMany, Self::OneToOne, Self::Join];

    /// How it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OneToMany => "one-to-many",
            Self::OneToOne => "one-to-one",
            Self::Join => "join",
        }
    }
}
