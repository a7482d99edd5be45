//! Rows from before a property with a default was added.

use table_codegen::from_designs;
use table_model::{Entity as Row, Operation, Value};
use table_patterns::{DifferenceKind, OpenOptions, VerifyReport, prelude::*};

use super::{execute, get, merge};

mod before {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Tickets", partition = "{team}", row = "id_{id:04}")]
    #[table(index(by_status, row = "s_{status}", unique))]
    #[table(index(by_owner, partition = "owner_{owner}", row = "{team}_{id:04}"))]
    pub(super) struct Ticket {
        pub(super) team: String,
        pub(super) id: u32,
        pub(super) status: String,
        pub(super) owner: String,
    }
}

#[derive(TableFields, Clone, Debug, PartialEq)]
struct Sla {
    #[table(default)]
    hours: u32,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Tickets", partition = "{team}", row = "id_{id:04}")]
#[table(index(by_status, row = "s_{status}", unique))]
#[table(index(by_owner, partition = "owner_{owner}", row = "{team}_{id:04}"))]
struct Ticket {
    team: String,
    id: u32,
    status: String,
    owner: String,
    #[table(default)]
    prio: i32,
    #[table(flatten)]
    sla: Sla,
}

#[derive(TableValue, KeyPart, Clone, Copy, Debug, Default, PartialEq)]
enum Level {
    High,
    #[default]
    Low,
}

/// A ticket with an enum that older rows lack, in the key of an index that they lack too.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Tickets", partition = "{team}", row = "id_{id:04}")]
#[table(index(by_level, row = "l_{level}_{id:04}"))]
struct Leveled {
    team: String,
    id: u32,
    #[table(default)]
    level: Level,
}

/// A design file of `Leveled`.
const LEVELED: &str = r#"
tables = 1
[entity.Leveled]
table = "Tickets"
partition = "{team}"
row = "id_{id:04}"
[entity.Leveled.fields]
team = "string"
id = "u32"
level = { type = "enum(High, Low)", default = "Low" }
[entity.Leveled.index.by_level]
row = "l_{level}_{id:04}"
"#;

/// Returns a handle of a store in which another program has written a row of the earlier type.
fn tables() -> Tables {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::from(store.clone());
    let (status, owner) = ("open".to_owned(), "jo".to_owned());
    tables.blocking().insert(&before::Ticket { team: "a".into(), id: 1, status, owner }).unwrap();
    pollster::block_on(tables.catch_up()).unwrap();
    Tables::from(store)
}

/// Verifies by the type and by the design, which must agree.
fn verify(tables: &Tables) -> VerifyReport {
    let report = pollster::block_on(tables.verify::<Ticket>().run()).unwrap();
    let schema = from_designs("tickets", &[Ticket::DESIGN]).schema;
    let designed = tables.design(&schema, "Ticket").unwrap();
    let by_design = pollster::block_on(designed.verify().run()).unwrap();
    assert_eq!(by_design.to_string(), report.to_string());
    report
}

#[test]
fn rows_that_lack_the_property_as_their_entity_does_are_clean() {
    let tables = tables();
    let report = verify(&tables);
    assert!(report.is_clean(), "{report}");
    // A row with the value itself is clean too.
    merge(&tables, "Tickets", "a", "s_open", &[("prio", Value::Int32(0))]);
    assert!(verify(&tables).is_clean());
    merge(&tables, "Tickets", "a", "s_open", &[("prio", Value::Int32(3))]);
    assert_eq!(verify(&tables).count_of(DifferenceKind::Stale), 1);
}

#[test]
fn the_default_of_an_enum_is_a_word_of_the_design() {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::from(store);
    tables.blocking().insert(&Leveled { team: "a".into(), id: 1, level: Level::Low }).unwrap();
    let mut row = get(&tables, "Tickets", "a", "id_0001").unwrap();
    assert!(row.remove("level").is_some());
    let (partition_key, row_key) = ("a".to_owned(), "id_0001".to_owned());
    execute(&tables, "Tickets", &Operation::InsertOrReplace(Row { partition_key, row_key, properties: row }));
    let schema = table_codegen::read(LEVELED, "tickets.toml").unwrap();
    let designed = tables.design(&schema, "Leveled").unwrap();
    assert_eq!(designed.unjudged(), []);
    let report = pollster::block_on(designed.verify().run()).unwrap();
    let by_type = pollster::block_on(tables.verify::<Leveled>().run()).unwrap();
    assert_eq!(report.to_string(), by_type.to_string());
    assert!(report.is_clean(), "{report}");
}

#[test]
fn rows_that_lack_a_property_of_their_entity_are_stale() {
    for (property, value) in [("prio", Value::Int32(0)), ("sla_hours", Value::Int64(0))] {
        let tables = tables();
        merge(&tables, "Tickets", "a", "id_0001", &[(property, value.clone())]);
        let report = verify(&tables);
        assert_eq!((report.count(), report.count_of(DifferenceKind::Stale)), (2, 2), "{report}");
        let repaired = pollster::block_on(tables.verify::<Ticket>().repair().run()).unwrap();
        assert_eq!(repaired.repaired, 2, "{repaired}");
        assert_eq!(get(&tables, "Tickets", "a", "s_open").unwrap().get(property), Some(&value));
        assert!(verify(&tables).is_clean());
    }
}

#[test]
fn rows_that_lack_a_part_of_the_key_of_their_entity_are_stale() {
    let tables = tables();
    let mut row = get(&tables, "Tickets", "a", "s_open").unwrap();
    assert!(row.remove("id").is_some());
    let (partition_key, row_key) = ("a".to_owned(), "s_open".to_owned());
    execute(&tables, "Tickets", &Operation::InsertOrReplace(Row { partition_key, row_key, properties: row }));
    assert_eq!(verify(&tables).count_of(DifferenceKind::Stale), 1);
}
