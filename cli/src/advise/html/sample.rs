use table_schema::{
    design::{EntityDesign, FieldKind},
    key::{KeyKind, KeyValue, STRICT_UNITS},
    template::{OrdNumber, Shape, Template, TemplateField},
};

/// A spring day of 2012, in 100 ns.
const MOMENT: i64 = 634_667_616_000_000_000;
const ID: [u8; 16] =
    [0x6f, 0x9a, 0x1c, 0x30, 0x5d, 0x42, 0x4e, 0x8b, 0x91, 0x0e, 0x27, 0xb3, 0xc8, 0x15, 0xd0, 0x64];

/// Values of string fields, selected by the first word in this list that the field's name contains.
const WORDS: [(&str, &str); 5] = [
    ("email", "jonesj@contoso.example"),
    ("first_name", "Jun"),
    ("last_name", "Jones"),
    ("department", "Sales"),
    ("name", "Sales"),
];

/// Returns an example of a key: the template with invented values, or the template itself if no value matches.
pub(super) fn key(entity: &EntityDesign, template: &Template, kind: KeyKind) -> String {
    let values: Vec<(&str, KeyValue<'_>)> =
        template.holes().map(|hole| (hole.field.as_str(), value(entity, hole))).collect();
    template.form(kind).encode(&values, STRICT_UNITS).unwrap_or_else(|_| template.text().to_owned())
}

fn value<'e>(entity: &'e EntityDesign, hole: &'e TemplateField) -> KeyValue<'e> {
    match hole.shape.ascending() {
        Shape::Ticks | Shape::Date(_) => KeyValue::Ticks(MOMENT),
        Shape::Guid | Shape::Guidn => KeyValue::Guid(ID),
        Shape::Flag => KeyValue::Flag(true),
        Shape::Ord(Some(OrdNumber::F32)) => KeyValue::Float32(4.5),
        Shape::Ord(Some(OrdNumber::F64)) => KeyValue::Float64(4.5),
        Shape::Ord(_) => KeyValue::Signed(42),
        Shape::Padded(_) => KeyValue::Unsigned(number(&hole.field)),
        _ => KeyValue::Text(text(entity, &hole.field).into()),
    }
}

fn number(field: &str) -> u128 {
    match field {
        "part" => 0,
        "shard" => 7,
        field if field.contains("year") => 2012,
        _ => 123,
    }
}

fn text<'e>(entity: &'e EntityDesign, field: &'e str) -> &'e str {
    if let Some(FieldKind::Enum { variants }) = entity.field(field).map(|field| &field.kind)
        && let Some(first) = variants.first()
    {
        return first;
    }
    WORDS.iter().find(|(word, _)| field.contains(word)).map_or(field, |(_, value)| value)
}
