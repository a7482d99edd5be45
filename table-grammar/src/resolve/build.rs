//! Builds the model of an entity from a valid design.

use quote::format_ident;
use syn::{Ident, LitStr, Type, ext::IdentExt, spanned::Spanned};
use table_schema::{
    design::{BlobDesign, EntityDesign, TemplateText, holes_to_read},
    rules::MOST_PROPERTIES,
    template::{self, Shape, Template},
};

use crate::{
    parse::{attribute::Slot, entity::EntityInput, field::FieldInput},
    resolve::{
        entity::{Borrow, Companions, Entity, Field, Form, Key, Methods, Property, Storage, TemplateField},
        newtype::KeyTrait,
    },
    types::{Named, TypeName},
};

/// Returns the model, or `None` if a template is missing or contains no valid field.
pub(crate) fn entity(input: &EntityInput, design: EntityDesign, is_stub: bool) -> Option<Entity> {
    let template = |text: Option<&TemplateText>| template(&design, text);
    let tables = template(Some(design.table.as_ref()?));
    let (partition, row) =
        keys(&design, template(design.partition.as_ref())?, template(design.row.as_ref())?)?;
    let mut indexes = super::index::all(input, &design);
    indexes.extend(super::lookup::all(input, &design));
    if is_stub {
        // Two functions with one name would cause a second error.
        let mut names: Vec<Ident> = Vec::new();
        indexes.retain(|index| {
            let is_new = !names.contains(&index.name);
            names.push(index.name.clone());
            is_new
        });
    }
    let fields = input.fields.iter().enumerate().map(|(number, field)| {
        let by_type = key_trait_of_type(TypeName::of(&field.ty).named).filter(|_| is_stub);
        let stands_in = |key: &Key| {
            let mut holes = key.holes.iter().zip(key.template.holes());
            let (_, hole) = holes.find(|(hole, _)| hole.field == Some(number))?;
            Some(by_type.unwrap_or_else(|| key_trait(hole.shape)))
        };
        let key = [&partition, &row].into_iter().find_map(stands_in);
        let hole = || indexes.iter().flat_map(|index| [&index.partition, &index.row]).find_map(stands_in);
        build_field(field, &design, key, key.or_else(hole))
    });
    let fields = fields.collect();
    let words = &input.words;
    let name = input.ident.unraw().to_string();
    Some(Entity {
        facade: words.krate.value().cloned(),
        visibility: input.visibility.clone(),
        companions: companions(input, &name),
        methods: methods(input),
        partition,
        row,
        fields,
        indexes,
        feeds: super::feed::all(input, &design),
        tables: tables.filter(|names| names.holes().next().is_some()),
        older: words.from.value().cloned(),
        validate: words.validate.value().cloned(),
        most_properties: MOST_PROPERTIES.saturating_sub(design.own_properties()),
        is_stub,
        warnings: Vec::new(),
        ident: input.ident.clone(),
        name,
        design,
    })
}

fn template(design: &EntityDesign, text: Option<&TemplateText>) -> Option<Template> {
    Some(design.resolve(text?.template()?))
}

/// Returns the template fields of both keys with their struct fields. A struct field is read back from its first exact
/// template field, else from its first one.
pub(super) fn keys(design: &EntityDesign, partition: Template, row: Template) -> Option<(Key, Key)> {
    let of = |template: &Template| -> Option<Vec<TemplateField>> {
        let place = |name: &str| design.fields.iter().position(|field| field.name == name);
        let hole = |hole: &template::TemplateField| {
            let field = place(&hole.field);
            let is_ours = match hole.field.as_str() {
                "shard" => design.shard.is_some(),
                "part" => design.wide.is_some(),
                _ => false,
            };
            (field.is_some() || is_ours).then_some(TemplateField { field, reads: false })
        };
        template.holes().map(hole).collect()
    };
    let (mut partition_holes, mut row_holes) = (of(&partition)?, of(&row)?);
    let reads =
        holes_to_read(&partition.holes().chain(row.holes()).map(|hole| (hole.field.as_str(), hole.exact)));
    for (hole, reads) in partition_holes.iter_mut().chain(&mut row_holes).zip(reads) {
        hole.reads = reads && hole.field.is_some();
    }
    Some((Key { template: partition, holes: partition_holes }, Key { template: row, holes: row_holes }))
}

/// Returns the trait that a format requires.
pub(crate) const fn key_trait(shape: Shape) -> KeyTrait {
    match shape {
        Shape::Text | Shape::Esc => KeyTrait::Text,
        Shape::Padded(_) | Shape::Ord(_) | Shape::InvertedPadded(_) | Shape::InvertedOrd(_) => KeyTrait::Num,
        Shape::Ticks | Shape::InvertedTicks | Shape::Date(_) | Shape::InvertedDate(_) => KeyTrait::Time,
        Shape::Guid | Shape::Guidn => KeyTrait::Id,
        Shape::Flag => KeyTrait::Flag,
    }
}

/// Returns the trait of a type, or `None` for bytes and unrecognized types.
pub(crate) const fn key_trait_of_type(named: Named) -> Option<KeyTrait> {
    match named {
        Named::String | Named::Char => Some(KeyTrait::Text),
        Named::Int { .. } | Named::Float { .. } => Some(KeyTrait::Num),
        Named::Time | Named::Date => Some(KeyTrait::Time),
        Named::Guid => Some(KeyTrait::Id),
        Named::Bool => Some(KeyTrait::Flag),
        Named::PointerSized | Named::Binary | Named::Blob | Named::Unknown => None,
    }
}

pub(super) fn build_field(
    field: &FieldInput,
    design: &EntityDesign,
    key: Option<KeyTrait>,
    hole: Option<KeyTrait>,
) -> Field {
    let name = field.name();
    let ty = TypeName::of(field.value_type());
    let recovered = design.recovered_fields().any(|known| known.name == name);
    let stored = design.stored_fields().find(|known| known.name == name);
    let property = stored.map(|stored| Property {
        name: stored.property.clone(),
        was: stored.was.clone(),
        form: match field.slots() {
            Some(slots) => Form::Series(slots.count),
            None if field.words.json.is_set() => Form::Json,
            None if field.words.flatten.is_set() => Form::Flattened,
            None if field.words.blob.is_set() => {
                Form::Blob { inline: field.words.inline.value().copied().unwrap_or(BlobDesign::INLINE) }
            }
            None => Form::Plain,
        },
        or_default: field.words.default.get().is_some() || field.words.from_source.is_set() && !ty.optional,
        default_function: field.words.default_function().cloned(),
        is_sealed: stored.encrypted,
        is_fed: field.words.from_source.is_set(),
        stamp: stored.stamp,
    });
    let storage = match property {
        // Already reported: the type has no fields.
        Some(Property { form: Form::Flattened, .. }) if ty.optional || ty.named != Named::Unknown => {
            Storage::Skipped
        }
        Some(property) if recovered => Storage::KeyAndProperty(property),
        Some(property) => Storage::Property(property),
        None if recovered => Storage::Key,
        None => Storage::Skipped,
    };
    Field {
        ident: field.ident.clone(),
        ty: field.ty.clone(),
        is_string: hole == Some(KeyTrait::Text) && ty.named == Named::String,
        optional: ty.optional && !field.words.json.is_set(),
        borrow: match ty.named {
            Named::String => Borrow::Text,
            Named::Binary if !matches!(ty.inner, Type::Array(_)) => Borrow::Bytes,
            _ => Borrow::Value,
        },
        inner: ty.inner.clone(),
        key,
        hole,
        property_name: design.field(&name).map_or_else(|| name.clone(), |field| field.property.clone()),
        storage,
        name,
    }
}

/// Names the companion types after the entity. They have the span of the struct name, so that name conflicts are
/// reported there.
fn companions(input: &EntityInput, name: &str) -> Companions {
    let named = |slot: &Slot<Ident>, suffix: &str| {
        slot.value().cloned().unwrap_or_else(|| format_ident!("{name}{suffix}", span = input.ident.span()))
    };
    let given = &input.words.names;
    Companions {
        key: named(&given.key, "Key"),
        patch: named(&given.patch, "Patch"),
        fields: named(&given.fields, "Fields"),
        borrowed: input.words.borrowed.is_set().then(|| named(&given.borrowed, "Ref")),
    }
}

/// Method names have the span of their template, so that conflicts with user functions are reported there.
fn methods(input: &EntityInput) -> Methods {
    let words = &input.words;
    let named = |slot: &Slot<Ident>, name: &str, template: &Slot<LitStr>| {
        let span = template.value().map_or_else(|| input.ident.span(), Spanned::span);
        slot.value().cloned().unwrap_or_else(|| Ident::new(name, span))
    };
    let methods = &words.methods;
    Methods {
        point: named(&methods.point, "point", &words.row),
        rows: named(&methods.rows, "rows", &words.row),
        patch: named(&methods.patch, "patch", &words.row),
        scan_partition: named(&methods.scan_partition, "scan_partition", &words.partition),
    }
}
