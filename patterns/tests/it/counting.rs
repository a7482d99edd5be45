//! `count` and `exists`: the items that `all` returns, for the documented number of requests.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use table_patterns::{MultiPoint, RowPolicy, prelude::*};
use table_store::Store;
use table_tests::counting::Counting;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Company", partition = "{department}", row = "e_{id:06}")]
#[table(lookup(by_name, on = name, place = partition))]
#[table(index(by_badge, partition = "badge_{badge:04}", row = "{department}_{id:06}"))]
struct Employee {
    department: String,
    id: u32,
    name: String,
    badge: u32,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Company", partition = "{department}", row = "e_{number:06}")]
struct Robot {
    department: String,
    number: u32,
}

#[derive(Projection)]
#[table(of = Employee)]
struct Badge {
    #[expect(dead_code, reason = "the projection is only counted")]
    badge: u32,
}

#[derive(TableUnion)]
#[table(partition = "{department}")]
#[expect(dead_code, reason = "the union is only counted")]
enum Anyone {
    Employee(Stored<Employee>),
    Robot(Stored<Robot>),
}

fn employee(id: u32) -> Employee {
    Employee { department: "Sales".into(), id, name: format!("n{}", id % 2), badge: id % 3 }
}

fn robot(number: u32) -> Robot {
    Robot { department: "Sales".into(), number }
}

#[test]
fn a_count_is_the_number_of_items() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    for id in 0..10 {
        b.insert(&employee(id)).unwrap();
    }
    let rows = Employee::rows("Sales").page_size(3);
    assert_eq!(b.count(&rows).unwrap(), 10);
    assert_eq!(b.count(&rows.clone().take(7)).unwrap(), 7);
    assert_eq!(b.count(&rows.clone().select::<Badge>()).unwrap(), 10);
    assert_eq!(b.count(&rows.clone().bag()).unwrap(), 10);
    assert_eq!(pollster::block_on(rows.clone().resolve(|_| ()).count(&tables)).unwrap(), 10);
    let cursor = b.page(&rows).unwrap().cursor.unwrap();
    assert_eq!(b.count(&rows.resume(cursor)).unwrap(), 7);
    assert_eq!(b.count(&Employee::by_name("Sales", "n1")).unwrap(), 5);
    assert_eq!(b.count(&Employee::by_badge_rows(0)).unwrap(), 4);
    assert_eq!(b.count(&Employee::scan_partition("Sales").filter(|e| e.badge.eq(1))).unwrap(), 3);
    let points: MultiPoint<_> = [1, 2, 99].into_iter().map(|id| Employee::point("Sales", id)).collect();
    assert_eq!(b.count(&points).unwrap(), 2);
    assert_eq!(b.count(&Employee::rows("IT")).unwrap(), 0);
}

#[test]
fn a_row_of_another_type_is_an_error_unless_it_is_skipped() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&robot(0)).unwrap();
    b.insert(&employee(1)).unwrap();
    let rows = Employee::rows("Sales");
    assert!(matches!(b.count(&rows), Err(Error::Decode(_))));
    assert!(matches!(b.exists(&rows), Err(Error::Decode(_))));
    assert_eq!(b.count(&rows.clone().foreign(RowPolicy::Skip)).unwrap(), 1);
    let page = b.page(&rows).unwrap();
    assert_eq!((page.items.len(), page.skipped.len()), (1, 1), "a page lists the row of the other type");
    assert!(b.page(&rows.clone().foreign(RowPolicy::Fail)).is_err());
    assert!(b.exists(&rows.foreign(RowPolicy::Skip)).unwrap());
    assert_eq!(b.count(&Anyone::rows("Sales")).unwrap(), 2);
    assert!(b.exists(&Employee::by_name("Sales", "n1")).unwrap());
}

#[test]
fn an_exists_is_one_request() {
    let counting = Counting::new(Store::in_memory().unwrap());
    let tables = Tables::new(counting.clone());
    let b = tables.blocking();
    let robots: Vec<_> = (0..50).map(robot).collect();
    pollster::block_on(tables.bulk().insert_all(&robots).run()).unwrap().into_result().unwrap();
    counting.take();
    assert!(b.exists(&Robot::rows("Sales")).unwrap());
    assert!(b.exists(&Robot::point("Sales", 1)).unwrap());
    assert!(!b.exists(&Robot::rows("IT")).unwrap());
    assert_eq!(counting.take().all(), 3);
    assert_eq!(b.count(&Robot::rows("Sales").page_size(20)).unwrap(), 50);
    assert_eq!(counting.take().all(), 3);
}

#[test]
fn points_are_returned_in_their_order_on_any_page_size() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    let robots: Vec<_> = (0..60).filter(|number| number % 3 != 0).map(robot).collect();
    pollster::block_on(tables.bulk().insert_all(&robots).run()).unwrap().into_result().unwrap();
    let points: MultiPoint<_> = (0..60).rev().map(|number| Robot::point("Sales", number)).collect();
    let expected: Vec<_> = robots.iter().rev().map(|robot| robot.number).collect();
    for size in [1, 7, 16, 1000] {
        let (mut found, mut query) = (Vec::new(), Some(points.clone().page_size(size)));
        while let Some(next) = query.take() {
            let page = b.page(&next).unwrap();
            assert!(page.items.len() <= size as usize);
            found.extend(page.items.iter().map(|robot| robot.number));
            query = page.cursor.map(|cursor| next.resume(cursor));
        }
        assert_eq!(found, expected, "{size}");
        let first = b.all(&points.clone().page_size(size).take(5)).unwrap();
        assert_eq!(first.iter().map(|robot| robot.number).collect::<Vec<_>>(), expected[..5]);
    }
}
