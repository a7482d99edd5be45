//! Change feeds with other patterns on the same entity.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use pollster::block_on;
use table_patterns::{Error, KeyRing, Timestamp, prelude::*};
use table_store::OpenOptions;

use super::{Order, all, kinds, order};
use crate::combined::shops::{Place, end};

/// The patterns of the entities in this file, by the numbers of the book's table of combinations.
pub(crate) const ITEM: &[usize] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 19, 20, 22, 23, 24, 25];
pub(crate) const USER: &[usize] = &[21, 22];
pub(crate) const METER: &[usize] = &[17, 22];

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Shops", partition = "{shop}", row = "shop")]
struct Shop {
    shop: String,
    #[table(from_source)]
    items: i64,
    #[table(from_source)]
    value: i64,
}

#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Item)]
struct Card {
    id: u32,
    price: u32,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Makers", partition = "{maker}", row = "maker")]
struct Maker {
    maker: String,
    #[table(from_source)]
    item: Option<Card>,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Shops", partition = "{shop}", row = "item_{id:06}", archive = "FormerItems", changes(old))]
#[table(expires = until)]
#[table(index(by_price, row = "price_{price:08}_{id:06}", copy(note)))]
#[table(index(by_name, row = "name_{name}", unique, copy(secret)))]
#[table(index(
    by_maker,
    table = "ItemsByMaker",
    partition = "{maker}",
    row = "{shop}_{id:06}",
    copy(secret)
))]
#[table(index(by_code, partition = "code_{code}", row = "holder", unique, copy(note)))]
#[table(lookup(near_rows, on = color, place = partition, row = "rows_{color:03}"))]
#[table(lookup(near_lists, on = color, place = partition, row = "lists_{color:03}", ids = "Ids"))]
#[table(lookup(far_rows, on = color, place = table, table = "FarRows"))]
#[table(lookup(far_lists, on = color, place = table, table = "FarLists", ids = "Ids"))]
#[table(lookup(in_blobs, on = color, place = blob))]
#[table(counted_in(Shop::items), summed_in(Shop::value, of = price))]
#[table(copied_to(Maker::item))]
struct Item {
    shop: String,
    id: u32,
    price: u32,
    name: String,
    maker: String,
    code: String,
    color: u32,
    note: String,
    #[table(series)]
    hours: [Option<i32>; 4],
    #[table(encrypt)]
    secret: String,
    #[table(flatten)]
    place: Place,
    until: Timestamp,
    #[table(created)]
    made: Option<Timestamp>,
    #[table(updated)]
    changed: Option<Timestamp>,
}

fn item(id: u32, price: u32) -> Item {
    Item {
        shop: "s".into(),
        id,
        price,
        name: format!("n{id}"),
        maker: format!("m{}", price % 3),
        code: format!("c{id}"),
        color: price % 2,
        note: String::new(),
        hours: [None, Some(1), None, None],
        secret: format!("secret {price}"),
        place: Place::of("Bonn", price),
        until: end(),
        made: None,
        changed: None,
    }
}

#[test]
fn entity_with_every_pattern_records_its_changes() {
    let tables = Tables::in_memory().unwrap().with_keys(KeyRing::generate().unwrap());
    let b = tables.blocking();
    b.insert(&Shop { shop: "s".into(), items: 0, value: 0 }).unwrap();
    for id in 1..=6 {
        b.insert(&item(id, 10)).unwrap();
    }
    for (id, price) in [(1, 11), (2, 12), (1, 13), (3, 14)] {
        let mut stored = b.get(&Item::point("s", id)).unwrap().unwrap();
        *stored = Item { name: format!("n{id}_{price}"), code: format!("c{id}_{price}"), ..item(id, price) };
        b.replace(&stored).unwrap();
    }
    let stored = b.get(&Item::point("s", 4)).unwrap().unwrap();
    b.merge(stored.patch().secret("another".to_owned()).hours(2, 7)).unwrap();
    b.merge(Item::patch("s", 5).hours(3, 9)).unwrap();
    b.delete_at(Item::point("s", 6)).unwrap();
    assert!(block_on(tables.move_entity(&ItemKey { shop: "s".into(), id: 5 }, "FormerItems")).unwrap());
    assert!(matches!(b.insert(&Item { code: "c4".into(), ..item(9, 1) }).unwrap_err(), Error::Unique(_)));
    assert!(matches!(b.insert(&Item { name: "n4".into(), ..item(9, 1) }).unwrap_err(), Error::Unique(_)));
    block_on(tables.catch_up()).unwrap();

    let mut built = BTreeMap::new();
    for change in all::<Item>(&tables) {
        assert_eq!(built.get(&change.key().id), change.old(), "{change:?}");
        match change.new() {
            Some(new) => built.insert(change.key().id, new.clone()),
            None => built.remove(&change.key().id),
        };
    }
    let stored = block_on(Item::rows("s").all(&tables)).unwrap();
    let stored: BTreeMap<u32, Item> = stored.into_iter().map(|item| (item.id, item.into_inner())).collect();
    assert_eq!(built, stored);
    assert_eq!(stored.keys().copied().collect::<Vec<_>>(), [1, 2, 3, 4]);
    let shop = b.get(&Shop::point("s")).unwrap().unwrap();
    let value: i64 = stored.values().map(|item| i64::from(item.price)).sum();
    assert_eq!((shop.items, shop.value), (4, value));
    let report = block_on(tables.verify::<Item>().run()).unwrap();
    assert!(report.is_clean(), "{report:?}");
}

#[test]
fn feed_of_a_sharded_entity_has_the_partitions_of_its_shards() {
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Meters", partition = "{site}_{shard:02}", row = "{id:06}", shard(of = id, count = 4), changes)]
    struct Meter {
        site: String,
        id: u32,
        value: i32,
    }

    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    for id in 0..20 {
        b.insert(&Meter { site: "s".into(), id, value: 1 }).unwrap();
        b.merge(Meter::patch("s", id).value(2)).unwrap();
    }
    let changes = all::<Meter>(&tables);
    let partitions: BTreeSet<&str> = changes.iter().map(|change| change.address().partition_key()).collect();
    assert_eq!(partitions.into_iter().collect::<Vec<_>>(), ["s_00", "s_03"]);
    let built: BTreeMap<u32, i32> =
        changes.iter().map(|change| (change.key().id, change.new().unwrap().value)).collect();
    assert_eq!(built, (0..20).map(|id| (id, 2)).collect());
    assert_eq!(changes.len(), 40);
}

#[test]
fn writers_of_one_partition_agree_on_the_order() {
    let store = OpenOptions::new().in_memory().unwrap();
    let handles: Vec<Tables> = (0..8).map(|_| Tables::new(store.clone())).collect();
    let orders: Vec<Order> = (0..64).map(|number| order("jo", number, 1)).collect();
    for (order, tables) in orders.iter().zip(handles.iter().cycle()) {
        tables.blocking().insert(order).unwrap();
    }
    assert_eq!(
        kinds::<Order>(&handles[0]).iter().map(|(_, at)| *at).collect::<Vec<_>>(),
        (1..=64).collect::<Vec<_>>()
    );
}

#[test]
fn encrypted_values_are_read_with_the_keys_of_the_handle() {
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Patients", partition = "{ward}", row = "{id:06}", changes(old))]
    struct Patient {
        ward: String,
        id: u32,
        #[table(encrypt)]
        name: String,
        bed: u32,
    }

    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::new(store.clone()).with_keys(KeyRing::generate().unwrap());
    let b = tables.blocking();
    let patient = |name: &str| Patient { ward: "w".into(), id: 1, name: name.into(), bed: 1 };
    block_on(tables.bulk().insert(&patient("Jo")).run()).unwrap().into_result().unwrap();
    b.merge(Patient::patch("w", 1).bed(2)).unwrap();
    let mut stored = b.get(&Patient::point("w", 1)).unwrap().unwrap();
    stored.name = "Joan".into();
    b.replace(&stored).unwrap();
    let seen: Vec<_> = all::<Patient>(&tables)
        .iter()
        .map(|change| {
            (change.old().map(|old| old.name.clone()), change.new().map(|new| (new.name.clone(), new.bed)))
        })
        .collect();
    let name = |name: &str| Some(name.to_owned());
    assert_eq!(
        seen,
        [
            (None, Some(("Jo".to_owned(), 1))),
            (name("Jo"), Some(("Jo".to_owned(), 2))),
            (name("Jo"), Some(("Joan".to_owned(), 2)))
        ]
    );
    // Without keys, nothing is read in clear.
    let error = block_on(Tables::new(store).changes::<Patient>().next_batch()).unwrap_err();
    assert!(matches!(error, Error::Decode(_)), "{error}");
}

#[test]
fn records_are_read_by_the_version_that_wrote_them() {
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Users", partition = "{team}", row = "{id:06}", entity_type = "User", changes)]
    struct UserV1 {
        team: String,
        id: u32,
        name: String,
    }

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Users", partition = "{team}", row = "{id:06}", changes)]
    #[table(entity_type = "User", version = 2, from(UserV1))]
    struct User {
        team: String,
        id: u32,
        first: String,
        last: String,
    }

    impl From<UserV1> for User {
        fn from(old: UserV1) -> Self {
            let (first, last) = old.name.split_once(' ').unwrap_or((&old.name, ""));
            Self { team: old.team, id: old.id, first: first.into(), last: last.into() }
        }
    }

    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::new(store.clone());
    let b = tables.blocking();
    b.insert(&UserV1 { team: "t".into(), id: 1, name: "Jo Lee".into() }).unwrap();
    b.merge(User::patch("t", 1).last("Li".to_owned())).unwrap();
    let seen: Vec<_> = all::<User>(&tables)
        .iter()
        .map(|change| (change.sequence(), change.new().map(|user| (user.first.clone(), user.last.clone()))))
        .collect();
    let user = |last: &str| Some(("Jo".to_owned(), last.to_owned()));
    assert_eq!(seen, [(1, user("Lee")), (2, user("Li"))]);

    // A program of the first version reads up to the change that it does not know.
    let mut older = tables.changes::<UserV1>();
    let batch = block_on(older.next_batch()).unwrap();
    assert_eq!((batch.changes.len(), batch.is_end), (1, false));
    let Error::Decode(error) = block_on(older.next_batch()).unwrap_err() else { panic!() };
    assert!(error.is_newer(), "{error}");

    // Changes of other partitions continue, and do not hide the error.
    b.insert(&UserV1 { team: "u".into(), id: 1, name: "Al Ray".into() }).unwrap();
    let batch = block_on(older.next_batch()).unwrap();
    assert_eq!((batch.changes.len(), batch.is_end), (1, false));
    let Some(Error::Decode(error)) = batch.blocked else { panic!() };
    assert!(error.is_newer(), "{error}");

    // So do they if the first record that still exists is of a newer version.
    let late =
        Tables::new(store).with_clock(|| Timestamp::now().saturating_add(Duration::from_secs(8 * 86_400)));
    assert_eq!(block_on(late.changes::<User>().partition("t").trim()).unwrap(), 1);
    let mut older = tables.changes::<UserV1>();
    for id in 2..5 {
        assert_eq!(block_on(older.next_batch()).unwrap().changes.len(), 1, "{id}");
        b.insert(&UserV1 { team: "u".into(), id, name: "Al Ray".into() }).unwrap();
    }
}

#[test]
fn archived_entity_is_a_delete() {
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Staff", partition = "{unit}", row = "{id:06}", archive = "Leavers", changes(old))]
    struct Staff {
        unit: String,
        id: u32,
    }

    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&Staff { unit: "u".into(), id: 1 }).unwrap();
    assert!(block_on(tables.move_entity(&StaffKey { unit: "u".into(), id: 1 }, "Leavers")).unwrap());
    let changes = all::<Staff>(&tables);
    assert_eq!(
        changes.last().map(|change| (change.kind(), change.old().is_some())),
        Some((table_patterns::ChangeKind::Delete, true))
    );
    assert_eq!(changes.len(), 2);
}
