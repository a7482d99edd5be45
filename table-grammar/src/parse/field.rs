//! Input of a single field.

use syn::{Ident, LitStr, Path, Token, Type, ext::IdentExt, meta::ParseNestedMeta};
use table_schema::design::Stamp;

use crate::{
    errors::Errors,
    parse::{
        attribute::{Slot, each_word, number, number_from, text, value},
        serde_words::SerdeWords,
    },
    types::SlotsOf,
    words::Level,
};

/// A field and its attributes.
#[derive(Debug)]
pub(crate) struct FieldInput {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) words: FieldWords,
    pub(crate) serde: SerdeWords,
}

/// The arguments on a field.
#[derive(Debug, Default)]
pub(crate) struct FieldWords {
    pub(crate) rename: Slot<LitStr>,
    /// Stored name in the previous version.
    pub(crate) was: Slot<LitStr>,
    pub(crate) skip: Slot<()>,
    /// `None` for the default of the type, otherwise a function.
    pub(crate) default: Slot<Option<Path>>,
    pub(crate) json: Slot<()>,
    pub(crate) store: Slot<()>,
    pub(crate) keep: Slot<()>,
    pub(crate) max: Slot<usize>,
    pub(crate) series: Slot<()>,
    pub(crate) flatten: Slot<()>,
    pub(crate) encrypt: Slot<()>,
    pub(crate) from_source: Slot<()>,
    pub(crate) created: Slot<()>,
    pub(crate) updated: Slot<()>,
    pub(crate) blob: Slot<()>,
    /// Maximum number of bytes of a blob value that are stored in the property itself.
    pub(crate) inline: Slot<usize>,
}

impl FieldInput {
    pub(crate) fn read(field: syn::Field, owner: &Ident, errors: &mut Errors) -> Self {
        let mut words = FieldWords::default();
        each_word(&field.attrs, LEVEL, owner, errors, |name, meta| words.take(name, meta));
        let serde = SerdeWords::read(&field.attrs, errors);
        // Fields of a struct with named fields always have a name.
        let ident = field.ident.unwrap_or_else(|| owner.clone());
        Self { ident, ty: field.ty, words, serde }
    }

    /// Returns the slots, if the field is a series of a supported type.
    pub(crate) fn slots(&self) -> Option<SlotsOf<'_>> {
        if self.words.series.is_set() { SlotsOf::of(&self.ty) } else { None }
    }

    /// Returns the type stored in one property; for a series, the type of a slot.
    pub(crate) fn value_type(&self) -> &Type {
        self.slots().map_or(&self.ty, |slots| slots.slot)
    }

    /// Returns the name as used in templates: raw identifiers without `r#`.
    pub(crate) fn name(&self) -> String {
        self.ident.unraw().to_string()
    }
}

/// The arguments that `take` accepts.
pub(crate) const LEVEL: Level = Level::new(
    "a field",
    &[
        "rename",
        "was",
        "skip",
        "default",
        "json",
        "store",
        "keep",
        "max",
        "series",
        "flatten",
        "encrypt",
        "from_source",
        "created",
        "updated",
        "blob",
        "inline",
    ],
);

impl FieldWords {
    fn take(&mut self, name: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<bool> {
        match name {
            "rename" => self.rename.set(meta, text(meta, "rename = \"FirstName\"")?)?,
            "was" => self.was.set(meta, text(meta, "was = \"name\"")?)?,
            "skip" => self.skip.set(meta, ())?,
            "default" => {
                let is_function = meta.input.peek(Token![=]);
                let function = is_function.then(|| value(meta, "default = function_name")).transpose()?;
                self.default.set(meta, function)?;
            }
            "json" => self.json.set(meta, ())?,
            "store" => self.store.set(meta, ())?,
            "keep" => self.keep.set(meta, ())?,
            "series" => self.series.set(meta, ())?,
            "flatten" => self.flatten.set(meta, ())?,
            "encrypt" => self.encrypt.set(meta, ())?,
            "from_source" => self.from_source.set(meta, ())?,
            "created" => self.created.set(meta, ())?,
            "updated" => self.updated.set(meta, ())?,
            "blob" => self.blob.set(meta, ())?,
            "inline" => {
                // The rules of the design reject 0.
                let most = number_from(0, meta, "inline = 1000")?;
                self.inline.set(meta, usize::try_from(most).unwrap_or(usize::MAX))?;
            }
            "max" => {
                let max = number(meta, "max = 40")?;
                self.max.set(meta, usize::try_from(max).unwrap_or(usize::MAX))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the name of an argument of the field, if present.
    pub(crate) fn word(&self, name: &str) -> Option<&Ident> {
        match name {
            "rename" => self.rename.word(),
            "was" => self.was.word(),
            "skip" => self.skip.word(),
            "default" => self.default.word(),
            "json" => self.json.word(),
            "store" => self.store.word(),
            "keep" => self.keep.word(),
            "series" => self.series.word(),
            "flatten" => self.flatten.word(),
            "encrypt" => self.encrypt.word(),
            "from_source" => self.from_source.word(),
            "created" => self.created.word(),
            "updated" => self.updated.word(),
            "blob" => self.blob.word(),
            "inline" => self.inline.word(),
            "max" => self.max.word(),
            _ => None,
        }
    }

    /// Returns `true` if an argument specifies the storage, so that serde attributes need no clarification.
    pub(crate) fn decide(&self) -> bool {
        self.default.get().is_some()
            || [&self.skip, &self.json, &self.keep, &self.blob, &self.flatten].into_iter().any(Slot::is_set)
    }

    /// Returns the time that the library sets.
    pub(crate) fn stamp(&self) -> Option<Stamp> {
        let slot = |stamp: &Stamp| match stamp {
            Stamp::Created => self.created.is_set(),
            Stamp::Updated => self.updated.is_set(),
        };
        Stamp::ALL.into_iter().find(slot)
    }

    /// Returns the function in `default = function`.
    pub(crate) fn default_function(&self) -> Option<&Path> {
        self.default.value().and_then(Option::as_ref)
    }
}
