//! Names of generated types and functions.

use syn::{Ident, meta::ParseNestedMeta};

use crate::parse::attribute::{Slot, each_inner_word, value};

/// `names(key = .., patch = .., fields = .., borrowed = ..)`.
#[derive(Debug, Default)]
pub(crate) struct Companions {
    pub(crate) key: Slot<Ident>,
    pub(crate) patch: Slot<Ident>,
    pub(crate) fields: Slot<Ident>,
    pub(crate) borrowed: Slot<Ident>,
}

/// `methods(point = .., rows = .., patch = .., scan_partition = ..)`.
#[derive(Debug, Default)]
pub(crate) struct Methods {
    pub(crate) point: Slot<Ident>,
    pub(crate) rows: Slot<Ident>,
    pub(crate) patch: Slot<Ident>,
    pub(crate) scan_partition: Slot<Ident>,
}

impl Companions {
    pub(super) fn read(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let known = &["key", "patch", "fields", "borrowed"];
        each_inner_word(meta, known, "names(key = EmployeeKey)", |name, meta| {
            let slot = match name {
                "key" => &mut self.key,
                "patch" => &mut self.patch,
                "fields" => &mut self.fields,
                "borrowed" => &mut self.borrowed,
                _ => return Ok(false),
            };
            slot.set(meta, value(meta, &format!("{name} = Name"))?)?;
            Ok(true)
        })
    }
}

impl Methods {
    pub(super) fn read(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
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
