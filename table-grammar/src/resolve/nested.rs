//! The resolved input of `#[derive(TableFields)]`.

use quote::format_ident;
use syn::{DeriveInput, Ident, Path, Visibility, ext::IdentExt};
use table_schema::design::EntityDesign;

use crate::{
    check,
    errors::Errors,
    parse::nested::NestedInput,
    resolve::{build, design, entity::Field},
};

/// A struct whose fields entities store as their own properties.
#[derive(Debug)]
pub struct Nested {
    /// The path of the facade crate, if it is not `::table_patterns`.
    pub facade: Option<Path>,
    /// The visibility of the struct.
    pub visibility: Visibility,
    /// The identifier of the struct.
    pub ident: Ident,
    /// The identifier without `r#`.
    pub name: String,
    /// The type with a descriptor for each field.
    pub descriptors: Ident,
    /// The type of its patches.
    pub patch: Ident,
    /// The fields, in order. The name of a property is the suffix after the name of the field of the entity.
    pub fields: Vec<Field>,
    /// `true` if the input has errors. The generated code then requires no traits of the field types.
    pub is_stub: bool,
}

impl Nested {
    /// Reads the input of `#[derive(TableFields)]`.
    ///
    /// # Errors
    /// Adds each diagnostic to `errors`. Returns a stub if a diagnostic was added, or `None` if the input is not a
    /// struct with named fields.
    pub fn read(input: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let input = NestedInput::read(input, errors)?;
        let design = design_of(&input);
        check::nested::check(&input, &design, errors);
        let name = design.name.clone();
        let companion = |suffix: &str| format_ident!("{name}{suffix}", span = input.ident.span());
        let fields = input.fields.iter().map(|field| build::build_field(field, &design, None, None));
        Some(Self {
            fields: fields.collect(),
            descriptors: companion("Fields"),
            patch: companion("Patch"),
            is_stub: !errors.is_empty(),
            facade: input.krate.value().cloned(),
            visibility: input.visibility,
            ident: input.ident,
            name,
        })
    }
}

/// Returns the fields as those of an entity without keys.
pub(crate) fn design_of(input: &NestedInput) -> EntityDesign {
    let case = input.rename_all.value().copied().or(input.serde.rename_all);
    let mut design = EntityDesign::new(input.ident.unraw().to_string());
    design.fields = input.fields.iter().map(|field| design::field_design(field, case)).collect();
    design
}
