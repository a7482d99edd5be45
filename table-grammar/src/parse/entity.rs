//! Input of `#[derive(TableEntity)]`.

use syn::{
    Attribute, Data, DeriveInput, Fields, Ident, LitStr, Path, Visibility, ext::IdentExt,
    meta::ParseNestedMeta, punctuated::Punctuated,
};
use table_schema::{catalogue::Code, static_design::Aggregate, suggest::closest};

use crate::{
    errors::{Errors, coded, mistake},
    parse::{
        attribute::{Slot, each_inner_word, each_word, list, number, text, value, word},
        case::Case,
        feed::FeedInput,
        field::FieldInput,
        index::IndexInput,
        lookup::LookupInput,
        serde_words::SerdeWords,
        shard::ShardInput,
    },
    words,
};

/// A struct with named fields and its attributes, without decisions.
#[derive(Debug)]
pub(crate) struct EntityInput {
    pub(crate) visibility: Visibility,
    pub(crate) ident: Ident,
    pub(crate) words: EntityWords,
    pub(crate) serde: SerdeWords,
    pub(crate) fields: Vec<FieldInput>,
}

/// The arguments on the struct.
#[derive(Debug, Default)]
pub(crate) struct EntityWords {
    pub(crate) name: Slot<LitStr>,
    pub(crate) partition: Slot<LitStr>,
    pub(crate) row: Slot<LitStr>,
    pub(crate) rename_all: Slot<Case>,
    pub(crate) entity_type: Slot<EntityTypeWord>,
    pub(crate) version: Slot<u32>,
    pub(crate) wide: Slot<usize>,
    pub(crate) from: Slot<Path>,
    pub(crate) aliases: Slot<Vec<LitStr>>,
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
    /// `true` if `shard` was present but invalid: then `{shard}` in a template is not reported as undeclared as well.
    pub(crate) misread_shard: bool,
    /// `true` if a required argument may be present but invalid: then it is not reported as missing as well.
    pub(crate) may_be_incomplete: bool,
}

/// The required arguments of an entity.
const NEEDED: [&str; 3] = ["name", "partition", "row"];

/// `entity_type = none` or `entity_type = "Name"`.
#[derive(Clone, Debug)]
pub(crate) enum EntityTypeWord {
    None,
    Named(LitStr),
}

/// `names(key = .., patch = .., fields = ..)`.
#[derive(Debug, Default)]
pub(crate) struct Companions {
    pub(crate) key: Slot<Ident>,
    pub(crate) patch: Slot<Ident>,
    pub(crate) fields: Slot<Ident>,
}

/// `methods(point = .., rows = .., patch = .., scan_partition = ..)`.
#[derive(Debug, Default)]
pub(crate) struct Methods {
    pub(crate) point: Slot<Ident>,
    pub(crate) rows: Slot<Ident>,
    pub(crate) patch: Slot<Ident>,
    pub(crate) scan_partition: Slot<Ident>,
}

impl EntityInput {
    /// Parses the input. Returns `None` if it is not a struct with named fields.
    pub(crate) fn read(input: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let DeriveInput { attrs, vis, ident, generics, data } = input;
        let fields = errors.keep(named_fields(&ident, data));
        if !generics.params.is_empty() {
            errors.add_coded(
                Code::D034,
                &generics.params,
                format!("an entity cannot be generic: every `{}<..>` would be the same rows", ident.unraw()),
                "use one struct per type; for borrowed text use `String`",
            );
            return None;
        }
        let fields = fields?;
        let words = EntityWords::read(&attrs, &ident, errors);
        let serde = SerdeWords::read(&attrs, errors);
        let fields = fields.into_iter().map(|field| FieldInput::read(field, &ident, errors)).collect();
        Some(Self { visibility: vis, ident, words, serde, fields })
    }
}

fn named_fields(ident: &Ident, data: Data) -> syn::Result<Punctuated<syn::Field, syn::Token![,]>> {
    let shown = ident.unraw();
    match data {
        Data::Struct(data) => match data.fields {
            Fields::Named(fields) => Ok(fields.named),
            Fields::Unnamed(_) | Fields::Unit => Err(coded(
                Code::D034,
                ident,
                format!("`{shown}` is a struct without field names; an entity is a struct with named fields"),
                format!("properties have names: write `struct {shown} {{ id: u32 }}`"),
            )),
        },
        Data::Enum(_) => Err(coded(
            Code::D034,
            ident,
            format!("`{shown}` is an enum; an entity is a struct with named fields"),
            "several types in one table: TableUnion; as a property: TableValue",
        )),
        Data::Union(_) => Err(coded(
            Code::D034,
            ident,
            format!("`{shown}` is a union; an entity is a struct with named fields"),
            format!("write `struct {shown} {{ id: u32 }}`"),
        )),
    }
}

impl EntityWords {
    fn read(attributes: &[Attribute], owner: &Ident, errors: &mut Errors) -> Self {
        let mut words = Self::default();
        let mut misread = false;
        let is_whole = each_word(attributes, words::ENTITY, owner, errors, |name, meta| {
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
            "wide" => {
                let most = number(meta, "wide = 200")?;
                self.wide.set(meta, usize::try_from(most).unwrap_or(usize::MAX))?;
            }
            "from" => self.from.set(meta, one(meta, "from(EmployeeV1)")?)?,
            "aliases" => self.aliases.set(meta, list(meta, "aliases(\"Employee_v1\")")?)?,
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
            "names" => self.names.read(meta)?,
            "methods" => self.methods.read(meta)?,
            "crate" => self.krate.set(meta, value(meta, "crate = ::table_patterns")?)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl EntityWords {
    /// Returns the name of an argument of the struct, if present.
    pub(crate) fn word(&self, name: &str) -> Option<&Ident> {
        match name {
            "name" => self.name.word(),
            "partition" => self.partition.word(),
            "row" => self.row.word(),
            "version" => self.version.word(),
            "shard" => self.shard.word(),
            "wide" => self.wide.word(),
            "from" => self.from.word(),
            "archive" => self.archive.word(),
            _ => None,
        }
    }
}

impl Companions {
    fn read(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        each_inner_word(meta, &["key", "patch", "fields"], "names(key = EmployeeKey)", |name, meta| {
            let slot = match name {
                "key" => &mut self.key,
                "patch" => &mut self.patch,
                "fields" => &mut self.fields,
                _ => return Ok(false),
            };
            slot.set(meta, value(meta, &format!("{name} = Name"))?)?;
            Ok(true)
        })
    }
}

impl Methods {
    fn read(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let known = &["point", "rows", "patch", "scan_partition"];
        each_inner_word(meta, known, "methods(rows = find_rows)", |name, meta| {
            let slot = match name {
                "point" => &mut self.point,
                "rows" => &mut self.rows,
                "patch" => &mut self.patch,
                "scan_partition" => &mut self.scan_partition,
                _ => return Ok(false),
            };
            slot.set(meta, value(meta, &format!("{name} = new_name"))?)?;
            Ok(true)
        })
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
