//! Input of `#[derive(TableUnion)]`.

use syn::{
    Data, DeriveInput, Fields, Ident, LitStr, Path, Type, Visibility, ext::IdentExt, meta::ParseNestedMeta,
};

use crate::{
    errors::{Errors, mistake},
    parse::attribute::{Given, Slot, each_word, text, value},
    types::argument_of,
    words::Level,
};

const ON_ENUM: Level = Level::new("the union", &["partition", "unknown", "crate"]);
const ON_VARIANT: Level = Level::new("a variant", &["other"]);

/// An enum of entities of one table.
#[derive(Debug)]
pub(crate) struct UnionInput {
    pub(crate) visibility: Visibility,
    pub(crate) ident: Ident,
    pub(crate) partition: Option<LitStr>,
    pub(crate) unknown: Option<Given<Unknown>>,
    pub(crate) krate: Option<Path>,
    pub(crate) members: Vec<Member>,
    /// The variant marked `other`, and the type in its `Stored<..>`.
    pub(crate) other: Option<(Ident, Type)>,
}

/// The handling of a row whose type is not a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Reading the row fails.
    Error,
    /// The row is skipped.
    Skip,
    /// The row is kept, in the variant marked `other`.
    Keep,
}

/// A variant with an entity.
#[derive(Debug)]
pub struct Member {
    /// The identifier of the variant.
    pub ident: Ident,
    /// The entity in its `Stored<..>`.
    pub entity: Type,
}

impl UnionInput {
    pub(crate) fn read(input: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let DeriveInput { attrs, vis, ident, generics, data } = input;
        let (mut partition, mut unknown, mut krate) = (Slot::default(), Slot::default(), Slot::default());
        each_word(&attrs, ON_ENUM, &ident, errors, |name, meta| {
            match name {
                "partition" => partition.set(meta, text(meta, "partition = \"{department}\"")?)?,
                "unknown" => unknown.set(meta, policy(&value(meta, "unknown = keep")?)?)?,
                "crate" => krate.set(meta, value(meta, "crate = ::table_patterns")?)?,
                _ => return Ok(false),
            }
            Ok(true)
        });
        if !generics.params.is_empty() {
            errors.add(&generics.params, "a union cannot be generic", "use one enum per type");
            return None;
        }
        let Data::Enum(data) = data else {
            errors.add(
                &ident,
                format!("`{}` is not an enum, as required for a union", ident.unraw()),
                "write one variant for each entity: `enum Person { Employee(Stored<Employee>) }`",
            );
            return None;
        };
        let (mut members, mut other) = (Vec::new(), None);
        for variant in data.variants {
            match read_variant(&variant, &ident, errors) {
                Some(Role::Member(entity)) => members.push(Member { ident: variant.ident, entity }),
                Some(Role::Other(_)) if other.is_some() => {
                    errors.add(&variant.ident, "two variants are marked `other`", "remove one of the marks");
                }
                Some(Role::Other(bag)) => other = Some((variant.ident, bag)),
                None => {}
            }
        }
        let (partition, krate) = (partition.value().cloned(), krate.value().cloned());
        Some(Self {
            visibility: vis,
            ident,
            partition,
            unknown: unknown.get().cloned(),
            krate,
            members,
            other,
        })
    }
}

enum Role {
    Member(Type),
    Other(Type),
}

fn read_variant(variant: &syn::Variant, owner: &Ident, errors: &mut Errors) -> Option<Role> {
    let mut other = Slot::<()>::default();
    each_word(&variant.attrs, ON_VARIANT, owner, errors, |name, meta: &ParseNestedMeta<'_>| {
        if name == "other" { other.set(meta, ()).map(|()| true) } else { Ok(false) }
    });
    let shown = variant.ident.unraw();
    let stored = match &variant.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            fields.unnamed.first().and_then(|field| argument_of(&field.ty, "Stored"))
        }
        _ => None,
    };
    match stored {
        Some(bag) if other.is_set() => Some(Role::Other(bag.clone())),
        Some(entity) => Some(Role::Member(entity.clone())),
        None => {
            let help = if other.is_set() {
                format!("write `{shown}(Stored<DynamicEntity>)`: the row as a property bag")
            } else {
                format!("write `{shown}(Stored<{shown}>)`")
            };
            errors.add(variant, format!("`{shown}` does not contain a stored entity"), help);
            None
        }
    }
}

fn policy(word: &Ident) -> syn::Result<Unknown> {
    match word.to_string().as_str() {
        "error" => Ok(Unknown::Error),
        "skip" => Ok(Unknown::Skip),
        "keep" => Ok(Unknown::Keep),
        other => Err(mistake(
            word,
            format!("`{other}` does not specify how rows of other types are handled"),
            "write `error`, `skip`, or `keep` with a variant marked #[table(other)]",
        )),
    }
}
