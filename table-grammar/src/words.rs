//! The diagnostics for unknown arguments of `#[table(...)]`.

use table_schema::{catalogue::Code, design::Place, rules};

use crate::{
    errors::{coded, mistake},
    parse::{entity, field},
};

/// Arguments of planned patterns, which are reported as not supported yet instead of as a typing error.
const LATER: &[(&str, &str)] = &[
    ("as", "remove it, and store the field as `String` or `i64`, in a newtype with #[derive(TableValue)]"),
    ("test", "remove it, and test the round trip yourself"),
    ("retired", "remove it: an older version needs only its struct and #[table(version = ..)]"),
];

/// The position of arguments, and their names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    place: &'static str,
    words: &'static [&'static str],
}

impl Level {
    /// Creates a level.
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
        let levels = [entity::LEVEL, field::LEVEL];
        let is_entity = levels.iter().any(|level| level.place == self.place);
        for other in levels {
            if is_entity && other.place != self.place && other.words.contains(&word.as_str()) {
                return self.misplaced(path, &word, other, owner);
            }
        }
        self.unknown(path, &word)
    }

    fn misplaced(self, path: &syn::Path, word: &str, other: Self, owner: &syn::Ident) -> syn::Error {
        let message = format!("`{word}` belongs to {}, not to {}", other.place, self.place);
        let help = if other.place == entity::LEVEL.place {
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
