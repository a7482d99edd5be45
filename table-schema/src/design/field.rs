//! A field of an entity.

use super::BlobDesign;

/// A field, as a front end said it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word that a field has or has not")]
pub struct FieldDesign {
    /// Its name, as templates write it.
    pub name: String,
    /// The name of its property; the reader has applied `rename`, `rename_all` and serde's two.
    pub property: String,
    /// What is known of its type, `Option` taken off.
    pub kind: FieldKind,
    /// Whether it may be absent.
    pub optional: bool,
    /// Not stored at all.
    pub skip: bool,
    /// Stored as a property even where a key gives it back.
    pub store: bool,
    /// Sealed before it is stored.
    pub encrypted: bool,
    /// Several properties, one for each slot.
    pub series: Option<Series>,
    /// A nested struct, stored as several properties; how many cannot be seen.
    pub flatten: bool,
    /// Maintained from another entity: read here, set by nobody.
    pub from_source: bool,
    /// The value where the property is absent, as written.
    pub default: Option<String>,
    /// A sentence about it.
    pub about: Option<String>,
    /// Of a blob: what it holds. A derive does not see it.
    pub blob: Option<BlobDesign>,
}

impl FieldDesign {
    /// A plain field whose property has its name.
    pub fn new(name: impl Into<String>, kind: FieldKind) -> Self {
        let name = name.into();
        Self {
            property: name.clone(),
            name,
            kind,
            optional: false,
            skip: false,
            store: false,
            encrypted: false,
            series: None,
            flatten: false,
            from_source: false,
            default: None,
            about: None,
            blob: None,
        }
    }
}

/// The slots of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Series {
    /// So many.
    Slots(usize),
    /// As many as a const path says, which a front end cannot evaluate.
    Unknown,
}

impl Series {
    /// The digits of a slot's number: as many as the greatest one needs. None where the count is not known.
    pub fn digits(self) -> Option<usize> {
        match self {
            Self::Slots(slots) => Some(slots.saturating_sub(1).to_string().len()),
            Self::Unknown => None,
        }
    }

    /// Whether what follows a series' name and an underscore is one of its slots. A series of a length that is not known
    /// may have any.
    fn has_slot(self, number: &str) -> bool {
        let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
        match self {
            Self::Unknown => is_number,
            Self::Slots(slots) => {
                let slot = number.parse::<usize>();
                is_number && Some(number.len()) == self.digits() && slot.is_ok_and(|slot| slot < slots)
            }
        }
    }
}

impl FieldDesign {
    /// Whether a property of this name is one of the slots of this field.
    pub(crate) fn has_slot(&self, property: &str) -> bool {
        let rest = property.strip_prefix(self.property.as_str()).and_then(|rest| rest.strip_prefix('_'));
        self.series.zip(rest).is_some_and(|(series, number)| series.has_slot(number))
    }
}

/// What is known of a field's type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldKind {
    /// Text of at most `max` UTF-16 units, where a bound is given.
    Text {
        /// The bound.
        max: Option<usize>,
    },
    /// A truth value.
    Bool,
    /// An integer.
    Int {
        /// 8 to 128.
        bits: u8,
        /// Whether it can be negative.
        signed: bool,
    },
    /// A float.
    Float {
        /// 32 or 64.
        bits: u8,
    },
    /// A moment, to 100 ns.
    Time,
    /// A day.
    Date,
    /// An id of 16 bytes.
    Guid,
    /// Bytes.
    Binary {
        /// The most bytes, where a bound is given.
        max: Option<usize>,
    },
    /// Anything serde can write, as text.
    Json {
        /// The most UTF-16 units, where a bound is given.
        max: Option<usize>,
    },
    /// One of a few words; empty where the words cannot be seen.
    Enum {
        /// The words as they are stored.
        variants: Vec<String>,
    },
    /// Bytes kept in a blob beside the row.
    Blob,
    /// An alias or a newtype: a macro sees only its name. The format in the template decides.
    Unknown,
}

impl FieldKind {
    /// The longest text of it in a key, in UTF-16 units; `None` for what is no text, or has no bound.
    pub fn longest_text(&self) -> Option<usize> {
        match self {
            Self::Text { max } => *max,
            Self::Enum { variants } => variants.iter().map(|variant| crate::key::units(variant)).max(),
            _ => None,
        }
    }

    /// The service's name for the type that it is stored as; `None` where it cannot be seen.
    pub const fn edm(&self) -> Option<&'static str> {
        Some(match self {
            Self::Text { .. } | Self::Json { .. } | Self::Enum { .. } | Self::Blob => "Edm.String",
            Self::Bool => "Edm.Boolean",
            Self::Int { bits: ..=16, .. } | Self::Int { bits: 32, signed: true } => "Edm.Int32",
            Self::Int { bits: ..=64, .. } => "Edm.Int64",
            Self::Float { .. } => "Edm.Double",
            Self::Time | Self::Date => "Edm.DateTime",
            Self::Guid => "Edm.Guid",
            Self::Binary { .. } => "Edm.Binary",
            Self::Int { .. } | Self::Unknown => return None,
        })
    }

    /// The kind in a sentence: "`x` is text".
    pub(crate) const fn described(&self) -> &'static str {
        match self {
            Self::Text { .. } => "text",
            Self::Bool => "a truth value",
            Self::Int { signed: true, .. } => "a signed integer",
            Self::Int { .. } => "an unsigned integer",
            Self::Float { .. } => "a float",
            Self::Time => "a time",
            Self::Date => "a date",
            Self::Guid => "an id",
            Self::Binary { .. } => "binary",
            Self::Json { .. } => "JSON",
            Self::Enum { .. } => "an enum",
            Self::Blob => "a blob",
            Self::Unknown => "of a type that cannot be seen here",
        }
    }
}
