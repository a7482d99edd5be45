//! Change feeds of entities with derived rows, written by several clients whose requests are late, lost or the last. In
//! every state the records, applied in their order, give the stored entities; and a reader that continues from saved
//! positions ends with them, also if records that it has not read were removed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    rc::Rc,
    time::Duration,
};

use pollster::block_on;
use table_patterns::{
    ChangeEvent, ChangeFeedError, ChangeKind, ChangePosition, Error, Timestamp, prelude::*,
};
use table_proofs::simulation::{Below, Faults, Schedule, Unreliable, World, runs};

use super::memory;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Items", partition = "{shop}", row = "item_{id:02}", changes(old))]
#[table(index(by_price, row = "price_{price:02}_{id:02}", copy()))]
#[table(index(by_tag, table = "ItemsByTag", partition = "tag_{tag:02}", row = "{shop}_{id:02}", copy()))]
struct Item {
    shop: String,
    id: u8,
    price: u8,
    tag: u8,
    /// Another value for each write.
    value: i64,
}

const FAULTS: Faults = Faults { lost: 60, undone: 40, late: 80, crash: 15, most: 8 };
const WRITES: i64 = 8;
const SHOPS: [&str; 2] = ["a", "b"];

fn shop_of(number: usize) -> &'static str {
    SHOPS.get(number).copied().unwrap_or_default()
}

/// Entities by shop and id.
type Items = BTreeMap<(String, u8), Item>;

/// What a write of a value returned: `None` if its outcome is unknown.
type Outcomes = Rc<RefCell<HashMap<i64, Option<bool>>>>;

fn apply(items: &mut Items, change: &ChangeEvent<Item>) {
    let key = (change.key().shop.clone(), change.key().id);
    match change.new() {
        Some(item) => items.insert(key, item.clone()),
        None => items.remove(&key),
    };
}

fn stored(tables: &Tables) -> Items {
    let items = block_on(Item::scan_table().all(tables)).unwrap();
    items.into_iter().map(|item| ((item.shop.clone(), item.id), item.into_inner())).collect()
}

/// Carries out one random write.
async fn write(tables: &Tables, world: &World, value: i64) -> Result<()> {
    let (shop, id) = (shop_of(world.below(2)), u8::try_from(world.below(3)).unwrap());
    let item = |id| Item {
        shop: shop.to_owned(),
        id,
        price: u8::try_from(world.below(4)).unwrap(),
        tag: u8::try_from(world.below(3)).unwrap(),
        value,
    };
    match world.below(9) {
        0 => tables.insert(&item(id)).await.map(drop),
        1 => tables.upsert(&item(id)).await.map(drop),
        2 => tables.update(Item::point(shop, id), |stored| stored.value = value).await.map(drop),
        3 => tables.replace_any(&item(id)).await.map(drop),
        4 => tables.delete_at(Item::point(shop, id)).await,
        5 => {
            let other = Item { value: -value, ..item((id + 1) % 3) };
            tables.transact().upsert(&item(id)).upsert(&other).commit().await.map(drop)
        }
        6 => tables.merge(Item::patch(shop, id).value(value)).await.map(drop),
        7 => {
            let Some(stored) = Item::point(shop, id).get(tables).await? else { return Ok(()) };
            tables.merge(stored.patch().value(value)).await.map(drop)
        }
        _ => {
            let Some(mut stored) = Item::point(shop, id).get(tables).await? else { return Ok(()) };
            stored.value = value;
            tables.replace(&stored).await.map(drop)
        }
    }
}

async fn writer(tables: Tables, world: World, number: i64, outcomes: Outcomes) {
    for count in 0..WRITES {
        let value = number * 100 + count + 1;
        outcomes.borrow_mut().insert(value, None);
        let done = write(&tables, &world, value).await;
        let outcome = match &done {
            Err(error) if error.is_outcome_unknown() => None,
            done => Some(done.is_ok()),
        };
        outcomes.borrow_mut().insert(value, outcome);
    }
}

/// A consumer that builds the entities, and whose position is a string.
#[derive(Clone, Debug, Default)]
struct Consumer {
    position: Option<String>,
    items: Items,
    rebuilds: usize,
}

impl Consumer {
    /// Reads one batch. Returns whether it was the last one.
    async fn read(&mut self, tables: &Tables) -> Result<bool> {
        let feed = tables.changes::<Item>().batch_size(3);
        let mut feed = match &self.position {
            Some(position) => feed.after(&position.parse().unwrap()),
            None => feed,
        };
        match feed.next_batch().await {
            Ok(batch) => {
                batch.changes.iter().for_each(|change| apply(&mut self.items, change));
                self.position = Some(batch.position.to_string());
                Ok(batch.is_end)
            }
            Err(Error::Changes(error)) => {
                assert!(matches!(*error, ChangeFeedError::Expired { .. }), "{error}");
                self.rebuild(tables).await.map(|()| false)
            }
            Err(error) => Err(error),
        }
    }

    async fn rebuild(&mut self, tables: &Tables) -> Result<()> {
        let end = tables.changes::<Item>().end().await?;
        let items = Item::scan_table().all(tables).await?;
        self.items =
            items.into_iter().map(|item| ((item.shop.clone(), item.id), item.into_inner())).collect();
        self.position = Some(end.to_string());
        self.rebuilds += 1;
        Ok(())
    }
}

/// Follows the records after each step, and compares them with the entities.
struct Witness {
    tables: Tables,
    position: ChangePosition,
    items: Items,
    /// Number of records with each value.
    values: HashMap<i64, usize>,
}

impl Witness {
    fn look(&mut self) -> std::result::Result<(), String> {
        let mut feed = self.tables.changes::<Item>().after(&self.position);
        let batch = block_on(feed.next_batch()).map_err(|error| error.to_string())?;
        for change in &batch.changes {
            let key = (change.key().shop.clone(), change.key().id);
            if self.items.get(&key) != change.old() {
                return Err(format!("{change:?}: old is {:?}, not {:?}", change.old(), self.items.get(&key)));
            }
            if (change.kind() == ChangeKind::Insert) != change.old().is_none() {
                return Err(format!("{change:?} after {:?}", change.old()));
            }
            apply(&mut self.items, change);
            if let Some(new) = change.new() {
                *self.values.entry(new.value).or_default() += 1;
            }
        }
        self.position = batch.position;
        let stored = stored(&self.tables);
        if self.items != stored {
            return Err(format!("the records give {:?}, but {stored:?} is stored", self.items));
        }
        Ok(())
    }
}

/// Returns the number of writes of unknown outcome, and the number of times that the consumer had to start again.
pub(super) fn run(seed: u64, store: impl Below) -> std::result::Result<(usize, usize), String> {
    let world = World::new(seed, FAULTS);
    let quiet = Tables::new(store.clone());
    block_on(quiet.create::<Item>()).unwrap();
    let start = block_on(quiet.changes::<Item>().end()).unwrap();
    let service = Unreliable::new(store, world.clone());
    let handle = |number: u64| Tables::new(service.clone()).with_seeded_tokens(seed << 4 | number);
    let consumer = Consumer { position: Some(start.to_string()), ..Consumer::default() };
    let (outcomes, consumer) = (Outcomes::default(), Rc::new(RefCell::new(consumer)));
    let mut schedule = Schedule::new(&service, world.clone());
    for number in 1..=3_u8 {
        let outcomes = Rc::clone(&outcomes);
        schedule.client(writer(handle(number.into()), world.clone(), number.into(), outcomes));
    }
    let (reader, shared) = (handle(4), Rc::clone(&consumer));
    schedule.worker(async move {
        loop {
            let mut own = shared.borrow().clone();
            // A failed read is repeated from the saved position.
            let failed = own.read(&reader).await.err();
            if failed.is_none() {
                *shared.borrow_mut() = own;
            }
            assert!(failed.is_none_or(|error| !matches!(error, Error::Changes(_))));
        }
    });
    let late = Duration::from_secs(8 * 86_400);
    let trimmer = handle(5).with_clock(move || Timestamp::now().saturating_add(late));
    let times = world.clone();
    schedule.worker(async move {
        loop {
            let shop = shop_of(times.below(2));
            drop(trimmer.changes::<Item>().partition(shop).trim().await);
        }
    });
    let mut witness =
        Witness { tables: quiet.clone(), position: start, items: Items::new(), values: HashMap::new() };
    let mut wrong = None;
    schedule.run(|| {
        if wrong.is_none() {
            wrong = witness.look().err();
        }
    });
    world.calm();
    Schedule::land_all(&service);
    wrong = wrong.or_else(|| witness.look().err());
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    for (value, outcome) in outcomes.borrow().iter() {
        let count = witness.values.get(value).copied().unwrap_or_default();
        if count > 1 || *outcome == Some(false) && count > 0 {
            return Err(format!("{value} has {count} records after {outcome:?}"));
        }
    }
    let mut consumer = consumer.take();
    while !block_on(consumer.read(&quiet)).map_err(|error| error.to_string())? {}
    if consumer.items != stored(&quiet) {
        return Err(format!("the consumer has {:?}, not {:?}", consumer.items, stored(&quiet)));
    }
    block_on(quiet.catch_up()).map_err(|error| error.to_string())?;
    let report = block_on(quiet.verify::<Item>().run()).map_err(|error| error.to_string())?;
    if !report.is_clean() {
        return Err(format!("{report:?}"));
    }
    let unknown = outcomes.borrow().values().filter(|outcome| outcome.is_none()).count();
    Ok((unknown, consumer.rebuilds))
}

#[test]
fn records_give_the_entities_in_every_state() {
    let (mut unknown, mut rebuilds, count) = (0, 0, runs("SIMULATIONS", 150));
    for seed in 0..count {
        match run(seed, memory()) {
            Ok((some, times)) => {
                unknown += some;
                rebuilds += times;
            }
            Err(wrong) => panic!("seed {seed}: {wrong}"),
        }
    }
    println!("{count} schedules, {unknown} writes of unknown outcome or stopped, {rebuilds} rebuilds");
    assert!(unknown > 0 && rebuilds > 0);
}
