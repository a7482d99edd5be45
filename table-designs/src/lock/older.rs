//! An older version as a struct to paste.

use super::{LockedVersion, word};
use table_schema::{
    design::{
        CopiedFields, EntityDesign, FieldDesign, FieldKind, IndexDesign, LookupDesign, PartOf, Series,
        TemplateText,
    },
    static_design::Aggregate,
};

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
        // Text, enums, and types that are unknown.
        _ => "String",
    };
    let ty = if field.optional { format!("Option<{ty}>") } else { ty.to_owned() };
    match field.series {
        Some(Series::Slots(slots)) => format!("[{ty}; {slots}]"),
        _ => ty,
    }
}

/// Returns the struct of an older version, and its conversion to the newer one.
/// `has_older` is `true` if rows of still older versions may exist. `contributions` are the attributes of its values in
/// other entities.
pub(super) fn declaration(
    old: &LockedVersion,
    has_older: bool,
    new: &EntityDesign,
    contributions: Vec<String>,
) -> String {
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
    words.extend(word::arguments(design));
    let mut lines =
        vec!["#[derive(TableEntity, Clone, Debug)]".to_owned(), format!("#[table({})]", words.join(", "))];
    let has_conditions =
        design.indexes.iter().any(|index| index.sparse || index.when.is_some()) || !contributions.is_empty();
    let derived: Vec<String> = (design.indexes.iter().map(index))
        .chain(design.lookups.iter().map(lookup))
        .chain(contributions)
        .collect();
    if !derived.is_empty() {
        lines.push(
            "// What its rows are indexed and counted by: without it, totals count them twice.".to_owned(),
        );
        if has_conditions {
            lines.push(
                "// Repeat each `when = ..` of the code with its function: the lock does not contain them."
                    .to_owned(),
            );
        }
        lines.extend(derived);
    }
    lines.push(format!("struct {name} {{"));
    let fields = || design.fields.iter().filter(|field| !field.skip);
    for field in fields() {
        lines.extend(undetermined(field).map(|note| format!("    // {note}")));
        lines.extend(attribute(field).map(|attribute| format!("    {attribute}")));
        lines.push(format!("    {}: {},", field.name, rust_type(field)));
    }
    lines.extend(["}".to_owned(), String::new()]);
    lines.push(format!("impl From<{name}> for {} {{", new.name));
    lines.push(format!("    fn from(old: {name}) -> Self {{"));
    lines.push(format!("        Self {{ {} }}", values(design, new).join(", ")));
    lines.extend(["    }", "}"].map(str::to_owned));
    lines.join("\n")
}

/// Returns the values of the fields of the newer struct. The older struct has no nested structs.
fn values(old: &EntityDesign, new: &EntityDesign) -> Vec<String> {
    let value = |name: &str, field: &FieldDesign| match old.field(&field.name) {
        Some(old) if is_same_type(old, field) => format!("{name}: old.{}", field.name),
        _ => format!("{name}: todo!()"),
    };
    let fields: Vec<&FieldDesign> = new.fields.iter().filter(|field| !field.skip).collect();
    let is_same_struct = |one: &&FieldDesign, two: &&FieldDesign| {
        let of = |field: &FieldDesign| field.part_of.as_ref().map(|part| part.field.clone());
        of(one).is_some() && of(one) == of(two)
    };
    let written = fields.chunk_by(is_same_struct).filter_map(|fields| {
        let Some(PartOf { field, rust_type, .. }) = &fields.first()?.part_of else {
            return fields.first().map(|field| value(&field.name, field));
        };
        if fields.iter().any(|field| field.required_if.is_some()) {
            // An enum: the tag decides which of the values exist.
            return Some(format!("{field}: todo!()"));
        }
        let inner = fields.iter().filter_map(|field| Some(value(&field.part_of.as_ref()?.inner, field)));
        Some(format!("{field}: {rust_type} {{ {} }}", inner.collect::<Vec<_>>().join(", ")))
    });
    written.collect()
}

/// Returns whether a field has the same type in both structs. A lock has no name of an enum, so the older struct has text
/// in its place.
fn is_same_type(old: &FieldDesign, new: &FieldDesign) -> bool {
    undetermined(old).is_none()
        && old.kind == new.kind
        && old.optional == new.optional
        && old.series == new.series
}

/// Returns what to write for a field whose type the lock does not contain.
fn undetermined(field: &FieldDesign) -> Option<&'static str> {
    match &field.kind {
        FieldKind::Enum { .. } => {
            Some("An enum, as text: write its name if it still has all words, or convert the text below.")
        }
        FieldKind::Unknown => Some("The lock does not contain this type: write that of the code."),
        FieldKind::Json { .. } => Some("Any JSON: write the type of the code, or convert the value below."),
        _ => None,
    }
}

/// Returns the attribute of an index.
pub(super) fn index(index: &IndexDesign) -> String {
    let mut words =
        templates(&[("table", &index.table), ("partition", &index.partition), ("row", &index.row)]);
    words.extend(index.unique.then(|| "unique".to_owned()));
    if index.when.is_some() {
        words.push(format!("when = is_in_{}", index.name));
    } else {
        words.extend(index.sparse.then(|| "sparse".to_owned()));
    }
    if let CopiedFields::Only(fields) = &index.copy {
        words.push(format!("copy({})", fields.join(", ")));
    }
    format!("#[table(index({}, {}))]", index.name, words.join(", "))
}

/// Returns the attribute of a lookup.
fn lookup(lookup: &LookupDesign) -> String {
    let on = match lookup.on.as_slice() {
        [only] => only.clone(),
        several => format!("({})", several.join(", ")),
    };
    let mut words = vec![format!("on = {on}"), format!("place = {}", lookup.place.word())];
    words.extend(templates(&[
        ("table", &lookup.table),
        ("partition", &lookup.partition),
        ("row", &lookup.row),
    ]));
    words.extend(lookup.ids.as_ref().map(|ids| format!("ids = {ids:?}")));
    format!("#[table(lookup({}, {}))]", lookup.name, words.join(", "))
}

/// Returns the attributes of the contributions of an entity to a target. A copied field is a comment: its projection is
/// one of the newest struct, and a copy, unlike a total, is not counted twice when it is written again.
pub(super) fn contributions(entity: &str, target: &EntityDesign) -> Vec<String> {
    let attribute = |by: Aggregate, field: &str, of: Option<&String>| {
        let of = of.map_or_else(String::new, |of| format!(", of = {of}"));
        format!("#[table({}({}::{field}{of}))]", by.contribution(), target.name)
    };
    let totals = target.totals.iter().filter(|total| total.entity == entity);
    let copied = target.embeds.iter().filter(|embed| embed.from == entity);
    totals
        .map(|total| attribute(total.by, &total.name, total.field.as_ref()))
        .chain(copied.map(|embed| {
            let copied = format!("{}({}::{})", Aggregate::Copy.contribution(), target.name, embed.name);
            format!(
                "// Without `{copied}`, whose projection is of the newest struct: a copy of an older row is\n\
                 // correct after `upgrade`; `verify` with `repair` removes those of rows that are deleted before."
            )
        }))
        .collect()
}

/// Returns templates as words of an attribute or of a design file.
pub(super) fn templates(templates: &[(&str, &Option<TemplateText>)]) -> Vec<String> {
    let word = |(word, template): &(&str, &Option<TemplateText>)| {
        Some(format!("{word} = {:?}", template.as_ref()?.text()))
    };
    templates.iter().filter_map(word).collect()
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
    ];
    words.extend(flags.into_iter().filter(|(_, is)| *is).map(|(word, _)| word.to_owned()));
    words.extend(default(field));
    (!words.is_empty()).then(|| format!("#[table({})]", words.join(", ")))
}

/// Returns the attribute word of the value that rows without the property have.
pub(super) fn default(field: &FieldDesign) -> Option<String> {
    let path = field.default_path().map_or_else(String::new, |path| format!(" = {path}"));
    (field.default.is_some() && !field.optional).then(|| format!("default{path}"))
}
