//! Undeclared properties that an index row lacks, that belong to their row, or that have the names of others.

use pollster::block_on;
use table_patterns::{KeyRing, Value, prelude::*};
use table_store::{Condition, Entity, Operation, TableName};

use super::other_process;

mod old {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Items", partition = "{p}", row = "i_{n:04}", entity_type = "Item")]
    #[table(index(by_mail, row = "m_{mail}", unique))]
    #[table(index(far, partition = "f_{mail}", row = "{p}_{n:04}"))]
    pub struct Item {
        pub p: String,
        pub n: u16,
        pub mail: String,
        pub state: String,
    }

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Bare", partition = "{p}", row = "b_{n:04}", entity_type = none)]
    pub struct Bare {
        pub p: String,
        pub n: u16,
        pub state: String,
    }
}

mod new {
    use table_patterns::prelude::*;

    /// Its index row lists its fields, so that it lacks what was added.
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Items", partition = "{p}", row = "i_{n:04}", entity_type = "Item")]
    #[table(index(by_mail, row = "m_{mail}", unique, copy(state)))]
    #[table(index(far, partition = "f_{mail}", row = "{p}_{n:04}", copy(state)))]
    pub struct Item {
        pub p: String,
        pub n: u16,
        pub mail: String,
        pub state: String,
        pub note: Option<String>,
        #[table(encrypt)]
        pub secret: Option<String>,
        #[table(blob)]
        pub photo: Option<Blob>,
    }

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Bare", partition = "{p}", row = "b_{n:04}")]
    pub struct Bare {
        pub p: String,
        pub n: u16,
        pub state: String,
    }
}

fn item() -> new::Item {
    new::Item {
        p: "a".into(),
        n: 1,
        mail: "m".into(),
        state: "open".into(),
        note: Some("N".into()),
        secret: Some("S".into()),
        photo: Some(Blob::new(vec![7; 100_000])),
    }
}

/// Returns a program with keys, and an older one without.
fn programs() -> (Tables, Tables) {
    let tables = Tables::in_memory().unwrap();
    let older = other_process(&tables);
    (tables.with_keys(KeyRing::generate().unwrap()), older)
}

fn assert_kept(tables: &Tables, state: &str) {
    let found = tables.blocking().get(&new::Item::point("a", 1)).unwrap().unwrap();
    assert_eq!((found.state.as_str(), found.note.as_deref()), (state, Some("N")));
    assert_eq!(found.secret.as_deref(), Some("S"));
    let photo = block_on(found.photo.as_ref().unwrap().read(tables)).unwrap();
    assert_eq!(photo.len(), 100_000);
}

#[test]
fn a_replace_through_an_index_reads_the_row_of_the_entity() {
    let (tables, older) = programs();
    let (b, o) = (tables.blocking(), older.blocking());
    b.insert(&item()).unwrap();
    block_on(older.update(old::Item::by_mail("a", "m"), |one| one.state = "a".into())).unwrap();
    assert_kept(&tables, "a");
    let mut stored = o.get(&old::Item::by_mail("a", "m")).unwrap().unwrap();
    // A change of what the index row does not contain.
    b.merge(new::Item::patch("a", 1).note("N".to_owned())).unwrap();
    stored.state = "b".into();
    o.replace(&stored).unwrap();
    assert_kept(&tables, "b");
    // A change of what it contains.
    let stored = o.get(&old::Item::by_mail("a", "m")).unwrap().unwrap();
    block_on(tables.update(new::Item::point("a", 1), |one| one.state = "c".into())).unwrap();
    assert!(o.replace(&stored).unwrap_err().is_conflict());
    assert_kept(&tables, "c");
}

#[test]
fn entities_with_undeclared_encrypted_values_and_blobs_are_not_moved() {
    for by_index in [false, true] {
        for part in ["secret", "photo"] {
            let (tables, older) = programs();
            let (secret, photo) = match part {
                "secret" => (item().secret, None),
                _ => (None, item().photo),
            };
            tables.blocking().insert(&new::Item { secret, photo, ..item() }).unwrap();
            let o = older.blocking();
            let point = if by_index { old::Item::by_mail("a", "m") } else { old::Item::point("a", 1) };
            let mut stored = o.get(&point).unwrap().unwrap();
            stored.n = 2;
            let refused = o.rekey(&stored).unwrap_err();
            assert!(
                matches!(&refused, Error::UndeclaredBound { property, .. } if property == part),
                "{refused}"
            );
        }
    }
}

#[test]
fn undeclared_properties_move_with_the_entity() {
    for by_index in [false, true] {
        let (tables, older) = programs();
        tables.blocking().insert(&new::Item { secret: None, photo: None, ..item() }).unwrap();
        let o = older.blocking();
        let point = if by_index { old::Item::by_mail("a", "m") } else { old::Item::point("a", 1) };
        let mut stored = o.get(&point).unwrap().unwrap();
        stored.n = 2;
        o.rekey(&stored).unwrap();
        let found = tables.blocking().get(&new::Item::point("a", 2)).unwrap().unwrap();
        assert_eq!(found.note.as_deref(), Some("N"), "{by_index}");
    }
}

/// A property with the name of a key field, of another program.
#[test]
fn parts_of_keys_are_not_taken_from_properties() {
    let (tables, older) = programs();
    tables.blocking().insert(&new::Item { secret: None, photo: None, ..item() }).unwrap();
    let b = older.blocking();
    let properties = [("n", Value::from(2)), ("p", "zz".into()), ("_src_other", "x".into())];
    let (partition_key, row_key) = ("a".to_owned(), "i_0001".to_owned());
    let row = Entity { partition_key, row_key, properties: properties.into_iter().collect() };
    let merge = Operation::Merge(row, Condition::Exists);
    block_on(older.service().execute(&TableName::new("Items").unwrap(), &merge)).unwrap();
    block_on(older.update(old::Item::point("a", 1), |one| one.state = "s".into())).unwrap();
    block_on(older.catch_up()).unwrap();
    assert_eq!(b.get(&old::Item::by_mail("a", "m")).unwrap().unwrap().n, 1);
    let report = block_on(older.verify::<old::Item>().run()).unwrap();
    assert!(report.is_clean(), "{report}");
    let row = b.get(&DynamicEntity::point("Items", "a", "i_0001")).unwrap().unwrap();
    assert_eq!(row.get::<i32>("n").unwrap(), Some(2), "it remains in the row of the entity");
    assert_eq!(row.get::<String>("_src_other").unwrap().as_deref(), Some("x"));
}

#[test]
fn a_type_without_entity_type_keeps_that_of_the_row() {
    let (tables, older) = programs();
    let (b, o) = (tables.blocking(), older.blocking());
    b.insert(&new::Bare { p: "a".into(), n: 1, state: "x".into() }).unwrap();
    let verbs: [fn(&Tables); 3] = [
        |older| drop(block_on(older.update(old::Bare::point("a", 1), |one| one.state = "y".into())).unwrap()),
        |older| drop(older.blocking().upsert(&old::Bare { p: "a".into(), n: 1, state: "y".into() }).unwrap()),
        |older| {
            drop(
                older.blocking().replace_any(&old::Bare { p: "a".into(), n: 1, state: "y".into() }).unwrap(),
            );
        },
    ];
    for write in verbs {
        write(&older);
        assert_eq!(b.all(&new::Bare::scan_partition("a")).unwrap().len(), 1);
    }
    assert_eq!(o.all(&old::Bare::rows("a")).unwrap().len(), 1);
}
