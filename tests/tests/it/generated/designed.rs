//! Entities processed by their designs alone: for random designs and random rows, the derived rows equal the rows of
//! the generated types, and the repair of one is accepted by the other.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test that cannot go on says why")]

mod rows;

use pollster::block_on;
use rows::random_row;
use table_codegen::Schema;
use table_patterns::{Designed, KeyRing, RepairStatus, Store, TableEntity, Tables, compared};
use table_store::{OpenOptions, Query, TableName};
use table_tests::{generated::Visit, seed::Seed};

/// Number of rows per entity.
const ROWS: usize = 24;

fn schema(file: &str) -> Schema {
    table_codegen::read(file, "random").unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// Returns tables with keys.
fn tables() -> Tables {
    let store: Store = OpenOptions::new().in_memory().unwrap();
    Tables::new(store.clone()).with_blobs(store).with_keys(KeyRing::from_keys(1, [(1, [7; 32])]).unwrap())
}

/// Writes random rows of an entity outside the library, so that no derived rows exist. Returns their number.
fn fill(tables: &Tables, schema: &Schema, name: &str, seed: u64) -> usize {
    let entity = schema.stored_entity(name).unwrap();
    let encrypted: Vec<String> =
        entity.fields.iter().filter(|field| field.encrypted).map(|field| field.property.clone()).collect();
    let sealing = tables.encrypting(move |_, _, property| encrypted.iter().any(|name| name == property));
    let mut dice = Seed::new(seed);
    let rows = (0..ROWS).filter_map(|number| random_row(&entity, &mut dice, number));
    rows.filter(|bag| sealing.blocking().insert(bag).is_ok()).count()
}

/// Returns all rows of a table.
fn all_rows(tables: &Tables, table: &TableName) -> table_store::Rows {
    block_on(tables.service().query(table, Query::default())).unwrap().rows
}

/// Checks one entity, and counts the checks.
#[derive(Debug, Default)]
struct Compare {
    entities: usize,
    rows: usize,
    derived: usize,
    repaired: u64,
    left_alone: usize,
}

impl Visit for Compare {
    fn visit<E: TableEntity>(&mut self, file: &str, name: &str) {
        let schema = schema(file);
        let tables = tables();
        let designed = match tables.design(&schema, name) {
            // Nothing is derived from its rows; see `derive_wide`, `periods` and `shards`.
            Ok(designed) if designed.design().wide.is_some() || !designed.design().is_in_one_place() => {
                return;
            }
            other => other.unwrap_or_else(|error| panic!("{error}\n{file}")),
        };
        self.entities += 1;
        self.left_alone += designed.unjudged().len();
        for index in designed.design().indexes {
            let (_, typed) = E::DESIGN.index(index.name).unwrap();
            assert_eq!(format!("{index:?}"), format!("{typed:?}"), "{file}");
        }
        let filled = fill(&tables, &schema, name, self.entities as u64);
        assert!(filled > 0, "no row of `{name}` could be made\n{file}");
        let table = TableName::new(E::DESIGN.table).unwrap();
        for row in &all_rows(&tables, &table) {
            let typed =
                compared::typed::<E>(&tables, &table, row).unwrap_or_else(|error| panic!("{error}\n{file}"));
            let by_design =
                compared::designed(&designed, &table, row).unwrap_or_else(|error| panic!("{error}\n{file}"));
            let is_judged = |(name, ..): &compared::Row| designed.design().index(name).is_some();
            let typed: Vec<_> = typed.into_iter().filter(is_judged).collect();
            assert_eq!(by_design, typed, "{name}\n{file}");
            self.rows += 1;
            self.derived += by_design.len();
        }
        self.repaired += there_and_back::<E>(&tables, &designed, file);
    }
}

/// Checks that the type accepts the rows repaired by the design, and that both detect later damage.
fn there_and_back<E: TableEntity>(tables: &Tables, designed: &Designed, file: &str) -> u64 {
    let b = tables.blocking();
    let is_ours = |index: Option<&str>| index.is_some_and(|name| designed.design().index(name).is_some());
    let report = b.sweep(designed.verify().repair()).unwrap();
    for difference in &report.differences {
        assert!(matches!(difference.repair, RepairStatus::Done), "{difference}\n{file}");
    }
    let typed = b.sweep(tables.verify::<E>()).unwrap();
    let wrong = typed.differences.iter().find(|difference| is_ours(difference.index));
    assert!(wrong.is_none(), "{}\n{file}", wrong.unwrap());
    assert!(b.sweep(designed.verify()).unwrap().is_clean(), "{file}");
    assert_eq!((typed.entities, report.count()), (report.entities, report.repaired), "{file}");
    report.repaired
}

#[test]
fn a_design_alone_derives_what_the_type_derives() {
    let mut compare = Compare::default();
    table_tests::generated::random::visit_all(&mut compare);
    println!("{compare:?}");
    assert!(compare.entities > 8 && compare.rows > 100, "{compare:?}");
    assert!(compare.derived > 20 && compare.repaired > 20, "{compare:?}");
}

/// A design with parts that cannot be evaluated without keys or the program.
const COMPANY: &str = r#"
tables = 1
[entity.Department]
table = "Company"
partition = "{name}"
row = "department"
[entity.Department.fields]
name = "string"
[entity.Department.total.staff]
count = "Person"
match = { name = "name" }
[entity.Person]
table = "Company"
partition = "{name}"
row = "person_{id:06}"
[entity.Person.fields]
name = "string"
id = "u32"
email = "string"
salary = { type = "string", encrypt = true }
[entity.Person.index.by_email]
row = "email_{email}_{id:06}"
[entity.Person.index.by_number]
row = "number_{email}_{id:06}"
copy = ["email"]
"#;

#[test]
fn what_cannot_be_judged_is_left_alone_by_name() {
    let schema = schema(COMPANY);
    let without_keys = Tables::in_memory().unwrap();
    let said = |tables: &Tables, name: &str| -> Vec<String> {
        let designed = tables.design(&schema, name).unwrap();
        designed.unjudged().iter().map(ToString::to_string).collect()
    };
    assert_eq!(said(&without_keys, "Person"), ["`by_email`: its rows contain `salary`, which is encrypted"]);
    assert_eq!(
        said(&without_keys, "Department"),
        ["`staff`: it is derived from `Person`, and the design does not specify the contributions"]
    );
    assert!(said(&tables(), "Person").is_empty());

    // A row that is left unchanged is neither judged nor deleted; and the index cannot be filled.
    let b = without_keys.blocking();
    let row = table_patterns::DynamicEntity::new("Company", "Sales", "email_jo_000001").unwrap();
    b.insert(&row).unwrap();
    let mut typed = table_patterns::DynamicEntity::new("Company", "Sales", "email_mo_000002").unwrap();
    typed.set("EntityType", "Person");
    b.insert(&typed).unwrap();
    let person = without_keys.design(&schema, "Person").unwrap();
    let report = b.sweep(person.verify().repair()).unwrap();
    assert_eq!((report.rows, report.is_clean()), (0, true), "{report}");
    let refused = b.sweep(person.reindex("by_email")).unwrap_err();
    assert!(refused.to_string().contains("no index `by_email`"), "{refused}");
    assert!(
        b.get(&table_patterns::DynamicEntity::point("Company", "Sales", "email_jo_000001"))
            .unwrap()
            .is_some()
    );
}

#[test]
fn a_design_that_was_asked_for_before_is_not_made_again() {
    let (schema, tables) = (schema(COMPANY), Tables::in_memory().unwrap());
    let first = tables.design(&schema, "Person").unwrap();
    let again = Tables::in_memory().unwrap().design(&schema.clone(), "Person").unwrap();
    assert!(std::ptr::eq(first.design(), again.design()));
    let unknown = tables.design(&schema, "Persons").unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "the design does not contain the entity `Persons`; existing entities: Department, Person"
    );
}
