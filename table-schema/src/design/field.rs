//! The design of a field.

use super::{BlobDesign, EntityDesign};
use crate::toml_text::text;

/// A field as declared by a front end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word that a field has or has not")]
pub struct FieldDesign {
    /// The name used in templates.
    pub name: String,
    /// The property name, with `rename`, `rename_all` and the two serde equivalents applied.
    pub property: String,
    /// The type, if it can be determined, without `Option`.
    pub kind: FieldKind,
    /// The property name in the previous version of the entity, if it was renamed. Only `table_designs::evolution`
    /// uses it.
    pub was: Option<String>,
    /// `true` if the value may be absent.
    pub optional: bool,
    /// The variants that require the value, for a field of an enum that is stored as several properties. Such a field is
    /// optional, because other variants do not have it.
    pub required_if: Option<RequiredIf>,
    /// `true` if the field is not stored.
    pub skip: bool,
    /// `true` if the field is stored as a property even if a key contains it.
    pub store: bool,
    /// `true` if the value is encrypted before it is stored.
    pub encrypted: bool,
    /// The slots, if the field is stored as one property per slot.
    pub series: Option<Series>,
    /// `true` for a nested struct that is stored as several properties. Their number is unknown.
    pub flatten: bool,
    /// The struct that contains the field in code, if the struct is stored as several properties.
    pub part_of: Option<PartOf>,
    /// `true` if the value is maintained from another entity: callers read it and do not set it.
    pub from_source: bool,
    /// The time that the library sets, if it sets the field.
    pub stamp: Option<Stamp>,
    /// The value used if the property is absent, as written.
    pub default: Option<String>,
    /// The description.
    pub about: Option<String>,
    /// The blob options, for a blob field.
    pub blob: Option<BlobDesign>,
}

impl FieldDesign {
    /// The default of the derive's `default` without a function.
    pub const DEFAULT_OF_TYPE: &str = "Default::default()";

    /// Returns the call of the function that returns the default, such as `quota()`. Strings of design files are quoted.
    #[must_use]
    pub fn default_function(&self) -> Option<&str> {
        let default = self.default.as_deref()?;
        let is_call = !default.starts_with('"') && default.ends_with("()");
        (is_call && default != Self::DEFAULT_OF_TYPE).then_some(default)
    }

    /// Returns the path of the function that returns the default, such as `quota`.
    #[must_use]
    pub fn default_path(&self) -> Option<&str> {
        self.default_function()?.strip_suffix("()")
    }

    /// Returns the word that is the default of an enum.
    #[must_use]
    pub fn default_word(&self) -> Option<&str> {
        let FieldKind::Enum { variants } = &self.kind else { return None };
        let default = self.default.as_deref()?;
        variants.iter().map(String::as_str).find(|word| text(word) == default)
    }

    /// Creates a plain field whose property has the same name.
    pub fn new(name: impl Into<String>, kind: FieldKind) -> Self {
        let name = name.into();
        Self {
            property: name.clone(),
            name,
            kind,
            was: None,
            optional: false,
            required_if: None,
            skip: false,
            store: false,
            encrypted: false,
            series: None,
            flatten: false,
            part_of: None,
            from_source: false,
            stamp: None,
            default: None,
            about: None,
            blob: None,
        }
    }
}

/// A field of a nested struct, in the code of the entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartOf {
    /// The field with the struct.
    pub field: String,
    /// The type of the struct, as written.
    pub rust_type: String,
    /// The name of the field in the struct.
    pub inner: String,
}

/// The variants of an enum that require a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequiredIf {
    /// The property that contains the tag of the variant.
    pub tag: String,
    /// The tags of these variants, sorted.
    pub words: Vec<String>,
}

impl RequiredIf {
    /// Creates the requirement of the variants with these tags.
    pub fn new<W: Into<String>>(tag: impl Into<String>, words: impl IntoIterator<Item = W>) -> Self {
        let mut words: Vec<String> = words.into_iter().map(Into::into).collect();
        words.sort();
        Self { tag: tag.into(), words }
    }

    /// Returns whether rows of `entity` can contain one of the variants, except those in `other`.
    pub fn applies_to(&self, entity: &EntityDesign, other: Option<&Self>) -> bool {
        let mut tags = entity.fields.iter().filter(|field| field.property == self.tag);
        tags.any(|tag| match &tag.kind {
            FieldKind::Enum { variants } => self.words.iter().any(|word| {
                variants.contains(word) && !other.is_some_and(|other| other.words.contains(word))
            }),
            _ => false,
        })
    }
}

/// A time that the library sets when an entity is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stamp {
    /// The time of the insert.
    Created,
    /// The time of the last write.
    Updated,
}

impl Stamp {
    /// All stamps.
    pub const ALL: [Self; 2] = [Self::Created, Self::Updated];

    /// Returns the attribute.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
        }
    }
}

/// The slots of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Series {
    /// A fixed number of slots.
    Slots(usize),
    /// A number that a const path determines and the front end cannot evaluate.
    Unknown,
}

impl Series {
    /// Returns the number of digits of a slot number, determined by the greatest slot, or `None` if the number of slots
    /// is unknown.
    pub fn digits(self) -> Option<usize> {
        match self {
            Self::Slots(slots) => Some(slots.saturating_sub(1).to_string().len()),
            Self::Unknown => None,
        }
    }

    /// Returns whether `number`, the part of a property name after the series name and an underscore, is a slot number.
    /// A series of unknown length accepts any slot number.
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
    /// Returns whether a property with this name is a slot of this field.
    #[must_use]
    pub fn has_slot(&self, property: &str) -> bool {
        let rest = property.strip_prefix(self.property.as_str()).and_then(|rest| rest.strip_prefix('_'));
        self.series.zip(rest).is_some_and(|(series, number)| series.has_slot(number))
    }
}

/// The type of a field, if it can be determined.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldKind {
    /// Text of at most `max` UTF-16 units, if bounded.
    Text {
        /// The maximum length.
        max: Option<usize>,
    },
    /// A boolean.
    Bool,
    /// An integer.
    Int {
        /// The width in bits, 8 to 128.
        bits: u8,
        /// `true` for a signed type.
        signed: bool,
    },
    /// A float.
    Float {
        /// The width in bits, 32 or 64.
        bits: u8,
    },
    /// A point in time with a resolution of 100 ns.
    Time,
    /// A calendar day.
    Date,
    /// A GUID of 16 bytes.
    Guid,
    /// Bytes.
    Binary {
        /// The maximum number of bytes, if bounded.
        max: Option<usize>,
    },
    /// Any serde value, stored as JSON text.
    Json {
        /// The maximum length in UTF-16 units, if bounded.
        max: Option<usize>,
    },
    /// One of several words. Empty if the words are unknown.
    Enum {
        /// The words as stored.
        variants: Vec<String>,
    },
    /// Bytes stored in a blob alongside the row.
    Blob,
    /// An alias or a newtype, of which a macro sees only the name. The format in the template determines the encoding.
    Unknown,
}

impl FieldKind {
    /// Returns the maximum length of its text in a key, in UTF-16 units, or `None` for other types and unbounded text.
    pub fn longest_text(&self) -> Option<usize> {
        match self {
            Self::Text { max } => *max,
            Self::Enum { variants } => variants.iter().map(|variant| crate::key::units(variant)).max(),
            _ => None,
        }
    }

    /// Returns the EDM type of the stored property, or `None` if it is unknown.
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

    /// Returns the type as used in a sentence: "`x` is text".
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
