//! The meanings of all keys.

mod assumed;
mod stored;

/// A table of a design file.
pub(super) struct Section {
    /// Its path in an example; empty for the top level.
    pub(super) table: &'static str,
    /// Its path in general.
    pub(super) title: &'static str,
    pub(super) about: &'static str,
    pub(super) keys: &'static [(&'static str, Meaning)],
}

/// What the reader does not state about a key.
pub(super) struct Meaning {
    pub(super) default: &'static str,
    pub(super) text: &'static str,
    /// The argument of the derive.
    pub(super) derive: &'static str,
    /// Type and example, if the reader states none.
    pub(super) ty: &'static str,
    pub(super) example: &'static str,
}

const fn key(default: &'static str, text: &'static str, derive: &'static str) -> Meaning {
    Meaning { default, text, derive, ty: "", example: "" }
}

const fn typed(
    (ty, example): (&'static str, &'static str),
    default: &'static str,
    text: &'static str,
    derive: &'static str,
) -> Meaning {
    Meaning { default, text, derive, ty, example }
}

const ABOUT: (&str, Meaning) = ("about", key("", "a description", "the doc comment"));
/// A description that only the file contains.
const NOTE: (&str, Meaning) = ("about", key("", "a description", ""));

pub(super) const HEAD: &str = "\
# Reference of the design language

All keys of [design files](schema.md). Keys, types and examples are generated from the reader, so this page is complete; a
test compares it with the reader. *derive* is the argument of `#[derive(TableEntity)]` with the same effect, and `no` if
the key exists only in design files.

Names that start with `x-` are reserved for other programs and are ignored. An unknown key is an error (`D004`), a value of
another type is `D005`, and a number outside of its range is `D024`.
";

pub(super) const TAIL: &str = "
Types of fields, conditions, rates, time spans and sizes are described in [Design files](schema.md#types).
";

/// All tables, in the order of the page.
pub(super) const SECTIONS: [&[Section]; 2] = [stored::SECTIONS, assumed::SECTIONS];
