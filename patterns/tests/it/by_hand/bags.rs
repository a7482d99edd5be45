use super::{Employee, company, run};
use table_patterns::{ErrorCode, prelude::*};

#[test]
fn a_count_is_raised_without_knowing_the_type() {
    let tables = Tables::in_memory().unwrap();
    let mut department = DynamicEntity::new("Company", "Sales", "department").unwrap();
    department.set("EmployeeCount", 6);
    department.set("Name", "Sales");
    run(tables.insert(&department)).unwrap();

    let point = DynamicEntity::point("Company", "Sales", "department");
    let mut mine = run(point.get(&tables)).unwrap().unwrap();
    let mut theirs = run(point.get(&tables)).unwrap().unwrap();
    for bag in [&mut mine, &mut theirs] {
        let count = bag.get::<i32>("EmployeeCount").unwrap().unwrap();
        bag.set("EmployeeCount", count + 1);
    }
    run(tables.merge(mine.changes())).unwrap();
    let error = run(tables.merge(theirs.changes())).unwrap_err();
    assert_eq!(error.code(), Some(ErrorCode::UpdateConditionNotSatisfied), "the second one must read again");
    let read = run(point.get(&tables)).unwrap().unwrap();
    assert_eq!(read.get::<i32>("EmployeeCount").unwrap(), Some(7));
    assert_eq!(read.get::<String>("Name").unwrap().as_deref(), Some("Sales"), "a merge keeps the others");
}

#[test]
fn a_merge_cannot_remove_and_says_so() {
    let tables = company([1]);
    let mut bag = run(Employee::point("Sales", 1).bag().get(&tables)).unwrap().unwrap();
    assert!(bag.remove("tags").is_some());
    assert!(bag.remove("tags").is_none());
    assert!(matches!(run(tables.merge(bag.changes())), Err(Error::RemovedByMerge { .. })));
    run(tables.replace(&bag)).unwrap();
    assert!(run(Employee::point("Sales", 1).get(&tables)).unwrap().unwrap().tags.is_empty());
}

#[test]
fn a_property_of_another_type_is_an_error_that_names_it() {
    let tables = company([1]);
    let bag = run(Employee::point("Sales", 1).bag().get(&tables)).unwrap().unwrap();
    let error = bag.get::<i32>("last_name").unwrap_err();
    assert!(error.to_string().contains("last_name of Employees(PartitionKey='Sales'"), "{error}");
    assert!(DynamicEntity::new("x", "p", "r").is_err(), "a table's name has three letters or more");
    assert!(run(DynamicEntity::point("x", "p", "r").get(&tables)).is_err());
}
