use std::fmt;

/// What a design says and nobody can judge without the entity's type or its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unjudged {
    /// What is left alone: an index, a lookup, or a field that others keep.
    pub name: String,
    /// Why.
    pub why: WhyUnjudged,
}

/// Why something is left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhyUnjudged {
    /// Its rows hold a field that is encrypted, and the handle has no keys.
    Encrypted {
        /// The field.
        field: String,
    },
    /// Its rows would hold a field that is in a blob.
    InBlob {
        /// The field.
        field: String,
    },
    /// Its rows would hold a field that others keep.
    KeptByOthers {
        /// The field.
        field: String,
    },
    /// The design does not say the type of a field, or how many slots it has.
    NoType {
        /// The field.
        field: String,
    },
    /// A field has a default of its own.
    Default {
        /// The field.
        field: String,
    },
    /// It takes in only some entities, and the design does not say by which values of fields.
    Condition,
    /// It is made of other entities.
    Total {
        /// Which.
        of: String,
    },
}

impl fmt::Display for Unjudged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.name, self.why)
    }
}

impl fmt::Display for WhyUnjudged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encrypted { field } => write!(f, "its rows hold `{field}`, which is encrypted"),
            Self::InBlob { field } => write!(f, "its rows would hold `{field}`, which is in a blob"),
            Self::KeptByOthers { field } => write!(f, "its rows would hold `{field}`, which others keep"),
            Self::NoType { field } => write!(f, "the type of `{field}` is not known"),
            Self::Default { field } => write!(f, "only the program knows the default of `{field}`"),
            Self::Condition => f.write_str("only the program knows which entities it takes in"),
            Self::Total { of } => write!(f, "it is made of `{of}`, whose program knows what counts"),
        }
    }
}
