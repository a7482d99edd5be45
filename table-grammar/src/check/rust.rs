//! Rules that concern Rust: types recognized by name, serde attributes, conflicting arguments.

use table_schema::{
    catalogue::Code,
    design::{EntityDesign, FieldKind, TemplateText},
    template::Template,
};

use crate::{
    errors::Errors,
    parse::{attribute::Slot, case::Case, entity::EntityInput, field::FieldInput, serde_words::SerdeWords},
    resolve::{build::key_trait, newtype::KeyTrait},
    types::{Named, TypeName, argument_of, shown},
};

pub(super) fn check(input: &EntityInput, design: &EntityDesign, errors: &mut Errors) {
    versions(input, errors);
    one_trait(input, design, errors);
    names(&input.words.rename_all, &input.serde, &input.fields, errors);
    for field in &input.fields {
        self::field(field, design, errors);
    }
}

/// Checks that each name has one form in storage.
pub(super) fn names(case: &Slot<Case>, serde: &SerdeWords, fields: &[FieldInput], errors: &mut Errors) {
    serde.ask_for_one_name(case.get().is_some(), errors);
    for field in fields {
        field.serde.ask_for_one_name(field.words.rename.get().is_some(), errors);
    }
}

/// Checks the type and the arguments of a field.
pub(super) fn field(field: &FieldInput, design: &EntityDesign, errors: &mut Errors) {
    let is_key = stands_in_key(design, &field.name());
    let is_stored = design.stored_fields().any(|stored| stored.name == field.name());
    if is_stored && !field.words.json.is_set() {
        storable(field, errors);
    }
    serde(field, errors);
    series(field, errors);
    words(field, is_key, errors);
}

fn stands_in_key(design: &EntityDesign, name: &str) -> bool {
    let templates = [&design.partition, &design.row].into_iter().flatten().filter_map(|text| text.template());
    templates.flat_map(Template::holes).any(|hole| hole.field == name)
}

/// A format requires a trait of the type, and no type implements two of these traits. Types recognized by name are
/// checked with their format. This check covers unrecognized types, for which only the compiler sees the traits and
/// would accept either format.
fn one_trait(input: &EntityInput, design: &EntityDesign, errors: &mut Errors) {
    let mut seen: Vec<(&str, KeyTrait)> = Vec::new();
    for (text, place) in [(&design.partition, &input.words.partition), (&design.row, &input.words.row)] {
        for hole in text.iter().filter_map(TemplateText::template).flat_map(Template::holes) {
            let is_known = design.field(&hole.field).is_none_or(|field| field.kind != FieldKind::Unknown);
            let asked = key_trait(hole.shape);
            match seen.iter().find(|(name, _)| *name == hole.field) {
                Some((_, first)) if *first != asked && !is_known => errors.add_coded(
                    Code::D010,
                    place.value(),
                    format!(
                        "`{}` is formatted as {} here and as {} before",
                        hole.field,
                        asked.shown(),
                        first.shown()
                    ),
                    "use the same kind of format",
                ),
                Some(_) => {}
                None => seen.push((&hole.field, asked)),
            }
        }
    }
}

/// Earlier versions are read through the previous struct.
fn versions(input: &EntityInput, errors: &mut Errors) {
    let (version, from) = (input.words.version.get(), input.words.from.get());
    if let (None, Some(from)) = (version, from) {
        errors.add_coded(
            Code::D030,
            &from.word,
            "`from` requires `version`, which distinguishes its rows from those of this version",
            "add version = 2",
        );
    }
}

/// Rejects types that the service cannot store, or whose size depends on the platform.
fn storable(field: &FieldInput, errors: &mut Errors) {
    let ty = TypeName::of(field.value_type());
    match ty.named {
        Named::PointerSized => {
            let name = shown(ty.inner);
            let (narrow, wide) = if name == "usize" { ("u32", "u64") } else { ("i32", "i64") };
            errors.add_coded(
                Code::D007,
                ty.inner,
                format!("`{name}` depends on the machine; stored data must not"),
                format!("write `{narrow}` or `{wide}`"),
            );
        }
        Named::Int { bits: 128, .. } => errors.add_coded(
            Code::D007,
            ty.inner,
            "the service has no 128-bit integer",
            "write `i64`, or a newtype whose `TableValue` stores text",
        ),
        _ => {}
    }
}

/// A series has one property per slot, so the number of slots is part of the design.
fn series(field: &FieldInput, errors: &mut Errors) {
    if field.words.series.is_set() && field.slots().is_none() {
        let (found, slot) = (shown(&field.ty), argument_of(&field.ty, "Vec").map(shown));
        let slot = slot.as_deref().unwrap_or("i32");
        errors.add_coded(
            Code::D020,
            &field.ty,
            format!("a series must be an array; `{found}` has no fixed number of slots"),
            format!("write `[{slot}; 24]`, or `[Option<{slot}>; 24]` if a slot may be empty"),
        );
    }
}

/// Attributes that hide a field from an HTTP response must not silently remove it from storage.
fn serde(field: &FieldInput, errors: &mut Errors) {
    if field.words.decide() {
        return;
    }
    let Some(word) = field.serde.hides.first() else { return };
    let help = match word.to_string().as_str() {
        "default" => "#[table(default)] if rows may lack it, or #[table(keep)] if they do not",
        "flatten" => {
            "#[table(flatten)] stores a property for each of its fields, #[table(json)] one property"
        }
        "with" | "serialize_with" | "deserialize_with" => {
            "#[table(keep)] stores it by its type; #[table(json)] by its serde form, without this word"
        }
        _ => "#[table(keep)] or #[table(skip)]",
    };
    errors.add_coded(
        Code::D035,
        &field.ident,
        format!("serde's `{word}` applies to serde formats only; specify how the field is stored"),
        help,
    );
}

/// Rejects arguments without an effect that the design does not retain.
fn words(field: &FieldInput, is_key: bool, errors: &mut Errors) {
    let words = &field.words;
    let name = field.name();
    let mut add = |word: Option<&syn::Ident>, message: String, help: &str| {
        if let Some(word) = word {
            errors.add_coded(Code::D036, word, message, help);
        }
    };
    if words.skip.is_set() {
        if is_key {
            add(words.word("skip"), format!("`{name}` is skipped, but is part of a key"), "remove `skip`");
        }
        for other in [
            "json", "store", "keep", "default", "rename", "was", "max", "series", "flatten", "encrypt",
            "blob", "inline", "created", "updated",
        ] {
            let message = format!("`{name}` is skipped: `{other}` has no effect");
            add(words.word(other), message, "remove one of the attributes");
        }
        return;
    }
    if words.created.is_set() {
        let message = format!("`{name}` is the time of the insert: `updated` has no effect");
        add(words.word("updated"), message, "remove one of the attributes");
    }
    if words.series.is_set() && words.default_function().is_some() {
        let message = format!("`{name}` is a series, whose slots have the default of their type");
        add(words.word("default"), message, "write `default` without a function");
    }
    if is_key && words.json.is_set() {
        let message = format!("`{name}` is part of a key and cannot be JSON");
        add(words.word("json"), message, "remove `json`");
    }
}
