//! Row kinds that overlap; invalid indexes and lookups.

use table_designs::{check_schema, schema::Schema};
use table_schema::{
    catalogue::Code,
    design::{
        ArchiveDesign, CopiedFields, EntityDesign, FieldDesign, IndexDesign, LookupDesign, LookupPlace,
        Place, Series, Which,
    },
    rules::check,
};

use crate::corpus::{I32, TEXT, U32, employee, entity, field, is, only, with_index};

#[test]
fn rows_that_can_meet() {
    let fields = [("a", TEXT), ("b", TEXT), ("c", TEXT)];
    let mut design = entity("E", "{a}", "{b}", &fields);
    design.indexes.push(IndexDesign { unique: true, ..IndexDesign::new("by_c", "c_{c}") });
    is(
        &design,
        Code::K15,
        &Place::Template { which: Which::Row, range: 0..3 },
        "rows of `by_c` and of `row` share a partition and can have the same key\n  \"{b}\"\n   ^^^\n\nhelp: start the row key with a different word: `id_{b}`",
    );
    // Rows in different partitions do not overlap. A literal does not overlap with a number, which cannot start with a
    // letter.
    design.indexes[0].partition = Some("c_{a}".into());
    assert_eq!(check(&design), []);
    let mut numbered = employee();
    numbered.row = Some("{id:06}".into());
    numbered.indexes.push(IndexDesign { unique: true, ..IndexDesign::new("by_email", "email_{email}") });
    assert_eq!(check(&numbered), []);
    numbered.indexes[0].row = Some("{email}".into());
    assert_eq!(only(&numbered).place, Place::Template { which: Which::IndexRow(0), range: 0..7 });
}

#[test]
fn entities_that_share_a_table_keep_apart() {
    let department = entity("Department", "{name}", "department", &[("name", TEXT), ("head", U32)]);
    let person = entity("Person", "{department}", "{name}", &[("department", TEXT), ("name", TEXT)]);
    let mixed = |entities: Vec<EntityDesign>| {
        let schema = Schema { entities, ..Schema::default() };
        let found = check_schema(&schema).into_iter();
        found.filter(|(_, mistake)| mistake.code == Code::K15).collect::<Vec<_>>()
    };
    assert!(mixed(vec![department.clone(), employee()]).is_empty());
    let found = mixed(vec![department, employee(), person]);
    assert_eq!(found.len(), 2);
    for (at, mistake) in found {
        assert_eq!((at, mistake.code), (2, Code::K15));
        assert!(
            mistake.message.ends_with("and of `row` share a partition and can have the same key"),
            "{mistake}"
        );
    }
}

#[test]
fn archived_rows_keep_apart() {
    let archived = |name: &str, table: &str| {
        let mut design = entity(name, "{shop}", "i_{id:06}", &[("shop", TEXT), ("id", U32), ("number", U32)]);
        design.table = Some(table.into());
        design.archive = Some(ArchiveDesign { to: "Others".to_owned(), about: None, when: None });
        design
    };
    let together = |entities: &[&EntityDesign]| {
        let entities = entities.iter().map(|&design| design.clone()).collect();
        let found = check_schema(&Schema { entities, ..Schema::default() });
        let places =
            found.into_iter().map(|(at, mistake)| (at, mistake.code, mistake.place, mistake.message));
        places.collect::<Vec<_>>()
    };
    let rows = |rows: &str, at: usize| {
        let message =
            format!("rows of `{rows}` and of `archive` share a partition and can have the same key");
        vec![(at, Code::K15, Place::Word("archive"), message)]
    };
    let (item, good) = (archived("Item", "Items"), archived("Good", "Goods"));
    let mut other = archived("Other", "others");
    other.archive = None;
    assert_eq!(together(&[&item]), []);
    assert_eq!(together(&[&item, &other]), rows("Other.row", 0));
    assert_eq!(together(&[&other, &item]), rows("Other.row", 1));
    assert_eq!(together(&[&item, &good]), rows("Item.archive", 1));

    // Other keys, and the type that reads the archived entities.
    let apart = EntityDesign { row: Some("o_{id:06}".into()), ..other.clone() };
    assert_eq!(together(&[&item, &apart]), []);
    let reader = EntityDesign { aliases: vec!["Item".to_owned()], ..other };
    assert_eq!(together(&[&item, &reader]), []);
    let schema = Schema { entities: vec![item.clone(), reader], ..Schema::default() };
    assert!(schema.entities.iter().all(|one| schema.requires_type(one, &schema.shared_tables())));

    // The archive of an entity and its own index.
    let mut indexed = item;
    let (table, partition) = (Some("Others".into()), Some("{shop}".into()));
    let by_number = IndexDesign::new("by_number", "i_{number:06}");
    indexed.indexes.push(IndexDesign { table, partition, unique: true, ..by_number });
    let mistake = only(&indexed);
    assert_eq!((mistake.code, &mistake.place), (Code::K15, &Place::Word("archive")));
    assert_eq!(mistake.help.as_deref(), Some("use a table for the archive that contains no other rows"));
    indexed.indexes[0].row = Some("n_{number:06}".into());
    assert_eq!(check(&indexed), []);
}

#[test]
fn indexes_and_lookups_that_do_not_work() {
    let unique = |name: &str, row: &str| IndexDesign { unique: true, ..IndexDesign::new(name, row) };
    let mut design = with_index(unique("by_email", "email_{email}"));
    design.indexes.push(unique("by_email", "age_{age:ord}"));
    is(&design, Code::D029, &Place::Index(1), "two indexes are named `by_email`");

    is(
        &with_index(unique("", "email_{email}")),
        Code::D006,
        &Place::Index(0),
        "an index requires a name: index(by_email, row = \"email_{email}\")",
    );
    is(
        &with_index(IndexDesign::new("by_email", "email_{email}")),
        Code::D031,
        &Place::Index(0),
        "two employees can have the same `by_email` key\n\nhelp: add `unique`, or end with the key: `email_{email}_{id:06}`",
    );
    assert_eq!(check(&with_index(IndexDesign::new("by_email", "email_{email}_{id:06}"))), []);

    let by_badge = IndexDesign {
        partition: Some("badge".into()),
        copy: CopiedFields::Only(Vec::new()),
        ..IndexDesign::new("by_badge", "{badge:08}")
    };
    is(
        &with_index(by_badge.clone()),
        Code::D032,
        &Place::Index(0),
        "index `by_badge` does not identify its entity\n\nhelp: add `copy(..)` (the key is always copied) or put `department` in a template",
    );
    assert_eq!(only(&with_index(IndexDesign { copy: CopiedFields::All, ..by_badge })).code, Code::D031);

    let mut design = employee();
    design.lookups.push(LookupDesign { name: "by_last_name".to_owned(), ..LookupDesign::default() });
    is(
        &design,
        Code::D006,
        &Place::Lookup(0),
        "lookup `by_last_name` has no lookup field\n\nhelp: write lookup(by_last_name, on = last_name, place = partition)",
    );
    design.lookups[0].on = vec!["lastname".to_owned()];
    assert_eq!(only(&design).place, Place::LookupOn(0, 0));
}

#[test]
fn the_rows_of_a_lookup_begin_with_its_word() {
    let mut design = employee();
    design.lookups.push(LookupDesign {
        name: "by_last_name".to_owned(),
        on: vec!["last_name".to_owned()],
        ..LookupDesign::default()
    });
    let kinds = design.row_kinds();
    assert_eq!(kinds[1].row.text(), "lastname_{last_name}");
    design.lookups[0].on.push("badge".to_owned());
    assert_eq!(design.row_kinds()[1].row.text(), "lastname_{last_name}_{badge:010}");
    design.lookups[0].place = LookupPlace::Blob;
    assert_eq!(design.row_kinds().len(), 1);
}

#[test]
fn a_copy_can_be_wider_than_its_entity() {
    let mut design =
        with_index(IndexDesign { unique: true, ..IndexDesign::new("by_email", "email_{email}") });
    design.fields.push(FieldDesign::new("hours", I32));
    // Five plain fields, `EntityType`, `_tx` and `_ix` in addition: 252 in total. The copy contains `id`, but neither
    // `email` nor `_ix`.
    field(&mut design, "hours").series = Some(Series::Slots(244));
    assert_eq!(check(&design), []);
    // In another partition, a copy has three more internal properties.
    design.indexes[0].partition = Some("mail".into());
    is(
        &design,
        Code::S03,
        &Place::Index(0),
        "a copy in `by_email` needs 255 properties; an entity holds 252\n\nhelp: copy fewer fields: copy(..)",
    );
    design.indexes[0].copy = CopiedFields::Only(vec!["age".to_owned()]);
    assert_eq!(check(&design), []);
    let kinds = design.row_kinds();
    let copied: Vec<&str> =
        design.copied_fields(&design.indexes[0], &kinds[1]).iter().map(|field| field.name.as_str()).collect();
    assert_eq!(copied, ["department", "id", "age"]);
}
