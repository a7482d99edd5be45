//! Bulks against a model.

use std::collections::BTreeMap;

use pollster::block_on;
use table_patterns::prelude::*;
use table_store::OpenOptions;
use table_tests::{
    seed::Seed,
    unreliable::{Faults, Unreliable},
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Plain", partition = "{shop}", row = "i_{id:06}")]
struct Plain {
    shop: String,
    id: u32,
    value: i64,
    text: Vec<u8>,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Listed", partition = "{shop}", row = "i_{id:06}")]
#[table(index(by_value, row = "v_{value:ord}_{id:06}"))]
#[table(lookup(by_group, on = group, place = partition))]
struct Listed {
    shop: String,
    id: u32,
    value: i64,
    group: u32,
}

macro_rules! program {
    ($name:ident, $entity:ident, $make:expr) => {
        async fn $name(seed: u64, faults: Faults) {
            let mut dice = Seed::new(seed);
            let store = OpenOptions::new().in_memory().unwrap();
            let calm = Tables::new(store.clone());
            let tables = Tables::new(Unreliable::new(store, dice.fork(1), faults)).with_seeded_tokens(seed);
            // The possible values of each key; `None` means that it is absent.
            let mut model: BTreeMap<(String, u32), Vec<Option<i64>>> = BTreeMap::new();
            let mut value = 0;
            for _ in 0..4 {
                let mut bulk = tables.bulk();
                let mut sent = Vec::new();
                let count = dice.below(260);
                for _ in 0..count {
                    let shop = format!("s{}", dice.below(3));
                    let id = u32::try_from(dice.below(90)).unwrap();
                    value += 1;
                    let entity: $entity = $make(shop.clone(), id, value, &mut dice);
                    let what = dice.below(10);
                    bulk = match what {
                        0..=3 => bulk.insert(&entity),
                        4..=7 => bulk.upsert(&entity),
                        8 => bulk.replace_any(&entity),
                        _ => bulk.delete_at($entity::point(&shop, id)),
                    };
                    sent.push(((shop, id), what, value));
                }
                let report = bulk.run().await.unwrap();
                let mut inputs = vec![0; sent.len()];
                for group in &report.groups {
                    for index in &group.indexes {
                        inputs[*index] += 1;
                    }
                    assert!(group.indexes.windows(2).all(|pair| pair[0] < pair[1]), "in order");
                }
                assert!(inputs.iter().all(|times| *times == 1), "each input is in one group: {inputs:?}");
                let mut order: Vec<_> = report.groups.iter().collect();
                order.sort_by_key(|group| group.indexes[0]);
                for group in order {
                    let is_unknown = matches!(&group.outcome, Err(error) if error.is_outcome_unknown());
                    if group.outcome.is_err() && !is_unknown {
                        continue;
                    }
                    for index in &group.indexes {
                        let (key, what, value) = &sent[*index];
                        let after = (*what != 9).then_some(*value);
                        let slot = model.entry(key.clone()).or_insert_with(|| vec![None]);
                        if is_unknown { slot.push(after) } else { *slot = vec![after] }
                    }
                }
            }
            for ((shop, id), may) in &model {
                let found = $entity::point(shop, *id).get(&calm).await.unwrap().map(|found| found.value);
                assert!(may.contains(&found), "seed {seed}: {shop} {id}: {found:?} of {may:?}");
            }
            let verified = calm.verify::<$entity>().run().await.unwrap();
            assert!(verified.differences.is_empty(), "seed {seed}: {verified:?}");
        }
    };
}

program!(plain, Plain, |shop, id, value, dice: &mut Seed| Plain {
    shop,
    id,
    value,
    text: vec![0; if dice.chance(1, 4) { 60_000 } else { 3 }],
});
program!(listed, Listed, |shop, id, value, dice: &mut Seed| Listed {
    shop,
    id,
    value,
    group: u32::try_from(dice.below(4)).unwrap(),
});

#[test]
fn bulk_reports_what_is_stored() {
    for seed in 0..4 {
        block_on(plain(seed, Faults::NONE));
        block_on(listed(seed, Faults::NONE));
        let faults = Faults { refused: 60, lost: 60, ..Faults::NONE };
        block_on(plain(seed, faults));
        block_on(listed(seed, faults));
    }
}

/// With rows in another partition, so that each transaction has a commit record, and an aggregate in its own partition.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Followed", partition = "{shop}", row = "shop")]
struct Shop {
    shop: String,
    #[table(from_source)]
    items: i64,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Followed", partition = "{shop}", row = "i_{id:06}", counted_in(Shop::items))]
struct Counted {
    shop: String,
    id: u32,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Followed", partition = "{shop}", row = "f_{id:06}")]
#[table(index(by_value, table = "ByValue", partition = "{value:06}", row = "{shop}_{id:06}"))]
struct Followed {
    shop: String,
    id: u32,
    value: u32,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Named", partition = "{shop}", row = "i_{id:06}")]
#[table(index(by_name, row = "n_{name}", unique))]
struct Named {
    shop: String,
    id: u32,
    name: String,
}

#[test]
fn groups_leave_room_for_records_and_totals() {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::new(store.clone()).with_queues(store);
    let b = tables.blocking();
    let shop = || "a".to_owned();
    b.insert(&Shop { shop: shop(), items: 0 }).unwrap();
    let counted: Vec<_> = (0..250).map(|id| Counted { shop: shop(), id }).collect();
    let report = block_on(tables.bulk().insert_all(&counted).run()).unwrap();
    assert_eq!(report.groups.iter().map(|group| group.indexes.len()).collect::<Vec<_>>(), [99, 99, 52]);
    assert_eq!(report.into_result().unwrap(), 250);
    assert_eq!(b.get(&Shop::point("a")).unwrap().unwrap().items, 250);

    let followed: Vec<_> = (0..250).map(|id| Followed { shop: shop(), id, value: id }).collect();
    let report = block_on(tables.bulk().insert_all(&followed).run()).unwrap();
    assert_eq!(report.groups.iter().map(|group| group.indexes.len()).collect::<Vec<_>>(), [99, 99, 52]);
    assert_eq!(report.into_result().unwrap(), 250);
    block_on(tables.catch_up()).unwrap();
    assert!(block_on(tables.verify::<Followed>().run()).unwrap().is_clean());
}

#[test]
fn taken_unique_value_fails_alone() {
    let tables = Tables::in_memory().unwrap();
    let named = |id, name: &str| Named { shop: "a".into(), id, name: name.into() };
    let all = [named(1, "x"), named(2, "y"), named(3, "x"), named(4, "z")];
    let report = block_on(tables.bulk().insert_all(&all).run()).unwrap();
    let done: Vec<_> =
        report.groups.iter().map(|group| (group.indexes.clone(), group.outcome.is_ok())).collect();
    assert_eq!(done, [(vec![0, 1], true), (vec![2], false), (vec![3], true)]);
    assert_eq!(report.failed().next().unwrap().at_fault(), Some(2));
}
