//! Types that share a table.

use table_patterns::{RegistryError, prelude::*};

use super::{Staff, counted, refusal, staff};

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{team}", row = "team", entity_type = "Team")]
struct Team {
    team: String,
}

/// Has no `EntityType`, so that only its keys tell its rows apart.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{team}", row = "note_{number:02}", entity_type = none)]
struct Note {
    team: String,
    number: u8,
}

#[test]
fn rows_of_other_types_do_not_prevent_the_registration() {
    let (tables, ..) = counted();
    let b = tables.blocking();
    b.insert(&Team { team: "Blue".into() }).unwrap();
    b.insert(&Note { team: "Blue".into(), number: 1 }).unwrap();
    b.insert(&staff(1, "a")).unwrap();
    assert_eq!(b.get(&Staff::by_mail("Blue", "a")).unwrap().unwrap().id, 1);

    // A row without a type counts by its keys: it is read as an entity.
    let (other, ..) = counted();
    let mut untyped = DynamicEntity::new("Staff", "Blue", "id_007").unwrap();
    untyped.set("mail", "a");
    other.blocking().insert(&untyped).unwrap();
    assert!(matches!(refusal(other.blocking().insert(&staff(1, "a"))), RegistryError::NotRegistered { .. }));
}
