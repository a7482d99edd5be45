//! Reference to a blob, stored as JSON in the property of the value.

use serde::{Deserialize, Serialize};
use table_model::{Name, RowRef, ValueRef};

use super::digest::{Digest, from_hex, hex};

/// A reference, and the property that contains it.
pub(crate) type Named = (Name, Reference);

/// Name of a blob, and length and hash of its contents.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Reference {
    pub(crate) name: String,
    pub(crate) digest: Digest,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    blob: String,
    length: u64,
    sha256: String,
}

impl Reference {
    /// Returns the value of the property.
    pub(crate) fn text(&self) -> String {
        let Self { name, digest: Digest { length, sha256 } } = self;
        let text = Text { blob: name.clone(), length: *length, sha256: hex(sha256) };
        serde_json::to_string(&text).unwrap_or_default()
    }

    /// Parses a reference. Returns `None` for any other string.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let Text { blob, length, sha256 } = serde_json::from_str(text).ok()?;
        Some(Self { name: blob, digest: Digest { length, sha256: from_hex(&sha256)? } })
    }

    /// Returns the reference in a property. Returns `None` for any other string, usually by checking its first bytes.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        text.starts_with(r#"{"blob":""#).then(|| Self::parse(text)).flatten()
    }

    /// Returns an iterator over all references of a row, with their properties.
    pub(crate) fn all_in(row: RowRef<'_>) -> impl Iterator<Item = (&str, Self)> {
        row.properties.iter().filter_map(|(name, value)| match value {
            ValueRef::String(text) => Some((name, Self::of_text(text)?)),
            _ => None,
        })
    }

    /// Returns all references of a row.
    pub(crate) fn named_in(row: RowRef<'_>) -> Vec<Named> {
        Self::all_in(row).map(|(property, reference)| (property.to_owned().into(), reference)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_read_as_it_is_written() {
        let reference = Reference { name: "employees/1/2/photo/t".into(), digest: Digest::of(b"abc") };
        assert_eq!(
            reference.text(),
            r#"{"blob":"employees/1/2/photo/t","length":3,"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}"#
        );
        assert_eq!(Reference::parse(&reference.text()), Some(reference));
        for other in ["", "{}", "photo", r#"{"blob":"x","length":3,"sha256":"00"}"#] {
            assert_eq!(Reference::parse(other), None, "{other}");
        }
    }
}
