//! Parsing of `[entity.NAME.fields]`.

use table_grammar::Case;
use table_schema::{
    catalogue::Code,
    design::{BlobDesign, FieldDesign, FieldKind, Series, Stamp},
};

use super::{
    keys::{Keys, Text, text_of, wrong_kind},
    tree::{Entry, Kind, Table},
    types::FieldType,
    variants,
};
use crate::diagnostic::Found;

/// Reads the fields in file order. Invalid fields are included, so that they are not reported as missing too.
pub(crate) fn all(table: &Table, case: Option<Case>, found: &mut Vec<Found>) -> Vec<FieldDesign> {
    let named = table.entries.iter().filter(|entry| !super::keys::is_extension(&entry.name));
    let mut fields: Vec<FieldDesign> = named.map(|entry| one(entry, case, found)).collect();
    variants::resolve(table, &mut fields, found);
    fields
}

fn one(entry: &Entry, case: Option<Case>, found: &mut Vec<Found>) -> FieldDesign {
    name(entry, found);
    let mut field = match &entry.value.kind {
        Kind::Text { text, .. } => {
            let text = Text { text, value: &entry.value };
            let mut field = FieldDesign::new(&entry.name, FieldKind::Unknown);
            if let Some(ty) = FieldType::read(&text, found) {
                found.extend(ty.too_long(&entry.name, &text));
                field.kind = ty.kind;
                field.optional = ty.optional;
            }
            field
        }
        Kind::Table(table) => of_table(entry, table, found),
        _ => {
            let help = format!("{} = \"string(40)\"", entry.name);
            wrong_kind::<()>(&entry.value, &entry.name, "a type", &help, found);
            FieldDesign::new(&entry.name, FieldKind::Unknown)
        }
    };
    if field.property == field.name
        && let Some(case) = case
    {
        field.property = case.apply(&field.name);
    }
    field
}

/// Checks that the name is a valid Rust identifier. The rules report reserved property names.
fn name(entry: &Entry, found: &mut Vec<Found>) {
    let name = entry.name.as_str();
    if matches!(name, "self" | "Self" | "super" | "crate" | "_") {
        let mistake = Found::new(Code::D022, &entry.key, format!("`{name}` cannot be the name of a field"));
        found.push(
            mistake.label("reserved name").help("rename the field; `rename` sets the name of its property"),
        );
    } else if !super::is_identifier(name) {
        let mistake = Found::new(Code::D027, &entry.key, format!("`{name}` cannot be the name of a field"));
        found.push(mistake.label("letters, digits and `_`, a letter first"));
    }
}

fn of_table(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> FieldDesign {
    let mut keys = Keys::of(table);
    let mut field = FieldDesign::new(&entry.name, FieldKind::Unknown);
    let given = keys.text("type", "string(40)", found);
    if given.is_none() && table.get("type").is_none() {
        let mistake = Found::new(Code::D006, &entry.key, format!("field `{}` has no `type`", entry.name));
        found.push(mistake.label("needs `type`").help(format!("{} = \"string(40)\"", entry.name)));
    }
    let ty = given.and_then(|text| Some((text, FieldType::read(&text, found)?)));
    if let Some((_, ty)) = &ty {
        field.kind = ty.kind.clone();
        field.optional = ty.optional;
    }
    field.about = keys.about(found);
    field.store = keys.bool("store", found).unwrap_or(false);
    if let Some(rename) = keys.text("rename", "FirstName", found) {
        rename.text.clone_into(&mut field.property);
    }
    field.was = keys.text("was", "first_name", found).map(|was| was.text.to_owned());
    let slots = keys.whole("series", (1, 100_000), 24, found);
    field.series = slots.and_then(|slots| usize::try_from(slots).ok()).map(Series::Slots);
    field.encrypted = keys.bool("encrypt", found).unwrap_or(false);
    for stamp in Stamp::ALL {
        if keys.bool(stamp.word(), found) == Some(true) {
            if let Some(first) = field.stamp {
                let message = format!("field `{}` is `{}` and `{}`", entry.name, first.word(), stamp.word());
                found.push(Found::new(Code::D036, &entry.key, message).label("remove one of them"));
            }
            field.stamp = field.stamp.or(Some(stamp));
        }
    }
    blob(entry, &mut keys, ty.as_ref().map(|(_, ty)| ty), &mut field, found);
    if let Some((text, ty)) = ty.as_ref().filter(|_| field.kind != FieldKind::Blob) {
        found.extend(ty.too_long(&entry.name, text));
    }
    variants::read(entry, table, &mut keys, &mut field, found);
    default(entry, &mut keys, &mut field, found);
    default_function(entry, &mut keys, &mut field, found);
    keys.finish(found);
    field
}

const fn is_long(kind: &FieldKind) -> bool {
    matches!(kind, FieldKind::Text { .. } | FieldKind::Json { .. } | FieldKind::Binary { .. })
}

/// Adds an article: `a u32`, `an i64`, `an enum`.
fn with_article(word: &str) -> String {
    let article = if word.starts_with(['i', 'e', 'f']) { "an" } else { "a" };
    format!("{article} {word}")
}

fn unfit(entry: &Entry, value: &Entry, ty: &FieldType, what: &str) -> Found {
    let message = format!("only {what}; `{}` is {}", entry.name, with_article(ty.word));
    Found::new(Code::D020, &value.value.inner(), message).label("not for this type")
}

/// Reads `blob = true` or `blob = "over 32KiB"`.
fn blob(
    entry: &Entry,
    keys: &mut Keys<'_>,
    ty: Option<&FieldType>,
    field: &mut FieldDesign,
    found: &mut Vec<Found>,
) {
    let Some(given) = keys.entry("blob") else { return };
    let over = match &given.value.kind {
        Kind::Bool(false) => return,
        Kind::Bool(true) => None,
        Kind::Text { text, .. } => {
            let Some(size) = text.strip_prefix("over ").and_then(|size| size.parse().ok()) else {
                let mistake = Found::new(Code::D005, &given.value.inner(), "cannot read this size");
                found.push(mistake.label("expected `over` and a size").help("blob = \"over 32KiB\""));
                return;
            };
            Some(size)
        }
        _ => {
            let help = "blob = true, or blob = \"over 32KiB\"";
            wrong_kind::<()>(&given.value, "blob", "true or a size", help, found);
            return;
        }
    };
    match ty {
        Some(ty) if is_long(&ty.kind) => {
            field.blob = Some(BlobDesign { holds: ty.kind.clone(), over });
            field.kind = FieldKind::Blob;
        }
        Some(ty) => found.push(unfit(entry, given, ty, "binary, string and json values can go to a blob")),
        None => {}
    }
}

/// Reads the default value as written in TOML.
fn default(entry: &Entry, keys: &mut Keys<'_>, field: &mut FieldDesign, found: &mut Vec<Found>) {
    let Some(given) = keys.entry("default") else { return };
    let kind = &given.value.kind;
    let fits = match (&field.kind, kind) {
        (FieldKind::Unknown, _)
        | (FieldKind::Bool, Kind::Bool(_))
        | (FieldKind::Text { .. }, Kind::Text { .. })
        | (FieldKind::Float { .. }, Kind::Float(_) | Kind::Integer(Some(_))) => true,
        (FieldKind::Int { bits, signed }, Kind::Integer(Some(number))) => {
            let magnitude = u32::from(*bits) - u32::from(*signed);
            let most = 1_i128 << magnitude;
            let least = if *signed { -most } else { 0 };
            (least..most).contains(&i128::from(*number))
        }
        (FieldKind::Enum { variants }, Kind::Text { text, .. }) => variants.contains(text),
        _ => false,
    };
    if !fits {
        let message = format!("this default is no value of `{}`", entry.name);
        found.push(Found::new(Code::D020, &given.value.inner(), message).label("not for this type"));
        return;
    }
    field.default = Some(match kind {
        Kind::Text { text, .. } => table_schema::toml_text::text(text),
        Kind::Integer(Some(number)) => number.to_string(),
        Kind::Float(number) => toml::Value::Float(*number).to_string(),
        Kind::Bool(value) => value.to_string(),
        _ => return,
    });
}

/// Converts a list of field names.
pub(crate) fn names(texts: &[Text<'_>]) -> Vec<String> {
    texts.iter().map(|text| text.text.to_owned()).collect()
}

/// Reads a single string or a list of strings.
pub(crate) fn one_or_more<'t>(
    keys: &mut Keys<'t>,
    name: &'static str,
    example: &str,
    found: &mut Vec<Found>,
) -> Option<Vec<Text<'t>>> {
    let entry = keys.entry(name)?;
    if matches!(entry.value.kind, Kind::Text { .. }) {
        let text = text_of(&entry.value, name, "", found)?;
        return Some(vec![text]);
    }
    keys.texts(name, example, found)
}

/// Reads the path of the function that returns the default. Only the code can call it.
fn default_function(entry: &Entry, keys: &mut Keys<'_>, field: &mut FieldDesign, found: &mut Vec<Found>) {
    let Some(given) = keys.text("default_function", "quota", found) else { return };
    let call = Some(format!("{}()", given.text));
    let with_function = FieldDesign { default: call, ..FieldDesign::new(&entry.name, FieldKind::Unknown) };
    let place = given.value.inner();
    let (code, message, label) = if field.default.is_some() {
        let message = format!("field `{}` has `default` and `default_function`", entry.name);
        (Code::D036, message, "remove one of them")
    } else if field.series.is_some() {
        let message = format!("`{}` is a series, whose slots have the default of their type", entry.name);
        (Code::D036, message, "remove it")
    } else if with_function.default_function().is_none() || syn::parse_str::<syn::Path>(given.text).is_err() {
        let message = format!("{:?} is no path of a function", given.text);
        (Code::D027, message, "such as `quota` or `defaults::quota`")
    } else {
        field.default = with_function.default;
        return;
    };
    found.push(Found::new(code, &place, message).label(label));
}
