//! Writes that report more: updates that can fail, upserts that created, deletes of values.

#![allow(clippy::unwrap_used, reason = "tests")]

use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Accounts", partition = "{owner}", row = "account_{number:04}")]
struct Account {
    owner: String,
    number: u32,
    balance: i64,
}

/// Contains what the accounts of an owner count.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Accounts", partition = "{owner}", row = "owner")]
struct Owner {
    owner: String,
    note: Option<String>,
}

#[derive(Debug)]
enum PaymentError {
    Insufficient(i64),
    Tables(Error),
}

impl From<Error> for PaymentError {
    fn from(error: Error) -> Self {
        Self::Tables(error)
    }
}

fn account(number: u32) -> Account {
    Account { owner: "Jo".into(), number, balance: 100 }
}

fn pay(tables: &Tables, number: u32, amount: i64) -> Result<Stored<Account>, PaymentError> {
    tables.blocking().try_update(Account::point("Jo", number), |account| {
        account.balance -= amount;
        if account.balance < 0 { Err(PaymentError::Insufficient(account.balance)) } else { Ok(()) }
    })
}

#[test]
fn a_failed_closure_writes_nothing() {
    let tables = Tables::in_memory().unwrap();
    let written = tables.blocking().insert(&account(1)).unwrap();
    assert!(matches!(pay(&tables, 1, 101), Err(PaymentError::Insufficient(-1))));
    let found = tables.blocking().get(&Account::point("Jo", 1)).unwrap().unwrap();
    assert_eq!((found.balance, found.etag()), (100, &written.etag));
    assert_eq!(pay(&tables, 1, 60).unwrap().balance, 40);
    assert!(matches!(pay(&tables, 2, 1), Err(PaymentError::Tables(Error::NotFound(_)))));
}

#[test]
fn racing_updates_never_overdraw() {
    let tables = Tables::in_memory().unwrap();
    tables.blocking().insert(&account(1)).unwrap();
    let paid: usize = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..8).map(|_| scope.spawn(|| pay(&tables, 1, 30).is_ok())).collect();
        runs.into_iter().map(|run| usize::from(run.join().unwrap())).sum()
    });
    assert_eq!(paid, 3);
    assert_eq!(tables.blocking().get(&Account::point("Jo", 1)).unwrap().unwrap().balance, 10);
}

#[test]
fn an_upsert_tells_whether_it_created() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    assert_eq!(b.upsert(&account(1)).unwrap().created(), Some(true));
    assert_eq!(b.upsert(&account(1)).unwrap().created(), Some(false));
    assert_eq!(b.insert(&account(2)).unwrap().created(), Some(true));
    assert_eq!(b.merge(Account::patch("Jo", 2).balance(1)).unwrap().created(), Some(false));
    assert_eq!(b.overwrite(&account(3)).unwrap().created(), None);
    assert_eq!(b.upsert_merge(Owner::patch("Jo").note("new".to_owned())).unwrap().created(), Some(true));
    assert_eq!(b.upsert_merge(Owner::patch("Jo").note("old".to_owned())).unwrap().created(), Some(false));
    let racing: usize = std::thread::scope(|scope| {
        let upsert = || tables.blocking().upsert(&account(9)).unwrap().created() == Some(true);
        let runs: Vec<_> = (0..8).map(|_| scope.spawn(upsert)).collect();
        runs.into_iter().map(|run| usize::from(run.join().unwrap())).sum()
    });
    assert_eq!(racing, 1);
}

#[test]
fn stored_entities_and_points_are_deleted_by_value_and_by_reference() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    for number in 0..6 {
        b.insert(&account(number)).unwrap();
    }
    let mut all = b.all(&Account::rows("Jo")).unwrap().into_iter();
    let mut next = || all.next().unwrap();
    b.delete(&next()).unwrap();
    b.delete(next()).unwrap();
    b.delete(Account::point("Jo", 2)).unwrap();
    b.delete(&Account::point("Jo", 3)).unwrap();
    let (_, _, five) = (next(), next(), all.nth(1).unwrap());
    pollster::block_on(tables.transact().delete(Account::point("Jo", 4)).delete(five).commit()).unwrap();
    assert_eq!(b.count(&Account::rows("Jo")).unwrap(), 0);
    let stale = b.delete(&Account::point("Jo", 3)).unwrap_err();
    assert!(stale.is_not_found());
}
