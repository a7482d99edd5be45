//! An older version as a struct to paste.

use super::LockedVersion;
use crate::design::{EntityDesign, FieldDesign, FieldKind, Series, TemplateText};

/// Returns the name of the struct of a version.
pub(super) fn name(entity: &str, version: u32) -> String {
    format!("{entity}V{version}")
}

/// Returns the type of a field in Rust. Enums are text in older structs, so that every word can be read.
pub(super) fn rust_type(field: &FieldDesign) -> String {
    let ty = match &field.kind {
        FieldKind::Bool => "bool",
        FieldKind::Int { .. } | FieldKind::Float { .. } => &field.kind.word(),
        FieldKind::Time => "Timestamp",
        FieldKind::Date => "Date",
        FieldKind::Guid => "Uuid",
        FieldKind::Binary { .. } => "Vec<u8>",
        FieldKind::Json { .. } => "serde_json::Value",
        FieldKind::Blob => "Blob",
        FieldKind::Text { .. } | FieldKind::Enum { .. } | FieldKind::Unknown => "String",
    };
    let ty = if field.optional { format!("Option<{ty}>") } else { ty.to_owned() };
    match field.series {
        Some(Series::Slots(slots)) => format!("[{ty}; {slots}]"),
        _ => ty,
    }
}

/// Returns the struct of an older version, and its conversion to the newer one.
/// `has_older` is `true` if rows of still older versions may exist.
pub(super) fn declaration(old: &LockedVersion, has_older: bool, new: &EntityDesign) -> String {
    let design = &old.design;
    let name = name(&design.name, design.version);
    let template =
        |text: &Option<TemplateText>| text.as_ref().map(TemplateText::text).unwrap_or_default().to_owned();
    let mut words = vec![
        format!("name = {:?}", template(&design.table)),
        format!("partition = {:?}", template(&design.partition)),
        format!("row = {:?}", template(&design.row)),
        format!("entity_type = {:?}", design.stored_as().unwrap_or(&design.name)),
    ];
    if design.version > 1 {
        let older = format!("from({})", self::name(&design.name, design.version - 1));
        let oldest = if has_older { older } else { format!("oldest = {}", design.version) };
        words.push(format!("version = {}, {oldest}", design.version));
    }
    words.extend(
        design.shard.as_ref().map(|shard| format!("shard(of = {}, count = {})", shard.of, shard.count)),
    );
    let mut lines = vec![
        "// Indexes, totals and change feeds need not be repeated.".to_owned(),
        "#[derive(TableEntity, Clone, Debug)]".to_owned(),
        format!("#[table({})]", words.join(", ")),
        format!("struct {name} {{"),
    ];
    let fields = || design.fields.iter().filter(|field| !field.skip);
    for field in fields() {
        lines.extend(attribute(field).map(|attribute| format!("    {attribute}")));
        lines.push(format!("    {}: {},", field.name, rust_type(field)));
    }
    lines.extend(["}".to_owned(), String::new()]);
    lines.push(format!("impl From<{name}> for {} {{", new.name));
    lines.push(format!("    fn from(old: {name}) -> Self {{"));
    let values = new.fields.iter().filter(|field| !field.skip).map(|field| match design.field(&field.name) {
        Some(old) if old.kind == field.kind && old.optional == field.optional => {
            format!("{0}: old.{0}", field.name)
        }
        _ => format!("{}: todo!()", field.name),
    });
    lines.push(format!("        Self {{ {} }}", values.collect::<Vec<_>>().join(", ")));
    lines.extend(["    }", "}"].map(str::to_owned));
    lines.join("\n")
}

/// Returns the attribute of a field.
fn attribute(field: &FieldDesign) -> Option<String> {
    let mut words = Vec::new();
    if field.property != field.name {
        words.push(format!("rename = {:?}", field.property));
    }
    let is_json = matches!(field.kind, FieldKind::Json { .. });
    let flags = [
        ("json", is_json),
        ("blob", field.kind == FieldKind::Blob),
        ("encrypt", field.encrypted),
        ("series", field.series.is_some()),
        ("store", field.store),
        ("default", field.default.is_some() && !field.optional),
    ];
    words.extend(flags.into_iter().filter(|(_, is)| *is).map(|(word, _)| word.to_owned()));
    (!words.is_empty()).then(|| format!("#[table({})]", words.join(", ")))
}
