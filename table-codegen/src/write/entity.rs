//! Entities.

use table_schema::{
    design::{
        CopiedFields, EntityDesign, EntityTypeRule, FieldDesign, FieldKind, IndexDesign, LookupDesign,
        LookupPlace, Series, TemplateText,
    },
    static_design::Aggregate,
};

use super::lines::{Lines, inline, key, names, text, texts};

pub(super) fn write(lines: &mut Lines, entity: &EntityDesign) {
    let name = entity.name.as_str();
    lines.table(&["entity", name]);
    lines.some("about", entity.about.as_deref().map(text));
    template(lines, "table", entity.table.as_ref());
    template(lines, "partition", entity.partition.as_ref());
    template(lines, "row", entity.row.as_ref());
    lines.some("keep", entity.keep.map(|keep| text(&keep.to_string())));
    if let Some(shard) = &entity.shard {
        lines.key("shard", format!("{{ of = {}, count = {} }}", text(&shard.of), shard.count));
    }
    lines.some("wide", entity.wide);
    lines.some("version", Some(entity.version).filter(|version| *version > 1));
    lines.some("entity_type", entity_type(entity).map(|rule| text(&rule)));
    if !entity.aliases.is_empty() {
        lines.key("aliases", texts(&entity.aliases));
    }
    if !entity.fields.is_empty() {
        lines.table(&["entity", name, "fields"]);
        for field in entity.fields.iter().filter(|field| !field.skip) {
            lines.key(&field.name, field_value(field));
        }
    }
    for one in &entity.indexes {
        index(lines, name, one);
    }
    for one in &entity.lookups {
        lookup(lines, name, one);
    }
    kept(lines, entity);
}

fn template(lines: &mut Lines, word: &str, written: Option<&TemplateText>) {
    lines.some(word, written.map(|written| text(written.text())));
}

/// Returns the name of the rule, or `None` for the default. A fixed name is written without its version.
fn entity_type(entity: &EntityDesign) -> Option<String> {
    match &entity.entity_type {
        EntityTypeRule::Auto => None,
        EntityTypeRule::None => Some("none".to_owned()),
        EntityTypeRule::Named(name) if entity.version > 1 => {
            let stem = name.strip_suffix(&format!(".v{}", entity.version));
            Some(stem.unwrap_or(name).to_owned())
        }
        EntityTypeRule::Named(name) => Some(name.clone()),
        EntityTypeRule::Always => Some("always".to_owned()),
    }
}

/// Formats the type as in a design file.
pub(super) fn type_of(kind: &FieldKind) -> String {
    let bound = |max: &Option<usize>| max.map(|max| format!("({max})")).unwrap_or_default();
    match kind {
        FieldKind::Bool => "bool".to_owned(),
        FieldKind::Int { bits, signed } => format!("{}{bits}", if *signed { 'i' } else { 'u' }),
        FieldKind::Float { bits } => format!("f{bits}"),
        FieldKind::Time => "datetime".to_owned(),
        FieldKind::Date => "date".to_owned(),
        FieldKind::Guid => "guid".to_owned(),
        FieldKind::Binary { max } => format!("binary{}", bound(max)),
        FieldKind::Json { max } => format!("json{}", bound(max)),
        FieldKind::Enum { variants } => format!("enum({})", variants.join(", ")),
        FieldKind::Blob => "binary".to_owned(),
        FieldKind::Text { max } => format!("string{}", bound(max)),
        _ => "string".to_owned(),
    }
}

pub(super) fn field_value(field: &FieldDesign) -> String {
    let holds = field.blob.as_ref().map_or(&field.kind, |blob| &blob.holds);
    let ty = text(&format!("{}{}", type_of(holds), if field.optional { "?" } else { "" }));
    let mut words: Vec<(String, String)> = Vec::new();
    let mut word = |name: &str, value: String| words.push((name.to_owned(), value));
    if field.kind == FieldKind::Blob {
        let over = field.blob.as_ref().and_then(|blob| blob.over);
        word("blob", over.map_or_else(|| "true".to_owned(), |over| text(&format!("over {over}"))));
    }
    if field.encrypted {
        word("encrypt", "true".to_owned());
    }
    if let Some(Series::Slots(slots)) = field.series {
        word("series", slots.to_string());
    }
    if field.property != field.name {
        word("rename", text(&field.property));
    }
    if let Some(was) = &field.was {
        word("was", text(was));
    }
    if field.store {
        word("store", "true".to_owned());
    }
    if let Some(default) = &field.default {
        word("default", default.clone());
    }
    if let Some(about) = &field.about {
        word("about", text(about));
    }
    if words.is_empty() {
        return ty;
    }
    words.insert(0, ("type".to_owned(), ty));
    inline(&words)
}

fn index(lines: &mut Lines, entity: &str, index: &IndexDesign) {
    lines.table(&["entity", entity, "index", &index.name]);
    lines.some("about", index.about.as_deref().map(text));
    template(lines, "table", index.table.as_ref());
    template(lines, "partition", index.partition.as_ref());
    template(lines, "row", index.row.as_ref());
    lines.flag("unique", index.unique);
    lines.some("when", index.when.as_ref().map(|when| text(&when.text)));
    lines.flag("sparse", index.sparse && index.when.is_none());
    if let CopiedFields::Only(fields) = &index.copy {
        lines.key("copy", texts(fields));
    }
}

fn lookup(lines: &mut Lines, entity: &str, lookup: &LookupDesign) {
    lines.table(&["entity", entity, "lookup", &lookup.name]);
    lines.some("about", lookup.about.as_deref().map(text));
    lines.key("on", texts(&lookup.on));
    let place = match lookup.place {
        LookupPlace::Partition => "partition",
        LookupPlace::Table => "table",
        LookupPlace::Blob => "blob",
    };
    lines.key("place", text(place));
    template(lines, "table", lookup.table.as_ref());
    template(lines, "partition", lookup.partition.as_ref());
    template(lines, "row", lookup.row.as_ref());
    lines.some("ids", lookup.ids.as_deref().map(text));
}

const AGGREGATES: [(Aggregate, &str); 4] =
    [(Aggregate::Count, "count"), (Aggregate::Sum, "sum"), (Aggregate::Max, "max"), (Aggregate::Min, "min")];

/// Writes the aggregates, the fields copied from other entities, and the archive.
fn kept(lines: &mut Lines, entity: &EntityDesign) {
    let name = entity.name.as_str();
    for embed in &entity.embeds {
        lines.table(&["entity", name, "embed", &embed.name]);
        lines.some("about", embed.about.as_deref().map(text));
        lines.key("from", text(&embed.from));
        lines.key("match", names(&embed.matches));
        lines.key("fields", texts(&embed.fields));
    }
    for total in &entity.totals {
        lines.table(&["entity", name, "total", &total.name]);
        lines.some("about", total.about.as_deref().map(text));
        let word = AGGREGATES.iter().find(|(by, _)| *by == total.by).map_or("count", |(_, word)| word);
        let of = total.field.as_ref().map(|field| format!(".{field}")).unwrap_or_default();
        lines.key(word, text(&format!("{}{of}", total.entity)));
        lines.key("match", names(&total.matches));
    }
    if let Some(archive) = &entity.archive {
        lines.table(&["entity", name, "archive"]);
        lines.some("about", archive.about.as_deref().map(text));
        lines.key("to", text(&archive.to));
        lines.some("when", archive.when.as_ref().map(|when| text(&when.text)));
    }
}

/// Writes the fields of a log.
pub(super) fn fields(lines: &mut Lines, path: &[&str], fields: &[FieldDesign]) {
    lines.table(path);
    for field in fields {
        lines.key(&key(&field.name), field_value(field));
    }
}
