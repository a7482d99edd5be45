use super::{Employee, Member, Review, company, employee, ids, review, run};
use table_patterns::{RowError, prelude::*};

/// Creates a row of another entity type.
fn foreign(table: &str, row_key: &str, entity_type: Option<&str>) -> DynamicEntity {
    let mut bag = DynamicEntity::new(table, "Sales", row_key).unwrap();
    bag.set("age", 30);
    if let Some(entity_type) = entity_type {
        bag.set("EntityType", entity_type);
    }
    bag
}

#[test]
fn a_filter_keeps_what_matches_and_costs_what_is_read() {
    let tables = company(0..100);
    let scan = Employee::scan_partition("Sales").filter(|e| e.age.ge(60) & e.last_name.ne("Jones45"));
    let report = run(scan.report(&tables)).unwrap();
    assert_eq!(
        ids(&report.items),
        [40, 41, 42, 43, 44, 46, 47, 48, 49, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]
    );
    assert_eq!((report.stats.read, report.stats.returned), (100, 19));

    let within = Employee::rows("Sales").between(90..).scan(|e| e.id.in_range(95..97) | !e.age.gt(60));
    let report = run(within.report(&tables)).unwrap();
    assert_eq!(ids(&report.items), [90, 95, 96]);
    assert_eq!(report.stats.read, 10, "only the range is read");
}

#[test]
fn fields_can_be_asked_whether_they_are_there() {
    let tables = Tables::in_memory().unwrap();
    run(tables.insert(&review(1, 2010))).unwrap();
    run(tables.insert(&Review { comment: Some(String::new()), ..review(1, 2011) })).unwrap();
    let years = |scan: table_patterns::PartitionScan<Review>| {
        run(scan.all(&tables)).unwrap().iter().map(|review| review.year).collect::<Vec<_>>()
    };
    assert_eq!(years(Review::scan_partition("Sales").filter(|r| r.comment.is_present())), [2011]);
    assert_eq!(years(Review::scan_partition("Sales").filter(|r| r.comment.is_absent())), [2010]);
    assert_eq!(years(Review::scan_partition("Sales").filter(|r| r.comment.eq(""))), [2011]);
    assert_eq!(years(Review::scan_partition("Sales").filter(|r| r.comment.in_range(..))), [2011]);
}

#[test]
fn an_impossible_literal_is_reported_when_the_scan_runs() {
    let scan = Employee::scan_partition("Sales").filter(|e| e.last_name.eq(&"x".repeat(40_000)));
    let error = scan.explain().unwrap_err();
    assert!(error.to_string().starts_with("`Employee.last_name`: a string of 40000"), "{error}");
}

#[test]
fn scans_pass_over_rows_of_other_kinds() {
    let tables = company([1, 2]);
    run(tables.insert(&foreign("Employees", "department", None))).unwrap();
    run(tables.insert(&foreign("Employees", "empid_000003", Some("Robot")))).unwrap();
    run(tables.insert(&foreign("Employees", "empid_x", Some("Employee")))).unwrap();
    assert_eq!(ids(&run(Employee::scan_partition("Sales").all(&tables)).unwrap()), [1, 2]);

    run(tables.insert(&review(1, 2012))).unwrap();
    run(tables.insert(&foreign("Reviews", "zzz", Some("Review")))).unwrap();
    run(tables.insert(&foreign("Reviews", "000009_2012", Some("Draft")))).unwrap();
    let all = run(Review::scan_table().all(&tables)).unwrap();
    assert_eq!(all.len(), 1);
}

#[test]
fn take_is_filled_up_past_rows_of_other_kinds() {
    let tables = company(0..10);
    for id in 0..10 {
        let row_key = format!("empid_{id:06}x");
        run(tables.insert(&foreign("Employees", &row_key, Some("Employee")))).unwrap();
    }
    let report = run(Employee::scan_partition("Sales").take(6).page_size(4).report(&tables)).unwrap();
    assert_eq!(ids(&report.items), (0..6).collect::<Vec<_>>());
}

#[test]
fn ranges_and_points_say_that_a_row_is_of_another_kind() {
    let tables = company([1]);
    run(tables.insert(&foreign("Employees", "empid_000003", Some("Robot")))).unwrap();
    let error = run(Employee::rows("Sales").all(&tables)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the row PartitionKey \"Sales\", RowKey \"empid_000003\" cannot be decoded as `Employee`: its EntityType is \
         \"Robot\"; read it as that type, as a union, or as an untyped entity (`.bag()`)"
    );
    assert!(run(Employee::point("Sales", 3).get(&tables)).is_err());
    assert_eq!(run(Employee::rows("Sales").bag().all(&tables)).unwrap().len(), 2);

    run(tables.upsert(&foreign("Employees", "empid_x", Some("Employee")))).unwrap();
    let Err(Error::Decode(error)) = run(Employee::rows("Sales").between(4..).all(&tables)) else { panic!() };
    assert!(matches!(*error.problem, RowError::ForeignKey { .. }), "{error}");
}

#[test]
fn a_union_reads_each_row_as_what_it_is() {
    let tables = company([1, 2]);
    run(tables.insert(&foreign("Employees", "department", None))).unwrap();
    run(tables.insert(&foreign("Employees", "!o_1", None))).unwrap();
    let members = run(Member::rows("Sales").all(&tables)).unwrap();
    let read: Vec<String> = members
        .iter()
        .map(|member| match member {
            Member::Employee(employee) => format!("employee {}", employee.id),
            Member::Other(bag) => bag.row_key().to_owned(),
        })
        .collect();
    assert_eq!(
        read,
        ["department", "employee 1", "employee 2"],
        "rows that begin with `!` are the library's own"
    );
}

#[test]
fn a_row_without_a_type_is_judged_by_its_key() {
    let tables = company([]);
    let mut bag = foreign("Employees", "empid_000004", None);
    bag.set("EmployeeId", 4_i64);
    bag.set("last_name", "Nemo");
    run(tables.insert(&bag)).unwrap();
    let read = run(Employee::point("Sales", 4).get(&tables)).unwrap().unwrap();
    assert_eq!((read.last_name.as_str(), read.tags.len()), ("Nemo", 0), "an absent property with a default");
    let _ = employee(1);
}

#[test]
fn a_long_chain_of_conditions_is_named_by_its_comparisons_also_without_a_store() {
    let query = Employee::scan_partition("Sales")
        .filter(|e| (0..100).map(|age| e.age.eq(age)).reduce(|all, one| all | one).unwrap());
    let error = query.explain().unwrap_err();
    assert_eq!(error.code(), Some(ErrorCode::InvalidInput));
    assert!(error.to_string().contains("comparisons"), "{error}");
}
