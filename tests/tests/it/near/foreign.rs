//! Writes by clients outside the library (T14): the repairs by the next write, its reports, and the differences that
//! require a repair.

use table_patterns::{Error, prelude::*};
use table_store::{Condition, Entity as Row, Operation, TableName};

use super::{partition, staff::Staff};

fn staffed() -> Tables {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&Staff { desk: Some(1), ..Staff::new(1) }).unwrap();
    b.insert(&Staff::new(2)).unwrap();
    tables
}

/// Deletes a row without the library.
fn take_away(tables: &Tables, row_key: &str) {
    tables.blocking().delete_at(DynamicEntity::point("Staff", "Blue", row_key)).unwrap();
}

fn mistakes(tables: &Tables) -> Vec<String> {
    partition::mistakes(&partition::read(&**tables.service()))
}

#[test]
fn a_row_that_is_gone_comes_back_with_the_next_replace() {
    for (row, index) in [("mail_m1", "by_mail"), ("desk_01_01", "by_desk")] {
        let tables = staffed();
        take_away(&tables, row);
        assert_eq!(mistakes(&tables), [format!("{row} is missing")]);
        let stored = tables.blocking().get(&Staff::point("Blue", 1)).unwrap().unwrap();
        assert_eq!(tables.blocking().replace(&stored).unwrap().repaired_indexes, [index]);
        assert!(mistakes(&tables).is_empty());
    }
}

#[test]
fn a_row_that_is_gone_hinders_no_move_and_no_delete() {
    for row in ["mail_m1", "desk_01_01", "name_Jones!id_01", "city_Oslo"] {
        let tables = staffed();
        let b = tables.blocking();
        take_away(&tables, row);
        let moved = Staff { mail: "x".into(), name: "Smith".into(), city: None, ..Staff::new(1) };
        assert_eq!(b.upsert(&moved).unwrap().repaired_indexes.len(), 1, "{row}");
        if row != "city_Oslo" {
            assert!(mistakes(&tables).is_empty(), "{row}: {:?}", mistakes(&tables));
        }
        b.delete_at(Staff::point("Blue", 1)).unwrap();
        b.delete_at(Staff::point("Blue", 2)).unwrap();
        assert!(partition::read(&**tables.service()).is_empty(), "{row}");
    }
}

#[test]
fn a_list_that_is_gone_comes_back_member_by_member() {
    let tables = staffed();
    let b = tables.blocking();
    take_away(&tables, "city_Oslo");
    for id in [1, 2] {
        // Out of the list and into it again: a write that does not change the city does not read the list.
        for city in [None, Some("Oslo".to_owned())] {
            let mut stored = b.get(&Staff::point("Blue", id)).unwrap().unwrap();
            stored.city = city;
            b.replace(&stored).unwrap();
        }
    }
    assert!(mistakes(&tables).is_empty());
}

#[test]
fn a_patch_cannot_bring_back_a_row_that_it_does_not_know() {
    let tables = staffed();
    let b = tables.blocking();
    take_away(&tables, "mail_m1");
    let stored = b.get(&Staff::point("Blue", 1)).unwrap().unwrap();
    let error = b.merge(stored.patch().age(31)).unwrap_err();
    assert!(error.is_not_found(), "{error}");
    assert_eq!(mistakes(&tables), ["mail_m1 is missing"], "and nothing is changed");
    pollster::block_on(tables.update(Staff::point("Blue", 1), |staff| staff.age = 31)).unwrap();
    assert!(mistakes(&tables).is_empty());
}

#[test]
fn an_entity_that_is_gone_leaves_a_unique_key_taken() {
    let tables = staffed();
    let b = tables.blocking();
    take_away(&tables, "id_01");
    // Its rows stay. Rows that only this entity can have are taken over when it is inserted again. The owner of a
    // unique key can only be determined by reading it.
    let error = b.insert(&Staff { desk: Some(1), ..Staff::new(1) }).unwrap_err();
    assert!(matches!(error, Error::Unique(_)), "{error}");
    take_away(&tables, "mail_m1");
    let written = b.insert(&Staff { desk: Some(1), ..Staff::new(1) }).unwrap();
    assert_eq!(written.repaired_indexes, ["by_desk", "by_name"]);
    assert!(mistakes(&tables).is_empty());
}

#[test]
fn a_row_whose_entity_is_gone_leads_nowhere() {
    let tables = staffed();
    let b = tables.blocking();
    take_away(&tables, "id_01");
    let left = b.get(&Staff::by_mail("Blue", "m1")).unwrap().unwrap();
    assert!(b.replace(&left).unwrap_err().is_not_found());
    assert!(b.delete(&left).unwrap_err().is_not_found());
    assert!(b.delete_at(Staff::by_mail("Blue", "m1")).unwrap_err().is_not_found());
    assert_eq!(b.all(&Staff::by_city("Blue", "Oslo")).unwrap().len(), 1);
}

#[test]
fn an_entity_that_was_changed_alone_is_put_right_by_the_next_replace_of_it() {
    let tables = staffed();
    let b = tables.blocking();
    let (table, age) = (TableName::new("Staff").unwrap(), Row::new("Blue", "id_01").with("age", 99));
    let alone = Operation::Merge(age, Condition::Exists);
    pollster::block_on(tables.service().execute(&table, &alone)).unwrap();
    assert!(!mistakes(&tables).is_empty());
    let stored = b.get(&Staff::point("Blue", 1)).unwrap().unwrap();
    b.replace(&stored).unwrap();
    assert!(mistakes(&tables).is_empty());
}

#[test]
fn a_verification_has_nothing_against_what_the_library_wrote() {
    let tables = staffed();
    let report = pollster::block_on(tables.verify::<Staff>().run()).unwrap();
    assert!(report.is_clean(), "{report:?}");
}
