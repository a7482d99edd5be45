//! Validation of a type with `#[derive(TableFields)]`.

use quote::ToTokens;
use table_schema::{
    catalogue::Code,
    design::{EntityDesign, Place},
    rules,
};

use super::rust;
use crate::{
    errors::Errors,
    parse::{field::FieldInput, nested::NestedInput},
    resolve::newtype::check_names,
};

/// Arguments that an entity supports and a nested struct does not, with the remedy.
const OF_ENTITY: [(&str, &str); 10] = [
    ("store", "remove it: the field is always stored"),
    ("was", "remove it, or convert the older rows: #[table(version = 2, from(..))] on the entity"),
    ("series", "declare the series as a field of the entity"),
    ("flatten", "declare the inner fields here, or use #[table(json)]"),
    ("encrypt", "declare the secret as a field of the entity"),
    ("from_source", "declare the field in the entity"),
    ("created", "declare the field in the entity"),
    ("updated", "declare the field in the entity"),
    ("blob", "declare the blob as a field of the entity"),
    ("inline", "declare the blob as a field of the entity"),
];

pub(crate) fn check(input: &NestedInput, design: &EntityDesign, errors: &mut Errors) {
    let is_enum = input.variants.is_some();
    let unsupported = input.fields.iter().filter(|field| !is_supported(field, is_enum, errors)).count();
    if unsupported > 0 {
        return;
    }
    for mistake in rules::check_fields(design) {
        let field = |number: &usize| input.fields.get(*number);
        let place = match &mistake.place {
            Place::FieldType(number) => field(number).map(|field| field.ty.to_token_stream()),
            Place::FieldWord(number, word) => {
                field(number).and_then(|field| field.words.word(word)).map(ToTokens::to_token_stream)
            }
            Place::Field(number) => field(number).map(|field| field.ident.to_token_stream()),
            _ => None,
        };
        errors.add_found(place.unwrap_or_else(|| input.ident.to_token_stream()), &mistake);
    }
    rust::names(&input.rename_all, &input.serde, &input.fields, errors);
    if let Some(variants) = &input.variants {
        check_names(variants.list.iter().map(|(variant, _)| variant), input.case(), errors);
    }
    for field in &input.fields {
        rust::field(field, design, errors);
    }
}

/// The argument of a field that an enum does not support, either: a property is missing in all rows of other variants.
const OF_STRUCT: (&str, &str) = ("default", "make the field optional: `Option<..>`");

/// Reports an argument that a nested struct or enum does not support.
fn is_supported(field: &FieldInput, is_enum: bool, errors: &mut Errors) -> bool {
    let others = OF_ENTITY.into_iter().chain(is_enum.then_some(OF_STRUCT));
    let mut given = others.filter_map(|(name, help)| Some((field.words.word(name)?, help)));
    let Some((word, help)) = given.next() else { return true };
    let what = if is_enum { "a nested enum" } else { "a nested struct" };
    errors.add_coded(Code::D036, word, format!("`{word}` is not supported in {what}"), help);
    false
}
