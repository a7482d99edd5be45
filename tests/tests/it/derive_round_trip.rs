//! The generated code, end to end: an entity is written to a store and read back, for each attribute.

#![expect(clippy::expect_used, reason = "a row that cannot be read fails the test")]

use pollster::block_on;
use serde::{Deserialize, Serialize};
use table_patterns::{EdmType, Value, prelude::*};

#[derive(TableEntity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    #[table(store)]
    id: u32,
    first_name: String,
    #[serde(rename = "surname")]
    last_name: String,
    #[table(rename = "Mail")]
    email: Option<String>,
    #[serde(skip)]
    #[table(keep)]
    salary: i64,
    #[table(skip)]
    in_cache: bool,
    #[table(default)]
    later: i32,
    #[table(json)]
    tags: Vec<String>,
}

fn employee() -> Employee {
    Employee {
        department: "Sales".into(),
        id: 223,
        first_name: "Jo".into(),
        last_name: "Jones".into(),
        email: None,
        salary: 50_000,
        in_cache: true,
        later: 7,
        tags: vec!["a".into(), "b".into()],
    }
}

fn bag(tables: &Tables) -> Stored<DynamicEntity> {
    let query = DynamicEntity::point("Employees", "Sales", "empid_000223");
    block_on(query.get(tables)).expect("a read").expect("the row")
}

#[test]
fn an_entity_comes_back_as_it_was_but_for_what_is_skipped() {
    let tables = Tables::in_memory().unwrap();
    block_on(tables.insert(&employee())).unwrap();
    let read = block_on(Employee::point("Sales", 223).get(&tables)).unwrap().unwrap();
    assert_eq!(*read, Employee { in_cache: false, ..employee() });
}

#[test]
fn properties_have_the_names_that_the_attributes_say() {
    let tables = Tables::in_memory().unwrap();
    block_on(tables.insert(&employee())).unwrap();
    let bag = bag(&tables);
    let names: Vec<&str> = Employee::DESIGN.properties.iter().map(|property| property.name).collect();
    assert_eq!(names, ["id", "firstName", "surname", "Mail", "salary", "later", "tags"]);
    assert_eq!(bag.get::<u32>("id").unwrap(), Some(223));
    assert_eq!(bag.get::<String>("surname").unwrap().as_deref(), Some("Jones"));
    assert_eq!(bag.get::<String>("tags").unwrap().as_deref(), Some(r#"["a","b"]"#));
    assert_eq!(bag.get::<String>("EntityType").unwrap().as_deref(), Some("Employee"));
    for absent in ["department", "Mail", "in_cache", "inCache"] {
        assert_eq!(bag.get::<String>(absent).unwrap(), None, "{absent}");
    }
}

/// The same rows, written by a program with fewer fields.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", entity_type = "Employee")]
struct Sparse {
    department: String,
    id: u32,
    #[table(rename = "firstName")]
    first_name: String,
    surname: String,
    salary: i64,
    tags: Option<String>,
}

#[test]
fn a_missing_property_is_its_default_where_that_is_said_and_else_an_error() {
    let tables = Tables::in_memory().unwrap();
    let mut sparse = Sparse {
        department: "Sales".into(),
        id: 223,
        first_name: "Jo".into(),
        surname: "Jones".into(),
        salary: 1,
        tags: Some("[]".into()),
    };
    block_on(tables.insert(&sparse)).unwrap();
    let read = block_on(Employee::point("Sales", 223).get(&tables)).unwrap().unwrap();
    assert_eq!((read.later, read.id), (0, 223));

    sparse.tags = None;
    block_on(tables.upsert(&sparse)).unwrap();
    let error = block_on(Employee::point("Sales", 223).get(&tables)).unwrap_err().to_string();
    assert!(error.contains("`tags`") && error.contains("missing"), "{error}");
}

#[test]
fn a_stored_key_field_that_contradicts_the_key_is_an_error() {
    let tables = Tables::in_memory().unwrap();
    block_on(tables.insert(&employee())).unwrap();
    let mut bag = bag(&tables);
    bag.set("id", 224_i64);
    block_on(tables.merge(bag.changes())).unwrap();
    let error = block_on(Employee::point("Sales", 223).get(&tables)).unwrap_err().to_string();
    assert!(error.contains("`id`") && error.contains("224"), "{error}");
}

#[test]
fn a_patch_sends_what_was_set_and_nothing_else() {
    let tables = Tables::in_memory().unwrap();
    block_on(tables.insert(&employee())).unwrap();
    let patch = Employee::patch("Sales", 223).email("jo@contoso.com".into()).salary(60_000);
    block_on(tables.merge(patch)).unwrap();
    let read = block_on(Employee::point("Sales", 223).get(&tables)).unwrap().unwrap();
    let expected =
        Employee { email: Some("jo@contoso.com".into()), salary: 60_000, in_cache: false, ..employee() };
    assert_eq!(*read, expected);

    let loaded = read.patch().tags(Vec::new());
    block_on(tables.merge(loaded.clone())).unwrap();
    assert!(block_on(tables.merge(loaded)).is_err(), "the version is another by now");
}

#[derive(TableValue, KeyPart, Clone, Copy, Debug, PartialEq, Eq)]
#[table(rename_all = "snake_case")]
enum Status {
    Open,
    OnHold,
}

#[derive(TableValue, KeyPart, Clone, Copy, Debug, PartialEq, Eq)]
#[table(repr = int)]
enum Priority {
    Low = -1,
    High = 20,
}

#[derive(TableValue, KeyPart, Clone, Debug, PartialEq, Eq)]
struct Email(String);

#[derive(TableValue, Clone, Debug, PartialEq)]
struct Maybe(Option<i32>);

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Tasks", partition = "{status}", row = "{priority:ord32}_{owner:esc}_{at:%Y%m%d}_{done}_{id}")]
struct Task {
    status: Status,
    priority: Priority,
    owner: Email,
    at: Timestamp,
    done: bool,
    id: Uuid,
    before: Option<Status>,
    urgency: Priority,
    estimate: Maybe,
}

#[test]
fn every_format_of_a_key_is_written_and_read() {
    let tables = Tables::in_memory().unwrap();
    let task = Task {
        status: Status::OnHold,
        priority: Priority::Low,
        owner: Email("a/b_c".into()),
        at: "2014-07-31T18:00:01Z".parse().unwrap(),
        done: true,
        id: Uuid::from_bytes(*b"0123456789abcdef"),
        before: Some(Status::Open),
        urgency: Priority::High,
        estimate: Maybe(None),
    };
    block_on(tables.insert(&task)).unwrap();
    let address = task.address().unwrap();
    assert_eq!(address.partition_key(), "on_hold");
    assert_eq!(address.row_key(), "7fffffff_a.1b^1c_20140731_true_30313233-3435-3637-3839-616263646566");
    // The key contains the day; the time is read from the property.
    let read = block_on(task.key().point().get(&tables)).unwrap().unwrap();
    assert_eq!(*read, task);
    let key = TaskKey::parse(address.partition_key(), address.row_key()).unwrap();
    assert_eq!(key, task.key());
    assert_eq!(key.at.to_string(), "2014-07-31T00:00:00Z");

    let open = Task::rows(Status::OnHold).at(Priority::Low).at(Email("a/b_c".into()));
    assert_eq!(block_on(open.all(&tables)).unwrap().len(), 1);
    assert!(TaskKey::parse("onhold", address.row_key()).is_none());
}

#[test]
fn values_are_stored_in_the_form_that_is_said() {
    assert_eq!(Status::OnHold.to_value().unwrap(), Value::from("on_hold"));
    assert_eq!(Priority::Low.to_value().unwrap(), Value::from(-1));
    assert_eq!(Priority::from_value(Value::from(20)).unwrap(), Priority::High);
    assert_eq!(<Email as TableValue>::TYPE, EdmType::String);
    for (error, word) in [
        (Status::from_value(Value::from("closed")).unwrap_err(), "Status"),
        (Priority::from_value(Value::from(3)).unwrap_err(), "Priority"),
    ] {
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn keys_are_equal_and_sort_as_the_rows_do() {
    let key = |id| EmployeeKey { department: "Sales".into(), id };
    assert_eq!(key(7), key(7));
    assert!(key(9) < key(10));
    let set: std::collections::HashSet<_> = [key(1), key(2), key(1)].into_iter().collect();
    assert_eq!(set.len(), 2);
    assert_eq!(key(7).to_string(), "Employees(PartitionKey='Sales',RowKey='empid_000007')");
}
