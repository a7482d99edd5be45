//! The arguments of an entity on its struct.

use syn::{Attribute, Ident, LitStr, Path, ext::IdentExt, meta::ParseNestedMeta};
use table_schema::{design::ChangesDesign, static_design::Aggregate, suggest::closest};

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
    pub(crate) expires: Slot<Ident>,
    pub(crate) soft_delete: Slot<Ident>,
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

/// The arguments that `take` accepts.
pub(crate) const LEVEL: Level = Level::new(
    "the struct",
    &[
        "name",
        "partition",
        "row",
        "rename_all",
        "entity_type",
        "version",
        "oldest",
        "from",
        "aliases",
        "borrowed",
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
        "changes",
        "expires",
        "soft_delete",
        "validate",
        "names",
        "methods",
        "crate",
    ],
);

impl EntityWords {
    fn take(&mut self, name: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<bool> {
        match name {
            "name" => self.name.set(meta, text(meta, "name = \"Employees\"")?)?,
            "partition" => self.partition.set(meta, text(meta, "partition = \"{department}\"")?)?,
            "row" => self.row.set(meta, text(meta, "row = \"{id:06}\"")?)?,
            "rename_all" => {
                let case = text(meta, "rename_all = \"PascalCase\"")?;
                self.rename_all.set(meta, Case::parse(&case)?)?;
            }
            "entity_type" => self.entity_type.set(meta, entity_type(meta)?)?,
            "version" => self.version.set(meta, number(meta, "version = 2")?)?,
            "oldest" => self.oldest.set(meta, number(meta, "oldest = 2")?)?,
            "wide" => {
                let most = number(meta, "wide = 200")?;
                self.wide.set(meta, usize::try_from(most).unwrap_or(usize::MAX))?;
            }
            "from" => self.from.set(meta, one(meta, "from(EmployeeV1)")?)?,
            "aliases" => self.aliases.set(meta, list(meta, "aliases(\"Employee_v1\")")?)?,
            "borrowed" => self.borrowed.set(meta, ())?,
            "deny" => each_inner_word(meta, &["table_scan"], "deny(table_scan)", |name, meta| {
                if name == "table_scan" {
                    self.deny_table_scan.set(meta, ()).map(|()| true)
                } else {
                    Ok(false)
                }
            })?,
            "allow" => each_inner_word(meta, &["append_only"], "allow(append_only)", |name, meta| {
                if name == "append_only" {
                    self.allow_append_only.set(meta, ()).map(|()| true)
                } else {
                    Ok(false)
                }
            })?,
            "index" => self.indexes.push(IndexInput::read(meta)?),
            "lookup" => self.lookups.push(LookupInput::read(meta)?),
            "counted_in" => self.feeds.push(FeedInput::read(meta, Aggregate::Count)?),
            "summed_in" => self.feeds.push(FeedInput::read(meta, Aggregate::Sum)?),
            "max_in" => self.feeds.push(FeedInput::read(meta, Aggregate::Max)?),
            "min_in" => self.feeds.push(FeedInput::read(meta, Aggregate::Min)?),
            "copied_to" => self.feeds.push(FeedInput::read(meta, Aggregate::Copy)?),
            "shard" => {
                let shard = ShardInput::read(meta);
                self.misread_shard |= shard.is_err();
                self.shard.set(meta, shard?)?;
            }
            "archive" => self.archive.set(meta, text(meta, "archive = \"FormerEmployees\"")?)?,
            "changes" => self.changes.set(meta, changes::read(meta)?)?,
            "expires" => self.expires.set(meta, value(meta, "expires = ends")?)?,
            "soft_delete" => self.soft_delete.set(meta, value(meta, "soft_delete = deleted")?)?,
            "validate" => self.validate.set(meta, value(meta, "validate = function_name")?)?,
            "names" => self.names.read(meta)?,
            "methods" => self.methods.read(meta)?,
            "crate" => self.krate.set(meta, value(meta, "crate = ::table_patterns")?)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the name of an argument of the struct, if present.
    pub(crate) fn word(&self, name: &str) -> Option<&Ident> {
        match name {
            "name" => self.name.word(),
            "partition" => self.partition.word(),
            "row" => self.row.word(),
            "version" => self.version.word(),
            "oldest" => self.oldest.word(),
            "shard" => self.shard.word(),
            "wide" => self.wide.word(),
            "from" => self.from.word(),
            "archive" => self.archive.word(),
            "changes" => self.changes.word(),
            "expires" => self.expires.word(),
            "soft_delete" => self.soft_delete.word(),
            "entity_type" => self.entity_type.word(),
            _ => None,
        }
    }
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
