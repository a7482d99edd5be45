//! The arguments of an entity on its struct.

use syn::{Attribute, Ident, LitStr, Path, ext::IdentExt, meta::ParseNestedMeta};
use table_schema::{design::ChangesDesign, role::Role, static_design::Aggregate, suggest::closest};

use super::names::{Companions, Methods};
use crate::{
    errors::{Errors, mistake},
    parse::{
        attribute::{Slot, each_inner_word, each_word, list, number, text, value, word},
        case::Case,
        changes,
        feed::FeedInput,
        index::IndexInput,
        lookup::LookupInput,
        shard::ShardInput,
    },
    words::Level,
};

/// The arguments on the struct.
#[derive(Debug, Default)]
pub(crate) struct EntityWords {
    pub(crate) name: Slot<LitStr>,
    pub(crate) partition: Slot<LitStr>,
    pub(crate) row: Slot<LitStr>,
    pub(crate) rename_all: Slot<Case>,
    pub(crate) entity_type: Slot<EntityTypeWord>,
    pub(crate) version: Slot<u32>,
    pub(crate) oldest: Slot<u32>,
    pub(crate) wide: Slot<usize>,
    pub(crate) from: Slot<Path>,
    pub(crate) aliases: Slot<Vec<LitStr>>,
    pub(crate) borrowed: Slot<()>,
    pub(crate) deny_table_scan: Slot<()>,
    pub(crate) allow_append_only: Slot<()>,
    pub(crate) names: Companions,
    pub(crate) methods: Methods,
    pub(crate) krate: Slot<Path>,
    pub(crate) indexes: Vec<IndexInput>,
    pub(crate) lookups: Vec<LookupInput>,
    pub(crate) feeds: Vec<FeedInput>,
    pub(crate) shard: Slot<ShardInput>,
    pub(crate) archive: Slot<LitStr>,
    pub(crate) changes: Slot<ChangesDesign>,
    pub(crate) roles: [Slot<Ident>; Role::ALL.len()],
    pub(crate) validate: Slot<Path>,
    /// `true` if `shard` was present but invalid: then `{shard}` in a template is not reported as undeclared as well.
    pub(crate) misread_shard: bool,
    /// `true` if a required argument may be present but invalid: then it is not reported as missing as well.
    pub(crate) may_be_incomplete: bool,
}

/// `entity_type = none` or `entity_type = "Name"`.
#[derive(Clone, Debug)]
pub(crate) enum EntityTypeWord {
    None,
    Named(LitStr),
}

/// The required arguments of an entity.
const NEEDED: [&str; 3] = ["name", "partition", "row"];

impl EntityWords {
    pub(super) fn read(attributes: &[Attribute], owner: &Ident, errors: &mut Errors) -> Self {
        let mut words = Self::default();
        let mut misread = false;
        let is_whole = each_word(attributes, LEVEL, owner, errors, |name, meta| {
            let read = words.take(name, meta);
            misread |= match &read {
                Ok(true) => false,
                Ok(false) => closest(name, NEEDED).is_some(),
                Err(_) => NEEDED.contains(&name),
            };
            read
        });
        words.may_be_incomplete = misread || !is_whole;
        words
    }
}

/// An argument of the struct.
struct Argument {
    name: &'static str,
    take: fn(&mut EntityWords, &ParseNestedMeta<'_>) -> syn::Result<()>,
    /// Returns its name as written, if present.
    word: fn(&EntityWords) -> Option<&Ident>,
}

macro_rules! argument {
    // Its slot, and its value.
    ($name:literal, $slot:ident, |$meta:ident| $value:expr) => {
        Argument {
            name: $name,
            take: |words, $meta| {
                let value = $value;
                words.$slot.set($meta, value)
            },
            word: |words| words.$slot.word(),
        }
    };
    // An argument that can be repeated, or has arguments of its own.
    ($name:literal, |$words:ident, $meta:ident| $take:expr) => {
        Argument { name: $name, take: |$words, $meta| $take, word: |_| None }
    };
}

/// All arguments, besides the [roles](Role) of fields, in the order in which a message lists them.
const ARGUMENTS: [Argument; 27] = [
    argument!("name", name, |meta| text(meta, "name = \"Employees\"")?),
    argument!("partition", partition, |meta| text(meta, "partition = \"{department}\"")?),
    argument!("row", row, |meta| text(meta, "row = \"{id:06}\"")?),
    argument!("rename_all", rename_all, |meta| {
        let case = text(meta, "rename_all = \"PascalCase\"")?;
        Case::parse(&case)?
    }),
    argument!("entity_type", entity_type, |meta| entity_type(meta)?),
    argument!("version", version, |meta| number(meta, "version = 2")?),
    argument!("oldest", oldest, |meta| number(meta, "oldest = 2")?),
    argument!("from", from, |meta| one(meta, "from(EmployeeV1)")?),
    argument!("aliases", aliases, |meta| list(meta, "aliases(\"Employee_v1\")")?),
    argument!("borrowed", borrowed, |meta| ()),
    argument!("deny", |words, meta| flag(
        meta,
        &["table_scan"],
        "deny(table_scan)",
        &mut words.deny_table_scan
    )),
    argument!("allow", |words, meta| {
        flag(meta, &["append_only"], "allow(append_only)", &mut words.allow_append_only)
    }),
    argument!("index", |words, meta| IndexInput::read(meta).map(|index| words.indexes.push(index))),
    argument!("lookup", |words, meta| LookupInput::read(meta).map(|lookup| words.lookups.push(lookup))),
    argument!("counted_in", |words, meta| words.feed(meta, Aggregate::Count)),
    argument!("summed_in", |words, meta| words.feed(meta, Aggregate::Sum)),
    argument!("max_in", |words, meta| words.feed(meta, Aggregate::Max)),
    argument!("min_in", |words, meta| words.feed(meta, Aggregate::Min)),
    argument!("copied_to", |words, meta| words.feed(meta, Aggregate::Copy)),
    Argument {
        name: "shard",
        take: |words, meta| {
            let shard = ShardInput::read(meta);
            words.misread_shard |= shard.is_err();
            words.shard.set(meta, shard?)
        },
        word: |words| words.shard.word(),
    },
    argument!("wide", wide, |meta| {
        let most = number(meta, "wide = 200")?;
        usize::try_from(most).unwrap_or(usize::MAX)
    }),
    argument!("archive", archive, |meta| text(meta, "archive = \"FormerEmployees\"")?),
    argument!("changes", changes, |meta| changes::read(meta)?),
    argument!("validate", validate, |meta| value(meta, "validate = function_name")?),
    argument!("names", |words, meta| words.names.read(meta)),
    argument!("methods", |words, meta| words.methods.read(meta)),
    argument!("crate", krate, |meta| value(meta, "crate = ::table_patterns")?),
];

/// The number of arguments that a message lists before the roles.
const BEFORE_ROLES: usize = 23;

/// The names of all arguments.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const NAMES: [&str; ARGUMENTS.len() + Role::ALL.len()] = {
    let mut names = [""; ARGUMENTS.len() + Role::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = if at < BEFORE_ROLES {
            ARGUMENTS[at].name
        } else if at < BEFORE_ROLES + Role::ALL.len() {
            Role::ALL[at - BEFORE_ROLES].word()
        } else {
            ARGUMENTS[at - Role::ALL.len()].name
        };
        at += 1;
    }
    names
};

/// The arguments that `take` accepts.
pub(crate) const LEVEL: Level = Level::new("the struct", &NAMES);

impl EntityWords {
    fn take(&mut self, name: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<bool> {
        if let Some(argument) = ARGUMENTS.iter().find(|argument| argument.name == name) {
            (argument.take)(self, meta)?;
        } else if let Some((role, slot)) =
            Role::ALL.into_iter().zip(&mut self.roles).find(|(role, _)| role.word() == name)
        {
            slot.set(meta, value(meta, &format!("{name} = {}", role.example()))?)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn feed(&mut self, meta: &ParseNestedMeta<'_>, by: Aggregate) -> syn::Result<()> {
        self.feeds.push(FeedInput::read(meta, by)?);
        Ok(())
    }

    /// Returns the fields with a role.
    pub(crate) fn roles(&self) -> impl Iterator<Item = (Role, &Slot<Ident>)> {
        Role::ALL.into_iter().zip(&self.roles)
    }

    /// Returns the name of an argument of the struct, if present.
    pub(crate) fn word(&self, name: &str) -> Option<&Ident> {
        match ARGUMENTS.iter().find(|argument| argument.name == name) {
            Some(argument) => (argument.word)(self),
            None => self.roles().find(|(role, _)| role.word() == name)?.1.word(),
        }
    }
}

/// Parses an argument in parentheses that is set by its presence.
fn flag(
    meta: &ParseNestedMeta<'_>,
    known: &'static [&'static str],
    example: &str,
    slot: &mut Slot<()>,
) -> syn::Result<()> {
    each_inner_word(meta, known, example, |name, meta| {
        if known.contains(&name) { slot.set(meta, ()).map(|()| true) } else { Ok(false) }
    })
}

fn entity_type(meta: &ParseNestedMeta<'_>) -> syn::Result<EntityTypeWord> {
    let word = word(meta)?;
    let input = meta.value()?;
    if input.peek(LitStr) {
        return Ok(EntityTypeWord::Named(input.parse()?));
    }
    let given: Ident = input.call(Ident::parse_any)?;
    if given == "none" {
        return Ok(EntityTypeWord::None);
    }
    Err(mistake(
        &given,
        format!("`{word}` must be a string or `none`"),
        "write entity_type = \"Name\", or entity_type = none",
    ))
}

/// Parses a single value in parentheses.
fn one<T: syn::parse::Parse>(meta: &ParseNestedMeta<'_>, example: &str) -> syn::Result<T> {
    let mut all = list(meta, example)?;
    match (all.pop(), all.is_empty()) {
        (Some(only), true) => Ok(only),
        _ => Err(mistake(&meta.path, "one is expected here", format!("write {example}"))),
    }
}
