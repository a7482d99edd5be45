//! TOML as a tree in file order, with the location of each key and value.

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::source::Spot;

/// A table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) entries: Vec<Entry>,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) key: Spot,
    pub(crate) value: Value,
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) kind: Kind,
    /// The complete value, including quotes.
    pub(crate) spot: Spot,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A string. `is_plain` is `true` if the string contains no escapes, so that its offsets are offsets in the file.
    Text {
        text: String,
        is_plain: bool,
    },
    Integer(Option<i64>),
    Float(f64),
    Bool(bool),
    Date,
    List(Vec<Value>),
    Table(Table),
}

impl Kind {
    /// Returns the type as used in a sentence: "found an integer".
    pub(crate) const fn described(&self) -> &'static str {
        match self {
            Self::Text { .. } => "text",
            Self::Integer(_) => "an integer",
            Self::Float(_) => "a float",
            Self::Bool(_) => "a truth value",
            Self::Date => "a date",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}

impl Table {
    pub(crate) fn of(table: &DeTable<'_>, text: &str, file: usize) -> Self {
        let mut entries: Vec<Entry> = table
            .iter()
            .map(|(key, value)| Entry {
                name: key.get_ref().to_string(),
                key: Spot { file, range: key.span() },
                value: Value::of(value, text, file),
            })
            .collect();
        entries.sort_by_key(|entry| entry.key.range.start);
        Self { entries }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// Returns the entry at the end of a path of tables.
    pub(crate) fn find(&self, path: &[&str]) -> Option<&Entry> {
        let (last, tables) = path.split_last()?;
        let mut table = self;
        for name in tables {
            table = table.get(name)?.table()?;
        }
        table.get(last)
    }
}

impl Entry {
    pub(crate) const fn table(&self) -> Option<&Table> {
        match &self.value.kind {
            Kind::Table(table) => Some(table),
            _ => None,
        }
    }
}

impl Value {
    fn of(value: &Spanned<DeValue<'_>>, text: &str, file: usize) -> Self {
        let range = value.span();
        let kind = match value.get_ref() {
            DeValue::String(read) => {
                let raw = text.get(range.clone()).unwrap_or_default();
                let inner = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
                Kind::Text { text: read.to_string(), is_plain: inner == read.as_ref() && !read.is_empty() }
            }
            DeValue::Integer(number) => {
                Kind::Integer(i64::from_str_radix(number.as_str(), number.radix()).ok())
            }
            DeValue::Float(number) => Kind::Float(number.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(value) => Kind::Bool(*value),
            DeValue::Datetime(_) => Kind::Date,
            DeValue::Array(values) => {
                Kind::List(values.iter().map(|value| Self::of(value, text, file)).collect())
            }
            DeValue::Table(table) => Kind::Table(Table::of(table, text, file)),
        };
        Self { kind, spot: Spot { file, range } }
    }

    /// Returns the range to mark: for a plain string, its content between the quotation marks.
    pub(crate) fn inner(&self) -> Spot {
        let mut spot = self.spot.clone();
        if matches!(self.kind, Kind::Text { is_plain: true, .. }) {
            spot.range = spot.range.start + 1..spot.range.end.saturating_sub(1);
        }
        spot
    }

    /// Returns the range of some bytes of a string, or of the complete value if the string contains escapes.
    pub(crate) fn part(&self, bytes: &std::ops::Range<usize>) -> Spot {
        let mut spot = self.inner();
        if matches!(self.kind, Kind::Text { is_plain: true, .. }) {
            let (start, end) = (spot.range.start, spot.range.end);
            spot.range = (start + bytes.start).min(end)..(start + bytes.end).min(end);
        }
        spot
    }
}
