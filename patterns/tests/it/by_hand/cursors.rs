use futures_core::Stream as _;
use proptest::prelude::*;

use super::{Employee, company, employee, ids, run};
use table_patterns::{Cursor, CursorError, Page, Query, prelude::*};

/// Reads all pages of a query, each resumed from the text of the previous cursor.
fn by_pages<Q: Query>(query: &Q, tables: &Tables) -> Vec<<Q::Row as table_patterns::FromRow>::Out> {
    let mut items = Vec::new();
    let mut page: Page<_> = run(query.page(tables)).unwrap();
    loop {
        items.append(&mut page.items);
        let Some(cursor) = page.cursor else { return items };
        let cursor: Cursor = cursor.to_string().parse().unwrap();
        page = run(query.clone().resume(cursor).page(tables)).unwrap();
    }
}

#[test]
fn a_cursor_outlives_the_store_that_gave_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("company.tables");
    let query = Employee::rows("Sales").between(10..40).page_size(12);
    let text = {
        let tables = Tables::open(&path).unwrap();
        let employees: Vec<Employee> = (0..50).map(employee).collect();
        run(tables.bulk().insert_all(&employees).run()).unwrap().into_result().unwrap();
        let page = run(query.page(&tables)).unwrap();
        assert_eq!(ids(&page.items), (10..22).collect::<Vec<_>>());
        serde_json::to_string(&page.cursor.unwrap()).unwrap()
    };
    let tables = Tables::open(&path).unwrap();
    let cursor: Cursor = serde_json::from_str(&text).unwrap();
    let rest = run(query.resume(cursor).all(&tables)).unwrap();
    assert_eq!(ids(&rest), (22..40).collect::<Vec<_>>());
}

#[test]
fn a_stream_can_be_left_at_any_item_and_resumed() {
    let tables = company(0..30);
    let query = Employee::rows("Sales").page_size(7);
    for stop in 0..=30_usize {
        let mut stream = query.stream(&tables);
        let mut found = Vec::new();
        for _ in 0..stop {
            found.push(run(stream.try_next()).unwrap().unwrap().id);
        }
        let Some(cursor) = stream.cursor() else {
            assert_eq!(stop, 30);
            continue;
        };
        let cursor: Cursor = cursor.to_string().parse().unwrap();
        // Another page size and another row type: still the same query.
        let rest = by_pages(&Employee::rows("Sales").page_size(4).bag().resume(cursor), &tables);
        found.extend(
            rest.iter().map(|bag| u32::try_from(bag.get::<i64>("EmployeeId").unwrap().unwrap()).unwrap()),
        );
        assert_eq!(found, (0..30).collect::<Vec<_>>(), "left after {stop}");
    }
}

#[test]
fn take_counts_over_resumed_runs() {
    let tables = company(0..30);
    let query = Employee::rows("Sales").take(20).page_size(8);
    assert_eq!(ids(&by_pages(&query, &tables)), (0..20).collect::<Vec<_>>());
    let mut stream = query.stream(&tables);
    for _ in 0..13 {
        run(stream.try_next()).unwrap().unwrap();
    }
    let rest = run(query.resume(stream.cursor().unwrap()).all(&tables)).unwrap();
    assert_eq!(ids(&rest), (13..20).collect::<Vec<_>>());
}

#[test]
fn what_was_deleted_in_between_does_not_lose_the_place() {
    let tables = company(0..20);
    let query = Employee::rows("Sales").page_size(6);
    let mut stream = query.stream(&tables);
    for _ in 0..9 {
        run(stream.try_next()).unwrap().unwrap();
    }
    let cursor = stream.cursor().unwrap();
    for id in [8, 9] {
        run(tables.delete_at(Employee::point("Sales", id))).unwrap();
    }
    assert_eq!(ids(&run(query.resume(cursor).all(&tables)).unwrap()), (10..20).collect::<Vec<_>>());
}

#[test]
fn a_cursor_of_another_query_is_refused() {
    let tables = company(0..20);
    let cursor = run(Employee::rows("Sales").page_size(5).page(&tables)).unwrap().cursor.unwrap();
    let others: [Result<_>; 4] = [
        run(Employee::rows("Marketing").resume(cursor.clone()).all(&tables)),
        run(Employee::rows("Sales").between(3..).resume(cursor.clone()).all(&tables)),
        run(Employee::scan_partition("Sales").resume(cursor.clone()).all(&tables)),
        run(Employee::point("Sales", 1).resume(cursor.clone()).all(&tables)),
    ];
    for other in others {
        let error = other.unwrap_err();
        assert!(matches!(error, Error::Cursor(CursorError::OtherQuery { entity: "Employee" })), "{error}");
    }
    let same = Employee::rows("Sales").resume(cursor);
    assert_eq!(run(same.all(&tables)).unwrap().len(), 15);
}

#[test]
fn a_cursor_of_another_store_is_named() {
    let cursor =
        |tables: &Tables| run(Employee::rows("Sales").page_size(5).page(tables)).unwrap().cursor.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = Tables::open(folder.path().join("company.tables")).unwrap();
    let employees: Vec<Employee> = (0..20).map(employee).collect();
    run(file.bulk().insert_all(&employees).run()).unwrap().into_result().unwrap();
    let memory = company(0..20);
    for (tables, foreign) in [(&file, cursor(&memory)), (&memory, cursor(&file))] {
        let error = run(Employee::rows("Sales").resume(foreign).all(tables)).unwrap_err();
        assert!(matches!(error, Error::Cursor(CursorError::Rejected { .. })), "{error:?}");
        assert_eq!(error.code(), Some(ErrorCode::InvalidInput));
        assert!(error.to_string().contains("the cursor is not valid for the table `Employees`"), "{error}");
        assert!(error.to_string().contains("restart the query"), "{error}");
    }
}

#[test]
fn points_can_be_paged_too() {
    let tables = company(0..20);
    let points: table_patterns::MultiPoint<Employee> =
        (0..25).rev().map(|id| Employee::point("Sales", id)).collect();
    let mut stream = points.clone().stream(&tables);
    for _ in 0..7 {
        run(stream.try_next()).unwrap().unwrap();
    }
    let rest = run(points.clone().resume(stream.cursor().unwrap()).all(&tables)).unwrap();
    assert_eq!(ids(&rest), (0..13).rev().collect::<Vec<_>>());
    let found = by_pages(&points.page_size(3), &tables);
    assert_eq!(ids(&found), (0..20).rev().collect::<Vec<_>>());
}

#[test]
fn a_stream_is_one_of_futures_core_and_knows_its_cost() {
    let tables = company(0..25);
    let mut stream = Employee::rows("Sales").page_size(10).stream(&tables);
    let all = run(async {
        let mut all = Vec::new();
        while let Some(item) =
            std::future::poll_fn(|context| std::pin::Pin::new(&mut stream).poll_next(context)).await
        {
            all.push(item.unwrap().id);
        }
        all
    });
    assert_eq!(all, (0..25).collect::<Vec<_>>());
    assert_eq!((stream.stats().requests, stream.stats().read, stream.stats().returned), (3, 25, 25));
    assert_eq!(stream.cursor(), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn pages_of_any_size_give_every_row_once(size in 1_u32..40, from in 0_u32..30, to in 0_u32..60) {
        let tables = company(0..40);
        let query = Employee::rows("Sales").between(from..to);
        let whole = ids(&run(query.all(&tables)).unwrap());
        prop_assert_eq!(ids(&by_pages(&query.page_size(size), &tables)), whole.clone());
        prop_assert_eq!(whole, (from..to.min(40)).collect::<Vec<_>>());
    }
}
