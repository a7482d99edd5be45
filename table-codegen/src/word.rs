//! The arguments of an entity in a design file: `wide`, `shard`, `[entity.NAME.index.NAME]`. Each has a file, which
//! contains its reader, its writer, its code generation and its part of the design hash. A new argument requires one
//! file and one line in [`WORDS`].

mod aliases;
mod archive;
mod changes;
mod embed;
mod entity_type;
mod fields;
mod index;
mod keep;
mod lookup;
mod role;
mod shard;
mod templates;
pub(crate) mod total;
mod validate;
mod wide;

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::{Value, json};
use table_designs::schema::Schema;
use table_schema::{catalogue::Code, design::EntityDesign};

use crate::{
    diagnostic::Found,
    generate::{Context, names::ident},
    hash,
    read::{
        keys::Keys,
        names,
        tree::{Entry, Table},
    },
    write::lines::{Lines, text},
};

/// An argument of an entity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    /// Requests and reads its keys. The entry is the entity.
    pub(crate) read: fn(&mut EntityDesign, &mut Keys<'_>, &Entry, &mut Vec<Found>),
    /// Checks its names of entities and fields. The table is the table of the entity.
    pub(crate) resolve: fn(&Table, &EntityDesign, &Schema, &mut Vec<Found>),
    /// Writes its lines, or nothing for the default.
    pub(crate) write: fn(&EntityDesign, &mut Lines),
    /// Returns its parts of the design hash. An argument that is added later must return no part if it is absent, so
    /// that the hashes of existing designs do not change.
    pub(crate) hash: fn(&EntityDesign) -> Vec<(&'static str, Value)>,
    /// Returns a sentence for the documentation of the struct.
    pub(crate) sentence: fn(&EntityDesign) -> Option<String>,
    /// Generates the contents of `#[table(..)]` attributes of the struct.
    pub(crate) attributes: fn(&Context<'_>, &EntityDesign) -> Vec<TokenStream>,
    /// Generates fields of the struct.
    pub(crate) fields: fn(&Context<'_>, &EntityDesign) -> Vec<TokenStream>,
    /// Generates functions that decide about rows.
    pub(crate) conditions: fn(&Context<'_>, &EntityDesign) -> Vec<TokenStream>,
}

impl Word {
    /// An argument without effect.
    const NONE: Self = Self {
        read: |_, _, _, _| (),
        resolve: |_, _, _, _| (),
        write: |_, _| (),
        hash: |_| Vec::new(),
        sentence: |_| None,
        attributes: |_, _| Vec::new(),
        fields: |_, _| Vec::new(),
        conditions: |_, _| Vec::new(),
    };
}

/// All arguments in reading order, which is visible in the help for unknown keys. The numbers are the positions of
/// their lines in a written file and of their generated code.
const WORDS: [(Word, u8, u8); 15] = [
    (templates::WORD, 0, 0),
    (keep::WORD, 1, 1),
    (wide::WORD, 3, 5),
    (entity_type::WORD, 4, 2),
    (aliases::WORD, 5, 3),
    (shard::WORD, 2, 4),
    (fields::WORD, 9, 6),
    (index::WORD, 10, 7),
    (lookup::WORD, 11, 8),
    (embed::WORD, 12, 10),
    (total::WORD, 13, 9),
    (archive::WORD, 14, 11),
    (changes::WORD, 6, 12),
    (role::WORD, 7, 13),
    (validate::WORD, 8, 14),
];

/// Returns all arguments in reading order.
pub(crate) fn all() -> impl Iterator<Item = Word> {
    WORDS.into_iter().map(|(word, ..)| word)
}

/// Returns all arguments in the order of the lines of a file.
pub(crate) fn in_file() -> impl Iterator<Item = Word> {
    sorted(|(_, line, _)| *line)
}

/// Returns all arguments in the order of generated code.
pub(crate) fn in_code() -> impl Iterator<Item = Word> {
    sorted(|(.., code)| *code)
}

fn sorted(position: fn(&(Word, u8, u8)) -> u8) -> impl Iterator<Item = Word> {
    let mut words = WORDS;
    words.sort_by_key(position);
    words.into_iter().map(|(word, ..)| word)
}
