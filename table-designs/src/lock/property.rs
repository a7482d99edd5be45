//! One line for each field: its EDM type, its type, and its settings.

use super::{
    LockError,
    text::{Entry, Value},
};
use table_schema::design::{BlobDesign, FieldDesign, FieldKind, RequiredIf, Series};

/// The word for a type that a front end cannot determine.
const UNKNOWN: &str = "unknown";

/// Returns the type of the values as a word, and the words of an enum.
fn written(kind: &FieldKind, is_optional: bool) -> (String, Option<Value>) {
    let (word, words) = match kind {
        FieldKind::Unknown => (UNKNOWN.to_owned(), None),
        FieldKind::Enum { variants } => {
            let mut variants = variants.clone();
            variants.sort();
            let words =
                (!variants.is_empty()).then(|| Value::List(variants.into_iter().map(Value::Text).collect()));
            ("enum".to_owned(), words)
        }
        kind => (kind.word(), None),
    };
    (format!("{word}{}", if is_optional { "?" } else { "" }), words)
}

/// Returns the line of a field that only keys contain: its type, and the words of an enum.
pub(super) fn key_field(field: &FieldDesign) -> Value {
    match written(&field.kind, false) {
        (word, None) => Value::Text(word),
        (word, Some(words)) => {
            Value::Table(vec![("type".to_owned(), Value::Text(word)), ("words".to_owned(), words)])
        }
    }
}

/// Returns the line of a property. `position` is its position among the properties of a wide entity.
pub(super) fn property(field: &FieldDesign, position: Option<usize>, is_removed: bool) -> Value {
    let values = field.blob.as_ref().map_or(&field.kind, |blob| &blob.holds);
    let (word, words) = written(values, field.optional);
    let mut pairs: Vec<(String, Value)> = Vec::new();
    let mut pair =
        |name: &str, value: Option<Value>| pairs.extend(value.map(|value| (name.to_owned(), value)));
    let text = |text: &str| Value::Text(text.to_owned());
    let is = |is: bool| is.then_some(Value::Bool(true));
    pair("edm", edm(field).map(text));
    pair("type", Some(Value::Text(word)));
    pair("words", words);
    pair(
        "blob",
        field.blob.as_ref().map(|blob| match blob.over {
            Some(over) => Value::Number(over.bytes()),
            None => Value::Bool(true),
        }),
    );
    pair("default", field.default.as_deref().map(text));
    pair("encrypt", is(field.encrypted));
    pair("field", Some(text(&field.name)).filter(|_| field.name != field.property));
    pair("position", position.map(|position| Value::Number(position as u64)));
    pair("removed", is(is_removed));
    let required = field.required_if.as_ref();
    let words = |required: &RequiredIf| Value::List(required.words.iter().map(|word| text(word)).collect());
    pair("required_in", required.map(words));
    pair(
        "series",
        match field.series {
            Some(Series::Slots(slots)) => Some(Value::Number(slots as u64)),
            Some(Series::Unknown) => Some(Value::Bool(true)),
            None => None,
        },
    );
    pair("store", is(field.store));
    pair("tag", required.map(|required| text(&required.tag)));
    Value::Table(pairs)
}

/// Returns the EDM type of the stored property without its prefix.
fn edm(field: &FieldDesign) -> Option<&'static str> {
    let stored = if field.encrypted { Some("Edm.Binary") } else { field.kind.edm() };
    stored.and_then(|edm| edm.strip_prefix("Edm."))
}

/// Reads a type and the words of an enum.
fn kind_of(text: &str, words: Vec<String>) -> Option<(FieldKind, bool)> {
    let (word, is_optional) = text.strip_suffix('?').map_or((text, false), |word| (word, true));
    let (word, max) = match word.strip_suffix(')').and_then(|word| word.split_once('(')) {
        Some((word, max)) => (word, Some(max.parse().ok()?)),
        None => (word, None),
    };
    let kind = match word {
        UNKNOWN => FieldKind::Unknown,
        "enum" => FieldKind::Enum { variants: words },
        word => FieldKind::from_word(word, max)?,
    };
    Some((kind, is_optional))
}

/// Reads the line of a field that only keys contain.
pub(super) fn read_key_field(entry: &Entry) -> Result<FieldDesign, LockError> {
    let found = match &entry.value {
        Value::Text(text) => kind_of(text, Vec::new()),
        Value::Table(pairs) => match pairs.as_slice() {
            [(ty, Value::Text(text)), (words, Value::List(list))] if ty == "type" && words == "words" => {
                kind_of(text, super::read::texts(list))
            }
            _ => None,
        },
        _ => None,
    };
    let (kind, _) = found.ok_or_else(|| LockError::new(entry.line, "expected a type such as \"u32\""))?;
    Ok(FieldDesign::new(&entry.key, kind))
}

/// A property as read.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) field: FieldDesign,
    pub(super) position: u64,
    pub(super) is_removed: bool,
}

/// Reads the line of a property.
pub(super) fn read(entry: &Entry) -> Result<Read, LockError> {
    let failed = |message: &str| LockError::new(entry.line, message);
    let Value::Table(pairs) = &entry.value else {
        return Err(failed("expected a table such as { edm = \"Int32\", type = \"i32\" }"));
    };
    let mut field = FieldDesign::new(&entry.key, FieldKind::Unknown);
    let (mut position, mut is_removed) = (0, false);
    let (mut ty, mut words, mut stated) = (None, Vec::new(), None);
    let (mut tag, mut required_in) = (None, Vec::new());
    for (name, value) in pairs {
        match (name.as_str(), value) {
            ("edm", Value::Text(text)) => stated = Some(text.as_str()),
            ("type", Value::Text(text)) => ty = Some(text.as_str()),
            ("words", Value::List(list)) => words = super::read::texts(list),
            ("blob", Value::Bool(true)) => field.blob = Some(blob(None)),
            ("blob", Value::Number(bytes)) => field.blob = Some(blob(Some(*bytes))),
            ("default", Value::Text(text)) => field.default = Some(text.clone()),
            ("encrypt", Value::Bool(is)) => field.encrypted = *is,
            ("field", Value::Text(text)) => text.clone_into(&mut field.name),
            ("position", Value::Number(number)) => position = *number,
            ("removed", Value::Bool(is)) => is_removed = *is,
            ("series", Value::Number(slots)) => {
                field.series = usize::try_from(*slots).ok().map(Series::Slots);
            }
            ("series", Value::Bool(true)) => field.series = Some(Series::Unknown),
            ("required_in", Value::List(list)) => required_in = super::read::texts(list),
            ("store", Value::Bool(is)) => field.store = *is,
            ("tag", Value::Text(text)) => tag = Some(text),
            _ => return Err(failed(&format!("unknown key or invalid value: `{name}`"))),
        }
    }
    let (kind, is_optional) = ty
        .and_then(|ty| kind_of(ty, words))
        .ok_or_else(|| failed("unknown or missing `type`; it is a type such as \"i32?\" or \"string\""))?;
    field.optional = is_optional;
    field.required_if = tag.map(|tag| RequiredIf::new(tag, required_in));
    match &mut field.blob {
        Some(blob) => (blob.holds, field.kind) = (kind, FieldKind::Blob),
        None => field.kind = kind,
    }
    if stated != edm(&field) && field.kind != FieldKind::Unknown {
        let expected = edm(&field).unwrap_or("no `edm`");
        return Err(failed(&format!(
            "`edm` and `type` differ; a property of this type is stored as {expected}"
        )));
    }
    Ok(Read { field, position, is_removed })
}

fn blob(over: Option<u64>) -> BlobDesign {
    let over = over
        .map(|number| table_schema::language::Size { number, unit: table_schema::language::SizeUnit::Byte });
    BlobDesign { holds: FieldKind::Unknown, over }
}
