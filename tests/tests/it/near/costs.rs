//! Request counts of each write function, as documented, and the maximum size of a transaction.

use pollster::block_on;
use table_patterns::{Error, TransactionError, prelude::*};
use table_store::{OpenOptions, Store};
use table_tests::counting::{Calls, Counting};

use super::staff::Staff;

fn counted() -> (Tables, Counting<Store>) {
    let service = Counting::new(OpenOptions::new().in_memory().unwrap());
    let tables = Tables::new(service.clone());
    block_on(tables.create::<Staff>()).unwrap();
    service.take();
    (tables, service)
}

fn calls(finds: u64, queries: u64, transactions: u64) -> Calls {
    Calls { finds, queries, transactions, ..Calls::default() }
}

/// With three copies and a row in one list: a full copy, a partial copy, and a copy of leavers.
fn copied(id: u8) -> Staff {
    Staff { desk: Some(1), gone: true, city: None, ..Staff::new(id) }
}

#[test]
fn each_verb_asks_as_often_as_it_says() {
    let (tables, service) = counted();
    let b = tables.blocking();
    b.insert(&copied(1)).unwrap();
    assert_eq!(service.take(), calls(0, 0, 1), "an insert with four rows beside the entity");
    b.insert(&Staff::new(2)).unwrap();
    assert_eq!(service.take(), calls(1, 0, 1), "a list that is a row is read first");

    let mut stored = b.get(&Staff::point("Blue", 1)).unwrap().unwrap();
    assert_eq!(service.take(), calls(1, 0, 0));
    (stored.mail, stored.desk, stored.name) = ("new".into(), Some(2), "Smith".into());
    let written = b.replace(&stored).unwrap();
    assert_eq!(
        service.take(),
        calls(1, 0, 1),
        "a replace that moves every row; the unique row is read first"
    );
    let mut stored = stored.written(&written);
    stored.city = Some("Oslo".into());
    let written = b.replace(&stored).unwrap();
    assert_eq!(service.take(), calls(2, 0, 1), "into a list");
    let mut stored = stored.written(&written);
    stored.city = Some("Rome".into());
    let written = b.replace(&stored).unwrap();
    assert_eq!(service.take(), calls(3, 0, 1), "from a list to another");
    let stored = stored.written(&written);
    let written = b.merge(stored.patch().age(31)).unwrap();
    assert_eq!(service.take(), calls(1, 0, 1), "a patch of what whole copies repeat");
    let stored = stored.written(&written);
    b.delete(&stored).unwrap();
    assert_eq!(service.take(), calls(2, 0, 1), "a delete of what was read, out of one list");

    b.upsert(&copied(1)).unwrap();
    assert_eq!(service.take(), calls(1, 0, 1), "an upsert reads first");
    b.replace_any(&Staff { name: "Smith".into(), ..copied(1) }).unwrap();
    assert_eq!(service.take(), calls(2, 0, 1));
    let mut stored = b.get(&Staff::by_mail("Blue", "m1")).unwrap().unwrap();
    service.take();
    stored.age = 32;
    b.replace(&stored).unwrap();
    assert_eq!(
        service.take(),
        calls(1, 0, 1),
        "an entity that was read through an index: its own row is read"
    );
    b.delete_at(Staff::point("Blue", 1)).unwrap();
    assert_eq!(service.take(), calls(2, 0, 1));
    assert!(b.delete_at(Staff::point("Blue", 1)).unwrap_err().is_not_found());
    assert_eq!(service.take(), calls(1, 0, 0), "what is not there is not asked for again");
}

#[test]
fn each_path_asks_as_often_as_it_says() {
    let (tables, service) = counted();
    let b = tables.blocking();
    for id in 1..=5 {
        b.insert(&Staff::new(id)).unwrap();
    }
    service.take();
    b.get(&Staff::by_mail("Blue", "m3")).unwrap().unwrap();
    assert_eq!(service.take(), calls(1, 0, 0));
    b.all(&Staff::by_mail_rows("Blue").between("m1".."m4")).unwrap();
    assert_eq!(service.take(), calls(0, 1, 0));
    assert_eq!(b.all(&Staff::by_name("Blue", "Jones")).unwrap().len(), 5);
    assert_eq!(service.take(), calls(5, 1, 0), "the list, then each member");
    assert_eq!(b.all(&Staff::by_city("Blue", "Oslo")).unwrap().len(), 5);
    assert_eq!(service.take(), calls(5, 1, 0));
    b.all(&Staff::by_city("Blue", "Oslo").take(2)).unwrap();
    assert_eq!(service.take(), calls(2, 1, 0));
}

/// With one copy and one row in a list: three operations.
fn small(id: u8) -> Staff {
    Staff { city: None, ..Staff::new(id) }
}

#[test]
fn a_hundred_operations_are_one_transaction_and_one_more_is_refused() {
    let (tables, service) = counted();
    let b = tables.blocking();
    let plain = |number: u8| DynamicEntity::new("Staff", "Blue", format!("plain_{number}")).unwrap();
    let mut transaction = tables.transact();
    for id in 0..33 {
        transaction = transaction.insert(&small(id));
    }
    let transaction = transaction.insert(&plain(0));
    let over = transaction.clone().insert(&plain(1));
    let error = b.commit(over).unwrap_err();
    let Error::Transaction(error) = error else { panic!("{error}") };
    assert!(matches!(*error, TransactionError::TooMany { entities: 35, copies: 66, .. }), "{error}");
    assert_eq!(service.take(), calls(0, 0, 0), "before anything is sent");
    assert_eq!(b.commit(transaction).unwrap().len(), 34);
    assert_eq!(service.take(), calls(0, 0, 1));
}

#[test]
fn a_transaction_stays_one_byte_below_four_mebibytes() {
    let (tables, service) = counted();
    let b = tables.blocking();
    // Thirteen times some 300 KiB; the full copy of an entity is as large as the entity.
    let plain = |number: usize, bytes: usize| {
        let mut bag = DynamicEntity::new("Staff", "Blue", format!("plain_{number:02}")).unwrap();
        for part in 0..5 {
            bag.set(format!("part{part}"), vec![0_u8; bytes / 5]);
        }
        bag.set("rest", vec![0_u8; bytes % 5]);
        bag
    };
    let of = |last: usize| {
        let mut transaction = tables.transact().insert(&small(1));
        for number in 0..13 {
            transaction = transaction.insert(&plain(number, 315_000));
        }
        transaction.insert(&plain(13, last))
    };
    let Error::Transaction(error) = b.commit(of(200_000)).unwrap_err() else { panic!() };
    let TransactionError::TooLarge { bytes, index: 14 } = *error else { panic!("{error}") };
    let most = 4 * 1024 * 1024;
    let last = 200_000 - (bytes - most);
    assert!(matches!(b.commit(of(last)).unwrap_err(), Error::Transaction(error)
        if matches!(*error, TransactionError::TooLarge { bytes, .. } if bytes == most)));
    assert_eq!(service.take(), calls(0, 0, 0), "before anything is sent");
    b.commit(of(last - 1)).unwrap();
}
