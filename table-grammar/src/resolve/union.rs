//! Resolved unions: the handling of unknown rows, and the parameters of `rows`.

use proc_macro2::Span;
use syn::{DeriveInput, Ident, Path, Type, Visibility, ext::IdentExt};
use table_schema::{
    RuleViolation,
    design::{EntityDesign, TemplateText, Which},
};

use crate::{
    errors::Errors,
    parse::union::UnionInput,
    resolve::{build::key_trait, newtype::KeyTrait},
};

pub use crate::parse::union::{Member, Unknown};

/// A resolved union.
#[derive(Debug)]
pub struct Union {
    /// The path of the facade crate, if it is not `::table_patterns`.
    pub facade: Option<Path>,
    /// The visibility of the enum.
    pub visibility: Visibility,
    /// The identifier of the enum.
    pub ident: Ident,
    /// The variants with an entity.
    pub members: Vec<Member>,
    /// The handling of rows of other types.
    pub unknown: Unknown,
    /// The variant for rows of other types, if they are kept.
    pub other: Option<(Ident, Type)>,
    /// The partition template and its fields, if `rows` is requested.
    pub partition: Option<(String, Vec<Parameter>)>,
}

/// A parameter of `rows`: a field of the partition and the trait that its format requires.
#[derive(Debug)]
pub struct Parameter {
    /// The identifier of the parameter.
    pub ident: Ident,
    /// The name of the template field.
    pub name: String,
    /// The trait that the format requires.
    pub part: KeyTrait,
}

impl Union {
    /// Reads the input of `#[derive(TableUnion)]`.
    ///
    /// # Errors
    /// Adds each diagnostic to `errors`. Returns `None` if the input is not an enum, or if it is generic.
    pub fn read(input: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let input = UnionInput::read(input, errors)?;
        Some(Self::of(input, errors))
    }

    fn of(input: UnionInput, errors: &mut Errors) -> Self {
        let unknown = policy(&input, errors);
        if input.members.is_empty() && errors.is_empty() {
            let help = "write one variant for each entity: `Employee(Stored<Employee>)`";
            errors.add(&input.ident, format!("`{}` has no entities", input.ident.unraw()), help);
        }
        let partition = input.partition.as_ref().and_then(|text| {
            let parsed = TemplateText::new(text.value());
            if let Some(error) = parsed.error() {
                let mut design = EntityDesign::new(input.ident.unraw().to_string());
                design.partition = Some(parsed.clone());
                let mistake = RuleViolation::in_template(
                    &design,
                    error.code(),
                    Which::Partition,
                    error.span(),
                    error.to_string(),
                );
                errors.add_found(text, &mistake.help(error.help()));
            }
            let parameters = parsed.template()?.holes().map(|hole| Parameter {
                ident: parameter(&hole.field, text.span()),
                name: hole.field.clone(),
                part: key_trait(hole.shape),
            });
            Some((text.value(), parameters.collect()))
        });
        Self {
            facade: input.krate,
            visibility: input.visibility,
            ident: input.ident,
            members: input.members,
            unknown,
            other: input.other,
            partition,
        }
    }
}

/// Returns the field name as a parameter; a keyword becomes a raw identifier.
fn parameter(name: &str, span: Span) -> Ident {
    syn::parse_str::<Ident>(name).map_or_else(|_| Ident::new_raw(name, span), |_| Ident::new(name, span))
}

/// Checks that `keep` and its variant occur together.
fn policy(input: &UnionInput, errors: &mut Errors) -> Unknown {
    let given = input.unknown.as_ref();
    match (given.map(|given| given.value), &input.other) {
        (Some(Unknown::Keep), None) => {
            if let Some(given) = given {
                errors.add(
                    &given.word,
                    "`unknown = keep` requires a variant that keeps them",
                    "add #[table(other)] Other(Stored<DynamicEntity>)",
                );
            }
            Unknown::Error
        }
        (Some(policy @ (Unknown::Skip | Unknown::Error)), Some((other, _))) => {
            errors.add(
                other,
                format!("`{}` is not used: unknown rows are not kept", other.unraw()),
                "write `unknown = keep`, or take the variant out",
            );
            policy
        }
        (Some(policy), _) => policy,
        (None, Some(_)) => Unknown::Keep,
        (None, None) => Unknown::Error,
    }
}
