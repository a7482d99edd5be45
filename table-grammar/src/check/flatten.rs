//! Rules of flattened fields: nested structs with a property for each of their fields.

use table_schema::catalogue::Code;

use crate::{
    errors::Errors,
    parse::{entity::EntityInput, field::FieldInput},
    types::{Named, TypeName, shown},
};

pub(super) fn check(input: &EntityInput, errors: &mut Errors) {
    for field in input.fields.iter().filter(|field| field.words.flatten.is_set()) {
        if !field.words.skip.is_set() {
            alone(field, errors);
            of_type(field, errors);
        }
    }
}

/// Rejects arguments that apply to a single property.
fn alone(field: &FieldInput, errors: &mut Errors) {
    let (name, words) = (field.name(), &field.words);
    for other in [
        "was",
        "default",
        "json",
        "store",
        "keep",
        "max",
        "series",
        "encrypt",
        "from_source",
        "blob",
        "inline",
    ] {
        if let Some(word) = words.word(other) {
            let message =
                format!("`{name}` is stored as several properties, and `{other}` is for a single one");
            let help = match other {
                "default" | "json" | "keep" | "max" => "move it to the fields of the nested struct",
                "encrypt" => "declare the secret as a field of this struct, or use #[table(json, encrypt)]",
                _ => "remove one of the attributes",
            };
            errors.add_coded(Code::D036, word, message, help);
        }
    }
}

/// Whether a missing struct and one with missing fields are the same is not decided by the properties of a row.
fn of_type(field: &FieldInput, errors: &mut Errors) {
    let ty = TypeName::of(&field.ty);
    if ty.optional {
        let message = "a flattened type is always present: a row has no property for the type itself";
        let help = format!(
            "write `{}`, and make its fields optional, or add a variant without fields to an enum",
            shown(ty.inner)
        );
        errors.add_coded(Code::D020, &field.ty, message, help);
    } else if ty.named != Named::Unknown {
        let message = format!("`{}` is a single value, not a struct with fields", shown(&field.ty));
        errors.add_coded(Code::D020, &field.ty, message, "remove `flatten`");
    }
}
