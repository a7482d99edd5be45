//! The layout of a design: what it means in rows.

use super::{
    BlobProperty, Changes, Declaration, Design, Index, Lookup, Property, Shard, Template, TypedField,
};
use crate::{
    design::{
        BlobDesign, CopiedFields, EntityDesign, FieldDesign, FieldKind, LookupPlace, Origin, Series, Stamp,
        TemplateText,
    },
    key::KeyKind,
    template,
};

impl Design {
    /// Computes the layout of a design that was loaded, as the constant of its derive contains it. Contributions are in
    /// the code of the sources and are not contained. Returns `None` if a template is missing or invalid.
    ///
    /// Plain data refers to its parts for as long as the program runs, so each call keeps memory: load a design once.
    pub fn of(design: &EntityDesign) -> Option<&'static Self> {
        let design: &'static EntityDesign = Box::leak(Box::new(design.clone()));
        let own = |text: &Option<TemplateText>| Some(design.resolve(text.as_ref()?.template()?));
        let (table, partition, row) = (own(&design.table)?, own(&design.partition)?, own(&design.row)?);
        let stored = || design.stored_fields();
        let names = |wanted: fn(&FieldDesign) -> bool| {
            list(stored().filter(|field| wanted(field)).map(|field| field.property.as_str()))
        };
        let key = design.key_fields(&partition, &row).into_iter();
        let blobs = stored().filter(|field| field.kind == FieldKind::Blob);
        let stamp = |stamp: Stamp| stored().find(|field| field.stamp == Some(stamp)).map(property_name);
        let roles = design.roles.iter();
        let roles = roles.filter_map(|(role, name)| Some((role, property_name(design.field(name)?))));
        let tables = table.holes().next().is_some().then(|| form(table.clone(), KeyKind::Partition));
        Some(Box::leak(Box::new(Self {
            name: &design.name,
            declaration: Declaration::InMemory(design),
            stored_as: design.stored_as(),
            table: design.table.as_ref()?.text(),
            tables,
            shard: design.shard.as_ref().map(|shard| Shard { of: &shard.of, count: shard.count }),
            partition: form(partition, KeyKind::Partition),
            row: form(row, KeyKind::Row),
            entity_type: design.entity_type_value().map(|name| &*name.leak()),
            versioned: design.declares_version(),
            aliases: list(design.aliases.iter().map(String::as_str)),
            renamed: list(stored().filter_map(|field| Some((property_name(field), field.was.as_deref()?)))),
            indirect: names(|field| {
                field.default.is_some() && !field.from_source || matches!(field.kind, FieldKind::Json { .. })
            }),
            properties: list(stored().map(|field| Property {
                field: &field.name,
                name: &field.property,
                slots: slots(field),
                rust_type: field.rust_type().leak(),
            })),
            encrypted: names(|field| field.encrypted),
            defaults: names(|field| field.default.is_some() || field.from_source && !field.optional),
            blobs: list(blobs.map(|field| BlobProperty {
                name: &field.property,
                inline: field.blob.as_ref().map_or(BlobDesign::INLINE, BlobDesign::inline),
            })),
            wide: design.wide,
            indexes: list(indexes(design)),
            key: list(
                key.map(|field| TypedField { field: &field.name, rust_type: field.rust_type().leak() }),
            ),
            fed: names(|field| field.from_source),
            changes: design.changes.map(|changes| Changes { keep: changes.keep.seconds(), old: changes.old }),
            archive: design.archive.as_ref().map(|archive| archive.to.as_str()),
            created: stamp(Stamp::Created),
            updated: stamp(Stamp::Updated),
            roles: list(roles),
            ..Self::EMPTY
        })))
    }
}

/// Returns the indexes, then the lookups.
fn indexes(design: &'static EntityDesign) -> impl Iterator<Item = Index> {
    let kinds = design.row_kinds();
    let primary = kinds.iter().find(|kind| kind.origin == Origin::Primary).cloned();
    let indexes = kinds.into_iter().filter_map(move |kind| {
        let Origin::Index(number) = kind.origin else { return None };
        let index = design.indexes.get(number)?;
        let properties = design.copied_fields(index, &kind).into_iter();
        let properties = properties.map(|field| match slots(field) {
            [] => list([property_name(field)]),
            slots => slots,
        });
        Some(Index {
            name: &index.name,
            near: kind.is_near(primary.as_ref()?),
            unique: index.unique,
            whole: index.copy == CopiedFields::All,
            properties: list(properties),
            lookup: None,
            table: kind.table.text().to_owned().leak(),
            partition: form(kind.partition, KeyKind::Partition),
            row: form(kind.row, KeyKind::Row),
        })
    });
    indexes.chain((0..design.lookups.len()).filter_map(move |number| lookup(design, number)))
}

fn lookup(design: &'static EntityDesign, number: usize) -> Option<Index> {
    let (lookup, kind) = (design.lookups.get(number)?, design.lists(number)?);
    let list = form(design.list_prefix(number)?, KeyKind::Row);
    Some(Index {
        name: &lookup.name,
        table: kind.table.text().to_owned().leak(),
        partition: form(kind.partition, KeyKind::Partition),
        row: form(design.member_row(number)?, KeyKind::Row),
        near: lookup.place == LookupPlace::Partition,
        unique: false,
        whole: false,
        properties: &[],
        lookup: Some(Lookup {
            // Messages show the template of the list as written, without the `!` that the library appends.
            list: Template { text: list.text.trim_end_matches('!'), ..list },
            ids: lookup.ids.as_deref(),
            in_blobs: lookup.place == LookupPlace::Blob,
        }),
    })
}

fn property_name(field: &FieldDesign) -> &str {
    &field.property
}

/// Returns the property names of a series' slots.
fn slots(field: &FieldDesign) -> &'static [&'static str] {
    list(field.slot_names().map(|name| &*name.leak()))
}

fn form(template: template::Template, kind: KeyKind) -> Template {
    let template: &'static template::Template = Box::leak(Box::new(template));
    Template { text: template.text(), form: template.form(kind) }
}

fn list<T>(items: impl IntoIterator<Item = T>) -> &'static [T] {
    items.into_iter().collect::<Vec<_>>().leak()
}

impl FieldDesign {
    /// Returns the type that the generator writes for the field.
    pub fn rust_type(&self) -> String {
        let one = match &self.kind {
            FieldKind::Bool | FieldKind::Int { .. } | FieldKind::Float { .. } => self.kind.word(),
            FieldKind::Time => "Timestamp".to_owned(),
            FieldKind::Date => "Date".to_owned(),
            FieldKind::Guid => "Uuid".to_owned(),
            FieldKind::Binary { .. } => "Vec<u8>".to_owned(),
            FieldKind::Json { .. } => "serde_json::Value".to_owned(),
            FieldKind::Blob => "Blob".to_owned(),
            FieldKind::Text { .. } | FieldKind::Enum { .. } | FieldKind::Unknown => "String".to_owned(),
        };
        let one = if self.optional { format!("Option<{one}>") } else { one };
        match self.series {
            Some(Series::Slots(count)) => format!("[{one}; {count}]"),
            _ => one,
        }
    }

    /// Returns the names of the properties of the slots. Empty if the field is no series, or one of unknown length.
    pub fn slot_names(&self) -> impl Iterator<Item = String> {
        let count = match self.series {
            Some(Series::Slots(count)) => count,
            _ => 0,
        };
        let digits = self.series.and_then(Series::digits).unwrap_or_default();
        (0..count).map(move |slot| format!("{}_{slot:0digits$}", self.property))
    }
}
