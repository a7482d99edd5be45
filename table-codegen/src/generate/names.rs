//! Rust names and name collisions.

use std::collections::BTreeMap;

use heck::{ToSnakeCase, ToUpperCamelCase};
use proc_macro2::{Ident, Span};
use table_designs::schema::{Query, Schema};
use table_schema::{
    catalogue::Code,
    design::{CopiedFields, EntityDesign, FieldDesign, FieldKind},
};

use super::{Refused, form::NAMED};

/// The functions that every entity has.
const FUNCTIONS: [&str; 10] = [
    "point",
    "rows",
    "patch",
    "scan_partition",
    "scan_table",
    "key",
    "address",
    "derive",
    "read_copy",
    "clone",
];
/// Types that generated code references by their short names, except those of [`NAMED`].
const TYPES: [&str; 13] = [
    "String",
    "Option",
    "Vec",
    "Timestamp",
    "Date",
    "Uuid",
    "Blob",
    "Self",
    "Ok",
    "Err",
    "Some",
    "None",
    "MultiPoint",
];

/// Returns whether a generated type of this name would replace one that generated code references.
fn is_used(name: &str) -> bool {
    TYPES.contains(&name) || NAMED.iter().any(|(_, names)| names.contains(&name))
}

/// The unique names of generated types.
#[derive(Debug)]
pub(super) struct Names {
    enums: BTreeMap<(String, String), String>,
    rows: BTreeMap<String, String>,
    modules: BTreeMap<String, String>,
}

/// Creates an identifier, which is raw if the name is a keyword.
pub(crate) fn ident(name: &str) -> Ident {
    // A keyword since the 2024 edition, which the parser does not know.
    let parsed = syn::parse_str::<Ident>(name).ok().filter(|_| name != "gen");
    parsed.unwrap_or_else(|| Ident::new_raw(name, Span::call_site()))
}

/// Returns the type of index rows that contain only some fields.
pub(super) fn companion(entity: &EntityDesign, index: &str) -> String {
    format!("{}{}", entity.name, index.to_upper_camel_case())
}

impl Names {
    pub(super) fn of(schema: &Schema) -> Self {
        let mut taken: Vec<String> = claimed(schema).into_iter().map(|(name, _)| name).collect();
        let mut free = |name: String| {
            let mut name = name;
            while taken.contains(&name) || is_used(&name) {
                name.push_str("Kind");
            }
            taken.push(name.clone());
            name
        };
        let fields =
            schema.entities.iter().flat_map(|entity| entity.fields.iter().map(move |field| (entity, field)));
        let enums = fields.filter(|(_, field)| matches!(field.kind, FieldKind::Enum { .. }));
        let enums = enums.map(|(entity, field)| {
            let name = format!("{}{}", entity.name, field.name.to_upper_camel_case());
            ((entity.name.clone(), field.name.clone()), free(name))
        });
        let enums = enums.collect();
        let rows = schema.queries.iter().filter(|query| query.select.is_some());
        let rows =
            rows.map(|query| (query.name.clone(), free(format!("{}Row", query.name.to_upper_camel_case()))));
        let rows = rows.collect();
        let mut modules: BTreeMap<String, String> = BTreeMap::new();
        for entity in &schema.entities {
            let mut name = entity.name.to_snake_case();
            while modules.values().any(|other| *other == name) {
                name.push('_');
            }
            modules.insert(entity.name.clone(), name);
        }
        Self { enums, rows, modules }
    }

    pub(super) fn enum_of(&self, entity: &EntityDesign, field: &FieldDesign) -> Ident {
        let name = self.enums.get(&(entity.name.clone(), field.name.clone()));
        ident(name.map_or("String", String::as_str))
    }

    /// Returns the type of the selected fields of a query.
    pub(super) fn row_of(&self, query: &Query) -> Ident {
        ident(self.rows.get(&query.name).map_or("Row", String::as_str))
    }

    /// Returns the file name of an entity, without `.rs`.
    pub(super) fn module(&self, entity: &str) -> String {
        let name = self.modules.get(entity).map_or(entity, String::as_str);
        // A file may have the name of a keyword; the module is then declared as a raw identifier.
        name.to_owned()
    }
}

/// Returns the name collisions.
pub(super) fn check(schema: &Schema) -> Vec<Refused> {
    let mut refused = Vec::new();
    let claimed = claimed(schema);
    for (at, (name, entity)) in claimed.iter().enumerate() {
        let is_twice = claimed.iter().take(at).any(|(other, _)| other == name);
        if is_twice || is_used(name) {
            let message = format!("the type `{name}` would be generated twice");
            let path = ["entity", entity];
            refused.push(Refused::of(Code::D029, &path, message, "rename the entity, or the index"));
        }
    }
    for entity in &schema.entities {
        refused.extend(functions(entity));
    }
    refused
}

/// Returns the types that the derive generates, and their entities.
fn claimed(schema: &Schema) -> Vec<(String, String)> {
    let of_entity = |entity: &EntityDesign| {
        let own = ["", "Key", "Patch", "Fields"].map(|end| format!("{}{end}", entity.name));
        let copies = entity.indexes.iter().filter(|index| index.copy != CopiedFields::All);
        let copies = copies.map(|index| companion(entity, &index.name));
        let name = entity.name.clone();
        own.into_iter().chain(copies).map(move |claimed| (claimed, name.clone())).collect::<Vec<_>>()
    };
    schema.entities.iter().flat_map(of_entity).collect()
}

/// Returns the collisions of functions. Each index and lookup generates functions with its name.
fn functions(entity: &EntityDesign) -> Vec<Refused> {
    let mut taken: Vec<String> = FUNCTIONS.map(str::to_owned).to_vec();
    let mut refused = Vec::new();
    let indexes = entity.indexes.iter().map(|index| ("index", &index.name, true));
    let lookups = entity.lookups.iter().map(|lookup| ("lookup", &lookup.name, false));
    for (kind, name, has_rows) in indexes.chain(lookups) {
        let rows = has_rows.then(|| format!("{name}_rows"));
        for function in std::iter::once(name.clone()).chain(rows) {
            if taken.contains(&function) {
                let message = format!("the function `{function}` would be generated twice");
                let path = ["entity", &entity.name, kind, name];
                refused.push(Refused::of(Code::D029, &path, message, format!("rename the {kind}")));
            }
            taken.push(function);
        }
    }
    refused
}

/// Returns the functions that the derive of an entity generates.
pub(super) fn taken_functions(entity: &EntityDesign) -> Vec<String> {
    let own = FUNCTIONS.map(str::to_owned);
    let indexes =
        entity.indexes.iter().flat_map(|index| [index.name.clone(), format!("{}_rows", index.name)]);
    own.into_iter().chain(indexes).chain(entity.lookups.iter().map(|lookup| lookup.name.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::{NAMED, TYPES};
    use crate::generate::{Options, generate};

    #[test]
    fn types_of_generated_code_are_no_entities() {
        let others = NAMED.iter().flat_map(|(_, names)| names.iter().copied());
        for name in TYPES.into_iter().chain(others).filter(|name| *name != "Self") {
            let text = format!(
                "tables = 1\n[entity.{name}]\ntable = \"Items\"\npartition = \"{{shop}}\"\nrow = \"{{id:06}}\"\n\
                 fields = {{ shop = \"string(20)\", id = \"u32\" }}\n\
                 [query.one]\nfind = \"{name}\"\nwhere = \"shop = ? and id = ?\"\n"
            );
            let schema = crate::read(&text, "design.toml").unwrap();
            let refused = generate(&schema, &Options::default()).unwrap_err();
            let codes: Vec<&str> = refused.0.iter().map(|one| one.code.as_str()).collect();
            assert_eq!(codes, ["D029"], "{name}");
        }
    }
}
