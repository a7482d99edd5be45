use super::{Employee, Rating, Review, company, employee, ids, review, run};
use table_patterns::{MultiPoint, Query, QueryClass, RangeQuery, prelude::*};

fn filter<Q: Query>(query: &Q) -> String {
    query.explain().unwrap().filter.unwrap().to_string()
}

#[test]
fn filters_are_those_of_the_templates() {
    let rows = || Review::rows("Sales");
    assert_eq!(filter(&rows()), "PartitionKey eq 'Sales' and RowKey ge '000000' and RowKey lt '99999:'");
    assert_eq!(
        filter(&rows().at(123)),
        "PartitionKey eq 'Sales' and RowKey ge '000123_' and RowKey lt '000123`'"
    );
    assert_eq!(
        filter(&rows().at(123).between(2010..=2012)),
        "PartitionKey eq 'Sales' and RowKey ge '000123_2010' and RowKey le '000123_2012'"
    );
    assert_eq!(
        filter(&rows().between(100..=199)),
        "PartitionKey eq 'Sales' and RowKey ge '000100' and RowKey lt '00019:'"
    );
    assert_eq!(filter(&rows().at(123).at(2012)), "PartitionKey eq 'Sales' and RowKey eq '000123_2012'");
    assert_eq!(
        filter(&Employee::rows("O'Neil")),
        "PartitionKey eq 'O''Neil' and RowKey ge 'empid_' and RowKey lt 'empid`'"
    );
}

#[test]
fn the_type_of_a_query_is_the_class_of_its_plan() {
    fn same<Q: Query>(query: &Q, expected: QueryClass) {
        let explain = query.explain().unwrap();
        assert_eq!((Q::CLASS, explain.class, explain.plan.class), (expected, expected, expected));
    }
    same(&Review::point("Sales", 1, 2012), QueryClass::Point);
    same(&Review::rows("Sales"), QueryClass::RowRange);
    same(&Review::rows("Sales").at(1).between(2010..), QueryClass::RowRange);
    same(&Review::rows("Sales").select::<Rating>(), QueryClass::RowRange);
    same(&Review::scan_table(), QueryClass::TableScan);
    let points: MultiPoint<Review> = (2010..2013).map(|year| Review::point("Sales", 1, year)).collect();
    same(&points, QueryClass::MultiPoint);
    assert_eq!(Employee::scan_partition("Sales").explain().unwrap().class, QueryClass::PartitionScan);
}

#[test]
fn explain_prints_class_filter_and_ranges() {
    let explain = Employee::rows("Sales").between(100..=199).take(5).explain().unwrap();
    assert_eq!(
        explain.to_string(),
        "row-range on Employees, at most 5\n  \
         PartitionKey eq 'Sales' and RowKey ge 'empid_000100' and RowKey le 'empid_000199'\n  \
         - PartitionKey 'Sales', RowKey from 'empid_000100' through 'empid_000199'"
    );
}

#[test]
fn ranges_give_their_rows_in_key_order_and_read_no_others() {
    let tables = company(0..300);
    let report = run(Employee::rows("Sales").between(100..200).report(&tables)).unwrap();
    assert_eq!(ids(&report.items), (100..200).collect::<Vec<_>>());
    assert_eq!(report.stats.class, QueryClass::RowRange);
    assert_eq!((report.stats.requests, report.stats.ranges), (1, 1));
    assert_eq!((report.stats.read, report.stats.returned), (100, 100));
    assert_eq!(report.stats.to_string(), "row-range: 1 request, 1 range, 100 read, 100 returned");
}

#[test]
fn take_and_page_size_bound_what_is_asked() {
    let tables = company(0..300);
    let report = run(Employee::rows("Sales").take(25).page_size(10).report(&tables)).unwrap();
    assert_eq!(ids(&report.items), (0..25).collect::<Vec<_>>());
    assert_eq!(report.stats.requests, 3);
    assert_eq!(report.stats.read, 25, "the last request asks for five");
    let page = run(Employee::rows("Sales").take(10).page(&tables)).unwrap();
    assert_eq!((page.items.len(), page.cursor), (10, None), "what was asked for is there");
}

#[test]
fn points_come_in_the_order_asked_without_the_missing() {
    let tables = company([1, 2, 3]);
    let points: MultiPoint<Employee> =
        [3, 9, 1, 3].into_iter().map(|id| Employee::point("Sales", id)).collect();
    let report = run(points.report(&tables)).unwrap();
    assert_eq!(ids(&report.items), [3, 1]);
    assert_eq!((report.stats.requests, report.stats.read, report.stats.returned), (3, 2, 2));
    assert_eq!(report.stats.class, QueryClass::MultiPoint);
    let one: Vec<_> = run(Employee::point("Sales", 2).all(&tables)).unwrap();
    assert_eq!(ids(&one), [2]);
}

#[test]
fn very_many_points_are_no_trouble() {
    let tables = company([7, 3_999]);
    let points: MultiPoint<Employee> = (0..4_000).map(|id| Employee::point("Sales", id)).collect();
    assert_eq!(ids(&run(points.all(&tables)).unwrap()), [7, 3_999]);
    assert_eq!(points.explain().unwrap().class, QueryClass::MultiPoint);
    let none: MultiPoint<Employee> = std::iter::empty().collect();
    assert!(run(none.all(&tables)).unwrap().is_empty(), "no points, no rows");
}

#[test]
fn a_projection_asks_for_its_properties_only() {
    let tables = Tables::in_memory().unwrap();
    for year in 2010..2013 {
        run(tables.insert(&review(123, year))).unwrap();
    }
    let query = Review::rows("Sales").at(123).select::<Rating>();
    assert!(
        query
            .explain()
            .unwrap()
            .to_string()
            .contains("only PartitionKey, RowKey, manager_rating, EntityType")
    );
    let ratings = run(query.all(&tables)).unwrap();
    assert_eq!(ratings[2], Rating { year: 2012, manager_rating: review(123, 2012).manager_rating });
    let one = run(Review::point("Sales", 123, 2011).select::<Rating>().get(&tables)).unwrap().unwrap();
    assert_eq!(one.year, 2011);
}

#[test]
fn rows_can_be_resolved_by_a_closure() {
    let tables = company([1, 2]);
    let names = Employee::rows("Sales").resolve(|bag| bag.get::<String>("last_name").ok().flatten());
    assert_eq!(run(names.all(&tables)).unwrap(), [Some("Jones1".to_owned()), Some("Jones2".to_owned())]);
    assert_eq!(run(names.page(&tables)).unwrap().items.len(), 2);
}

#[test]
fn queries_are_values_that_outlive_what_they_were_made_of() {
    fn owned<T: Clone + Send + Sync + 'static>(value: T) -> T {
        value
    }
    let query: RangeQuery<Employee> = {
        let department = String::from("Sales");
        owned(Employee::rows(&department).between(1..=2))
    };
    let tables = company([1, 2, 3]);
    for _ in 0..2 {
        assert_eq!(ids(&run(query.all(&tables)).unwrap()), [1, 2], "each run begins anew");
    }
    let mut stream = owned(Employee::rows("Sales")).stream(&tables);
    drop(tables);
    assert_eq!(run(stream.try_next()).unwrap().unwrap().id, 1, "a stream keeps the store open");
}

#[test]
fn generic_code_can_demand_a_query() {
    async fn copy<Q: Query<Row = E>, E: TableEntity>(query: &Q, from: &Tables, to: &Tables) -> Result<usize> {
        let rows = query.all(from).await?;
        for row in &rows {
            to.upsert(&**row).await?;
        }
        Ok(rows.len())
    }
    let (from, to) = (company([1, 2, 3]), Tables::in_memory().unwrap());
    assert_eq!(run(copy(&Employee::rows("Sales").between(2..), &from, &to)).unwrap(), 2);
    assert_eq!(ids(&run(Employee::rows("Sales").all(&to)).unwrap()), [2, 3]);
    assert_eq!(*run(Employee::point("Sales", 3).get(&to)).unwrap().unwrap(), employee(3));
}
