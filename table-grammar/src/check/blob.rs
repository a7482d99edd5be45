//! Rules of blob fields: values stored in blobs, and read separately from the row.

use table_schema::catalogue::Code;

use crate::{
    errors::Errors,
    parse::{entity::EntityInput, field::FieldInput},
    types::{Named, TypeName},
};

pub(super) fn check(input: &EntityInput, errors: &mut Errors) {
    for field in input.fields.iter().filter(|field| !field.words.skip.is_set()) {
        if field.words.blob.is_set() {
            of_type(field, errors);
            alone(field, errors);
        } else {
            undeclared(field, errors);
        }
    }
}

/// Reading a page of a thousand entities would require a thousand additional requests if each row included the blob
/// value.
fn of_type(field: &FieldInput, errors: &mut Errors) {
    let ty = TypeName::of(&field.ty);
    if matches!(ty.named, Named::Blob | Named::Unknown) {
        return;
    }
    let name = field.name();
    let wanted = if ty.optional { "Option<Blob>" } else { "Blob" };
    errors.add_coded(
        Code::D020,
        &field.ty,
        "a blob field has type `Blob`: its bytes are read on request, not with every row",
        format!("write `{name}: {wanted}`"),
    );
}

/// The type name is not sufficient: another crate may have a type with this name.
fn undeclared(field: &FieldInput, errors: &mut Errors) {
    let (name, words) = (field.name(), &field.words);
    let is_decided = words.json.is_set() || words.keep.is_set();
    if TypeName::of(&field.ty).named == Named::Blob && !is_decided {
        let message = format!("`{name}` is a `Blob`, which cannot be stored as a property");
        errors.add_coded(Code::D020, &field.ty, message, "add #[table(blob)]");
    } else if words.inline.get().is_some() {
        let message = format!("`{name}` is not a blob: `inline` has no effect");
        errors.add_coded(Code::D036, words.word("inline"), message, "add `blob`, or remove `inline`");
    }
}

/// Rejects arguments that specify another storage form.
fn alone(field: &FieldInput, errors: &mut Errors) {
    let (name, words) = (field.name(), &field.words);
    for other in ["json", "keep", "default", "max"] {
        if let Some(word) = words.word(other) {
            let message = format!("`{name}` is a blob: `{other}` has no effect");
            errors.add_coded(Code::D036, word, message, "remove one of the attributes");
        }
    }
}
