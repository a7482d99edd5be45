//! Names of the properties of a field that is stored in several of them, built at compile time: `_src_manager`, then
//! `manager_id` and so on for a copy, `address_city` and so on for a nested struct.

/// Suffixes of the names of a field's properties. `None` if the field is a single property.
pub(crate) type Ends = Option<&'static [Option<&'static str>]>;

/// Prefix of the property that identifies the source entity of a copy.
const MARKER: &str = "_src_";

/// The name of a field, and the suffixes of the names of its properties.
#[derive(Clone, Copy, Debug)]
pub struct JoinedNames {
    field: &'static str,
    /// Prefix of a first name, which ends with the name of the field.
    marker: Option<&'static str>,
    ends: &'static [Option<&'static str>],
}

impl JoinedNames {
    /// Creates the names of a copy, or no names for a field that is a single property.
    pub const fn copied(field: &'static str, ends: Ends) -> Self {
        match ends {
            None => Self { field, marker: None, ends: &[] },
            Some(ends) => Self { field, marker: Some(MARKER), ends },
        }
    }

    /// Creates the names of a nested struct.
    pub const fn flattened(field: &'static str, ends: &'static [Option<&'static str>]) -> Self {
        Self { field, marker: None, ends }
    }

    /// Returns the number of properties.
    pub const fn count(self) -> usize {
        self.ends.len() + if self.marker.is_some() { 1 } else { 0 }
    }

    /// Returns the total length of all names in bytes.
    pub const fn length(self) -> usize {
        let (mut length, mut rest) = (self.marked(), self.ends);
        while let [end, after @ ..] = rest {
            length += self.joined(*end);
            rest = after;
        }
        length
    }

    /// Concatenates all names.
    pub const fn spell<const LENGTH: usize>(self) -> [u8; LENGTH] {
        let (mut names, mut at, mut rest) = ([b'_'; LENGTH], self.marked(), self.ends);
        if let Some(marker) = self.marker {
            write(&mut names, 0, marker);
            write(&mut names, marker.len(), self.field);
        }
        while let [end, after @ ..] = rest {
            write(&mut names, at, self.field);
            write(&mut names, at + self.field.len() + 1, text(*end));
            at += self.joined(*end);
            rest = after;
        }
        names
    }

    /// Splits the concatenated names into strings.
    #[expect(
        clippy::indexing_slicing,
        reason = "every index is below its length, or the program does not compile"
    )]
    pub const fn split<const COUNT: usize>(self, spelt: &'static [u8]) -> [&'static str; COUNT] {
        let (mut names, mut ends, mut rest) = ([""; COUNT], self.ends, spelt);
        let mut number = 0;
        while number < COUNT {
            let length = match (number, self.marker, ends) {
                (0, Some(_), _) => self.marked(),
                (_, _, [end, others @ ..]) => {
                    ends = others;
                    self.joined(*end)
                }
                (_, _, []) => 0,
            };
            let (name, after) = rest.split_at(length);
            // The bytes are always valid UTF-8, so no name stays empty. The service would reject an empty name.
            if let Ok(name) = std::str::from_utf8(name) {
                names[number] = name;
            }
            (number, rest) = (number + 1, after);
        }
        names
    }

    /// Returns the length of the first name, if the names have a marker.
    const fn marked(self) -> usize {
        match self.marker {
            Some(marker) => marker.len() + self.field.len(),
            None => 0,
        }
    }

    /// Returns the length of a name: the field, an underscore and the suffix.
    const fn joined(self, end: Option<&'static str>) -> usize {
        self.field.len() + 1 + text(end).len()
    }
}

/// Returns whether each name has at most 255 UTF-16 units, the limit of the service.
pub const fn are_short(mut names: &[&str]) -> bool {
    const LONGEST: usize = 255;
    while let [name, after @ ..] = names {
        if units(name) > LONGEST {
            return false;
        }
        names = after;
    }
    true
}

/// Counts UTF-16 units: one for each character, two for those of four bytes in UTF-8.
const fn units(name: &str) -> usize {
    let (mut units, mut rest) = (0, name.as_bytes());
    while let [byte, after @ ..] = rest {
        units += match byte {
            0x80..=0xBF => 0,
            0xF0..=0xFF => 2,
            _ => 1,
        };
        rest = after;
    }
    units
}

const fn text(end: Option<&'static str>) -> &'static str {
    match end {
        Some(end) => end,
        None => "",
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "every index is below its length, or the program does not compile"
)]
const fn write(names: &mut [u8], at: usize, text: &str) {
    let (mut rest, mut at) = (text.as_bytes(), at);
    while let [byte, after @ ..] = rest {
        names[at] = *byte;
        (at, rest) = (at + 1, after);
    }
}

/// Creates a constant with these names.
#[doc(hidden)]
#[macro_export]
macro_rules! __joined {
    ($names:expr) => {
        &$names.split::<{ $names.count() }>(const { &$names.spell::<{ $names.length() }>() })
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDS: &[Option<&str>] = &[Some("id"), Some("größe"), Some("e")];

    #[test]
    fn names_of_a_copy_start_with_that_of_its_source() {
        const NAMES: &[&str] = __joined!(JoinedNames::copied("boss", Some(ENDS)));
        assert_eq!(NAMES, ["_src_boss", "boss_id", "boss_größe", "boss_e"]);
    }

    #[test]
    fn names_of_a_nested_struct_start_with_its_field() {
        const NAMES: &[&str] = __joined!(JoinedNames::flattened("größe", ENDS));
        assert_eq!(NAMES, ["größe_id", "größe_größe", "größe_e"]);
    }

    #[test]
    fn a_name_has_at_most_255_units() {
        for name in ["", "city", "größe", "\u{10330}\u{10331}", "e\u{301}"] {
            assert_eq!(units(name), name.encode_utf16().count(), "{name}");
        }
        let name = "n".repeat(255);
        assert!(are_short(&[&name, "city"]));
        assert!(!are_short(&["city", &format!("{name}n")]));
    }

    #[test]
    fn a_field_that_is_one_property_has_no_other_names() {
        const NAMES: &[&str] = __joined!(JoinedNames::copied("boss", None));
        assert_eq!(NAMES, [""; 0]);
    }
}
