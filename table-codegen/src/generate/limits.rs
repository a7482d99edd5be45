//! Design features that the derive does not support yet.

use table_schema::{
    design::{CopiedFields, EntityDesign, FieldDesign, FieldKind, LookupPlace, Origin, TotalDesign},
    schema::Schema,
    static_design::Aggregate,
    template::{Hole, Shape, Template},
};

use super::Refused;

/// Maximum size of a property in bytes.
const MOST_INLINE: u64 = 64 << 10;

pub(super) fn check(schema: &Schema) -> Vec<Refused> {
    let mut refused = Vec::new();
    for entity in &schema.entities {
        archive(entity, &mut refused);
        for field in &entity.fields {
            of_field(entity, field, &mut refused);
        }
        indexes(schema, entity, &mut refused);
        lookups(entity, &mut refused);
        spread(entity, &mut refused);
        for total in &entity.totals {
            of_total(schema, entity, total, &mut refused);
        }
        embeds(schema, entity, &mut refused);
    }
    refused
}

fn archive(entity: &EntityDesign, refused: &mut Vec<Refused>) {
    let Some(archive) = &entity.archive else { return };
    let path = ["entity", &entity.name, "archive"];
    if entity.wide.is_some() {
        let message = "an archive of a wide entity is not in this release";
        refused.push(Refused::of(&path, message, "take one of them out"));
    }
    if entity.table.as_ref().is_some_and(|table| table.text().eq_ignore_ascii_case(&archive.to)) {
        refused.push(Refused::of(
            &path,
            format!("`{}` is the entity's own table", archive.to),
            "name another",
        ));
    }
}

fn has_periods(entity: &EntityDesign) -> bool {
    entity.table.as_ref().is_some_and(|table| table.text().contains('{'))
}

fn of_field(entity: &EntityDesign, field: &FieldDesign, refused: &mut Vec<Refused>) {
    let path = ["entity", &entity.name, "fields", &field.name];
    let mut refuse = |message: &str, help: &str| refused.push(Refused::of(&path, message, help));
    if let Some(blob) = &field.blob {
        for (is, message) in [
            (field.encrypted, "a blob that is encrypted is not in this release"),
            (field.series.is_some(), "a series of blobs is not in this release"),
            (entity.wide.is_some(), "a blob of a wide entity is not in this release"),
            (has_periods(entity), "a blob of an entity with a table for each period is not in this release"),
        ] {
            if is {
                refuse(message, "take one of them out");
            }
        }
        if blob.over.is_some_and(|over| over.bytes() > MOST_INLINE || over.bytes() == 0) {
            refuse("a property holds 1 to 65,536 bytes", "blob = \"over 32KiB\"");
        }
    }
    let is_json = matches!(field.kind, FieldKind::Json { .. });
    if field.encrypted && field.series.is_some() {
        refuse("a series that is encrypted is not in this release", "take one of them out");
    }
    if field.encrypted && entity.wide.is_some() {
        refuse("encrypted fields of a wide entity are not in this release", "take `encrypt` out");
    }
    if field.series.is_some() && (is_json || matches!(field.kind, FieldKind::Binary { .. })) {
        refuse("a series of this type is not in this release", "use numbers, texts or times");
    }
    if field.default.as_ref().is_some_and(|default| !is_plain(field, default)) {
        refuse(
            "a default other than 0, false and the empty text is not in this release",
            "make the field optional",
        );
    }
    let in_key = key_holes(entity).iter().any(|hole| hole.field == field.name);
    if field.store && !in_key {
        refuse("this field stands in no key, so it is stored anyway", "take `store` out");
    }
}

/// Returns whether a default equals the default of the type.
fn is_plain(field: &FieldDesign, default: &str) -> bool {
    field.series.is_none()
        && match field.kind {
            FieldKind::Bool => default == "false",
            FieldKind::Int { .. } | FieldKind::Float { .. } => {
                default.parse::<f64>().is_ok_and(|number| number == 0.0)
            }
            FieldKind::Text { .. } => default == "\"\"",
            _ => false,
        }
}

fn key_holes(entity: &EntityDesign) -> Vec<Hole> {
    let keys = [&entity.partition, &entity.row].into_iter().flatten().filter_map(|text| text.template());
    keys.map(|template| entity.resolve(template))
        .flat_map(|template| template.holes().cloned().collect::<Vec<_>>())
        .collect()
}

/// Checks the copies of indexes. They are not updated for blob content or for values that other entities maintain.
fn indexes(schema: &Schema, entity: &EntityDesign, refused: &mut Vec<Refused>) {
    let kinds = entity.row_kinds();
    for (number, index) in entity.indexes.iter().enumerate() {
        let path = ["entity", &entity.name, "index", &index.name];
        let Some(kind) = kinds.iter().find(|kind| kind.origin == Origin::Index(number)) else { continue };
        let copies = entity.copied_fields(index, kind);
        if let Some(blob) = copies.iter().find(|field| field.kind == FieldKind::Blob) {
            let message =
                format!("the copies would hold `{}`, which is in a blob of the entity's own", blob.name);
            refused.push(Refused::of(&path, message, "name the fields that are copied: copy = [..]"));
        }
        let is_kept = !entity.totals.is_empty() && index.copy == CopiedFields::All;
        if is_kept {
            let message = "the copies would hold totals, which they would not follow";
            refused.push(Refused::of(&path, message, "name the fields that are copied: copy = [..]"));
        }
        let conditions = index.when.iter().flat_map(|when| &when.equalities);
        for field in conditions.filter_map(|one| entity.field(&one.field)) {
            if field.encrypted {
                let message =
                    format!("`{}` is encrypted, and whoever sees the rows would see its value", field.name);
                refused.push(Refused::of(&path, message, "take `encrypt` out, or the condition"));
            } else if field.series.is_some() {
                let message = format!("`{}` is a series, which has no single value", field.name);
                refused.push(Refused::of(&path, message, "take the condition out"));
            }
        }
        let holes = kind.partition.holes().chain(kind.row.holes());
        if kind.row.holes().count() > 6 {
            refused.push(Refused::of(
                &path,
                "a row key with more than six fields is not in this release",
                "use fewer",
            ));
        }
        for hole in holes {
            if schema
                .entity(&entity.name)
                .is_some_and(|own| own.totals.iter().any(|total| total.name == hole.field))
            {
                let message = format!("`{}` is kept of others, and the copies would not follow", hole.field);
                refused.push(Refused::of(&path, message, "key by another field"));
            }
        }
    }
    if let Some(row) = entity.row.as_ref().and_then(|text| text.template())
        && row.holes().count() > 6
    {
        let path = ["entity", &entity.name, "row"];
        refused.push(Refused::of(
            &path,
            "a row key with more than six fields is not in this release",
            "use fewer",
        ));
    }
}

fn lookups(entity: &EntityDesign, refused: &mut Vec<Refused>) {
    for (number, lookup) in entity.lookups.iter().enumerate() {
        let path = ["entity", &entity.name, "lookup", &lookup.name];
        let words = [
            ("table", lookup.table.is_some()),
            ("partition", lookup.partition.is_some()),
            ("row", lookup.row.is_some()),
            ("ids", lookup.ids.is_some()),
        ];
        let unfit: &[&str] = match lookup.place {
            LookupPlace::Partition => &["table", "partition"],
            LookupPlace::Table => &[],
            LookupPlace::Blob => &["table", "row", "ids"],
        };
        for (word, _) in words.iter().filter(|(word, is)| *is && unfit.contains(word)) {
            let message = format!("`{word}` has no meaning for lists in this place");
            refused.push(Refused::of(&path, message, "take it out, or name another `place`"));
        }
        if lookup.place == LookupPlace::Partition {
            continue;
        }
        let Some(kind) = entity.lists(number) else { continue };
        let keys = || kind.partition.holes().chain(kind.row.holes());
        let is_known = |hole: &&Hole| entity.field(&hole.field).is_some();
        let other = keys().filter(is_known).any(|hole| !lookup.on.contains(&hole.field));
        let missing = lookup.on.iter().any(|name| keys().all(|hole| hole.field != *name));
        if other || missing {
            let message = "the keys of these lists and `on` name different fields";
            refused.push(Refused::of(&path, message, "name the same fields in both"));
        }
    }
}

/// Checks that the keys of a row determine its table and shard.
fn spread(entity: &EntityDesign, refused: &mut Vec<Refused>) {
    let keys = key_holes(entity);
    let own = |text: &Option<table_schema::design::TemplateText>| {
        text.as_ref().and_then(|text| text.template()).map(|text| entity.resolve(text))
    };
    let tables = own(&entity.table).filter(|names| names.holes().next().is_some());
    for hole in tables.iter().flat_map(Template::holes) {
        let is_told = keys
            .iter()
            .any(|key| key.field == hole.field && (key.exact || is_as_fine(key.shape, hole.shape)));
        if !is_told {
            let message = format!("the keys hold less of `{}` than the table's name", hole.field);
            refused.push(Refused::of(&["entity", &entity.name, "table"], message, "put it into the row key"));
        }
    }
    let place = if tables.is_some() { "a table for each period" } else { "keys that are spread" };
    let derived = entity.indexes.first().map(|index| ("index", &index.name));
    let derived = derived.or_else(|| entity.lookups.first().map(|lookup| ("lookup", &lookup.name)));
    if let Some((kind, name)) = derived.filter(|_| tables.is_some() || entity.shard.is_some()) {
        let message = format!("an {kind} together with {place} is not in this release");
        let message = message.replace("an lookup", "a lookup");
        let help = "take it out; until then, write a second entity for the other key";
        refused.push(Refused::of(&["entity", &entity.name, kind, name], message, help));
    }
    if let Some(shard) = &entity.shard
        && keys.iter().all(|hole| hole.field != shard.of)
    {
        let message = format!("`{}` stands in no key: a key would not say which shard it is in", shard.of);
        refused.push(Refused::of(&["entity", &entity.name, "shard"], message, "name a field of the row key"));
    }
}

fn is_as_fine(key: Shape, table: Shape) -> bool {
    match (key, table) {
        (Shape::Ticks | Shape::InvertedTicks, _) => true,
        (Shape::Date(key), Shape::Date(table)) => key.finest() >= table.finest(),
        _ => false,
    }
}

/// Checks an aggregate. The source entity maintains it and must contain the key of the target under the same field
/// names.
fn of_total(schema: &Schema, entity: &EntityDesign, total: &TotalDesign, refused: &mut Vec<Refused>) {
    let path = ["entity", &entity.name, "total", &total.name];
    let mut refuse = |message: String, help: &str| refused.push(Refused::of(&path, message, help));
    let Some(source) = schema.entity(&total.entity) else { return };
    if source.name == entity.name {
        refuse("an entity cannot be counted in itself".to_owned(), "keep the total in an entity of its own");
    }
    for (is, what) in [
        (source.wide.is_some(), "of a wide entity"),
        (has_periods(source), "of an entity with a table for each period"),
        (entity.wide.is_some(), "in a wide entity"),
        (has_periods(entity), "in an entity with a table for each period"),
        (entity.shard.is_some(), "in an entity whose key is spread"),
    ] {
        if is {
            refuse(format!("a total {what} is not in this release"), "keep it in an entity of its own");
        }
    }
    if entity.field(&total.name).is_some() {
        refuse(format!("a field is called `{}` as well", total.name), "rename one of them");
    }
    let is_taken = |index: &str| index == entity.name;
    if source
        .indexes
        .iter()
        .map(|index| &*index.name)
        .chain(source.lookups.iter().map(|lookup| &*lookup.name))
        .any(is_taken)
    {
        refuse(format!("an index of `{}` is called as this entity", source.name), "rename it");
    }
    for (theirs, mine) in &total.matches {
        let (Some(from), Some(to)) = (source.field(theirs), entity.field(mine)) else { continue };
        if theirs != mine {
            refuse(
                format!("`{theirs}` and `{mine}` are paired, and have different names"),
                "give both one name",
            );
        } else if !same_type(from, to) {
            refuse(format!("`{theirs}` has another type in `{}`", source.name), "give both one type");
        }
    }
    let keys = key_holes(entity);
    if total.matches.iter().any(|(_, mine)| keys.iter().all(|hole| hole.field != *mine)) {
        refuse(
            "a total is of all that have this entity's key, and of no other fields".to_owned(),
            "match the key only",
        );
    }
    if let Some(field) = total.field.as_ref().and_then(|name| source.field(name))
        && let Some(why) = no_value(source, field, total.by)
    {
        refuse(format!("`{}` {why}", field.name), "name a number that is stored as a property");
    }
}

fn same_type(from: &FieldDesign, to: &FieldDesign) -> bool {
    let is_text = |field: &FieldDesign| matches!(field.kind, FieldKind::Text { .. });
    // The enum of another entity is a different type.
    let is_enum = matches!(from.kind, FieldKind::Enum { .. });
    from.kind == to.kind && !is_enum || is_text(from) && is_text(to)
}

fn no_value(source: &EntityDesign, field: &FieldDesign, by: Aggregate) -> Option<&'static str> {
    if field.encrypted {
        return Some("is encrypted, and the other entity would show it");
    }
    if field.series.is_some() || field.kind == FieldKind::Blob || matches!(field.kind, FieldKind::Json { .. })
    {
        return Some("is no single value");
    }
    if !source.stored_fields().any(|stored| stored.name == field.name) {
        return Some("is not stored as a property");
    }
    match (by, &field.kind) {
        (Aggregate::Sum, FieldKind::Int { .. }) => None,
        (Aggregate::Sum, _) => Some("is no integer"),
        (_, FieldKind::Bool | FieldKind::Guid | FieldKind::Binary { .. } | FieldKind::Enum { .. }) => {
            Some("has no largest and no smallest")
        }
        _ => None,
    }
}

/// Checks the fields copied from other entities, which are generated as plain fields.
fn embeds(schema: &Schema, entity: &EntityDesign, refused: &mut Vec<Refused>) {
    for embed in &entity.embeds {
        let path = ["entity", &entity.name, "embed", &embed.name];
        let Some(source) = schema.entity(&embed.from) else { continue };
        for name in &embed.fields {
            let Some(field) = source.field(name) else { continue };
            let own = format!("{}_{name}", embed.name);
            if field.kind == FieldKind::Blob || field.encrypted || field.series.is_some() {
                let message = format!("`{name}` is in a blob, encrypted or a series, and cannot be copied");
                refused.push(Refused::of(&path, message, "take it out of `fields`"));
            } else if entity.field(&own).is_some() || entity.totals.iter().any(|total| total.name == own) {
                refused.push(Refused::of(
                    &path,
                    format!("a field is called `{own}` as well"),
                    "rename one of them",
                ));
            }
        }
    }
}
