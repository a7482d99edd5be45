//! Input of `#[derive(TableFields)]`.

use syn::{
    Data, DataStruct, DeriveInput, Fields, Ident, LitStr, Path, Visibility, ext::IdentExt,
    meta::ParseNestedMeta,
};

use crate::{
    errors::Errors,
    parse::{
        attribute::{Slot, each_word, text, value},
        case::Case,
        field::FieldInput,
        serde_words::SerdeWords,
        variants::Variants,
    },
    words::Level,
};

const ON_STRUCT: Level = Level::new("the nested struct", &["rename_all", "crate"]);
const ON_ENUM: Level = Level::new("the nested enum", &["tag", "rename_all", "rename_all_fields", "crate"]);

/// A struct with named fields that entities flatten, or an enum whose variants have named fields, without decisions.
#[derive(Debug)]
pub(crate) struct NestedInput {
    pub(crate) visibility: Visibility,
    pub(crate) ident: Ident,
    pub(crate) rename_all: Slot<Case>,
    pub(crate) rename_all_fields: Slot<Case>,
    pub(crate) krate: Slot<Path>,
    pub(crate) serde: SerdeWords,
    /// The fields. In an enum, the first is the tag, and variants share the others.
    pub(crate) fields: Vec<FieldInput>,
    /// The variants of an enum.
    pub(crate) variants: Option<Variants>,
}

impl NestedInput {
    /// Parses the input. Returns `None` if it is neither a struct with named fields nor an enum with such variants, or if
    /// it is generic.
    pub(crate) fn read(input: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let DeriveInput { attrs, vis: visibility, ident, generics, data } = input;
        if !generics.params.is_empty() {
            errors.add(&generics.params, "a nested struct cannot be generic", "use one struct per type");
            return None;
        }
        let (mut rename_all, mut rename_all_fields) = (Slot::default(), Slot::default());
        let (mut krate, mut tag) = (Slot::default(), Slot::<LitStr>::default());
        let is_enum = matches!(data, Data::Enum(_));
        let level = if is_enum { ON_ENUM } else { ON_STRUCT };
        each_word(&attrs, level, &ident, errors, |name, meta: &ParseNestedMeta<'_>| {
            let case = |example| text(meta, example).and_then(|text| Case::parse(&text));
            match name {
                "rename_all" => rename_all.set(meta, case("rename_all = \"PascalCase\"")?)?,
                "rename_all_fields" if is_enum => {
                    rename_all_fields.set(meta, case("rename_all_fields = \"PascalCase\"")?)?;
                }
                "tag" if is_enum => tag.set(meta, text(meta, "tag = \"Type\"")?)?,
                "crate" => krate.set(meta, value(meta, "crate = ::table_patterns")?)?,
                _ => return Ok(false),
            }
            Ok(true)
        });
        let serde = SerdeWords::read(&attrs, errors);
        let (fields, variants) = match data {
            Data::Struct(DataStruct { fields: Fields::Named(named), .. }) if !named.named.is_empty() => {
                (named.named.into_iter().map(|field| FieldInput::read(field, &ident, errors)).collect(), None)
            }
            Data::Enum(data) if data.variants.iter().any(|variant| !variant.fields.is_empty()) => {
                let (fields, variants) = Variants::read(data, &ident, tag, errors);
                (fields, Some(variants))
            }
            _ => {
                refuse(&ident, errors);
                return None;
            }
        };
        Some(Self { visibility, ident, rename_all, rename_all_fields, krate, serde, fields, variants })
    }

    /// Returns the case of the names of fields.
    pub(crate) fn field_case(&self) -> Option<Case> {
        match self.variants {
            Some(_) => self.rename_all_fields.value().copied(),
            None => self.case(),
        }
    }

    /// Returns the case of the names of variants.
    pub(crate) fn case(&self) -> Option<Case> {
        self.rename_all.value().copied().or(self.serde.rename_all)
    }
}

fn refuse(ident: &Ident, errors: &mut Errors) {
    let shown = ident.unraw();
    errors.add(
        ident,
        format!("`{shown}` has no named fields, as required for TableFields"),
        format!(
            "write `struct {shown} {{ city: String }}`; enums without fields and newtypes: #[derive(TableValue)], or \
             #[table(json)] where it is a field"
        ),
    );
}
