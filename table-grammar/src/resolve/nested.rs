//! The resolved input of `#[derive(TableFields)]`.

use quote::format_ident;
use syn::{DeriveInput, Ident, Path, Visibility, ext::IdentExt};
use table_schema::design::{EntityDesign, RequiredIf};

use crate::{
    check,
    errors::Errors,
    parse::nested::NestedInput,
    resolve::{build, design, entity::Field},
};

/// A struct or an enum whose fields entities store as their own properties.
#[derive(Debug)]
pub struct Nested {
    /// The path of the facade crate, if it is not `::table_patterns`.
    pub facade: Option<Path>,
    /// The visibility of the type.
    pub visibility: Visibility,
    /// The identifier of the type.
    pub ident: Ident,
    /// The identifier without `r#`.
    pub name: String,
    /// The type with a descriptor for each field.
    pub descriptors: Ident,
    /// The type of its patches. An enum has none.
    pub patch: Ident,
    /// The fields, in order. The name of a property is the suffix after the name of the field of the entity. The first
    /// field of an enum is the tag.
    pub fields: Vec<Field>,
    /// The fields as those of an entity without keys.
    pub design: EntityDesign,
    /// The variants of an enum.
    pub variants: Option<Variants>,
    /// `true` if the input has errors. The generated code then requires no traits of the field types.
    pub is_stub: bool,
}

/// The variants of an enum.
#[derive(Debug)]
pub struct Variants {
    /// The type of the tag: an enum with the same variants, without fields.
    pub kind: Ident,
    /// The variants, in order.
    pub list: Vec<Variant>,
}

/// A variant of an enum.
#[derive(Debug)]
pub struct Variant {
    /// The identifier.
    pub ident: Ident,
    /// The stored tag.
    pub word: String,
    /// The numbers of its fields.
    pub fields: Vec<usize>,
}

impl Nested {
    /// Reads the input of `#[derive(TableFields)]`.
    ///
    /// # Errors
    /// Adds each diagnostic to `errors`. Returns a stub if a diagnostic was added, or `None` if the input has no named
    /// fields.
    pub fn read(input: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let input = NestedInput::read(input, errors)?;
        let design = design_of(&input);
        check::nested::check(&input, &design, errors);
        let name = design.name.clone();
        let companion = |suffix: &str| format_ident!("{name}{suffix}", span = input.ident.span());
        let fields = input.fields.iter().map(|field| build::build_field(field, &design, None, None));
        Some(Self {
            fields: fields.collect(),
            variants: Variants::of(&input),
            descriptors: companion("Fields"),
            patch: companion("Patch"),
            is_stub: !errors.is_empty(),
            facade: input.krate.value().cloned(),
            visibility: input.visibility,
            ident: input.ident,
            name,
            design,
        })
    }
}

impl Variants {
    /// Returns the variants with their tags, or `None` for a struct.
    pub(crate) fn of(input: &NestedInput) -> Option<Self> {
        let variants = input.variants.as_ref()?;
        let list = variants.list.iter().map(|(variant, fields)| Variant {
            ident: variant.ident.clone(),
            word: variant.stored_name(input.case()),
            fields: fields.clone(),
        });
        Some(Self { kind: variants.kind.clone(), list: list.collect() })
    }
}

/// Returns the fields as those of an entity without keys. The fields of variants are optional, because other variants do
/// not have them.
pub(crate) fn design_of(input: &NestedInput) -> EntityDesign {
    let case = input.field_case();
    let mut design = EntityDesign::new(input.ident.unraw().to_string());
    design.fields = input.fields.iter().map(|field| design::field_design(field, case)).collect();
    let Some(variants) = Variants::of(input) else { return design };
    let tag = design.fields.first().map(|tag| tag.property.clone()).unwrap_or_default();
    for (number, field) in design.fields.iter_mut().enumerate().skip(1).filter(|(_, field)| !field.optional) {
        let with = variants.list.iter().filter(|variant| variant.fields.contains(&number));
        field.required_if =
            (!field.skip).then(|| RequiredIf::new(&tag, with.map(|variant| variant.word.as_str())));
        field.optional = true;
    }
    design
}
