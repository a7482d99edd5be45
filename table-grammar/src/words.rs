//! The arguments of `#[table(...)]`, and the diagnostics for unknown arguments.

use table_schema::{catalogue::Code, design::Place, rules};

use crate::errors::{coded, mistake};

/// The arguments on a struct.
pub(crate) const ENTITY: Level = Level {
    place: "the struct",
    words: &[
        "name",
        "partition",
        "row",
        "rename_all",
        "entity_type",
        "version",
        "from",
        "aliases",
        "deny",
        "allow",
        "index",
        "lookup",
        "counted_in",
        "summed_in",
        "max_in",
        "min_in",
        "copied_to",
        "shard",
        "wide",
        "archive",
        "names",
        "methods",
        "crate",
    ],
};

/// The arguments on a field.
pub(crate) const FIELD: Level = Level {
    place: "a field",
    words: &[
        "rename",
        "skip",
        "default",
        "json",
        "store",
        "keep",
        "max",
        "series",
        "encrypt",
        "from_source",
        "blob",
        "inline",
    ],
};

/// Arguments of planned patterns, which are reported as not supported yet instead of as a typing error.
const LATER: &[(&str, &str)] = &[
    ("flatten", "remove it, and declare the fields of the inner struct here, or use #[table(json)]"),
    ("as", "remove it, and store the field as `String` or `i64`, in a newtype with #[derive(TableValue)]"),
    ("test", "remove it, and test the round trip yourself"),
    ("retired", "remove it: an older version needs only its struct and #[table(version = ..)]"),
];

/// The position of an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    place: &'static str,
    words: &'static [&'static str],
}

impl Level {
    /// Creates a level, for the attributes of the smaller derives.
    pub(crate) const fn new(place: &'static str, words: &'static [&'static str]) -> Self {
        Self { place, words }
    }

    /// Returns the diagnostic for an argument that is not allowed at this level.
    pub(crate) fn refuse(self, path: &syn::Path, owner: &syn::Ident) -> syn::Error {
        let Some(word) = path.get_ident().map(ToString::to_string) else {
            return self
                .unknown(path, &path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default());
        };
        if let Some((_, instead)) = LATER.iter().find(|(later, _)| *later == word) {
            return mistake(path, format!("`{word}` is not supported yet"), instead);
        }
        for other in [ENTITY, FIELD] {
            let is_entity = [ENTITY.place, FIELD.place].contains(&self.place);
            if is_entity && other.place != self.place && other.words.contains(&word.as_str()) {
                return self.misplaced(path, &word, other, owner);
            }
        }
        self.unknown(path, &word)
    }

    fn misplaced(self, path: &syn::Path, word: &str, other: Self, owner: &syn::Ident) -> syn::Error {
        let message = format!("`{word}` belongs to {}, not to {}", other.place, self.place);
        let help = if other.place == ENTITY.place {
            format!("move it above `struct {owner}`")
        } else {
            "move it above the field".to_owned()
        };
        coded(Code::D036, path, message, help)
    }

    fn unknown(self, path: &syn::Path, word: &str) -> syn::Error {
        if self.words.is_empty() {
            let help = format!("remove it: no attributes apply to {}", self.place);
            return coded(Code::D004, path, format!("unknown attribute `{word}`"), help);
        }
        let known: Vec<&str> =
            self.words.iter().copied().chain(LATER.iter().map(|(word, _)| *word)).collect();
        let mut found = rules::unknown_word(Place::Entity, word, &known);
        if found.help.as_ref().is_some_and(|help| help.starts_with("supported: ")) {
            // Without a similar argument, list the supported ones.
            found = rules::unknown_word(Place::Entity, word, self.words);
        }
        syn::Error::new_spanned(path, found.with_code())
    }
}
