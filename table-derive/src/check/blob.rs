//! Rules of blob fields: values stored in blobs, and read separately from the row.

use table_schema::{catalogue::Code, design::EntityDesign};

use crate::{
    errors::Errors,
    parse::{entity::EntityInput, field::FieldInput},
    types::{Named, TypeName},
};

/// Maximum size of a property in bytes.
const MOST_INLINE: usize = 64 << 10;

pub(super) fn check(input: &EntityInput, design: &EntityDesign, errors: &mut Errors) {
    for field in input.fields.iter().filter(|field| !field.words.skip.is_set()) {
        if field.words.blob.is_set() {
            of_type(field, errors);
            alone(field, errors);
            of_entity(input, field, errors);
        } else {
            undeclared(field, errors);
        }
    }
    copied(input, design, errors);
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
        "a blob field has type `Blob`: its bytes are read when you ask, not with every row",
        format!("write `{name}: {wanted}`"),
    );
}

/// The type name is not sufficient: another crate may have a type with this name.
fn undeclared(field: &FieldInput, errors: &mut Errors) {
    let (name, words) = (field.name(), &field.words);
    let is_decided = words.json.is_set() || words.keep.is_set();
    if TypeName::of(&field.ty).named == Named::Blob && !is_decided {
        let message = format!("`{name}` is a `Blob`, which no property holds by itself");
        errors.add_coded(Code::D020, &field.ty, message, "write #[table(blob)] above it");
    } else if words.inline.get().is_some() {
        let message = format!("`{name}` is no blob: `inline` has no effect");
        errors.add_coded(Code::D036, words.word("inline"), message, "add `blob`, or take `inline` out");
    }
}

/// Rejects arguments that specify another storage form.
fn alone(field: &FieldInput, errors: &mut Errors) {
    let (name, words) = (field.name(), &field.words);
    for other in ["series", "json", "keep", "default", "max"] {
        if let Some(word) = words.word(other) {
            let message = format!("`{name}` is a blob: `{other}` has no meaning beside it");
            errors.add_coded(Code::D036, word, message, "take one of them out");
        }
    }
    if let Some(word) = words.word("encrypt") {
        let message = format!("`{name}` is a blob, which cannot be encrypted in this release");
        errors.add(word, message, "take `encrypt` out, and seal the bytes before they become a `Blob`");
    }
    if let Some(most) = words.inline.get().filter(|most| most.value > MOST_INLINE) {
        let message = format!("a property holds {MOST_INLINE} bytes, not {}", most.value);
        errors.add_coded(
            Code::D024,
            &most.word,
            message,
            "write inline = 30720, which is what holds without it",
        );
    }
}

/// A blob is named after the table and the key of its entity, and deleted with the entity.
fn of_entity(input: &EntityInput, field: &FieldInput, errors: &mut Errors) {
    let (name, word, words) = (field.name(), field.words.word("blob"), &input.words);
    let has_periods = words.name.value().is_some_and(|table| table.value().contains('{'));
    let beside = [
        (words.wide.get().is_some(), "of a wide entity", "take `wide` out"),
        (has_periods, "of an entity with a table for each period", "give the table one name"),
    ];
    for (_, what, help) in beside.iter().filter(|(is, ..)| *is) {
        let message = format!("a blob field {what} is not in this release: `{name}`");
        errors.add(word, message, format!("{help}, or keep the field in an entity of its own"));
    }
}

/// An index row would contain the name of a blob that belongs to another row.
fn copied(input: &EntityInput, design: &EntityDesign, errors: &mut Errors) {
    let kinds = design.row_kinds();
    for (number, index) in design.indexes.iter().enumerate() {
        let kind = kinds.iter().find(|kind| kind.origin == table_schema::design::Origin::Index(number));
        let (Some(kind), Some(word)) = (kind, input.words.indexes.get(number)) else { continue };
        let is_blob =
            |name: &str| input.fields.iter().any(|field| field.name() == name && field.words.blob.is_set());
        let copies = design.copied_fields(index, kind);
        let Some(field) = copies.iter().find(|field| is_blob(&field.name)) else { continue };
        let (index, name) = (&index.name, &field.name);
        let listed = word.copy.value().into_iter().flatten().find(|listed| *listed == name);
        match listed {
            Some(listed) => errors.add(
                listed,
                format!("`{index}` copies `{name}`, which is in a blob of the entity's own"),
                "take it out: `load` on what the index gives reads the entity, and with it the blob's name",
            ),
            None => errors.add(
                word.name.as_ref().unwrap_or(&word.word),
                format!("`{index}` copies the whole entity, and `{name}` is in a blob of the entity's own"),
                format!("name what it copies: copy(..), without `{name}`"),
            ),
        }
    }
}
