//! Input of `index(by_email, row = "email_{email}", unique)`.

use syn::{Ident, LitStr, Path, ext::IdentExt, meta::ParseNestedMeta};

use crate::parse::attribute::{Slot, each_inner_word, list, text, value, word};

/// An index. Its name may be missing; the rules report that.
#[derive(Debug)]
pub(crate) struct IndexInput {
    /// The argument name `index`.
    pub(crate) word: Ident,
    pub(crate) name: Option<Ident>,
    pub(crate) table: Slot<LitStr>,
    pub(crate) partition: Slot<LitStr>,
    pub(crate) row: Slot<LitStr>,
    pub(crate) unique: Slot<()>,
    pub(crate) sparse: Slot<()>,
    pub(crate) copy: Slot<Vec<Ident>>,
    pub(crate) when: Slot<Path>,
}

const WORDS: &[&str] = &["table", "partition", "row", "unique", "sparse", "copy", "when"];
const EXAMPLE: &str = "index(by_email, row = \"email_{email}\", unique)";

impl IndexInput {
    pub(crate) fn read(meta: &ParseNestedMeta<'_>) -> syn::Result<Self> {
        let mut index = Self {
            word: word(meta)?,
            name: None,
            table: Slot::default(),
            partition: Slot::default(),
            row: Slot::default(),
            unique: Slot::default(),
            sparse: Slot::default(),
            copy: Slot::default(),
            when: Slot::default(),
        };
        let mut is_first = true;
        each_inner_word(meta, WORDS, EXAMPLE, |name, meta| {
            let is_name = std::mem::take(&mut is_first) && !WORDS.contains(&name);
            if is_name && (meta.input.is_empty() || meta.input.peek(syn::Token![,])) {
                index.name = meta.path.get_ident().cloned();
                return Ok(index.name.is_some());
            }
            index.take(name, meta)
        })?;
        Ok(index)
    }

    fn take(&mut self, name: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<bool> {
        match name {
            "table" => self.table.set(meta, text(meta, "table = \"EmployeesByEmail\"")?)?,
            "partition" => self.partition.set(meta, text(meta, "partition = \"email_{department}\"")?)?,
            "row" => self.row.set(meta, text(meta, "row = \"email_{email}\"")?)?,
            "unique" => self.unique.set(meta, ())?,
            "sparse" => self.sparse.set(meta, ())?,
            "copy" => self.copy.set(meta, list(meta, "copy(first_name, last_name)")?)?,
            "when" => self.when.set(meta, value(meta, "when = is_active")?)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the name without `r#`, or an empty string if it is missing.
    pub(crate) fn name(&self) -> String {
        self.name.as_ref().map(|name| name.unraw().to_string()).unwrap_or_default()
    }
}
