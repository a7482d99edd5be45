//! Input of `#[derive(TableFields)]`.

use syn::{
    Data, DataStruct, DeriveInput, Fields, Ident, Path, Visibility, ext::IdentExt, meta::ParseNestedMeta,
};

use crate::{
    errors::Errors,
    parse::{
        attribute::{Slot, each_word, text, value},
        case::Case,
        field::FieldInput,
        serde_words::SerdeWords,
    },
    words::Level,
};

const ON_STRUCT: Level = Level::new("the nested struct", &["rename_all", "crate"]);

/// A struct with named fields that entities flatten, without decisions.
#[derive(Debug)]
pub(crate) struct NestedInput {
    pub(crate) visibility: Visibility,
    pub(crate) ident: Ident,
    pub(crate) rename_all: Slot<Case>,
    pub(crate) krate: Slot<Path>,
    pub(crate) serde: SerdeWords,
    pub(crate) fields: Vec<FieldInput>,
}

impl NestedInput {
    /// Parses the input. Returns `None` if it is not a struct with named fields, or if it is generic.
    pub(crate) fn read(input: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let DeriveInput { attrs, vis: visibility, ident, generics, data } = input;
        if !generics.params.is_empty() {
            errors.add(&generics.params, "a nested struct cannot be generic", "use one struct per type");
            return None;
        }
        let named = match data {
            Data::Struct(DataStruct { fields: Fields::Named(named), .. }) if !named.named.is_empty() => named,
            _ => {
                let shown = ident.unraw();
                errors.add(
                    &ident,
                    format!("`{shown}` is not a struct with named fields, as required for TableFields"),
                    format!(
                        "write `struct {shown} {{ city: String }}`; enums and newtypes: #[derive(TableValue)], \
                         or #[table(json)] where it is a field"
                    ),
                );
                return None;
            }
        };
        let (mut rename_all, mut krate) = (Slot::default(), Slot::default());
        each_word(&attrs, ON_STRUCT, &ident, errors, |name, meta: &ParseNestedMeta<'_>| {
            match name {
                "rename_all" => {
                    rename_all.set(meta, Case::parse(&text(meta, "rename_all = \"PascalCase\"")?)?)?;
                }
                "crate" => krate.set(meta, value(meta, "crate = ::table_patterns")?)?,
                _ => return Ok(false),
            }
            Ok(true)
        });
        let serde = SerdeWords::read(&attrs, errors);
        let fields = named.named.into_iter().map(|field| FieldInput::read(field, &ident, errors)).collect();
        Some(Self { visibility, ident, rename_all, krate, serde, fields })
    }
}
