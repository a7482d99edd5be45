//! Converts a design that was loaded at run time into the plain data that generated code stores in constants.

use table_schema::{
    design::{EntityDesign, FieldDesign, FieldKind, IndexDesign, LookupPlace, Origin, Series},
    key::KeyKind,
    role::Role,
    static_design::{BlobProperty, Changes, Design, Index, Lookup, Property, Shard, Template, TypedField},
    template::{self, KeyForm, Part},
};

/// Default limit in bytes for a blob value that is stored in the row.
const INLINE: usize = 30 << 10;

/// Returns the design with these indexes and lookups, or `None` if a template is missing.
pub(super) fn design(entity: &EntityDesign, indexes: impl Iterator<Item = Index>) -> Option<&'static Design> {
    let own =
        |text: &Option<table_schema::design::TemplateText>| Some(entity.resolve(text.as_ref()?.template()?));
    let (table, partition, row) = (own(&entity.table)?, own(&entity.partition)?, own(&entity.row)?);
    let key = key_fields(entity, &partition, &row)
        .map(|field| TypedField { field: text(&field.name), rust_type: rust_type(field) });
    let stored = || entity.stored_fields();
    let property = |field: &FieldDesign| Property {
        field: text(&field.name),
        name: text(&field.property),
        slots: slots(field),
        rust_type: rust_type(field),
    };
    let names = |wanted: fn(&FieldDesign) -> bool| -> &'static [&'static str] {
        list(stored().filter(|field| wanted(field)).map(|field| text(&field.property)))
    };
    let blobs = stored().filter(|field| field.kind == FieldKind::Blob).map(|field| {
        let over = field.blob.as_ref().and_then(|blob| blob.over);
        let inline = over.and_then(|over| usize::try_from(over.bytes()).ok()).unwrap_or(INLINE);
        BlobProperty { name: text(&field.property), inline }
    });
    let property_of = |name: Option<&str>| Some(text(&entity.field(name?)?.property));
    let is_spread = table.holes().next().is_some();
    Some(Box::leak(Box::new(Design {
        name: text(&entity.name),
        stored_as: entity.stored_as().map(text),
        table: text(table.text()),
        tables: is_spread.then(|| form(&table, KeyKind::Partition)),
        shard: entity.shard.as_ref().map(|shard| Shard { of: text(&shard.of), count: shard.count }),
        partition: form(&partition, KeyKind::Partition),
        row: form(&row, KeyKind::Row),
        entity_type: entity.entity_type_value().map(|name| text(&name)),
        versioned: entity.declares_version(),
        aliases: list(entity.aliases.iter().map(|alias| text(alias))),
        properties: list(stored().map(property)),
        encrypted: names(|field| field.encrypted),
        defaults: names(|field| field.default.is_some()),
        blobs: list(blobs),
        wide: entity.wide,
        indexes: list(indexes),
        key: list(key),
        fed: names(|field| field.from_source),
        changes: entity.changes.map(|changes| Changes { keep: changes.keep.seconds(), old: changes.old }),
        archive: entity.archive.as_ref().map(|archive| text(&archive.to)),
        expires: property_of(entity.roles.get(Role::Expires)),
        soft_delete: property_of(entity.roles.get(Role::SoftDelete)),
        ..Design::EMPTY
    })))
}

/// Returns the fields of the entity's key, in the order of the template fields that they are read from.
fn key_fields<'e>(
    entity: &'e EntityDesign,
    partition: &template::Template,
    row: &template::Template,
) -> impl Iterator<Item = &'e FieldDesign> {
    let holes: Vec<&template::TemplateField> = partition.holes().chain(row.holes()).collect();
    let read = |(at, hole): &(usize, &&template::TemplateField)| {
        let same = || holes.iter().enumerate().filter(|(_, other)| other.field == hole.field);
        let first = same().find(|(_, other)| other.exact).or_else(|| same().next());
        first.is_some_and(|(first, _)| first == *at)
    };
    let names: Vec<String> =
        holes.iter().enumerate().filter(read).map(|(_, hole)| hole.field.clone()).collect();
    names.into_iter().filter_map(|name| entity.field(&name))
}

/// Converts an index.
pub(super) fn index(entity: &EntityDesign, number: usize, index: &IndexDesign) -> Option<Index> {
    let kinds = entity.row_kinds();
    let primary = kinds.iter().find(|kind| kind.origin == Origin::Primary)?;
    let kind = kinds.iter().find(|kind| kind.origin == Origin::Index(number))?;
    let copied = entity.copied_fields(index, kind).into_iter().map(|field| {
        if field.series.is_some() { slots(field) } else { list([text(&field.property)].into_iter()) }
    });
    Some(Index {
        name: text(&index.name),
        table: text(kind.table.text()),
        partition: form(&kind.partition, KeyKind::Partition),
        row: form(&kind.row, KeyKind::Row),
        near: kind.is_near(primary),
        unique: index.unique,
        whole: index.copy == table_schema::design::CopiedFields::All,
        properties: list(copied),
        lookup: None,
    })
}

/// Converts a lookup.
pub(super) fn lookup(entity: &EntityDesign, number: usize) -> Option<Index> {
    let (lookup, kind) = (entity.lookups.get(number)?, entity.lists(number)?);
    let (row, list) = (entity.member_row(number)?, entity.list_prefix(number)?);
    // Messages show the list's template as written by the user, without the `!` that the library appends.
    let shown = text(list.text().trim_end_matches('!'));
    Some(Index {
        name: text(&lookup.name),
        table: text(kind.table.text()),
        partition: form(&kind.partition, KeyKind::Partition),
        row: form(&row, KeyKind::Row),
        near: lookup.place == LookupPlace::Partition,
        unique: false,
        whole: false,
        properties: &[],
        lookup: Some(Lookup {
            list: Template { text: shown, ..form(&list, KeyKind::Row) },
            ids: lookup.ids.as_deref().map(text),
            in_blobs: lookup.place == LookupPlace::Blob,
        }),
    })
}

/// Returns the property names of a series' slots.
pub(super) fn slots(field: &FieldDesign) -> &'static [&'static str] {
    let Some(Series::Slots(count)) = field.series else { return &[] };
    let digits = field.series.and_then(Series::digits).unwrap_or_default();
    list((0..count).map(|slot| text(&format!("{}_{slot:0digits$}", field.property))))
}

fn form(template: &template::Template, kind: KeyKind) -> Template {
    let parts = template.parts().into_iter().map(|part| match part {
        Part::Literal(literal) => Part::Literal(text(literal)),
        Part::Field { field, shape, exact } => Part::Field { field: text(field), shape, exact },
    });
    Template { text: text(template.text()), form: KeyForm::new(kind, list(parts)) }
}

/// Returns the Rust type that the generator writes.
fn rust_type(field: &FieldDesign) -> &'static str {
    let one = match &field.kind {
        FieldKind::Bool => "bool".to_owned(),
        FieldKind::Int { bits, signed } => format!("{}{bits}", if *signed { 'i' } else { 'u' }),
        FieldKind::Float { bits } => format!("f{bits}"),
        FieldKind::Time => "Timestamp".to_owned(),
        FieldKind::Date => "Date".to_owned(),
        FieldKind::Guid => "Uuid".to_owned(),
        FieldKind::Binary { .. } => "Vec<u8>".to_owned(),
        FieldKind::Json { .. } => "serde_json::Value".to_owned(),
        FieldKind::Blob => "Blob".to_owned(),
        _ => "String".to_owned(),
    };
    let one = if field.optional { format!("Option<{one}>") } else { one };
    match field.series {
        Some(Series::Slots(count)) => text(&format!("[{one}; {count}]")),
        _ => text(&one),
    }
}

/// Leaks a string.
pub(super) fn text(text: &str) -> &'static str {
    text.to_owned().leak()
}

fn list<T>(items: impl Iterator<Item = T>) -> &'static [T] {
    items.collect::<Vec<_>>().leak()
}
