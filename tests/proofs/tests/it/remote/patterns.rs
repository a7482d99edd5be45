//! Each pattern through the protocol: transactions, messages and blobs are requests here.
//!
//! An executor without tokio waits for the futures: the client provides its own thread.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says why")]

use std::time::Duration;

use serde::{Deserialize, Serialize};
use table_patterns::prelude::*;
use table_proofs::{
    clients::{Database, Lacking},
    remote::{Served, peer},
};

#[derive(TableEntity, Clone, Debug)]
#[table(name = "RemoteStaff", partition = "{department}", row = "department")]
struct Team {
    department: String,
    #[table(from_source)]
    employees: i64,
    #[table(from_source)]
    oldest: Option<i32>,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "RemoteStaff", partition = "{department}", row = "empid_{id:06}", archive = "RemoteLeavers")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(lookup(by_last_name, on = last_name))]
#[table(counted_in(Team::employees), max_in(Team::oldest, of = age))]
struct Employee {
    department: String,
    id: u32,
    email: String,
    last_name: String,
    age: i32,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "RemoteBadges", partition = "{site}", row = "{id:06}")]
#[table(index(by_badge, partition = "badge_{badge:08}", row = "{site}_{id:06}"))]
#[table(index(by_login, partition = "login_{login}", row = "holder", unique))]
struct Card {
    site: String,
    id: u32,
    badge: u32,
    login: String,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "RemotePhotos", partition = "{album}", row = "{number:06}")]
struct Photo {
    album: String,
    number: u32,
    #[table(blob)]
    picture: Blob,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "RemoteSeries", partition = "{site}_{device:04}", row = "{day:%Y%m%d}")]
struct Readings {
    site: String,
    device: u32,
    day: Date,
    #[table(series)]
    hours: [Option<i32>; 24],
}

#[derive(Task, Serialize, Deserialize)]
#[task(queue = "remote-leavers", poison_after = 5)]
struct FileAway {
    department: String,
    id: u32,
}

impl Run for FileAway {
    async fn run(&self, tables: &Tables) -> Result<Outcome> {
        let key = EmployeeKey { department: self.department.clone(), id: self.id };
        tables.move_entity(&key, "RemoteLeavers").await?;
        Ok(Outcome::Done)
    }
}

fn employee(department: &str, id: u32, age: i32) -> Employee {
    let (department, email) = (department.to_owned(), format!("{id}@contoso.com"));
    Employee { department, id, email, last_name: format!("Jones{}", id % 2), age }
}

/// Returns a PartitionKey that no other run uses.
fn fresh(prefix: &str) -> String {
    format!("{prefix}{}", Uuid::new_v4().simple())
}

/// Rows of one partition: the unique index, the list, the aggregates.
async fn partition(tables: &Tables) {
    let department = fresh("Sales");
    tables.insert(&Team { department: department.clone(), employees: 0, oldest: None }).await.unwrap();
    for (id, age) in [(1, 58), (2, 34), (3, 19)] {
        tables.insert(&employee(&department, id, age)).await.unwrap();
    }
    let again = Employee { id: 4, ..employee(&department, 1, 20) };
    assert!(tables.insert(&again).await.is_err(), "the address is taken");

    let mut jo = Employee::by_email(&department, "1@contoso.com").get(tables).await.unwrap().unwrap();
    let stale = jo.clone();
    jo.email = "jo@contoso.com".into();
    tables.replace(&jo).await.unwrap();
    let lost = tables.replace(&stale).await.unwrap_err();
    assert_eq!(lost.code(), Some(ErrorCode::UpdateConditionNotSatisfied));
    assert!(Employee::by_email(&department, "1@contoso.com").get(tables).await.unwrap().is_none());

    let named = Employee::by_last_name(&department, "Jones1").all(tables).await.unwrap();
    assert_eq!(named.iter().map(|found| found.id).collect::<Vec<_>>(), [1, 3]);
    tables.delete_at(Employee::point(&department, 1)).await.unwrap();
    let sales = Team::point(&department).get(tables).await.unwrap().unwrap();
    assert_eq!((sales.employees, sales.oldest), (2, Some(34)));
    assert_eq!(Employee::rows(&department).all(tables).await.unwrap().len(), 2);
}

/// Rows in other partitions, which are updated by wake-up messages in a queue.
async fn elsewhere(tables: &Tables) {
    let site = fresh("hq");
    let number = u32::from_str_radix(&site[2..9], 16).unwrap() % 10_000_000;
    let badge =
        |id: u32| Card { site: site.clone(), id, badge: number * 10 + id, login: format!("{site}{id}") };
    for id in 1..=5 {
        tables.insert(&badge(id)).await.unwrap();
    }
    let taken = Card { id: 6, badge: number * 10 + 6, ..badge(1) };
    assert!(tables.insert(&taken).await.is_err(), "the login is taken");
    let found = Card::by_badge_rows(number * 10 + 3).all(tables).await.unwrap();
    assert_eq!(found.iter().map(|found| found.id).collect::<Vec<_>>(), [3]);

    // Deferred to a worker, which finds the work by the message alone.
    let leaving = tables.with_deferred_updates();
    let mut moved = Card::point(&site, 3).get(&leaving).await.unwrap().unwrap();
    moved.badge = number * 10 + 7;
    leaving.replace(&moved).await.unwrap();
    leaving.delete_at(Card::point(&site, 4)).await.unwrap();
    tables.register_entity::<Card>();
    tables.catch_up().await.unwrap();
    assert!(Card::by_badge_rows(number * 10 + 3).all(tables).await.unwrap().is_empty());
    assert_eq!(Card::by_badge_rows(number * 10 + 7).all(tables).await.unwrap().len(), 1);
    tables.insert(&Card { id: 8, badge: number * 10 + 8, ..badge(4) }).await.unwrap();
    let report = tables.verify::<Card>().run().await.unwrap();
    assert!(report.is_clean(), "{report}");
}

async fn beside(tables: &Tables) {
    let album = fresh("album");
    let photo = Photo { album: album.clone(), number: 1, picture: Blob::new(vec![7; 400_000]) };
    tables.insert(&photo).await.unwrap();
    let found = Photo::point(&album, 1).get(tables).await.unwrap().unwrap();
    assert_eq!(found.picture.read(tables).await.unwrap().len(), 400_000);
    tables.delete_at(Photo::point(&album, 1)).await.unwrap();
    assert!(found.picture.read(tables).await.is_err());

    let service = fresh("log");
    let at = |text: &str| text.parse::<Timestamp>().unwrap();
    let log = tables.log(&service).every(Duration::from_secs(60)).max_lines(1000);
    log.push(at("2014-07-31T18:59:59Z"), &["GET", "/orders/7"]).await.unwrap();
    log.push(at("2014-07-31T19:00:02Z"), &["GET", "/orders/8"]).await.unwrap();
    log.flush().await.unwrap();
    let span = at("2014-07-31T18:59:59Z")..at("2014-07-31T20:00:00Z");
    let mut lines = tables.log(&service).between(span).stream();
    let mut read = 0;
    while lines.try_next().await.unwrap().is_some() {
        read += 1;
    }
    assert_eq!(read, 2);
}

async fn series(tables: &Tables) {
    let site = fresh("site");
    let day = "2014-07-31".parse().unwrap();
    let readings = Readings { site: site.clone(), device: 7, day, hours: [None; 24] };
    tables.insert(&readings).await.unwrap();
    let found = Readings::point(&site, 7, day).get(tables).await.unwrap().unwrap();
    tables.merge(found.patch().hours(9, 21)).await.unwrap();
    let found = Readings::point(&site, 7, day).get(tables).await.unwrap().unwrap();
    assert_eq!(found.hours[9], Some(21));
}

async fn leaving(tables: &Tables) {
    let department = fresh("Leavers");
    tables.insert(&Team { department: department.clone(), employees: 0, oldest: None }).await.unwrap();
    tables.insert(&employee(&department, 223, 30)).await.unwrap();
    tables.send(&FileAway { department: department.clone(), id: 223 }).await.unwrap();
    let report = tables.worker().on::<FileAway>().pass().await.unwrap();
    assert_eq!(report.failed, 0, "{report:?}");
    assert!(Employee::point(&department, 223).get(tables).await.unwrap().is_none());
}

/// Cursors are safe in URLs, and a damaged one is named.
async fn cursors(tables: &Tables) {
    let site = fresh("hq");
    for id in 0..5 {
        let card = Card { site: site.clone(), id, badge: 0, login: fresh("login") };
        tables.insert(&card).await.unwrap();
    }
    let query = Card::rows(&site).page_size(2);
    let text = query.page(tables).await.unwrap().cursor.unwrap().to_string();
    assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte)), "{text}");
    let rest = query.clone().resume(text.parse().unwrap()).all(tables).await.unwrap();
    assert_eq!(rest.iter().map(|card| card.id).collect::<Vec<_>>(), [2, 3, 4]);

    let mut at = 7;
    for _ in 0..200 {
        at = (at * 31 + 17) % text.len();
        let changed = if text.as_bytes().get(at) == Some(&b'x') { "y" } else { "x" };
        for damaged in [text[..at].to_owned(), format!("{}{changed}{}", &text[..at], &text[at + 1..])] {
            let error = damaged.parse::<Cursor>().unwrap_err().to_string();
            assert!(error.contains("cursor") && error.contains("restart the query"), "{error}");
        }
    }
}

async fn all(tables: &Tables) {
    cursors(tables).await;
    partition(tables).await;
    elsewhere(tables).await;
    beside(tables).await;
    series(tables).await;
    leaving(tables).await;
}

#[test]
fn patterns_hold_on_our_server() {
    let served = Served::new().unwrap();
    pollster::block_on(all(&served.tables().unwrap()));
}

#[test]
fn patterns_hold_on_postgresql() -> Result<(), Lacking> {
    let database = match Database::start() {
        Ok(database) => database,
        Err(lacking) => return lacking.pass_over("PostgreSQL"),
    };
    pollster::block_on(async { all(&Tables::postgres(&database.url()).await.unwrap()).await });
    Ok(())
}

#[test]
fn patterns_hold_on_a_peer() {
    if let Some(tables) = peer().unwrap() {
        pollster::block_on(all(&tables));
    }
}
