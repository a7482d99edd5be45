use crate::design::FieldKind;

/// The type of the values of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueKind {
    /// A boolean.
    Bool,
    /// An integer.
    Int {
        /// The width in bits.
        bits: u8,
        /// `true` for a signed type.
        signed: bool,
    },
    /// A float.
    Float {
        /// The width in bits.
        bits: u8,
    },
    /// A point in time.
    Time,
    /// A calendar day.
    Date,
    /// A GUID.
    Guid,
    /// Bytes.
    Binary,
    /// Text.
    Text,
    /// JSON text.
    Json,
    /// One of these words.
    Words(&'static [&'static str]),
}

impl ValueKind {
    /// Returns the kind of an integer of so many bits.
    #[expect(clippy::cast_possible_truncation, reason = "a type has at most 128 bits")]
    pub const fn int(bits: u32, signed: bool) -> Self {
        Self::Int { bits: bits as u8, signed }
    }
}

/// The type of a property, as the compiler knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredType {
    /// The stored name.
    pub name: &'static str,
    /// The type of its values.
    pub kind: ValueKind,
    /// `true` if the type itself may be absent: a newtype of an `Option`.
    pub optional: bool,
}

impl StoredType {
    /// Creates the type of a JSON property.
    pub const fn json(name: &'static str) -> Self {
        Self { name, kind: ValueKind::Json, optional: false }
    }
}

impl From<ValueKind> for FieldKind {
    fn from(kind: ValueKind) -> Self {
        match kind {
            ValueKind::Bool => Self::Bool,
            ValueKind::Int { bits, signed } => Self::Int { bits, signed },
            ValueKind::Float { bits } => Self::Float { bits },
            ValueKind::Time => Self::Time,
            ValueKind::Date => Self::Date,
            ValueKind::Guid => Self::Guid,
            ValueKind::Binary => Self::Binary { max: None },
            ValueKind::Text => Self::Text { max: None },
            ValueKind::Json => Self::Json { max: None },
            ValueKind::Words(words) => {
                Self::Enum { variants: words.iter().map(|&word| word.to_owned()).collect() }
            }
        }
    }
}
