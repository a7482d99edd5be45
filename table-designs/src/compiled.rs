//! Conversion of the compiled designs of a crate to a model: the reverse of code generation.

use crate::schema::Schema;
use table_schema::{
    design::{
        BlobDesign, ChangesDesign, CopiedFields, EntityDesign, EntityTypeRule, FieldDesign, FieldKind,
        IndexDesign, LookupDesign, LookupPlace, PartOf, RequiredIf, Series, Shard, Stamp, TemplateText,
        TotalDesign,
    },
    language::{Size, SizeUnit, Span, SpanUnit},
    role::Role,
    static_design::{
        Aggregate, Contribution, Design, Index, NestedStruct, Property, StoredType, Template, Total,
        ValueKind,
    },
    template::{Part, Shape},
};

/// A model that was created from Rust, with notes about missing information.
#[derive(Clone, Debug, PartialEq)]
pub struct FromDesigns {
    /// The model.
    pub schema: Schema,
    /// The guessed information, one sentence each.
    pub notes: Vec<String>,
}

/// Creates the model of these designs: `from_designs("company", &[Department::DESIGN, Employee::DESIGN])`.
///
/// A derive retains only the data that its code requires. Descriptions, string bounds, archives and index conditions
/// are not retained, and a user-defined type in a key is identified only by its name. A note describes every resulting
/// guess.
pub fn from_designs(name: &str, designs: &[&Design]) -> FromDesigns {
    let mut notes = Vec::new();
    let mut entities: Vec<EntityDesign> = designs.iter().map(|design| entity(design, &mut notes)).collect();
    for source in designs {
        for feed in source.feeds {
            totals(source, feed, &mut entities, &mut notes);
        }
    }
    FromDesigns { schema: Schema { name: name.to_owned(), entities, ..Schema::default() }, notes }
}

pub(crate) fn entity(design: &Design, notes: &mut Vec<String>) -> EntityDesign {
    let mut entity = EntityDesign::new(design.name);
    entity.table = Some(TemplateText::new(design.tables.as_ref().map_or(design.table, |names| names.text)));
    entity.partition = Some(TemplateText::new(design.partition.text));
    entity.row = Some(TemplateText::new(design.row.text));
    entity.entity_type = match design.entity_type {
        None => EntityTypeRule::None,
        Some(name) if name == design.name => EntityTypeRule::Always,
        Some(name) => EntityTypeRule::Named(name.to_owned()),
    };
    entity.aliases = design.aliases.iter().map(|&alias| alias.to_owned()).collect();
    if let Some(older) = design.older {
        entity.aliases.extend(older.entity_types().map(str::to_owned));
        notes.push(format!(
            "`{}` reads rows of an older version, which a design file cannot express",
            design.name
        ));
    }
    entity.shard = design.shard.map(|shard| Shard { of: shard.of.to_owned(), count: shard.count });
    entity.wide = design.wide;
    entity.changes =
        design.changes.map(|changes| ChangesDesign { keep: span(changes.keep), old: changes.old });
    let field_of = |name: Option<&str>| {
        let property = design.properties.iter().find(|property| Some(property.name) == name);
        property.map(|property| property.field.to_owned())
    };
    entity.roles.set(Role::Expires, field_of(design.expires));
    entity.roles.set(Role::SoftDelete, field_of(design.soft_delete));
    for key in design.key.iter().filter(|key| design.property_of(key.field).is_none()) {
        entity.fields.push(field(design, key.field, key.field, key.rust_type, notes));
    }
    for property in design.properties.iter().filter(|property| !design.fed.contains(&property.name)) {
        match design.nested_in(property) {
            Some(nested) => entity.fields.extend(flattened(design, property, nested)),
            None => entity.fields.push(stored(design, property, notes)),
        }
    }
    entity.indexes =
        design.indexes.iter().filter(|index| index.lookup.is_none()).map(|one| index(design, one)).collect();
    entity.lookups = design.indexes.iter().filter_map(|one| lookup(design, one)).collect();
    entity
}

/// Returns a span in the longest unit that is exact.
fn span(seconds: u64) -> Span {
    let is_exact = |unit: &SpanUnit| seconds.is_multiple_of(unit.seconds());
    let unit = SpanUnit::ALL.into_iter().rev().find(is_exact).unwrap_or(SpanUnit::Second);
    Span { number: seconds / unit.seconds(), unit }
}

/// Returns the fields of a nested struct. In a model, each is a field of the entity: `address.city` is `address_city`.
fn flattened<'d>(
    design: &'d Design,
    property: &'d Property,
    nested: &'d NestedStruct,
) -> impl Iterator<Item = FieldDesign> + use<'d> {
    property.slots.iter().zip(nested.properties).map(|(name, inner)| {
        let mut field = FieldDesign::new(nested.name_of(inner), inner.stored.kind.into());
        (*name).clone_into(&mut field.property);
        field.optional = inner.stored.optional || !inner.required_in.is_empty();
        field.required_if = property
            .slots
            .first()
            .filter(|_| !inner.required_in.is_empty())
            .map(|tag| RequiredIf::new(*tag, inner.required_in.iter().copied()));
        field.part_of = Some(PartOf {
            field: property.field.to_owned(),
            rust_type: property.rust_type.to_owned(),
            inner: inner.field.to_owned(),
        });
        field.default = default(design, &field);
        field
    })
}

/// Returns the default of a field, as a design file contains it.
fn default(design: &Design, field: &FieldDesign) -> Option<String> {
    let is_used = design.has_default(&field.property) && !field.optional;
    let default = || design.default_function(&field.property).or_else(|| default_of(&field.kind));
    is_used.then(default).flatten()
}

fn stored(design: &Design, property: &Property, notes: &mut Vec<String>) -> FieldDesign {
    let declared = design.types.iter().find(|stored| stored.name == property.name);
    let mut field = match declared {
        Some(stored) => opaque(design, property, stored),
        None => field(design, property.field, property.name, property.rust_type, notes),
    };
    field.default = default(design, &field);
    field.encrypted = design.encrypted.contains(&property.name);
    field.stamp = Stamp::ALL.into_iter().find(|stamp| design.stamp(*stamp) == Some(property.name));
    if !property.slots.is_empty() {
        field.series = Some(Series::Slots(property.slots.len()));
    }
    if let Some(blob) = design.blobs.iter().find(|blob| blob.name == property.name) {
        let over = Size { number: blob.inline as u64, unit: SizeUnit::Byte };
        field.kind = FieldKind::Blob;
        field.blob = Some(BlobDesign { holds: FieldKind::Binary { max: None }, over: Some(over) });
    }
    let in_key = design.key.iter().any(|key| key.field == property.field);
    field.store = in_key && !is_cut(design, property.field);
    field
}

/// Creates a field whose type as written does not determine the type of its values.
fn opaque(design: &Design, property: &Property, stored: &StoredType) -> FieldDesign {
    let mut field = FieldDesign::new(property.field, stored.kind.into());
    property.name.clone_into(&mut field.property);
    // JSON stores a missing value as `null`, so the property is always present, except in rows that are read as the
    // default.
    let is_option =
        property.rust_type.trim_start().trim_start_matches('[').trim_start().starts_with("Option");
    field.optional = stored.optional
        || is_option && (stored.kind != ValueKind::Json || design.defaults.contains(&property.name));
    field
}

/// Returns the default value of a type as a design file contains it, or `None` if a design file cannot contain it.
pub fn default_of(kind: &FieldKind) -> Option<String> {
    let text = match kind {
        FieldKind::Text { .. } => "\"\"",
        FieldKind::Bool => "false",
        FieldKind::Int { .. } | FieldKind::Float { .. } => "0",
        _ => return None,
    };
    Some(text.to_owned())
}

/// Returns whether the keys contain only truncated values of the field.
fn is_cut(design: &Design, field: &str) -> bool {
    let parts = design.partition.form.parts().iter().chain(design.row.form.parts());
    let mut exact = parts.filter_map(|part| match part {
        Part::Field { field: name, exact, .. } if *name == field => Some(*exact),
        _ => None,
    });
    !exact.any(|exact| exact)
}

fn field(
    design: &Design,
    name: &str,
    property: &str,
    rust_type: &str,
    notes: &mut Vec<String>,
) -> FieldDesign {
    let plain: String = rust_type.chars().filter(|character| !character.is_whitespace()).collect();
    let unwrapped = |text: &str, begin: &str, end: &str| {
        text.strip_prefix(begin).and_then(|rest| rest.strip_suffix(end)).map(str::to_owned)
    };
    let slot = unwrapped(&plain, "[", "]").and_then(|array| Some(array.rsplit_once(';')?.0.to_owned()));
    let is_series = design.property_of(name).is_some_and(|property| !property.slots.is_empty());
    let is_bytes = slot.as_deref() == Some("u8") && !is_series;
    let one = slot.filter(|_| !is_bytes).unwrap_or(plain);
    let inner = unwrapped(&one, "Option<", ">");
    let mut field = FieldDesign::new(name, FieldKind::Unknown);
    property.clone_into(&mut field.property);
    field.optional = inner.is_some();
    let ty = inner.unwrap_or(one);
    field.kind = kind(&ty).or_else(|| shape_of(design, name).map(by_shape)).unwrap_or_else(|| {
        notes.push(format!("`{}.{name}` is a `{ty}`, which is read as text", design.name));
        FieldKind::Text { max: None }
    });
    field
}

fn kind(ty: &str) -> Option<FieldKind> {
    let generic = ty.split('<').next().unwrap_or(ty);
    let last = generic.rsplit("::").next().unwrap_or(generic);
    Some(match last {
        "String" | "char" => FieldKind::Text { max: None },
        "Box" | "Cow" if ty.contains("str>") => FieldKind::Text { max: None },
        "Timestamp" | "SystemTime" | "OffsetDateTime" | "DateTime" => FieldKind::Time,
        "Date" | "NaiveDate" => FieldKind::Date,
        "Uuid" => FieldKind::Guid,
        "Bytes" | "Blob" => FieldKind::Binary { max: None },
        "Vec" if ty.ends_with("<u8>") => FieldKind::Binary { max: None },
        "Value" if ty == "serde_json::Value" => FieldKind::Json { max: None },
        _ if ty.starts_with("[u8;") => FieldKind::Binary { max: None },
        name => return FieldKind::primitive(name),
    })
}

/// Returns the shape of a field in the keys, or `None` if no key contains it.
fn shape_of(design: &Design, field: &str) -> Option<Shape> {
    let parts = design.partition.form.parts().iter().chain(design.row.form.parts());
    let mut shapes = parts.filter_map(|part| match part {
        Part::Field { field: name, shape, .. } if *name == field => Some(*shape),
        _ => None,
    });
    shapes.next()
}

/// Returns the type of a user-defined type, as implied by its shape.
fn by_shape(shape: Shape) -> FieldKind {
    match shape {
        Shape::Text | Shape::Esc => FieldKind::Text { max: None },
        Shape::Padded(_) | Shape::InvertedPadded(_) => FieldKind::Int { bits: 64, signed: false },
        Shape::Ord(_) | Shape::InvertedOrd(_) => FieldKind::Int { bits: 64, signed: true },
        Shape::Ticks | Shape::InvertedTicks | Shape::Date(_) | Shape::InvertedDate(_) => FieldKind::Time,
        Shape::Guid | Shape::Guidn => FieldKind::Guid,
        Shape::Flag => FieldKind::Bool,
    }
}

/// Returns a template, or `None` if it equals the template of the entity.
fn other(template: &str, own: &str) -> Option<TemplateText> {
    (template != own).then(|| TemplateText::new(template))
}

fn index(design: &Design, index: &Index) -> IndexDesign {
    let is_key = |field: &str| design.key.iter().any(|key| key.field == field);
    let copied = design.properties.iter().filter(|property| {
        !is_key(property.field)
            && index
                .properties
                .iter()
                .any(|names| names.first() == property.slots.first().or(Some(&property.name)))
    });
    IndexDesign {
        table: other(index.table, design.table),
        partition: other(index.partition.text, design.partition.text),
        unique: index.unique,
        sparse: has_optional(design, index),
        copy: if index.whole {
            CopiedFields::All
        } else {
            CopiedFields::Only(copied.flat_map(|property| design.field_names(property)).collect())
        },
        ..IndexDesign::new(index.name, index.row.text)
    }
}

/// Returns whether its keys contain an optional field.
fn has_optional(design: &Design, index: &Index) -> bool {
    let optional = |name: &str| {
        design.property_of(name).is_some_and(|property| property.rust_type.trim_start().starts_with("Option"))
    };
    holes(&index.partition).chain(holes(&index.row)).any(optional)
}

fn holes(template: &Template) -> impl Iterator<Item = &str> {
    template.form.parts().iter().filter_map(|part| match part {
        Part::Field { field, .. } => Some(*field),
        Part::Literal(_) => None,
    })
}

fn lookup(design: &Design, index: &Index) -> Option<LookupDesign> {
    let lists = index.lookup.as_ref()?;
    let row = lists.list.text.strip_suffix('!').unwrap_or(lists.list.text);
    let place = match (index.near, lists.in_blobs) {
        (true, _) => LookupPlace::Partition,
        (false, true) => LookupPlace::Blob,
        (false, false) => LookupPlace::Table,
    };
    let keys = holes(&index.partition).filter(|_| !index.near).chain(holes(&lists.list));
    let mut on: Vec<String> = Vec::new();
    for name in keys.filter(|name| !on_part(name)) {
        if !on.iter().any(|known| known == name) {
            on.push(name.to_owned());
        }
    }
    Some(LookupDesign {
        name: index.name.to_owned(),
        on,
        place,
        table: (place == LookupPlace::Table).then(|| other(index.table, design.table)).flatten(),
        partition: (!index.near).then(|| TemplateText::new(index.partition.text)),
        row: (place != LookupPlace::Blob).then(|| TemplateText::new(row)),
        ids: lists.ids.map(str::to_owned),
        about: None,
    })
}

fn on_part(name: &str) -> bool {
    matches!(name, "part" | "shard")
}

/// Moves aggregates from the source, which declares them in Rust, to the target, which declares them in a design file.
fn totals(source: &Design, feed: &Contribution, entities: &mut [EntityDesign], notes: &mut Vec<String>) {
    let sink = (feed.sink)();
    let Some(entity) = entities.iter_mut().find(|entity| entity.name == sink.name) else {
        notes.push(format!(
            "`{}` maintains values in `{}`, which is not among the designs",
            source.name, sink.name
        ));
        return;
    };
    for total in feed.totals {
        if total.by == Aggregate::Copy {
            notes.push(format!(
                "`{}` copies fields into `{}`, which a design file declares at the target",
                source.name, sink.name
            ));
            continue;
        }
        entity.totals.push(self::total(source, sink, total));
    }
}

/// Returns the key fields of a target, which its sources have under the same names.
pub(crate) fn key_pairs(target: &Design) -> Vec<(String, String)> {
    target.key.iter().map(|key| (key.field.to_owned(), key.field.to_owned())).collect()
}

/// Returns an aggregate as its target declares it.
pub(crate) fn total(source: &Design, target: &Design, total: &Total) -> TotalDesign {
    let of = |name: &&str| source.properties.iter().find(|property| property.name == *name);
    let field = total.of.as_ref().map(|name| of(name).map_or(*name, |property| property.field).to_owned());
    TotalDesign {
        name: total.field.to_owned(),
        about: None,
        by: total.by,
        entity: source.name.to_owned(),
        field,
        matches: key_pairs(target),
        // Only the code contains the condition.
        when: None,
    }
}
