//! Cases that the shared vectors do not contain.

mod deployed;
mod order;
mod recovered;
mod renames;
mod soft_delete;
mod totals;
mod variants;

use super::{Change, ChangeCode, OldPrograms, Step, Verdict, compare, verdict};
use crate::{
    check_schema,
    schema::{Flush, Log, Schema},
};
use table_schema::{
    catalogue::Severity,
    design::{
        ArchiveDesign, CopiedFields, EntityDesign, EntityTypeRule, FieldDesign, FieldKind, IndexDesign,
        LookupDesign, LookupPlace, Series, Shard,
    },
    language::{Span, SpanUnit},
};

const TEXT: FieldKind = FieldKind::Text { max: Some(40) };
const U32: FieldKind = FieldKind::Int { bits: 32, signed: false };
const I64: FieldKind = FieldKind::Int { bits: 64, signed: true };

fn employee() -> Schema {
    let mut employee = EntityDesign::new("Employee");
    employee.table = Some("Employees".into());
    employee.partition = Some("{department}".into());
    employee.row = Some("empid_{id:06}".into());
    employee.fields = vec![
        FieldDesign::new("department", TEXT),
        FieldDesign::new("id", U32),
        FieldDesign::new("email", TEXT),
        FieldDesign::new("age", U32),
    ];
    let mut by_email = IndexDesign::new("by_email", "email_{email}");
    (by_email.unique, by_email.copy) = (true, CopiedFields::Only(vec!["age".to_owned()]));
    employee.indexes = vec![by_email];
    Schema { entities: vec![employee], ..Schema::default() }
}

fn unindexed() -> Schema {
    let mut schema = employee();
    schema.entities[0].indexes.clear();
    schema
}

/// Returns the changes of an edit. Both designs are valid.
fn changes(from: &Schema, edit: impl FnOnce(&mut Schema)) -> Vec<Change> {
    let mut to = from.clone();
    edit(&mut to);
    for schema in [from, &to] {
        let errors: Vec<_> =
            check_schema(schema).into_iter().filter(|(_, one)| one.severity() == Severity::Error).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
    compare(from, &to)
}

fn told(changes: &[Change]) -> Vec<(&str, &str, &str)> {
    let told = |change: &'_ Change| (change.code.as_str(), change.verdict.as_str());
    changes.iter().map(|change| (told(change).0, change.subject.as_str(), told(change).1)).collect()
}

fn field(schema: &mut Schema, number: usize) -> &mut FieldDesign {
    &mut schema.entities[0].fields[number]
}

#[test]
fn the_same_design_has_no_changes() {
    assert_eq!(changes(&employee(), |_| {}), []);
    assert_eq!(verdict(&[]), Verdict::Safe);
}

#[test]
fn a_key_field_renamed_in_rust_is_safe_only_if_no_row_stores_it() {
    let rename = |schema: &mut Schema| {
        let entity = &mut schema.entities[0];
        entity.row = Some("empid_{number:06}".into());
        "number".clone_into(&mut entity.fields[1].name);
        "number".clone_into(&mut entity.fields[1].property);
    };
    let mut plain = employee();
    plain.entities[0].indexes.clear();
    assert_eq!(told(&changes(&plain, rename)), [("C00", "Employee.number", "safe")]);
    // The rows of the index contain `id` as a property.
    assert_eq!(told(&changes(&employee(), rename)), [("C04", "Employee.number", "refused")]);
    let keeps = |schema: &mut Schema| {
        rename(schema);
        "id".clone_into(&mut field(schema, 1).property);
    };
    assert_eq!(told(&changes(&employee(), keeps)), [("C00", "Employee.id", "safe")]);
}

#[test]
fn another_field_of_a_key_moves_the_entities() {
    let found = changes(&employee(), |schema| {
        let entity = &mut schema.entities[0];
        entity.row = Some("empid_{id:06}_{year:04}".into());
        entity.fields.push(FieldDesign::new("year", FieldKind::Int { bits: 16, signed: false }));
        entity.indexes.clear();
    });
    assert_eq!(told(&found), [("C10", "Employee.by_email", "migrate"), ("C17", "Employee", "migrate")]);
}

#[test]
fn a_sortable_key_depends_on_the_width_of_its_type() {
    let mut from = employee();
    from.entities[0].row = Some("empid_{age:ord}_{id:06}".into());
    from.entities[0].indexes.clear();
    field(&mut from, 3).kind = FieldKind::Int { bits: 32, signed: true };
    let found = changes(&from, |schema| field(schema, 3).kind = I64);
    assert_eq!(told(&found), [("C05", "Employee.age", "ordered"), ("C17", "Employee", "migrate")]);
}

#[test]
fn the_meaning_of_a_missing_property_never_changes() {
    let with = |default: Option<&str>, optional: bool| {
        let mut schema = employee();
        field(&mut schema, 3).default = default.map(str::to_owned);
        field(&mut schema, 3).optional = optional;
        schema
    };
    let to = |from: &Schema, to: Schema| -> Vec<(&'static str, Verdict)> {
        changes(from, |schema| *schema = to).iter().map(|one| (one.code.as_str(), one.verdict)).collect()
    };
    assert_eq!(to(&with(Some("0"), false), with(None, false)), [("C22", Verdict::Refused)]);
    assert_eq!(to(&with(Some("0"), false), with(None, true)), [("C02", Verdict::Refused)]);
    assert_eq!(to(&with(None, false), with(Some("0"), false)), [("C02", Verdict::Safe)]);
    assert_eq!(to(&with(Some("0"), false), with(Some("0.0"), false)), []);
}

#[test]
fn a_series_keeps_the_digits_of_its_slots() {
    let with = |slots| {
        let mut schema = employee();
        field(&mut schema, 3).series = Some(Series::Slots(slots));
        schema.entities[0].indexes.clear();
        schema
    };
    let to = |slots| changes(&with(24), |schema| *schema = with(slots));
    assert_eq!(told(&to(31)), [("C26", "Employee.age", "safe")]);
    assert_eq!(told(&to(100)), [("C26", "Employee.age", "safe")]);
    // `age_00` would become `age_000`.
    let found = to(101);
    assert_eq!(told(&found), [("C26", "Employee.age", "refused")]);
    assert!(found[0].reason.contains("more digits"), "{}", found[0].reason);
}

#[test]
fn a_field_before_others_moves_them_in_a_wide_entity() {
    let mut from = employee();
    let entity = &mut from.entities[0];
    (entity.row, entity.wide) = (Some("empid_{id:06}_{part:02}".into()), Some(2));
    entity.indexes.clear();
    entity.fields.push(FieldDesign::new("city", TEXT));
    let new = || {
        let mut field = FieldDesign::new("fax", TEXT);
        field.optional = true;
        field
    };
    let found = changes(&from, |schema| schema.entities[0].fields.push(new()));
    assert_eq!(told(&found), [("C01", "Employee.fax", "safe")]);
    let found = changes(&from, |schema| schema.entities[0].fields.insert(2, new()));
    assert_eq!(told(&found), [("C01", "Employee.fax", "safe"), ("C19", "Employee", "migrate")]);
    let found = changes(&from, |schema| {
        let entity = &mut schema.entities[0];
        (entity.row, entity.wide) = (Some("empid_{id:06}".into()), None);
    });
    assert_eq!(told(&found), [("C19", "Employee", "migrate")]);
    assert!(found[0].steps.contains(&Step::RegistryGone));
}

#[test]
fn shards_are_compared_without_the_rest_of_the_key() {
    let sharded = |partition: &str, of: &str, count| {
        let mut schema = unindexed();
        let entity = &mut schema.entities[0];
        entity.partition = Some(partition.into());
        entity.shard = Some(Shard { of: of.to_owned(), count });
        schema
    };
    let to = |from: &Schema, to: Schema| -> Vec<&'static str> {
        changes(from, |schema| *schema = to).iter().map(|one| one.code.as_str()).collect()
    };
    assert_eq!(to(&unindexed(), sharded("{shard:02}_{department}", "id", 16)), ["C15"]);
    assert_eq!(
        to(&sharded("{department}_{shard:02}", "id", 16), sharded("{department}_{shard:03}", "id", 200)),
        ["C15"]
    );
    assert_eq!(
        to(
            &sharded("{shard:02}_{department}", "id", 16),
            sharded("{shard:02}_{department}", "department", 16)
        ),
        ["C15"]
    );
    assert_eq!(
        to(&sharded("{department}_{shard:02}", "id", 16), sharded("d_{department}_{shard:02}", "id", 16)),
        ["C17"]
    );
}

#[test]
fn versions_rise() {
    let mut from = employee();
    from.entities[0].entity_type = EntityTypeRule::Always;
    let raise = |schema: &mut Schema| {
        (schema.entities[0].version, schema.entities[0].from) = (2, vec!["EmployeeV1".to_owned()]);
    };
    let found = changes(&from, raise);
    assert_eq!(told(&found), [("C07", "Employee", "ordered")]);
    let mut raised = from.clone();
    raise(&mut raised);
    assert_eq!(told(&changes(&raised, |schema| *schema = from.clone())), [("C07", "Employee", "refused")]);

    // A conversion can supply values, and cannot change the type of a stored name.
    let found = changes(&from, |schema| {
        raise(schema);
        field(schema, 3).kind = FieldKind::Bool;
        schema.entities[0].fields.push(FieldDesign::new("level", U32));
    });
    assert_eq!(told(&found), [("C06", "Employee.age", "refused"), ("C07", "Employee.level", "ordered")]);
    assert!(!found[1].reason.contains("EntityType"), "{}", found[1].reason);
}

#[test]
fn a_previous_name_exists() {
    let mut from = unindexed();
    from.entities[0].entity_type = EntityTypeRule::Always;
    let renamed = |was: &str| {
        changes(&from, |schema| {
            (schema.entities[0].version, schema.entities[0].from) = (2, vec!["EmployeeV1".to_owned()]);
            let age = field(schema, 3);
            (age.name, age.property, age.was) =
                ("years".to_owned(), "years".to_owned(), Some(was.to_owned()));
        })
    };
    assert_eq!(told(&renamed("age")), [("C04", "Employee.years", "ordered")]);
    let found = renamed("agee");
    assert!(told(&found).contains(&("C04", "Employee.years", "refused")), "{found:?}");
    assert!(found[0].reason.ends_with("`agee`; did you mean `age`?"), "{}", found[0].reason);
    let found = renamed("email");
    assert!(found[0].reason.starts_with("another field is also stored as `email`"), "{}", found[0].reason);
}

#[test]
fn rows_without_a_type_cannot_be_told_from_a_new_version() {
    let found = changes(&employee(), |schema| {
        (schema.entities[0].version, schema.entities[0].from) = (2, vec!["EmployeeV1".to_owned()]);
    });
    assert!(found[0].reason.contains("entity_type = \"always\""), "{}", found[0].reason);
}

#[test]
fn lost_type_names_are_rejected() {
    let mut from = employee();
    from.entities[0].aliases = vec!["Worker".to_owned()];
    let found = changes(&from, |schema| schema.entities[0].aliases.clear());
    assert_eq!(told(&found), [("C29", "Employee", "refused")]);
    let found = changes(&employee(), |schema| schema.entities[0].entity_type = EntityTypeRule::Always);
    assert_eq!(told(&found), [("C29", "Employee", "ordered")]);
}

#[test]
fn a_second_type_in_a_table_changes_the_rows_of_the_first() {
    let found = changes(&employee(), |schema| {
        let mut office = EntityDesign::new("Office");
        (office.table, office.partition) = (Some("employees".into()), Some("{department}".into()));
        (office.row, office.fields) = (Some("office".into()), vec![FieldDesign::new("department", TEXT)]);
        schema.entities.push(office);
    });
    assert_eq!(told(&found), [("C29", "Employee", "ordered"), ("C31", "Office", "safe")]);
}

#[test]
fn archived_entities_are_not_lost() {
    let archived = |to: &str| {
        let mut schema = employee();
        schema.entities[0].archive = Some(ArchiveDesign { to: to.to_owned(), about: None, when: None });
        schema
    };
    let to = |from: &Schema, to: Schema| changes(from, |schema| *schema = to);
    assert_eq!(told(&to(&employee(), archived("Former"))), [("C00", "Employee.archive", "safe")]);
    assert_eq!(to(&archived("Former"), archived("former")), []);
    for lost in [archived("Others"), employee()] {
        assert_eq!(told(&to(&archived("Former"), lost)), [("C18", "Employee.archive", "refused")]);
    }
}

#[test]
fn an_index_that_becomes_a_lookup_is_replaced() {
    let found = changes(&employee(), |schema| {
        schema.entities[0].indexes.clear();
        let on = vec!["email".to_owned()];
        let lookup = LookupDesign { name: "by_email".to_owned(), on, ..LookupDesign::default() };
        schema.entities[0].lookups = vec![lookup];
    });
    assert_eq!(told(&found), [("C14", "Employee.by_email", "migrate")]);
}

#[test]
fn lists_with_default_keys_depend_on_the_types_of_their_fields() {
    let mut from = employee();
    let on = vec!["age".to_owned()];
    from.entities[0].lookups = vec![LookupDesign {
        name: "by_age".to_owned(),
        on,
        place: LookupPlace::Table,
        ..LookupDesign::default()
    }];
    let found = changes(&from, |schema| field(schema, 3).kind = FieldKind::Int { bits: 64, signed: false });
    assert_eq!(told(&found), [("C05", "Employee.age", "ordered"), ("C14", "Employee.by_age", "migrate")]);
}

#[test]
fn words_and_text() {
    let with =
        |words: &[&str]| FieldKind::Enum { variants: words.iter().map(|&word| word.to_owned()).collect() };
    let mut from = employee();
    field(&mut from, 3).kind = with(&["open", "done"]);
    let to = |kind: FieldKind| changes(&from, |schema| field(schema, 3).kind = kind);
    assert_eq!(to(with(&["done", "open"])), []);
    let found = to(with(&["open", "closed"]));
    assert_eq!((found[0].code, found[0].verdict), (ChangeCode::C24, Verdict::Migrate));
    assert_eq!((found[0].old_programs, found[0].steps[0]), (OldPrograms::RefuseRows, Step::DeployReaders));
    assert_eq!(told(&to(TEXT)), [("C05", "Employee.age", "ordered")]);
    assert_eq!(told(&to(FieldKind::Text { max: Some(3) })), [("C06", "Employee.age", "refused")]);
}

#[test]
fn a_word_in_a_key_is_no_upgrade() {
    let with =
        |words: &[&str]| FieldKind::Enum { variants: words.iter().map(|&word| word.to_owned()).collect() };
    let mut from = employee();
    field(&mut from, 0).kind = with(&["sales", "legal"]);
    let found = changes(&from, |schema| field(schema, 0).kind = with(&["sales"]));
    assert_eq!(told(&found), [("C24", "Employee.department", "migrate")]);
    assert_eq!(found[0].steps, [Step::Deploy]);
    assert!(found[0].reason.contains("insert these entities with another value"), "{}", found[0].reason);
}

#[test]
fn a_property_of_a_key_field_matters_to_filters() {
    let stored = |is: bool| {
        let mut schema = employee();
        field(&mut schema, 1).store = is;
        schema
    };
    let to = |from: bool, to: bool| changes(&stored(from), |schema| *schema = stored(to));
    assert_eq!(told(&to(false, true)), [("C02", "Employee.id", "migrate")]);
    assert_eq!(told(&to(true, false)), [("C08", "Employee.id", "ordered")]);
}

#[test]
fn logs_are_stored_too() {
    let log = |blob: &str| Log {
        name: "Clicks".to_owned(),
        about: None,
        blob: blob.to_owned(),
        container: None,
        fields: vec![FieldDesign::new("page", TEXT)],
        flush: Flush::default(),
        keep: None,
    };
    let from = Schema { logs: vec![log("{at:%Y}")], ..employee() };
    let to = |logs: Vec<Log>| changes(&from, |schema| schema.logs = logs);
    assert_eq!(told(&to(Vec::new())), [("C30", "Clicks", "refused")]);
    assert_eq!(told(&to(vec![log("{at:%Y}/{at:%m}")])), [("C18", "Clicks", "refused")]);
    let mut longer = log("{at:%Y}");
    longer.fields.push(FieldDesign::new("user", U32));
    assert_eq!(told(&to(vec![longer])), [("C03", "Clicks.user", "refused")]);
}

#[test]
fn retention_changes_no_row() {
    let keep = Some(Span { number: 30, unit: SpanUnit::Day });
    let found = changes(&employee(), |schema| schema.entities[0].keep = keep);
    assert_eq!(told(&found), [("C00", "Employee", "safe")]);
}

#[test]
fn every_class_is_explained_in_sentences() {
    for (number, class) in super::CLASSES.iter().enumerate() {
        assert_eq!(class.code.as_str(), format!("C{number:02}"));
        assert_eq!(class.code.as_str().parse(), Ok(class.code));
        assert!(!class.title.is_empty() && !class.title.ends_with('.'), "{}", class.code);
        for text in [class.effect, class.old_programs, class.remedy] {
            assert!(text.ends_with('.') && text.is_ascii() && !text.contains("  "), "{}: {text}", class.code);
        }
    }
    assert_eq!(
        "C33".parse::<ChangeCode>().unwrap_err().to_string(),
        "unknown class `C33`; the classes are C00 to C32"
    );
}

#[test]
fn a_renamed_entity_that_keeps_its_type_is_the_same_entity() {
    let (old, mut new) = (unindexed(), unindexed());
    new.entities[0].name = "Person".to_owned();
    assert_eq!(told(&compare(&old, &new)), [("C30", "Employee", "refused"), ("C31", "Person", "safe")]);
    new.entities[0].entity_type = EntityTypeRule::Named("Employee".to_owned());
    let found = compare(&old, &new);
    assert!(told(&found).contains(&("C00", "Person", "safe")), "{found:?}");
    assert!(!told(&found).iter().any(|(code, ..)| ["C30", "C31"].contains(code)), "{found:?}");
}

#[test]
fn a_move_names_the_entities_that_remain_in_the_archive() {
    let with = |row: &str| {
        let mut schema = unindexed();
        schema.entities[0].row = Some(row.into());
        schema.entities[0].archive = Some(ArchiveDesign { to: "Former".to_owned(), about: None, when: None });
        schema
    };
    let found = compare(&with("empid_{id:06}"), &with("e_{id:08}"));
    assert_eq!(told(&found), [("C17", "Employee", "migrate")]);
    assert!(
        found[0].reason.contains("; archived entities remain in `Former` at their old keys"),
        "{}",
        found[0].reason
    );
}
