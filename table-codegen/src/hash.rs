//! The hash that identifies the design of generated code. It covers stored data only, without assumptions.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use table_schema::{
    design::{
        CopiedFields, EntityDesign, EntityTypeRule, FieldDesign, FieldKind, IndexDesign, LookupDesign,
        LookupPlace, Series, TemplateText,
    },
    language::{Size, Span},
    schema::{Log, Relation, Schema},
};

/// Returns the hash of a design: 16 hexadecimal digits of SHA-256 over canonical JSON of its entities, relations and
/// logs, with defaults applied and names sorted. Descriptions, queries, load, prices, targets and lint are not
/// included.
///
/// ```
/// let text = "tables = 1\n[entity.A]\ntable = \"Things\"\npartition = \"{id}\"\nrow = \"a\"\n[entity.A.fields]\nid = \"string\"\n";
/// let design = table_codegen::read(text, "a")?;
/// let loaded = table_codegen::read(&format!("{text}[load.A]\ncount = 3\n"), "a")?;
/// assert_eq!(table_codegen::design_hash(&design), table_codegen::design_hash(&loaded));
/// let other = table_codegen::read(&text.replace("{id}", "{id:esc}"), "a")?;
/// assert_ne!(table_codegen::design_hash(&design), table_codegen::design_hash(&other));
/// # Ok::<(), table_codegen::Diagnostics>(())
/// ```
pub fn design_hash(schema: &Schema) -> String {
    let entities: BTreeMap<&str, Value> =
        schema.entities.iter().map(|one| (one.name.as_str(), entity(one))).collect();
    let relations: BTreeMap<&str, Value> =
        schema.relations.iter().map(|one| (one.name.as_str(), relation(one))).collect();
    let logs: BTreeMap<&str, Value> = schema.logs.iter().map(|one| (one.name.as_str(), log(one))).collect();
    let canonical = json!({ "format": 1, "entities": entities, "relations": relations, "logs": logs });
    let digest = Sha256::digest(canonical.to_string().as_bytes());
    let first = digest.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    format!("{first:016x}")
}

fn text(text: Option<&TemplateText>) -> Value {
    text.map_or(Value::Null, |text| json!(text.text()))
}

fn pairs(pairs: &[(String, String)]) -> Value {
    json!(pairs.iter().cloned().collect::<BTreeMap<_, _>>())
}

fn entity(entity: &EntityDesign) -> Value {
    let fields: BTreeMap<&str, Value> =
        entity.fields.iter().map(|one| (one.name.as_str(), field(one))).collect();
    let indexes: BTreeMap<&str, Value> =
        entity.indexes.iter().map(|one| (one.name.as_str(), index(entity, one))).collect();
    let lookups: BTreeMap<&str, Value> =
        entity.lookups.iter().map(|one| (one.name.as_str(), lookup(entity, one))).collect();
    let totals: BTreeMap<&str, Value> = entity
        .totals
        .iter()
        .map(|total| {
            let made = json!({ "by": total.by.word(), "entity": total.entity, "field": total.field,
                "match": pairs(&total.matches) });
            (total.name.as_str(), made)
        })
        .collect();
    let embeds: BTreeMap<&str, Value> = entity
        .embeds
        .iter()
        .map(|embed| {
            let mut fields = embed.fields.clone();
            fields.sort();
            (
                embed.name.as_str(),
                json!({ "from": embed.from, "match": pairs(&embed.matches), "fields": fields }),
            )
        })
        .collect();
    let entity_type = match &entity.entity_type {
        EntityTypeRule::Auto => "auto".to_owned(),
        EntityTypeRule::Always => "always".to_owned(),
        EntityTypeRule::None => "none".to_owned(),
        EntityTypeRule::Named(name) => format!("named {name}"),
    };
    let archive = entity.archive.as_ref();
    let archive = archive
        .map(|archive| json!({ "to": archive.to, "when": archive.when.as_ref().map(|when| &when.text) }));
    let shard = entity.shard.as_ref().map(|shard| json!({ "of": shard.of, "count": shard.count }));
    json!({
        "table": text(entity.table.as_ref()), "partition": text(entity.partition.as_ref()), "row": text(entity.row.as_ref()),
        "fields": fields, "order": series_order(entity), "indexes": indexes, "lookups": lookups, "totals": totals,
        "embeds": embeds, "archive": archive, "shard": shard, "wide": entity.wide, "entity_type": entity_type,
        "version": entity.version, "aliases": entity.aliases,
        "keep": entity.keep.map(Span::seconds),
    })
}

/// Returns the field order of wide entities, whose parts contain the fields in order. The field order of other entities
/// is not significant.
fn series_order(entity: &EntityDesign) -> Value {
    let names = entity.fields.iter().map(|field| field.name.as_str());
    entity.wide.map_or(Value::Null, |_| json!(names.collect::<Vec<_>>()))
}

fn kind(kind: &FieldKind) -> String {
    let bound = |max: &Option<usize>| max.map(|max| format!("({max})")).unwrap_or_default();
    match kind {
        FieldKind::Text { max } => format!("string{}", bound(max)),
        FieldKind::Bool => "bool".to_owned(),
        FieldKind::Int { bits, signed } => format!("{}{bits}", if *signed { "i" } else { "u" }),
        FieldKind::Float { bits } => format!("f{bits}"),
        FieldKind::Time => "datetime".to_owned(),
        FieldKind::Date => "date".to_owned(),
        FieldKind::Guid => "guid".to_owned(),
        FieldKind::Binary { max } => format!("binary{}", bound(max)),
        FieldKind::Json { max } => format!("json{}", bound(max)),
        FieldKind::Enum { variants } => format!("enum({})", variants.join(",")),
        FieldKind::Blob => "blob".to_owned(),
        _ => "unknown".to_owned(),
    }
}

fn field(field: &FieldDesign) -> Value {
    let slots = match field.series {
        Some(Series::Slots(slots)) => Some(slots),
        Some(Series::Unknown) | None => None,
    };
    let blob = field.blob.as_ref();
    let blob = blob.map(|blob| json!({ "holds": kind(&blob.holds), "over": blob.over.map(Size::bytes) }));
    json!({
        "type": kind(&field.kind), "optional": field.optional, "property": field.property, "store": field.store,
        "encrypt": field.encrypted, "series": slots, "blob": blob, "default": field.default,
    })
}

fn index(entity: &EntityDesign, index: &IndexDesign) -> Value {
    let copy = match &index.copy {
        CopiedFields::All => Value::Null,
        CopiedFields::Only(fields) => {
            let mut fields = fields.clone();
            fields.sort();
            json!(fields)
        }
    };
    let or_own =
        |own: &Option<TemplateText>, default: &Option<TemplateText>| text(own.as_ref().or(default.as_ref()));
    json!({
        "table": or_own(&index.table, &entity.table), "partition": or_own(&index.partition, &entity.partition),
        "row": text(index.row.as_ref()), "unique": index.unique, "sparse": index.sparse, "copy": copy,
        "when": index.when.as_ref().map(|when| &when.text),
    })
}

fn lookup(entity: &EntityDesign, lookup: &LookupDesign) -> Value {
    let number = entity.lookups.iter().position(|other| other.name == lookup.name);
    let lists = number.and_then(|number| entity.lists(number));
    let place = match lookup.place {
        LookupPlace::Partition => "partition",
        LookupPlace::Table => "table",
        LookupPlace::Blob => "blob",
    };
    json!({
        "on": lookup.on, "place": place, "ids": lookup.ids,
        "table": lists.as_ref().map(|lists| lists.table.text()),
        "partition": lists.as_ref().map(|lists| lists.partition.text()),
        "row": lists.as_ref().map(|lists| lists.row.text()),
    })
}

fn relation(relation: &Relation) -> Value {
    json!({
        "kind": relation.kind.as_str(), "from": relation.from, "to": relation.to, "on": pairs(&relation.on),
        "atomic": relation.atomic,
    })
}

fn log(log: &Log) -> Value {
    let fields: BTreeMap<&str, Value> =
        log.fields.iter().map(|one| (one.name.as_str(), field(one))).collect();
    json!({
        "blob": log.blob, "container": log.container, "fields": fields, "bytes": log.flush.bytes.bytes(),
        "after": log.flush.after.seconds(), "keep": log.keep.map(Span::seconds),
    })
}
