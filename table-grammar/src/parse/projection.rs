//! Input of `#[derive(Projection)]`.

use syn::{Data, DeriveInput, Fields, Ident, Path, Type, ext::IdentExt, meta::ParseNestedMeta};

use crate::{
    errors::Errors,
    parse::attribute::{Slot, each_word, value},
    words::Level,
};

const ON_STRUCT: Level = Level::new("the projection", &["of", "crate"]);
const ON_FIELD: Level = Level::new("a projection's field", &[]);

/// A struct whose fields are a subset of the fields of an entity.
#[derive(Debug)]
pub struct ProjectionInput {
    /// The identifier of the struct.
    pub ident: Ident,
    /// The entity.
    pub of: Path,
    /// The path of the facade crate, if it is not `::table_patterns`.
    pub krate: Option<Path>,
    /// The fields, in order.
    pub fields: Vec<(Ident, Type)>,
}

impl ProjectionInput {
    /// Reads the input of `#[derive(Projection)]`.
    ///
    /// # Errors
    /// Adds each diagnostic to `errors`. Returns `None` if the input is not a struct with named fields, if it is
    /// generic, or if it does not specify its entity.
    pub fn read(input: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let DeriveInput { attrs, ident, generics, data, .. } = input;
        let shown = ident.unraw();
        let (mut of, mut krate) = (Slot::default(), Slot::default());
        each_word(&attrs, ON_STRUCT, &ident, errors, |name, meta: &ParseNestedMeta<'_>| {
            match name {
                "of" => of.set(meta, value(meta, "of = Employee")?)?,
                "crate" => krate.set(meta, value(meta, "crate = ::table_patterns")?)?,
                _ => return Ok(false),
            }
            Ok(true)
        });
        if !generics.params.is_empty() {
            errors.add(&generics.params, "a projection cannot be generic", "use one struct per type");
            return None;
        }
        let Data::Struct(syn::DataStruct { fields: Fields::Named(named), .. }) = data else {
            errors.add(
                &ident,
                format!("`{shown}` is not a struct with named fields, as required for a projection"),
                format!("write `struct {shown} {{ id: u32 }}` with some of the entity's fields"),
            );
            return None;
        };
        let mut fields = Vec::new();
        for field in named.named {
            each_word(&field.attrs, ON_FIELD, &ident, errors, |_, _| Ok(false));
            fields.extend(field.ident.map(|name| (name, field.ty)));
        }
        let Some(of) = of.value().cloned() else {
            errors.add(
                &ident,
                format!("`{shown}` does not specify its entity"),
                "add #[table(of = Employee)]",
            );
            return None;
        };
        Some(Self { ident, of, krate: krate.value().cloned(), fields })
    }
}
