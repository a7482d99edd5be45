//! Conversion of the struct to a design of `table-schema`, for its rules.

use syn::{LitStr, Path, ext::IdentExt};
use table_schema::{
    design::{
        ArchiveDesign, BlobDesign, ContributionDesign, CopiedFields, EntityDesign, EntityTypeRule,
        FieldDesign, FieldKind, IndexDesign, LookupDesign, Series, Shard, TemplateText,
    },
    language::{Size, SizeUnit},
};

use crate::{
    parse::{
        attribute::Slot,
        case::Case,
        entity::{EntityInput, EntityTypeWord},
        feed::FeedInput,
        field::FieldInput,
        index::IndexInput,
        lookup::LookupInput,
    },
    types::{Named, TypeName},
};

/// Returns the design of the input.
pub(crate) fn of(input: &EntityInput) -> EntityDesign {
    let words = &input.words;
    let text = |slot: &Slot<LitStr>| slot.value().map(|text| TemplateText::new(text.value()));
    let case = words.rename_all.value().copied().or(input.serde.rename_all);
    let mut design = EntityDesign::new(input.ident.unraw().to_string());
    design.table = text(&words.name);
    design.partition = text(&words.partition);
    design.row = text(&words.row);
    design.fields = input.fields.iter().map(|field| field_design(field, case)).collect();
    design.wide = words.wide.value().copied();
    design.version = words.version.value().copied().unwrap_or(1);
    design.is_versioned = words.version.get().is_some();
    design.oldest = words.oldest.value().copied().unwrap_or(1);
    design.from = words.from.value().map(written).into_iter().collect();
    design.aliases = words.aliases.value().into_iter().flatten().map(LitStr::value).collect();
    design.indexes = words.indexes.iter().map(index_design).collect();
    design.lookups = words.lookups.iter().map(lookup_design).collect();
    design.shard =
        words.shard.value().map(|shard| Shard { of: shard.of.unraw().to_string(), count: shard.count });
    design.contributions = words.feeds.iter().map(contribution_design).collect();
    design.archive =
        words.archive.value().map(|to| ArchiveDesign { to: to.value(), about: None, when: None });
    design.changes = words.changes.value().copied();
    for (role, field) in words.roles() {
        design.roles.set(role, field.value().map(|field| field.unraw().to_string()));
    }
    design.validate = words.validate.value().map(written);
    design.deny_table_scan = words.deny_table_scan.is_set();
    design.allow_append_only = words.allow_append_only.is_set();
    design.entity_type = match words.entity_type.value() {
        None => EntityTypeRule::Always,
        Some(EntityTypeWord::None) => EntityTypeRule::None,
        // The name is the stem; the derive adds the version suffix.
        Some(EntityTypeWord::Named(text)) if design.version > 1 => {
            EntityTypeRule::Named(format!("{}.v{}", text.value(), design.version))
        }
        Some(EntityTypeWord::Named(text)) => EntityTypeRule::Named(text.value()),
    };
    design
}

/// Returns a path as written, without spaces.
fn written(path: &Path) -> String {
    quote::quote!(#path).to_string().replace(' ', "")
}

/// Returns the call of a function without parameters.
pub(super) fn call(path: &Path) -> String {
    format!("{}()", written(path))
}

fn contribution_design(feed: &FeedInput) -> ContributionDesign {
    ContributionDesign {
        by: feed.by,
        target: feed.sink_name(),
        path: written(&feed.sink),
        field: feed.field.unraw().to_string(),
        of: feed.of.value().map(|of| of.unraw().to_string()),
        when: None,
        condition: feed.when.value().map(condition),
    }
}

/// Returns the name of the field or method of a condition, or the path of another function.
fn condition(path: &Path) -> String {
    path.get_ident().map_or_else(|| written(path), |name| name.unraw().to_string())
}

fn index_design(index: &IndexInput) -> IndexDesign {
    let text = |slot: &Slot<LitStr>| slot.value().map(|text| TemplateText::new(text.value()));
    IndexDesign {
        name: index.name(),
        table: text(&index.table),
        partition: text(&index.partition),
        row: text(&index.row),
        unique: index.unique.is_set(),
        sparse: index.sparse.is_set() || index.when.get().is_some(),
        condition: index.when.value().map(condition),
        copy: index.copy.value().map_or(CopiedFields::All, |fields| {
            CopiedFields::Only(fields.iter().map(|field| field.unraw().to_string()).collect())
        }),
        ..IndexDesign::default()
    }
}

fn lookup_design(lookup: &LookupInput) -> LookupDesign {
    let on = lookup.on.value().into_iter().flat_map(|fields| &fields.0);
    LookupDesign {
        name: lookup.name(),
        on: on.map(|field| field.unraw().to_string()).collect(),
        place: lookup.place.value().copied().unwrap_or_default(),
        table: lookup.table.value().map(|text| TemplateText::new(text.value())),
        partition: lookup.partition.value().map(|text| TemplateText::new(text.value())),
        row: lookup.row.value().map(|text| TemplateText::new(text.value())),
        ids: lookup.ids.value().map(LitStr::value),
        ..LookupDesign::default()
    }
}

/// Returns the design of a field, with the naming of the properties of its struct.
pub(crate) fn field_design(field: &FieldInput, case: Option<Case>) -> FieldDesign {
    let ty = TypeName::of(field.value_type());
    let json = field.words.json.is_set();
    let mut design = FieldDesign::new(
        field.name(),
        if json {
            FieldKind::Json { max: None }
        } else {
            kind_of(ty.named, field.words.max.value().copied())
        },
    );
    if field.words.blob.is_set() {
        design.kind = FieldKind::Blob;
        let over = field.words.inline.value().map(|most| Size { number: *most as u64, unit: SizeUnit::Byte });
        design.blob = Some(BlobDesign { holds: FieldKind::Binary { max: None }, over });
    }
    design.property = property_name(field, case);
    design.was = field.words.was.value().map(LitStr::value);
    design.series = field.slots().map(|slots| slots.count.map_or(Series::Unknown, Series::Slots));
    // JSON stores a missing value as `null`, so the property is always present.
    design.optional = ty.optional && !json;
    design.flatten = field.words.flatten.is_set();
    design.skip = field.words.skip.is_set();
    design.store = field.words.store.is_set();
    design.encrypted = field.words.encrypt.is_set();
    design.from_source = field.words.from_source.is_set();
    design.stamp = field.words.stamp();
    design.default = field.words.default.value().map(|function| match function {
        Some(path) => call(path),
        None => "Default::default()".to_owned(),
    });
    design
}

/// Returns the property name: `rename` in the `table` attribute, then its `rename_all`, then both serde attributes,
/// then the identifier.
fn property_name(field: &FieldInput, case: Option<Case>) -> String {
    let name = field.name();
    match (field.words.rename.value(), &field.serde.rename) {
        (Some(ours), _) => ours.value(),
        (None, Some(serde)) => serde.value(),
        (None, None) => case.map_or_else(|| name.clone(), |case| case.apply(&name)),
    }
}

/// Returns the kind of values of a type with a bound of their length.
pub(crate) fn kind_of(named: Named, max: Option<usize>) -> FieldKind {
    match named {
        Named::String => FieldKind::Text { max },
        // One character has at most two UTF-16 units.
        Named::Char => FieldKind::Text { max: Some(2) },
        Named::Bool => FieldKind::Bool,
        Named::Int { bits, signed } => FieldKind::Int { bits, signed },
        Named::Float { bits } => FieldKind::Float { bits },
        Named::Time => FieldKind::Time,
        Named::Date => FieldKind::Date,
        Named::Guid => FieldKind::Guid,
        Named::Binary => FieldKind::Binary { max },
        // A length bound on an unrecognized type declares it as text.
        Named::Unknown if max.is_some() => FieldKind::Text { max },
        Named::Unknown | Named::Blob | Named::PointerSized => FieldKind::Unknown,
    }
}
