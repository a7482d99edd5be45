//! Entities that are soft-deleted: what remains of them, and what queries return.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::pedantic, reason = "tests")]
#![allow(clippy::duplicated_attributes, reason = "two indexes are unique")]

mod repeated;
mod unions;

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use pollster::block_on;
use table_patterns::{
    FanOut, FieldValues, Query, Value,
    prelude::*,
    testing::{TestClock, TestTables},
};

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Users", partition = "{tenant}", row = "tenant")]
struct Tenant {
    tenant: String,
    #[table(from_source)]
    users: i64,
    #[table(from_source)]
    visits: i64,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Users", partition = "{tenant}", row = "u_{id:06}", soft_delete = deleted, borrowed, changes)]
#[table(index(by_mail, row = "m_{mail}", unique))]
#[table(index(by_name, table = "Names", partition = "{name}", row = "{mail}", unique))]
#[table(lookup(by_city, on = city))]
#[table(counted_in(Tenant::users), summed_in(Tenant::visits, of = visits))]
struct User {
    tenant: String,
    id: u32,
    mail: String,
    name: String,
    city: String,
    visits: i64,
    #[table(rename = "Deleted")]
    deleted: Option<Timestamp>,
}

/// An entity of another type with a property of the same name.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Users", partition = "{tenant}", row = "v_{id:06}")]
struct Order {
    tenant: String,
    id: u32,
    #[table(rename = "Deleted")]
    deleted: Option<Timestamp>,
}

#[derive(TableUnion)]
#[allow(dead_code, reason = "the test asks only for the variant")]
#[table(partition = "{tenant}", unknown = skip)]
enum Row {
    User(Stored<User>),
    Order(Stored<Order>),
    Tenant(Stored<Tenant>),
}

#[derive(Projection, Clone, Debug)]
#[table(of = User)]
struct Mail {
    mail: String,
}

/// The patterns of the entities in this file, by the numbers of the book's table of combinations.
pub(crate) const USER: &[usize] = &[22, 26];
pub(crate) const STAY: &[usize] = &[16, 17, 26];

/// An entity with a table for each day, and spread keys.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Stays{at:%Y%m%d}", partition = "{shard:02}", row = "{at:ticks}_{id:06}", soft_delete = deleted)]
#[table(shard(of = id, count = 4))]
struct Stay {
    at: Timestamp,
    #[table(store)]
    id: u32,
    deleted: Option<Timestamp>,
}

const DAY: Duration = Duration::from_secs(86_400);

fn clock() -> TestClock {
    TestClock::new("2030-01-01T00:00:00Z".parse().unwrap())
}

fn user(id: u32) -> User {
    let (mail, name) = (format!("u{id}@contoso.com"), format!("User {id}"));
    User { tenant: "a".into(), id, mail, name, city: "bonn".into(), visits: 10, deleted: None }
}

async fn filled(clock: &TestClock) -> Result<Tables> {
    let tables = TestTables::new().clock(clock).open()?;
    tables.insert(&Tenant { tenant: "a".into(), users: 0, visits: 0 }).await?;
    for id in 1..=3 {
        tables.insert(&user(id)).await?;
    }
    tables.soft_delete(User::point("a", 2)).await?;
    tables.catch_up().await?;
    Ok(tables)
}

/// Returns the results of all forms of a query, which agree.
async fn ids<Q: Query<Row = User>>(tables: &Tables, query: Q) -> Vec<u32> {
    let all: Vec<u32> = query.all(tables).await.unwrap().iter().map(|user| user.id).collect();
    assert_eq!(query.count(tables).await.unwrap(), all.len() as u64);
    assert_eq!(query.exists(tables).await.unwrap(), !all.is_empty());
    let mut paged = Vec::new();
    let mut page = query.clone().page_size(1).page(tables).await.unwrap();
    loop {
        paged.extend(page.items.iter().map(|user| user.id));
        let Some(cursor) = page.cursor.take() else { break };
        page = query.clone().page_size(1).resume(cursor).page(tables).await.unwrap();
    }
    assert_eq!(paged, all);
    let mut visited = Vec::new();
    query.for_each(tables, |user| visited.push(user.id)).await.unwrap();
    assert_eq!(visited, all);
    let mut streamed = Vec::new();
    let mut stream = query.stream(tables);
    while let Some(user) = stream.try_next().await.unwrap() {
        streamed.push(user.id);
    }
    assert_eq!(streamed, all);
    let taken = query.take(1).all(tables).await.unwrap();
    assert_eq!(taken.first().map(|user| user.id), all.first().copied());
    all
}

#[test]
fn queries_exclude_soft_deleted_entities_unless_they_are_included() -> Result<()> {
    block_on(async {
        let tables = filled(&clock()).await?;
        let points = || [2, 1].map(|id| User::point("a", id)).into_iter().collect::<MultiPoint<User>>();
        assert_eq!(ids(&tables, User::rows("a")).await, [1, 3]);
        assert_eq!(ids(&tables, User::rows("a").with_deleted()).await, [1, 2, 3]);
        assert_eq!(ids(&tables, User::rows("a").between(2..)).await, [3]);
        assert_eq!(ids(&tables, points()).await, [1]);
        assert_eq!(ids(&tables, points().with_deleted()).await, [2, 1]);
        let scan = || User::scan_partition("a").filter(|user| user.visits.ge(10));
        assert_eq!(ids(&tables, scan()).await, [1, 3]);
        assert_eq!(ids(&tables, scan().with_deleted()).await, [1, 2, 3]);
        assert_eq!(ids(&tables, User::scan_table()).await, [1, 3]);
        assert_eq!(ids(&tables, User::by_city("a", "bonn")).await, [1, 3]);

        assert!(User::point("a", 2).get(&tables).await?.is_none());
        assert!(!User::point("a", 2).exists(&tables).await?);
        let deleted = User::point("a", 2).with_deleted().get(&tables).await?.unwrap();
        assert_eq!(deleted.deleted_at(), Some(clock().now()));
        let mail = |id| User::point("a", id).select::<Mail>();
        assert!(mail(2).get(&tables).await?.is_none());
        assert_eq!(mail(2).with_deleted().get(&tables).await?.unwrap().mail, "u2@contoso.com");
        assert!(mail(1).get(&tables).await?.is_some());
        assert_eq!(User::rows("a").select::<Mail>().all(&tables).await?.len(), 2);
        let cache = tables.cache::<User>(DAY);
        assert!(cache.get(&User::point("a", 2)).await?.is_none());
        // A cursor belongs to the query with or without them.
        let page = User::rows("a").page_size(1).page(&tables).await?;
        assert!(User::rows("a").with_deleted().resume(page.cursor.unwrap()).page(&tables).await.is_err());
        Ok(())
    })
}

#[test]
fn a_soft_deleted_entity_has_only_its_own_row() -> Result<()> {
    block_on(async {
        let tables = filled(&clock()).await?;
        let tenant = || Tenant::point("a").get(&tables);
        let counted = |tenant: Option<Stored<Tenant>>| tenant.map(|tenant| (tenant.users, tenant.visits));
        assert!(User::by_mail("a", "u2@contoso.com").get(&tables).await?.is_none());
        assert!(User::by_name("User 2", "u2@contoso.com").get(&tables).await?.is_none());
        assert_eq!(counted(tenant().await?), Some((2, 20)));
        assert!(tables.verify::<User>().run().await?.is_clean());
        // In the change feed, the soft delete is an update.
        let changes = tables.changes::<User>().next_batch().await?.changes;
        assert_eq!(changes.len(), 4);
        assert!(changes.iter().all(|change| change.new().is_some()));

        // Its unique values are free, and it cannot be restored while another entity has them.
        let other = User { id: 9, ..user(2) };
        tables.insert(&other).await?;
        let error = tables.undelete(User::point("a", 2)).await.unwrap_err();
        assert!(matches!(error, Error::Unique { .. }), "{error}");
        assert!(User::point("a", 2).get(&tables).await?.is_none());
        tables.delete(User::point("a", 9)).await?;
        assert_eq!(tables.undelete(User::point("a", 2)).await?.deleted, None);
        tables.catch_up().await?;
        assert_eq!(User::by_mail("a", "u2@contoso.com").get(&tables).await?.unwrap().id, 2);
        assert!(User::by_name("User 2", "u2@contoso.com").get(&tables).await?.is_some());
        assert_eq!(ids(&tables, User::by_city("a", "bonn")).await, [1, 2, 3]);
        assert_eq!(counted(tenant().await?), Some((3, 30)));
        assert!(tables.verify::<User>().run().await?.is_clean());
        // Restoring it again changes nothing.
        tables.undelete(User::point("a", 2)).await?;
        assert_eq!(counted(tenant().await?), Some((3, 30)));
        Ok(())
    })
}

#[test]
fn writes_treat_a_soft_deleted_entity_as_deleted_or_revive_it() -> Result<()> {
    block_on(async {
        let tables = filled(&clock()).await?;
        assert!(tables.insert(&user(2)).await.unwrap_err().is_conflict());
        let change = |user: &mut User| user.visits += 1;
        assert!(tables.update(User::point("a", 2), change).await.unwrap_err().is_not_found());
        assert!(tables.soft_delete(User::point("a", 2)).await.unwrap_err().is_not_found());
        assert!(tables.undelete(User::point("a", 8)).await.unwrap_err().is_not_found());
        // A change of a deleted entity creates no rows.
        tables.update(User::point("a", 2).with_deleted(), |user| user.city = "rome".into()).await?;
        tables.catch_up().await?;
        assert!(tables.verify::<User>().run().await?.is_clean());
        tables.upsert(&User { visits: 5, ..user(2) }).await?;
        tables.catch_up().await?;
        assert_eq!(User::by_mail("a", "u2@contoso.com").get(&tables).await?.unwrap().visits, 5);
        assert_eq!(Tenant::point("a").get(&tables).await?.unwrap().visits, 25);
        // The field is an ordinary one: a replacement can set it, on the condition of the version.
        let mut read = User::point("a", 2).get(&tables).await?.unwrap();
        read.deleted = Some(clock().now());
        tables.replace(&read).await?;
        tables.catch_up().await?;
        assert_eq!(ids(&tables, User::rows("a")).await, [1, 3]);
        assert!(tables.verify::<User>().run().await?.is_clean());
        tables.delete(User::point("a", 2)).await?;
        assert!(User::point("a", 2).with_deleted().get(&tables).await?.is_none());
        Ok(())
    })
}

#[test]
fn a_union_excludes_only_the_entities_of_the_type() -> Result<()> {
    block_on(async {
        let (clock, tables) = (clock(), filled(&clock()).await?);
        tables.insert(&Order { tenant: "a".into(), id: 1, deleted: Some(clock.now()) }).await?;
        let users = |rows: Vec<Row>| rows.iter().filter(|row| matches!(row, Row::User(_))).count();
        let rows = Row::rows("a").all(&tables).await?;
        assert!(rows.iter().any(|row| matches!(row, Row::Order(_))));
        assert!(rows.iter().any(|row| matches!(row, Row::Tenant(_))));
        assert_eq!(users(rows), 2);
        assert_eq!(users(Row::rows("a").with_deleted().all(&tables).await?), 3);
        Ok(())
    })
}

#[test]
fn purge_deletes_after_the_time_and_keeps_what_is_restored() -> Result<()> {
    block_on(async {
        let clock = clock();
        let tables = filled(&clock).await?;
        clock.advance(DAY);
        tables.soft_delete(User::point("a", 3)).await?;
        assert_eq!(tables.purge::<User>(DAY * 2).run().await?.deleted, 0);
        assert_eq!(tables.purge::<User>(DAY).dry_run().run().await?.deleted, 1);
        assert_eq!(ids(&tables, User::rows("a").with_deleted()).await, [1, 2, 3]);
        let report = tables.purge::<User>(DAY).page_size(1).run().await?;
        assert_eq!((report.deleted, report.failed.len()), (1, 0));
        assert_eq!(ids(&tables, User::rows("a").with_deleted()).await, [1, 3]);
        tables.undelete(User::point("a", 3)).await?;
        assert_eq!(tables.purge::<User>(Duration::ZERO).run().await?.deleted, 0);
        tables.catch_up().await?;
        assert_eq!(ids(&tables, User::rows("a")).await, [1, 3]);
        assert!(tables.verify::<User>().run().await?.is_clean());
        Ok(())
    })
}

#[test]
fn an_entity_that_is_deleted_again_during_a_purge_is_kept() -> Result<()> {
    block_on(async {
        let clock = clock();
        let tables = filled(&clock).await?;
        clock.advance(DAY);
        let (other, now, reads) = (tables.clone(), clock.now(), AtomicU32::new(0));
        // The sweep asks for the time once at its start, then after it has read an entity.
        let sweeping = tables.clone().with_clock(move || {
            if reads.fetch_add(1, Ordering::Relaxed) == 1 {
                other.blocking().undelete(User::point("a", 2)).unwrap();
                other.blocking().soft_delete(User::point("a", 2)).unwrap();
            }
            now
        });
        let report = sweeping.purge::<User>(DAY).run().await?;
        assert_eq!((report.deleted, report.failed.len()), (0, 0));
        assert_eq!(ids(&tables, User::rows("a").with_deleted()).await, [1, 2, 3]);
        Ok(())
    })
}

#[test]
fn entities_in_several_tables_and_partitions_are_soft_deleted() -> Result<()> {
    block_on(async {
        let clock = clock();
        let tables = TestTables::new().clock(&clock).open()?;
        let at = |id| clock.now().saturating_add(DAY * (id % 2));
        for id in 1..=6 {
            tables.insert(&Stay { at: at(id), id, deleted: None }).await?;
        }
        for id in [2, 5] {
            tables.soft_delete(Stay::point(at(id), id)).await?;
        }
        let ids = async |query: FanOut<Stay>| -> Result<Vec<u32>> {
            let mut ids: Vec<u32> = query.all(&tables).await?.iter().map(|stay| stay.id).collect();
            assert_eq!(query.count(&tables).await?, ids.len() as u64);
            ids.sort_unstable();
            Ok(ids)
        };
        let all = || Stay::rows().between(clock.now()..);
        assert_eq!(ids(all()).await?, [1, 3, 4, 6]);
        assert_eq!(ids(all().with_deleted()).await?, [1, 2, 3, 4, 5, 6]);
        assert_eq!(Stay::scan_table().count(&tables).await?, 4);
        assert_eq!(tables.purge::<Stay>(Duration::ZERO).run().await?.deleted, 2);
        assert_eq!(ids(all().with_deleted()).await?, [1, 3, 4, 6]);
        Ok(())
    })
}

#[test]
fn rows_of_older_versions_are_soft_deleted_by_their_field() -> Result<()> {
    block_on(async {
        let clock = clock();
        let tables = TestTables::new().clock(&clock).open()?;
        for id in 1..=3 {
            tables.insert(&GuestV1 { owner: "jo".into(), id, gone: None }).await?;
        }
        tables.soft_delete(GuestV1::point("jo", 1)).await?;
        tables.soft_delete(Guest::point("jo", 2)).await?;
        let left = Guest::rows("jo").all(&tables).await?;
        assert_eq!(left.iter().map(|guest| guest.id).collect::<Vec<_>>(), [3]);
        assert_eq!(Guest::scan_table().count(&tables).await?, 1);
        assert_eq!(Guest::rows("jo").with_deleted().count(&tables).await?, 3);
        assert!(Guest::point("jo", 1).get(&tables).await?.is_none());
        assert!(tables.undelete(Guest::point("jo", 1)).await?.deleted.is_none());
        assert_eq!(Guest::rows("jo").count(&tables).await?, 2);
        clock.advance(DAY);
        assert_eq!(tables.purge::<Guest>(DAY).run().await?.deleted, 1);
        Ok(())
    })
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Guests", partition = "{owner}", row = "g_{id:06}", entity_type = "Guest", soft_delete = gone)]
struct GuestV1 {
    owner: String,
    id: u32,
    gone: Option<Timestamp>,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Guests", partition = "{owner}", row = "g_{id:06}", version = 2, from(GuestV1), soft_delete = deleted)]
struct Guest {
    owner: String,
    id: u32,
    #[table(was = "gone")]
    deleted: Option<std::time::SystemTime>,
}

impl From<GuestV1> for Guest {
    fn from(GuestV1 { owner, id, gone }: GuestV1) -> Self {
        Self { owner, id, deleted: gone.map(Into::into) }
    }
}

/// A change of the time of deletion by field values removes the rows of the entity, like the verb.
#[test]
fn time_set_by_field_values_is_a_deletion() {
    let text = "tables = 1\n[entity.Person]\ntable = \"People\"\npartition = \"{shop}\"\nrow = \"c_{id:06}\"\n\
                soft_delete = \"deleted\"\nindex.by_email = { row = \"email_{email}\", unique = true }\n\
                lookup.by_name = { on = [\"name\"] }\n[entity.Person.fields]\nshop = \"string\"\nid = \"u32\"\n\
                name = \"string\"\nemail = \"string\"\ndeleted = \"datetime?\"\n";
    let tables = Tables::in_memory().unwrap();
    let designed = tables.design(&table_codegen::read(text, "people.toml").unwrap(), "Person").unwrap();
    let entities = designed.entities().unwrap();
    let string = |name: &str, value: &str| (name.to_owned(), Value::from(value));
    let person: FieldValues = [
        string("shop", "a"),
        ("id".to_owned(), Value::Int64(1)),
        string("name", "Jo"),
        string("email", "jo@example.com"),
    ]
    .into();
    block_on(entities.insert(&person)).unwrap();
    let stored = block_on(entities.get(&person)).unwrap().unwrap();
    let deleted: FieldValues = [("deleted".to_owned(), Value::DateTime(Timestamp::now()))].into();
    block_on(entities.update(&stored, &deleted)).unwrap();
    let report = block_on(designed.verify().run()).unwrap();
    assert!(report.is_clean(), "{report}");
    // The unique value is free.
    let other: FieldValues = [("id".to_owned(), Value::Int64(2))].into();
    block_on(entities.insert(&person.into_iter().chain(other).collect())).unwrap();
}
