//! A plain renderer of designs as Rust, valid or not. The generator renders valid designs only.

use table_codegen::Schema;
use table_schema::{
    design::{
        CopiedFields, EntityDesign, EntityTypeRule, FieldDesign, FieldKind, IndexDesign, LookupDesign,
        LookupPlace, Series, Stamp, TemplateText,
    },
    language::When,
    static_design::Aggregate,
};

/// Returns the entities of a design as structs with `#[derive(TableEntity)]`, as they declare themselves.
pub(crate) fn rust(schema: &Schema) -> String {
    let declared = (0..schema.entities.len()).filter_map(|number| schema.declared(number));
    declared.map(|declared| entity(&declared.design)).collect()
}

fn template(word: &str, text: Option<&TemplateText>) -> String {
    text.map(|text| format!(", {word} = {:?}", text.text())).unwrap_or_default()
}

fn entity(design: &EntityDesign) -> String {
    let mut lines = vec!["#[derive(TableEntity)]".to_owned()];
    let mut add = |words: String| lines.push(format!("#[table({words})]"));
    for (word, text) in [("name", &design.table), ("partition", &design.partition), ("row", &design.row)] {
        if let Some(text) = text {
            add(format!("{word} = {:?}", text.text()));
        }
    }
    match &design.entity_type {
        EntityTypeRule::None => add("entity_type = none".to_owned()),
        EntityTypeRule::Named(name) => add(format!("entity_type = {name:?}")),
        EntityTypeRule::Auto | EntityTypeRule::Always => {}
    }
    if let Some(shard) = &design.shard {
        add(format!("shard(of = {}, count = {})", shard.of, shard.count));
    }
    if let Some(wide) = design.wide {
        add(format!("wide = {wide}"));
    }
    design.indexes.iter().for_each(|one| add(index(design, one)));
    design.lookups.iter().for_each(|one| add(lookup(one)));
    if let Some(archive) = &design.archive {
        add(format!("archive = {:?}", archive.to));
    }
    if let Some(changes) = design.changes {
        let old = if changes.old { ", old" } else { "" };
        add(format!("changes(keep = {:?}{old})", changes.keep.to_string()));
    }
    for (role, field) in design.roles.iter() {
        add(format!("{} = {field}", role.word()));
    }
    for contribution in &design.contributions {
        let word = match contribution.by {
            Aggregate::Count => "counted_in",
            Aggregate::Sum => "summed_in",
            Aggregate::Max => "max_in",
            Aggregate::Min => "min_in",
            Aggregate::Copy => "copied_to",
        };
        let of = contribution.of.as_ref().map(|of| format!(", of = {of}")).unwrap_or_default();
        let when = contribution.when.as_ref().map(|when| {
            let function = format!("contributes_to_{}", contribution.field);
            format!(", when = {}", condition(design, when, &function))
        });
        let when = when.unwrap_or_default();
        add(format!("{word}({}::{}{of}{when})", contribution.path, contribution.field));
    }
    let fields: String = design.fields.iter().map(|one| field(design, one)).collect();
    let enums: String = design.fields.iter().filter_map(|field| variants(design, field)).collect();
    format!("{}\nstruct {} {{\n{fields}}}\n{enums}", lines.join("\n"), design.name)
}

/// A condition of one field that decides alone is the field in Rust, other conditions are functions.
fn condition(design: &EntityDesign, when: &When, function: &str) -> String {
    let is_field = |field: &FieldDesign| {
        field.kind == FieldKind::Bool
            || field.encrypted
            || field.series.is_some()
            || field.kind == FieldKind::Blob
    };
    match when.equalities.as_slice() {
        [only] if design.field(&only.field).is_some_and(is_field) => only.field.clone(),
        _ => function.to_owned(),
    }
}

fn index(design: &EntityDesign, index: &IndexDesign) -> String {
    let mut words = index.name.clone();
    words += &template("table", index.table.as_ref());
    words += &template("partition", index.partition.as_ref());
    words += &template("row", index.row.as_ref());
    words += if index.unique { ", unique" } else { "" };
    match &index.when {
        Some(when) => {
            let when = condition(design, when, &format!("is_in_{}", index.name));
            words.extend([", when = ", when.as_str()]);
        }
        None => words += if index.sparse { ", sparse" } else { "" },
    }
    if let CopiedFields::Only(fields) = &index.copy {
        words.extend([", copy(", fields.join(", ").as_str(), ")"]);
    }
    format!("index({words})")
}

fn lookup(lookup: &LookupDesign) -> String {
    let place = match lookup.place {
        LookupPlace::Partition => "partition",
        LookupPlace::Table => "table",
        LookupPlace::Blob => "blob",
    };
    let mut words = lookup.name.clone();
    if !lookup.on.is_empty() {
        words.extend([", on = (", lookup.on.join(", ").as_str(), ")"]);
    }
    words.extend([", place = ", place]);
    words += &template("table", lookup.table.as_ref());
    words += &template("partition", lookup.partition.as_ref());
    words += &template("row", lookup.row.as_ref());
    words += &lookup.ids.as_ref().map(|ids| format!(", ids = {ids:?}")).unwrap_or_default();
    format!("lookup({words})")
}

fn enum_name(design: &EntityDesign, field: &FieldDesign) -> String {
    format!("{}Enum{}", design.name, field.name)
}

fn variants(design: &EntityDesign, field: &FieldDesign) -> Option<String> {
    let FieldKind::Enum { variants } = &field.kind else { return None };
    let variants = variants.iter().enumerate();
    let variants: Vec<String> =
        variants.map(|(number, word)| format!("#[table(rename = {word:?})] V{number},\n")).collect();
    let variants = variants.concat();
    Some(format!("#[derive(TableValue)]\nenum {} {{\n{variants}}}\n", enum_name(design, field)))
}

fn field(design: &EntityDesign, field: &FieldDesign) -> String {
    let ty = match &field.kind {
        FieldKind::Text { .. } => "String".to_owned(),
        FieldKind::Bool => "bool".to_owned(),
        FieldKind::Int { bits, signed } => format!("{}{bits}", if *signed { 'i' } else { 'u' }),
        FieldKind::Float { bits } => format!("f{bits}"),
        FieldKind::Time => "Timestamp".to_owned(),
        FieldKind::Date => "Date".to_owned(),
        FieldKind::Guid => "Uuid".to_owned(),
        FieldKind::Binary { .. } => "Vec<u8>".to_owned(),
        FieldKind::Json { .. } => "serde_json::Value".to_owned(),
        FieldKind::Enum { .. } => enum_name(design, field),
        FieldKind::Blob => "Blob".to_owned(),
        other => panic!("{other:?} of `{}`", field.name),
    };
    let mut words = Vec::new();
    if field.property != field.name {
        words.push(format!("rename = {:?}", field.property));
    }
    if let FieldKind::Text { max: Some(max) } = &field.kind {
        words.push(format!("max = {max}"));
    }
    if let Some(over) = field.blob.as_ref().and_then(|blob| blob.over) {
        words.push(format!("inline = {}", over.bytes()));
    }
    for (is, word) in [
        (field.kind == FieldKind::Blob, "blob"),
        (matches!(field.kind, FieldKind::Json { .. }), "json"),
        (field.store, "store"),
        (field.series.is_some(), "series"),
        (field.encrypted, "encrypt"),
        (field.from_source, "from_source"),
        (field.stamp == Some(Stamp::Created), "created"),
        (field.stamp == Some(Stamp::Updated), "updated"),
        (field.default.is_some() && field.default_path().is_none(), "default"),
    ] {
        if is {
            words.push(word.to_owned());
        }
    }
    words.extend(field.default_path().map(|path| format!("default = {path}")));
    let ty = if field.optional { format!("Option<{ty}>") } else { ty };
    let ty = match field.series {
        Some(Series::Slots(slots)) => format!("[{ty}; {slots}]"),
        _ => ty,
    };
    let words = if words.is_empty() { String::new() } else { format!("#[table({})] ", words.join(", ")) };
    let name = if syn::parse_str::<syn::Ident>(&field.name).is_ok() { "" } else { "r#" };
    format!("    {words}{name}{}: {ty},\n", field.name)
}
