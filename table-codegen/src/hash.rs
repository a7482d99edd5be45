//! The hash that identifies the design of generated code. It covers stored data only, without assumptions.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use table_designs::schema::{Log, Relation, Schema};
use table_schema::{
    design::{EntityDesign, FieldDesign, FieldKind, Series, TemplateText},
    language::{Size, Span},
};

use crate::word;

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
    let canonical = json!({
        "format": 1,
        "entities": sorted(schema.entities.iter().map(|one| (&one.name, entity(one)))),
        "relations": sorted(schema.relations.iter().map(|one| (&one.name, relation(one)))),
        "logs": sorted(schema.logs.iter().map(|one| (&one.name, log(one)))),
    });
    let digest = Sha256::digest(canonical.to_string().as_bytes());
    let first = digest.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    format!("{first:016x}")
}

/// Returns an object with sorted keys.
pub(crate) fn sorted(parts: impl Iterator<Item = (impl Into<String>, Value)>) -> Value {
    json!(parts.map(|(name, part)| (name.into(), part)).collect::<BTreeMap<String, _>>())
}

pub(crate) fn text(text: Option<&TemplateText>) -> Value {
    text.map_or(Value::Null, |text| json!(text.text()))
}

pub(crate) fn pairs(pairs: &[(String, String)]) -> Value {
    sorted(pairs.iter().map(|(theirs, mine)| (theirs, json!(mine))))
}

fn entity(entity: &EntityDesign) -> Value {
    sorted(word::all().flat_map(|word| (word.hash)(entity)))
}

fn kind(kind: &FieldKind) -> String {
    match kind {
        FieldKind::Enum { variants } => format!("enum({})", variants.join(",")),
        FieldKind::Blob => "blob".to_owned(),
        FieldKind::Unknown => "unknown".to_owned(),
        _ => kind.word(),
    }
}

pub(crate) fn fields(fields: &[FieldDesign]) -> Value {
    sorted(fields.iter().map(|one| (&one.name, field(one))))
}

fn field(field: &FieldDesign) -> Value {
    let slots = match field.series {
        Some(Series::Slots(slots)) => Some(slots),
        Some(Series::Unknown) | None => None,
    };
    let blob = field.blob.as_ref();
    let blob = blob.map(|blob| json!({ "holds": kind(&blob.holds), "over": blob.over.map(Size::bytes) }));
    let mut hashed = json!({
        "type": kind(&field.kind), "optional": field.optional, "property": field.property, "store": field.store,
        "encrypt": field.encrypted, "series": slots, "blob": blob, "default": field.default,
    });
    // Without the keys, the hashes of designs without them do not change.
    if let Some(parts) = hashed.as_object_mut() {
        let stamp = field.stamp.map(|stamp| ("stamp", json!(stamp.word())));
        let required = field.required_if.as_ref();
        let required = required.map(|required| ("required_if", json!([required.tag, required.words])));
        parts.extend(stamp.into_iter().chain(required).map(|(name, value)| (name.to_owned(), value)));
    }
    hashed
}

fn relation(relation: &Relation) -> Value {
    json!({
        "kind": relation.kind.as_str(), "from": relation.from, "to": relation.to, "on": pairs(&relation.on),
        "atomic": relation.atomic,
    })
}

fn log(log: &Log) -> Value {
    json!({
        "blob": log.blob, "container": log.container, "fields": fields(&log.fields), "bytes": log.flush.bytes.bytes(),
        "after": log.flush.after.seconds(), "keep": log.keep.map(Span::seconds),
    })
}
