//! Rows of several types in one table: unions, projections, older versions.

#![expect(clippy::unwrap_used, reason = "a store that cannot be filled fails the test")]

use pollster::block_on;
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", entity_type = "Employee")]
struct EmployeeV1 {
    department: String,
    id: u32,
    name: String,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(version = 2, from(EmployeeV1), entity_type = "Employee")]
struct EmployeeV2 {
    department: String,
    id: u32,
    first_name: String,
    last_name: String,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(version = 3, from(EmployeeV2), aliases("Staff"))]
struct Employee {
    department: String,
    id: u32,
    last_name: String,
}

impl From<EmployeeV1> for EmployeeV2 {
    fn from(older: EmployeeV1) -> Self {
        let (first_name, last_name) = older.name.split_once(' ').unwrap_or(("", &older.name));
        let (first_name, last_name) = (first_name.to_owned(), last_name.to_owned());
        Self { department: older.department, id: older.id, first_name, last_name }
    }
}

impl From<EmployeeV2> for Employee {
    fn from(older: EmployeeV2) -> Self {
        Self { department: older.department, id: older.id, last_name: older.last_name }
    }
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{name}", row = "department")]
struct Department {
    name: String,
    employee_count: i32,
}

#[derive(TableUnion, Debug)]
#[table(partition = "{department}", unknown = keep)]
enum Anything {
    Employee(Stored<Employee>),
    Department(Stored<Department>),
    #[table(other)]
    Other(Stored<DynamicEntity>),
}

#[derive(TableUnion, Debug)]
#[table(partition = "{department}", unknown = skip)]
enum Known {
    Employee(Stored<Employee>),
}

#[derive(TableUnion, Debug)]
#[table(partition = "{department}")]
#[expect(dead_code, reason = "no row of it is read: that is the point")]
enum Strict {
    Employee(Stored<Employee>),
}

/// In the same partitions, but in no union.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "note_{id:04}")]
struct Note {
    department: String,
    id: u16,
    text: String,
}

fn v1(id: u32, name: &str) -> EmployeeV1 {
    EmployeeV1 { department: "Sales".into(), id, name: name.into() }
}

fn filled() -> Tables {
    let tables = Tables::in_memory().unwrap();
    let second =
        EmployeeV2 { department: "Sales".into(), id: 2, first_name: "Al".into(), last_name: "Ames".into() };
    block_on(tables.insert(&v1(1, "Jo Jones"))).unwrap();
    block_on(tables.insert(&second)).unwrap();
    block_on(tables.insert(&Employee { department: "Sales".into(), id: 3, last_name: "Day".into() }))
        .unwrap();
    block_on(tables.insert(&Department { name: "Sales".into(), employee_count: 3 })).unwrap();
    block_on(tables.insert(&Note { department: "Sales".into(), id: 1, text: "hello".into() })).unwrap();
    tables
}

fn names(employees: Vec<Stored<Employee>>) -> Vec<String> {
    employees.into_iter().map(|employee| employee.into_inner().last_name).collect()
}

#[test]
fn rows_of_older_versions_are_read_through_their_structs() {
    let tables = filled();
    let point = block_on(Employee::point("Sales", 1).get(&tables)).unwrap().unwrap();
    assert_eq!(point.last_name, "Jones");
    let expected = ["Jones", "Ames", "Day"];
    assert_eq!(names(block_on(Employee::rows("Sales").all(&tables)).unwrap()), expected);
    assert_eq!(names(block_on(Employee::scan_partition("Sales").all(&tables)).unwrap()), expected);
    assert_eq!(names(block_on(Employee::scan_table().all(&tables)).unwrap()), expected);
}

#[test]
fn an_older_row_is_written_back_as_the_newest_version() {
    let tables = filled();
    let mut employee = block_on(Employee::point("Sales", 1).get(&tables)).unwrap().unwrap();
    employee.last_name = "Johnson".into();
    block_on(tables.replace(&employee)).unwrap();
    let row =
        block_on(DynamicEntity::point("Employees", "Sales", "empid_000001").get(&tables)).unwrap().unwrap();
    assert_eq!(row.get::<String>("EntityType").unwrap().as_deref(), Some("Employee.v3"));
    assert_eq!(row.get::<String>("name").unwrap(), None);
}

#[test]
fn an_older_struct_does_not_read_newer_rows() {
    let tables = filled();
    assert!(block_on(EmployeeV1::point("Sales", 3).get(&tables)).is_err());
    assert!(block_on(EmployeeV2::point("Sales", 1).get(&tables)).unwrap().is_some());
}

#[test]
fn an_alias_is_read_as_the_entity() {
    let tables = filled();
    let mut row =
        block_on(DynamicEntity::point("Employees", "Sales", "empid_000003").get(&tables)).unwrap().unwrap();
    row.set("EntityType", "Staff");
    block_on(tables.merge(row.changes())).unwrap();
    let read = block_on(Employee::point("Sales", 3).get(&tables)).unwrap().unwrap();
    assert_eq!(read.last_name, "Day");
}

#[test]
fn a_union_gives_each_row_to_its_variant() {
    let tables = filled();
    let rows = block_on(Anything::rows("Sales").all(&tables)).unwrap();
    let kinds: Vec<String> = rows
        .iter()
        .map(|row| match row {
            Anything::Employee(employee) => employee.last_name.clone(),
            Anything::Department(department) => {
                format!("{} in {}", department.employee_count, department.name)
            }
            Anything::Other(bag) => bag.get::<String>("text").unwrap().unwrap_or_default(),
        })
        .collect();
    assert_eq!(kinds, ["3 in Sales", "Jones", "Ames", "Day", "hello"]);
}

#[test]
fn unknown_rows_are_skipped_or_an_error_as_the_union_says() {
    let tables = filled();
    let known = block_on(Known::rows("Sales").all(&tables)).unwrap();
    let ids: Vec<u32> = known.iter().map(|Known::Employee(employee)| employee.id).collect();
    assert_eq!(ids, [1, 2, 3]);
    let error = block_on(Strict::rows("Sales").all(&tables)).unwrap_err().to_string();
    assert!(error.contains("Strict") && error.contains("Department"), "{error}");
}

#[derive(Projection, Debug, PartialEq)]
#[table(of = Department)]
struct Count {
    name: String,
    employee_count: i32,
}

#[test]
fn a_projection_has_fields_of_the_key_and_properties() {
    let tables = filled();
    let counts = block_on(Department::rows("Sales").select::<Count>().all(&tables)).unwrap();
    assert_eq!(counts, [Count { name: "Sales".into(), employee_count: 3 }]);
}
