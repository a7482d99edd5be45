//! Random rows of an entity, by its design.

use table_patterns::{Date, DynamicEntity, Timestamp, Uuid, Value};
use table_schema::{
    design::{EntityDesign, FieldDesign, FieldKind, Series, TemplateText},
    key::{KeyKind, KeyValue, STRICT_UNITS},
    template::KeyForm,
};
use table_tests::seed::Seed;

/// Returns the row with this number; `None` if its keys cannot contain the values.
pub(crate) fn random_row(entity: &EntityDesign, dice: &mut Seed, number: usize) -> Option<DynamicEntity> {
    let values: Vec<(&FieldDesign, Value)> =
        entity.fields.iter().map(|field| (field, value(field, dice, number))).collect();
    let key = |text: &Option<TemplateText>, kind| {
        let template = entity.resolve(text.as_ref()?.template()?);
        let parts = template.parts();
        let values: Vec<(&str, KeyValue<'_>)> = values
            .iter()
            .filter_map(|(field, value)| Some((field.name.as_str(), in_key(field, value)?)))
            .collect();
        KeyForm::new(kind, &parts).encode(&values, STRICT_UNITS).ok()
    };
    let partition = key(&entity.partition, KeyKind::Partition)?;
    let row = key(&entity.row, KeyKind::Row)?;
    let mut bag = DynamicEntity::new(entity.table.as_ref()?.text(), partition, row).ok()?;
    for (field, value) in &values {
        let is_stored = entity.stored_fields().any(|stored| stored.name == field.name);
        let may_lack = field.optional || field.default.is_some() || field.from_source;
        if !is_stored || field.series.is_none() && may_lack && dice.chance(1, 3) {
            continue;
        }
        match field.series {
            Some(Series::Slots(slots)) => {
                let digits = (slots - 1).to_string().len();
                for slot in 0..slots {
                    bag.set(format!("{}_{slot:0digits$}", field.property), self::value(field, dice, slot));
                }
            }
            _ => bag.set(field.property.clone(), value.clone()),
        }
    }
    if let Some(entity_type) = entity.entity_type_value() {
        bag.set("EntityType", entity_type);
    }
    Some(bag)
}

fn value(field: &FieldDesign, dice: &mut Seed, number: usize) -> Value {
    let small = i64::try_from(dice.below(200)).unwrap_or_default();
    match &field.kind {
        FieldKind::Bool => Value::Boolean(dice.chance(1, 2)),
        FieldKind::Int { bits, signed } => {
            let most = if *bits == 8 { 100 } else { 30_000 };
            let magnitude = i64::try_from(dice.below(most)).unwrap_or_default();
            let value = if *signed && dice.chance(1, 3) { -magnitude } else { magnitude };
            if *bits < 32 || *bits == 32 && *signed {
                Value::Int32(i32::try_from(value).unwrap_or_default())
            } else {
                Value::Int64(value)
            }
        }
        FieldKind::Float { .. } => Value::Double(f64::from(i32::try_from(small).unwrap_or_default()) / 4.0),
        FieldKind::Time => {
            Timestamp::from_ticks(635_000_000_000_000_000 + small * 7_777_777_777_777).unwrap().into()
        }
        FieldKind::Date => {
            Date::from(Timestamp::from_date(2014, 1 + u8::try_from(small % 12).unwrap(), 3).unwrap())
                .midnight()
                .into()
        }
        FieldKind::Guid => {
            Value::Guid(Uuid::from_u128(u128::from(dice.draw()) << 64 | u128::from(dice.draw())))
        }
        FieldKind::Binary { .. } | FieldKind::Blob => {
            Value::Binary(vec![7; usize::try_from(small).unwrap_or_default()])
        }
        FieldKind::Json { .. } if number.is_multiple_of(2) => Value::from("{\"a\":1,\"b\":[2]}"),
        FieldKind::Json { .. } => Value::from("null"),
        FieldKind::Enum { variants } => Value::from(dice.pick(variants).map_or("", String::as_str)),
        // A value that a condition matches sometimes.
        _ if dice.chance(1, 3) && !field.encrypted => Value::from("it's"),
        _ => Value::from(format!("T{small}ü{number}")),
    }
}

fn in_key(field: &FieldDesign, value: &Value) -> Option<KeyValue<'static>> {
    Some(match (value, &field.kind) {
        (Value::String(text), _) => KeyValue::Text(text.clone().into()),
        (Value::Boolean(flag), _) => KeyValue::Flag(*flag),
        (Value::Guid(id), _) => KeyValue::Guid(*id.as_bytes()),
        (Value::DateTime(at), _) => KeyValue::Ticks(at.ticks()),
        (Value::Int32(number), FieldKind::Int { signed: false, .. }) => {
            KeyValue::Unsigned(u128::try_from(*number).ok()?)
        }
        (Value::Int64(number), FieldKind::Int { signed: false, .. }) => {
            KeyValue::Unsigned(u128::try_from(*number).ok()?)
        }
        (Value::Int32(number), _) => KeyValue::Signed(i128::from(*number)),
        (Value::Int64(number), _) => KeyValue::Signed(i128::from(*number)),
        (Value::Double(number), FieldKind::Float { bits: 32 }) => {
            KeyValue::Float32(format!("{number}").parse().ok()?)
        }
        (Value::Double(number), _) => KeyValue::Float64(*number),
        _ => return None,
    })
}
