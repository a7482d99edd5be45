//! Types of fields as words of design files: `u32`, `string(40)`, `enum(open, done)`.

use super::FieldKind;

impl FieldKind {
    /// Returns the type as a word of a design file. A type that is unknown is `string`, the content of a blob `binary`.
    ///
    /// ```
    /// # use table_schema::design::FieldKind;
    /// assert_eq!(FieldKind::Int { bits: 32, signed: false }.word(), "u32");
    /// assert_eq!(FieldKind::from_word("string", Some(40)), Some(FieldKind::Text { max: Some(40) }));
    /// ```
    pub fn word(&self) -> String {
        let bound = |max: &Option<usize>| max.map(|max| format!("({max})")).unwrap_or_default();
        match self {
            Self::Bool => "bool".to_owned(),
            Self::Int { bits, signed } => format!("{}{bits}", if *signed { 'i' } else { 'u' }),
            Self::Float { bits } => format!("f{bits}"),
            Self::Time => "datetime".to_owned(),
            Self::Date => "date".to_owned(),
            Self::Guid => "guid".to_owned(),
            Self::Binary { max } => format!("binary{}", bound(max)),
            Self::Json { max } => format!("json{}", bound(max)),
            Self::Enum { variants } => format!("enum({})", variants.join(", ")),
            Self::Blob => "binary".to_owned(),
            Self::Text { max } => format!("string{}", bound(max)),
            Self::Unknown => "string".to_owned(),
        }
    }

    /// Returns the type without a maximum length.
    #[must_use]
    pub fn unbounded(&self) -> Self {
        match self {
            Self::Text { .. } => Self::Text { max: None },
            Self::Binary { .. } => Self::Binary { max: None },
            Self::Json { .. } => Self::Json { max: None },
            kind => kind.clone(),
        }
    }

    /// Returns the type that a word of a design file names, except enums. `max` is the number in parentheses.
    pub fn from_word(word: &str, max: Option<usize>) -> Option<Self> {
        Some(match word {
            "datetime" => Self::Time,
            "date" => Self::Date,
            "guid" => Self::Guid,
            "binary" => Self::Binary { max },
            "json" => Self::Json { max },
            "string" => Self::Text { max },
            word => return Self::primitive(word),
        })
    }

    /// Returns the type that has this name in Rust and in design files.
    pub fn primitive(name: &str) -> Option<Self> {
        let int = |bits, signed| Self::Int { bits, signed };
        Some(match name {
            "bool" => Self::Bool,
            "u8" => int(8, false),
            "u16" => int(16, false),
            "u32" => int(32, false),
            "u64" => int(64, false),
            "i8" => int(8, true),
            "i16" => int(16, true),
            "i32" => int(32, true),
            "i64" => int(64, true),
            "f32" => Self::Float { bits: 32 },
            "f64" => Self::Float { bits: 64 },
            _ => return None,
        })
    }
}
