//! Fields that keys contain exactly or truncated, depending on their type.

use std::collections::BTreeSet;

use super::{Change, ChangeCode, TEXT, U32, Verdict, compare, told};
use crate::{check_schema, schema::Schema};
use table_schema::{
    catalogue::Severity,
    design::{CopiedFields, EntityDesign, FieldDesign, FieldKind, IndexDesign},
};

const FORMATS: [&str; 8] = ["", ":%Y%m%d", ":%Y-%m-%d", ":%Y%m", ":%Y", ":ord", ":06", ":desc"];

fn kinds() -> Vec<FieldKind> {
    let mut kinds = vec![
        FieldKind::Date,
        FieldKind::Time,
        FieldKind::Guid,
        FieldKind::Bool,
        TEXT,
        FieldKind::Enum { variants: vec!["a".to_owned(), "b".to_owned()] },
    ];
    for bits in [16, 32, 64] {
        kinds.extend([true, false].map(|signed| FieldKind::Int { bits, signed }));
    }
    kinds
}

/// Returns a valid design with the field `at` in the row key of the entity, or in that of an index.
fn with(kind: &FieldKind, format: &str, in_index: bool) -> Option<Schema> {
    let mut log = EntityDesign::new("Log");
    (log.table, log.partition) = (Some("Logs".into()), Some("{of}".into()));
    log.fields =
        vec![FieldDesign::new("of", TEXT), FieldDesign::new("id", U32), FieldDesign::new("at", kind.clone())];
    let key = format!("r_{{at{format}}}_{{id:06}}");
    log.row = Some(if in_index { "e_{id:06}".into() } else { key.as_str().into() });
    if in_index {
        log.indexes = vec![IndexDesign::new("by_at", key.as_str())];
    }
    let schema = Schema { entities: vec![log], ..Schema::default() };
    let is_valid = check_schema(&schema).iter().all(|(_, one)| one.severity() != Severity::Error);
    is_valid.then_some(schema)
}

fn designs(in_index: bool) -> Vec<Schema> {
    let of = |kind: &FieldKind| FORMATS.map(|format| with(kind, format, in_index));
    kinds().iter().flat_map(of).flatten().collect()
}

/// Returns the properties of the rows of the entity, or of its index.
fn properties(schema: &Schema, in_index: bool) -> BTreeSet<String> {
    let entity = &schema.entities[0];
    let names = |fields: Vec<&FieldDesign>| fields.iter().map(|field| field.name.clone()).collect();
    if !in_index {
        return names(entity.stored_fields().collect());
    }
    let kinds = entity.row_kinds();
    let kind = kinds.iter().find(|kind| kind.name == "by_at").unwrap();
    names(entity.copied_fields(&entity.indexes[0], kind))
}

fn gains(in_index: bool, is_told: impl Fn(&Change) -> bool) -> usize {
    let designs = designs(in_index);
    assert!(designs.len() > kinds().len(), "{}", designs.len());
    let mut gained = 0;
    for old in &designs {
        for new in &designs {
            if properties(new, in_index).is_subset(&properties(old, in_index)) {
                continue;
            }
            gained += 1;
            let found = compare(old, new);
            assert!(found.iter().any(&is_told), "{:?} {:?} {found:?}", old.entities[0], new.entities[0]);
        }
    }
    gained
}

#[test]
fn rows_that_lack_a_property_of_the_new_type_are_moved_or_the_change_is_refused() {
    let gained = gains(false, |one| {
        one.code == ChangeCode::C17 || one.code == ChangeCode::C03 && one.subject == "Log.at"
    });
    assert!(gained > 0);
}

#[test]
fn index_rows_that_lack_a_property_of_the_new_type_are_replaced() {
    assert!(gains(true, |one| one.code == ChangeCode::C14 && one.subject == "Log.by_at") > 0);
}

#[test]
fn a_date_in_a_key_does_not_become_a_time_under_the_same_version() {
    let of = |kind| with(&kind, ":%Y%m%d", false).unwrap();
    let (old, new) = (of(FieldKind::Date), of(FieldKind::Time));
    assert_eq!(told(&compare(&old, &new)), [("C03", "Log.at", "refused"), ("C05", "Log.at", "ordered")]);
    // The default would replace the day that the key contains.
    let mut defaulted = new.clone();
    defaulted.entities[0].fields[2].default = Some("2026-01-01T00:00:00Z".to_owned());
    assert!(compare(&old, &defaulted).iter().any(|change| change.verdict == Verdict::Refused));
    // The older struct reads the day.
    let mut raised = new.clone();
    raised.entities[0].version = 2;
    assert!(compare(&old, &raised).iter().all(|change| change.verdict != Verdict::Refused));
    let mut moved = new;
    moved.entities[0].table = Some("Others".into());
    assert!(compare(&old, &moved).iter().all(|change| change.verdict != Verdict::Refused));
}

#[test]
fn an_index_that_lists_other_fields_has_no_date_to_lose() {
    let of = |kind| {
        let mut schema = with(&kind, ":%Y%m%d", true).unwrap();
        schema.entities[0].indexes[0].copy = CopiedFields::Only(Vec::new());
        schema
    };
    let found = compare(&of(FieldKind::Date), &of(FieldKind::Time));
    assert_eq!(told(&found), [("C05", "Log.at", "ordered")]);
}
