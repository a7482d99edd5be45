//! Property names of a copy, built at compile time: `_src_manager`, then `manager_id` and so on.

use super::CopiedFields;
use crate::{Projection, TableEntity};

/// Suffixes of the names of a field's properties. `None` if the field is a single property.
pub type Ends = Option<&'static [Option<&'static str>]>;

/// Prefix of the property that identifies the source entity.
const MARKER: &str = "_src_";

/// Returns the number of properties of a copy.
pub const fn count(ends: Ends) -> usize {
    match ends {
        None => 0,
        Some(ends) => ends.len() + 1,
    }
}

/// Returns the total length of all names in bytes.
pub const fn length(field: &str, ends: Ends) -> usize {
    let Some(mut rest) = ends else { return 0 };
    let mut length = MARKER.len() + field.len();
    while let [end, after @ ..] = rest {
        length += field.len() + 1 + text(*end).len();
        rest = after;
    }
    length
}

/// Concatenates all names.
pub const fn spell<const LENGTH: usize>(field: &str, ends: Ends) -> [u8; LENGTH] {
    let mut names = [b'_'; LENGTH];
    let Some(mut rest) = ends else { return names };
    write(&mut names, 0, MARKER);
    write(&mut names, MARKER.len(), field);
    let mut at = MARKER.len() + field.len();
    while let [end, after @ ..] = rest {
        write(&mut names, at, field);
        at += field.len() + 1;
        write(&mut names, at, text(*end));
        at += text(*end).len();
        rest = after;
    }
    names
}

/// Splits the concatenated names into strings.
#[expect(
    clippy::indexing_slicing,
    reason = "every index is below its length, or the program does not compile"
)]
pub const fn names<const COUNT: usize>(
    spelt: &'static [u8],
    field: &str,
    ends: Ends,
) -> [&'static str; COUNT] {
    let mut names = [""; COUNT];
    let (Some(mut ends), mut rest) = (ends, spelt) else { return names };
    let (mut number, mut length) = (0, MARKER.len() + field.len());
    while number < COUNT {
        let (name, after) = rest.split_at(length);
        // The bytes are always valid UTF-8, so no name stays empty. The service would reject an empty name.
        if let Ok(name) = std::str::from_utf8(name) {
            names[number] = name;
        }
        if let [end, others @ ..] = ends {
            length = field.len() + 1 + text(*end).len();
            ends = others;
        }
        (number, rest) = (number + 1, after);
    }
    names
}

/// Returns whether every field of a copy is a readable property that its own entity writes. A field that is maintained
/// for another entity cannot be copied further.
pub(super) const fn are_plain<P: CopiedFields>() -> bool {
    let mut rest = P::NAMES;
    while let [name, after @ ..] = rest {
        match name {
            Some(name) if !<<P as Projection>::Of as TableEntity>::DESIGN.is_fed(name) => {}
            _ => return false,
        }
        rest = after;
    }
    true
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

/// Creates a constant with the names of the properties that a field is copied to. Empty for a field that is a single
/// property. Generated code is `__copied!("manager", Option<Manager>)`.
#[doc(hidden)]
#[macro_export]
macro_rules! __copied {
    ($field:literal, $ty:ty) => {
        const {
            #[allow(unused_imports)]
            use $crate::__private::OneValue as _;
            &$crate::__private::copied_names::names::<
                { $crate::__private::copied_names::count(<$crate::__private::Fed<$ty>>::NAMES) },
            >(
                const {
                    &$crate::__private::copied_names::spell::<
                        {
                            $crate::__private::copied_names::length(
                                $field,
                                <$crate::__private::Fed<$ty>>::NAMES,
                            )
                        },
                    >($field, <$crate::__private::Fed<$ty>>::NAMES)
                },
                $field,
                <$crate::__private::Fed<$ty>>::NAMES,
            )
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDS: Ends = Some(&[Some("id"), Some("größe"), Some("e")]);

    #[test]
    fn names_say_the_field_and_what_is_copied() {
        const LENGTH: usize = length("boss", ENDS);
        const SPELT: &[u8; LENGTH] = &spell::<LENGTH>("boss", ENDS);
        let names = names::<{ count(ENDS) }>(SPELT, "boss", ENDS);
        assert_eq!(names, ["_src_boss", "boss_id", "boss_größe", "boss_e"]);
    }

    #[test]
    fn a_field_that_is_one_property_has_no_other_names() {
        assert_eq!((count(None), length("boss", None)), (0, 0));
        assert_eq!(names::<0>(&[], "boss", None), [""; 0]);
    }
}
