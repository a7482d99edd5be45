use futures_util::{StreamExt, stream};

use super::{Employee, company, employee, ids, run};
use table_patterns::prelude::*;

#[test]
fn many_writes_can_be_on_their_way_at_once() {
    let tables = company([]);
    run(tables.create::<Employee>()).unwrap();
    let employees: Vec<Employee> = (0..200).map(employee).collect();
    let done = run(stream::iter(employees.iter().map(|employee| tables.insert(employee)))
        .buffer_unordered(64)
        .map(Result::unwrap)
        .count());
    assert_eq!(done, 200);
    assert_eq!(ids(&run(Employee::rows("Sales").all(&tables)).unwrap()), (0..200).collect::<Vec<_>>());
}

#[test]
fn the_first_writes_of_a_table_can_race_to_make_it() {
    let tables = Tables::in_memory().unwrap();
    let threads: Vec<_> = (0..8)
        .map(|id| {
            let tables = tables.clone();
            std::thread::spawn(move || run(tables.insert(&employee(id))).unwrap())
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(run(Employee::rows("Sales").all(&tables)).unwrap().len(), 8);
}

#[test]
fn updates_of_many_threads_lose_none() {
    let tables = company([1]);
    let before = employee(1).age;
    let threads: Vec<_> = (0..6)
        .map(|_| {
            let tables = tables.clone();
            std::thread::spawn(move || {
                for _ in 0..20 {
                    let raised =
                        || run(tables.update(Employee::point("Sales", 1), |employee| employee.age += 1));
                    // Contention is a valid result; the caller retries.
                    while let Err(error) = raised() {
                        assert!(matches!(error, Error::Contended { .. }), "{error}");
                    }
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(run(Employee::point("Sales", 1).get(&tables)).unwrap().unwrap().age, before + 120);
}

#[test]
fn queries_and_streams_move_to_other_threads() {
    let tables = company(0..20);
    let mut stream = Employee::rows("Sales").page_size(3).stream(&tables);
    let first = run(stream.try_next()).unwrap().unwrap().id;
    let all = Employee::rows("Sales").all(&tables);
    let moved = std::thread::spawn(move || {
        let rest: Vec<u32> = run(stream.map(|item| item.unwrap().id).collect());
        (rest, run(all).unwrap().len())
    });
    assert_eq!((first, moved.join().unwrap()), (0, ((1..20).collect(), 20)));
}
