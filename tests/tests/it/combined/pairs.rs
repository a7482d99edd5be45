//! Random programs on entities with many patterns: the result of every write function, and the stored data after all
//! commits have been applied. The expected rows are computed here, without the library.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use pollster::block_on;
use table_patterns::{KeyRing, prelude::*};
use table_store::{
    OpenOptions, Query, Store, TableName, TableService, Value,
    blob::{BlobAddress, BlobName, BlobService, ContainerName, ListBlobs, ReadBlob},
};
use table_tests::seed::Seed;

use super::shops::{self, Item, SHOP, Variant};

fn number(dice: &mut Seed, end: usize) -> u32 {
    u32::try_from(dice.below(end)).unwrap()
}

fn random(dice: &mut Seed, id: u32) -> Item {
    let bytes = if dice.chance(1, 2) { 5 } else { 3_000 };
    Item {
        id,
        name: format!("n{}", dice.below(9)),
        badge: number(dice, 9),
        rank: number(dice, 3),
        floor: number(dice, 3),
        value: i64::from(number(dice, 50)),
        hours: [(); 4].map(|()| dice.chance(1, 2).then_some(3)),
        secret: format!("secret {}", dice.below(1_000)),
        photo: vec![u8::try_from(dice.below(200)).unwrap(); bytes],
    }
}

type Model = BTreeMap<u32, Item>;

/// Returns whether no other item has its name or its badge.
fn is_free(model: &Model, item: &Item, instead_of: u32) -> bool {
    let mut others = model.values().filter(|other| other.id != instead_of);
    !others.any(|other| other.name == item.name || other.badge == item.badge)
}

/// Returns an item in the newest version. A row of an older version cannot be patched, because others contain its values.
async fn newest<V: Variant>(tables: &Tables, id: u32) -> Option<Stored<V>> {
    let read = V::find(id).get(tables).await.unwrap()?;
    tables.replace(&read).await.unwrap();
    V::find(id).get(tables).await.unwrap()
}

/// Runs one write. The model changes if the write succeeded.
async fn verb<V: Variant>(tables: &Tables, model: &mut Model, dice: &mut Seed) {
    let id = number(dice, 6);
    let item = random(dice, id);
    let (was_there, free) = (model.contains_key(&id), is_free(model, &item, id));
    let outcome = match dice.below(12) {
        0 | 1 => {
            let older = V::insert_older(tables, &item).filter(|_| dice.chance(2, 3));
            let outcome = match older {
                Some(older) => older.await,
                None => tables.insert(&V::of(&item)).await,
            };
            assert_eq!(outcome.is_ok(), !was_there && free, "insert: {outcome:?}");
            outcome.is_ok().then_some(item)
        }
        2 | 3 => {
            let Some(mut read) = V::find(id).get(tables).await.unwrap() else { return };
            read.set(&item);
            let outcome = tables.replace(&read).await;
            assert_eq!(outcome.is_ok(), free, "replace: {outcome:?}");
            outcome.is_ok().then_some(item)
        }
        4 => {
            let outcome = tables.replace_any(&V::of(&item)).await;
            assert_eq!(outcome.is_ok(), was_there && free, "replace_any: {outcome:?}");
            outcome.is_ok().then_some(item)
        }
        5 => {
            let outcome = tables.upsert(&V::of(&item)).await;
            assert_eq!(outcome.is_ok(), free, "upsert: {outcome:?}");
            outcome.is_ok().then_some(item)
        }
        6 => {
            let Some(read) = newest::<V>(tables, id).await else { return };
            V::patch_read(tables, &read, &item).await.unwrap();
            let mut patched = model[&id].clone();
            (patched.value, patched.secret, patched.photo) = (item.value, item.secret, item.photo);
            patched.hours[2] = Some(7);
            Some(patched)
        }
        7 => {
            newest::<V>(tables, id).await;
            let outcome = V::patch_slot(tables, id, 1, 9).await;
            assert_eq!(outcome.is_ok(), was_there, "merge by key: {outcome:?}");
            assert!(V::upsert_merge(tables, id).await.is_err(), "a part of an indexed entity");
            let mut patched = model.get(&id).cloned();
            if let Some(patched) = &mut patched {
                patched.hours[1] = Some(9);
            }
            patched
        }
        8 => {
            let Some(mut read) = V::find(id).get(tables).await.unwrap() else { return };
            let to = Item { id: id + 100, ..item };
            let stays = model[&id].badge == to.badge;
            read.set(&to);
            let outcome = tables.rekey(&read).await;
            assert_eq!(outcome.is_ok(), free && !stays, "rekey: {outcome:?}");
            if outcome.is_ok() {
                // And back, with a unique badge.
                let mut read = V::find(id + 100).get(tables).await.unwrap().unwrap();
                let back = Item { id, badge: 10 + id, ..to };
                read.set(&back);
                tables.rekey(&read).await.unwrap();
                Some(back)
            } else {
                None
            }
        }
        9 => {
            let Some(read) = V::find(id).get(tables).await.unwrap() else { return };
            tables.delete(&read).await.unwrap();
            model.remove(&id);
            None
        }
        10 => {
            V::erase_and_restore(tables, id).await.unwrap();
            None
        }
        _ => {
            assert_eq!(tables.delete_if_exists(V::find(id)).await.unwrap(), was_there);
            model.remove(&id);
            None
        }
    };
    model.extend(outcome.map(|item| (id, item)));
}

/// Returns the keys of a table's rows, without the library's own rows.
fn keys(store: &Store, table: &str) -> BTreeSet<(String, String)> {
    let segment = block_on(store.query(&TableName::new(table).unwrap(), Query::new()));
    let Ok(segment) = segment else { return BTreeSet::new() };
    assert!(segment.continuation.is_none());
    let key = |text: Option<&str>| text.unwrap().to_owned();
    let rows = segment.rows.iter().map(|row| (key(row.partition_key), key(row.row_key)));
    rows.filter(|(_, row_key)| !row_key.starts_with("!c_")).collect()
}

/// Returns the IDs in the rows of lists.
fn lists(store: &Store, table: &str, prefix: &str) -> BTreeMap<String, String> {
    let segment = block_on(store.query(&TableName::new(table).unwrap(), Query::new()));
    let Ok(segment) = segment else { return BTreeMap::new() };
    let rows = segment.rows.iter().filter_map(|row| match row.properties.to_properties().get("Ids") {
        Some(Value::String(ids)) => {
            let list = if prefix.is_empty() { row.partition_key } else { row.row_key };
            Some((list.unwrap().to_owned(), ids.clone()))
        }
        _ => None,
    });
    rows.collect()
}

/// Returns the blobs of a table's container, with their contents.
fn blobs(store: &Store, container: &str) -> BTreeMap<String, Vec<u8>> {
    let container = ContainerName::new(container).unwrap();
    let Ok(segment) = block_on(store.list_blobs(&container, ListBlobs::new())) else {
        return BTreeMap::new();
    };
    let read = |name: &str| {
        let blob = BlobAddress::from((container.clone(), BlobName::new(name).unwrap()));
        block_on(store.get_blob(&blob, ReadBlob::new())).unwrap().to_vec()
    };
    segment.items.iter().map(|item| (item.name().to_owned(), read(item.name()))).collect()
}

/// Compares all rows with the model. `lined` are the items, present or not, to which lines add.
fn check<V: Variant>(store: &Store, tables: &Tables, model: &Model, lined: &BTreeSet<u32>) {
    for item in model.values() {
        let found = block_on(V::find(item.id).get(tables)).unwrap().unwrap();
        let photo = block_on(found.photo(tables)).unwrap();
        let expected = Item { photo: Vec::new(), ..item.clone() };
        assert_eq!(found.item(), expected);
        assert!(photo.is_none_or(|photo| photo == item.photo));
    }
    let pairs = |rows: Vec<(String, String)>| rows.into_iter().collect::<BTreeSet<_>>();
    let shop = || SHOP.to_owned();
    let mut own = pairs(vec![(shop(), "shop".into())]);
    own.extend(lined.iter().map(|id| (shop(), format!("i_{id:06}"))));
    let (mut ordered, mut far_rows) = (BTreeSet::new(), BTreeSet::new());
    let mut members: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for Item { id, name, badge, rank, floor, .. } in model.values() {
        let row_key = format!("i_{id:06}");
        own.extend(pairs(vec![
            (shop(), row_key.clone()),
            (shop(), format!("a_{rank:06}_{id:06}")),
            (shop(), format!("b_{name}")),
            (shop(), format!("e_{floor:03}!{row_key}")),
            (shop(), format!("f_{floor:03}")),
            (format!("d_{badge:06}"), "holder".into()),
        ]));
        ordered.insert((format!("{rank:06}"), format!("{SHOP}_{id:06}")));
        far_rows.insert((floor_key(*floor), format!("farrows!{SHOP}!{row_key}")));
        members.entry(*floor).or_default().push(row_key);
    }
    assert_eq!(keys(store, "Items"), own);
    assert_eq!(keys(store, "ItemsInOrder"), ordered);
    assert_eq!(keys(store, "FarRows"), far_rows);
    let near = members.iter().map(|(floor, ids)| (format!("f_{floor:03}"), json(ids.clone())));
    assert_eq!(lists(store, "Items", "f_"), near.collect());
    let pair = |id: &String| format!("[\"{SHOP}\",\"{id}\"]");
    let far = members.iter().map(|(floor, ids)| {
        (floor_key(*floor), format!("[{}]", ids.iter().map(pair).collect::<Vec<_>>().join(",")))
    });
    assert_eq!(lists(store, "FarLists", ""), far.collect());
    let (in_lists, photos): (BTreeMap<_, _>, BTreeMap<_, _>) =
        blobs(store, "items").into_iter().partition(|(name, _)| name.starts_with("in_blobs/"));
    let lines = members.iter().map(|(floor, ids)| {
        let text: String = ids.iter().map(|id| pair(id) + "\n").collect();
        (format!("in_blobs/{}.jsonl", floor_key(*floor)), text.into_bytes())
    });
    assert_eq!(in_lists, lines.collect());
    let large = model.values().filter(|item| item.photo.len() > 10 && V::PATTERNS.contains(&18));
    let mut large: Vec<_> = large.map(|item| item.photo.clone()).collect();
    let mut found: Vec<_> = photos.into_values().collect();
    large.sort();
    found.sort();
    assert_eq!(found, large);
}

fn floor_key(floor: u32) -> String {
    format!("{floor:010}")
}

fn json(ids: Vec<String>) -> String {
    format!("[{}]", ids.iter().map(|id| format!("\"{id}\"")).collect::<Vec<_>>().join(","))
}

/// Ends a rotation. From now on, nothing can be read with an older key.
fn without_older(tables: &Tables, ring: &KeyRing) -> KeyRing {
    let first = block_on(tables.reencrypt_all().run()).unwrap();
    assert!(first.failed.is_empty() && first.unreadable == 0, "{first}");
    let second = block_on(tables.reencrypt_all().run()).unwrap();
    assert!(second.is_complete(), "{second}");
    let older = ring.ids().filter(|id| *id != ring.current());
    older.fold(ring.clone(), |ring, id| ring.without(id).unwrap())
}

macro_rules! programs {
    ($test:ident, $module:ident $(, $line:ident)?) => {
        #[test]
        fn $test() {
            use shops::$module::{Group, Item as Own, Owner, Shop};

            for seed in 0..3 {
                let mut dice = Seed::new(seed);
                let store = OpenOptions::new().in_memory().unwrap();
                let tables = Tables::new(store.clone()).with_queues(store.clone()).with_blobs(store.clone());
                let mut ring = KeyRing::generate().unwrap();
                let mut tables = tables.with_keys(ring.clone());
                let mut model = Model::new();
                let shop = Shop { shop: SHOP.into(), value: 0, most: None };
                block_on(tables.insert(&shop)).unwrap();
                for floor in 0..3 {
                    block_on(tables.insert(&Group { floor, value: 0, items: 0 })).unwrap();
                }
                for badge in 0..20 {
                    block_on(tables.insert(&Owner { badge, item: None })).unwrap();
                }
                #[allow(unused_mut, reason = "not every item is a target")]
                let mut weights: BTreeMap<u32, (u32, i64)> = BTreeMap::new();
                for step in 0..60 {
                    if step % 20 == 10 {
                        ring = ring.rotated().unwrap();
                        tables = tables.with_keys(ring.clone());
                    }
                    if step % 20 == 14 {
                        ring = without_older(&tables, &ring);
                        tables = tables.with_keys(ring.clone());
                    }
                    if dice.chance(1, 2) {
                        block_on(verb::<Own>(&tables, &mut model, &mut dice));
                    } else {
                        block_on(verb::<Own>(&tables.with_deferred_updates(), &mut model, &mut dice));
                        block_on(tables.catch_up()).unwrap();
                    }
                    $(
                        use shops::$module::$line;
                        let (line, id, weight) = (number(&mut dice, 5), number(&mut dice, 6), 1 + i64::from(number(&mut dice, 9)));
                        if dice.chance(1, 2) {
                            let is_main = line == id;
                            let new = $line { line, shop: SHOP.into(), id, weight, is_main };
                            block_on(tables.upsert(&new)).unwrap();
                            weights.insert(line, (id, weight));
                        } else if dice.chance(1, 3) {
                            let deleted = block_on(tables.delete_if_exists($line::point(line))).unwrap();
                            assert_eq!(deleted, weights.remove(&line).is_some());
                        }
                    )?
                    if step % 6 != 5 {
                        continue;
                    }
                    block_on(tables.catch_up()).unwrap();
                    let upgraded = block_on(tables.upgrade::<Own>().run()).unwrap();
                    assert!(upgraded.failed.is_empty(), "{upgraded:?}");
                    block_on(tables.catch_up()).unwrap();
                    let lined = weights.values().map(|(id, _)| *id).collect();
                    check::<Own>(&store, &tables, &model, &lined);
                    for former in ["FormerRows", "FormerLists"] {
                        assert_eq!(keys(&store, former), BTreeSet::new());
                    }
                    let verified = block_on(tables.verify::<Own>().run()).unwrap();
                    assert!(verified.is_clean() && verified.lagging == 0, "seed {seed}: {verified}");
                    let values = |floor: Option<u32>| {
                        let items = model.values().filter(move |item| floor.is_none_or(|floor| item.floor == floor));
                        items.map(|item| item.value).collect::<Vec<_>>()
                    };
                    let shop = block_on(Shop::point(SHOP).get(&tables)).unwrap().unwrap();
                    assert_eq!(shop.value, values(None).iter().sum::<i64>());
                    assert_eq!(shop.most, values(None).into_iter().max());
                    for floor in 0..3 {
                        let group = block_on(Group::point(floor).get(&tables)).unwrap().unwrap();
                        let values = values(Some(floor));
                        assert_eq!((group.value, group.items), (values.iter().sum(), values.len() as i64));
                    }
                    for badge in 0..20 {
                        let owner = block_on(Owner::point(badge).get(&tables)).unwrap().unwrap();
                        let item = model.values().find(|item| item.badge == badge);
                        let card = owner.item.clone().map(|card| (card.id, card.name, card.value));
                        assert_eq!(card, item.map(|item| (item.id, item.name.clone(), item.value)));
                    }
                    for item in model.values().filter(|_| Own::IS_TARGET) {
                        let found = block_on(Own::find(item.id).get(&tables)).unwrap().unwrap();
                        let of_item = weights.iter().filter(|(_, (id, _))| *id == item.id);
                        let main = weights.get(&item.id).filter(|(id, _)| *id == item.id).map(|_| item.id);
                        assert_eq!(found.kept(), (of_item.map(|(_, (_, weight))| *weight).sum(), main));
                    }
                }
                // All items expire.
                let expire = tables.clone().with_clock(shops::end).expire::<Own>();
                let report = block_on(expire.run()).unwrap();
                assert_eq!((report.deleted, report.failed.len()), (model.len() as u64, 0), "seed {seed}");
                block_on(tables.catch_up()).unwrap();
                let lined = weights.values().map(|(id, _)| *id).collect();
                check::<Own>(&store, &tables, &Model::new(), &lined);
            }
        }
    };
}

programs!(patterns_agree_on_one_entity, all, Line);
programs!(patterns_agree_beside_archive, archived, Line);
programs!(patterns_agree_beside_version, versioned);

#[test]
fn archived_target_leaves_totals_of_its_sources() {
    use shops::archived::{Item as Own, Line};

    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::new(store.clone()).with_queues(store.clone()).with_blobs(store.clone());
    let tables = tables.with_keys(KeyRing::generate().unwrap());
    let mut dice = Seed::new(1);
    let item = Item { photo: vec![3; 3_000], ..random(&mut dice, 3) };
    let b = tables.blocking();
    b.insert(&Own::of(&item)).unwrap();
    let line = |weight| Line { line: 3, shop: SHOP.into(), id: 3, weight, is_main: true };
    b.insert(&line(5)).unwrap();
    let read = b.get(&Own::find(3)).unwrap().unwrap();
    let key = read.key();
    assert_eq!(read.kept(), (5, Some(3)));
    for _ in 0..2 {
        block_on(tables.archive(&read)).unwrap();
        assert_eq!(block_on(tables.worker().on::<Archive<Own>>().pass()).unwrap().done, 1);
        block_on(tables.catch_up()).unwrap();
        let archived = block_on(tables.archived(&key)).unwrap().unwrap();
        assert_eq!((archived.item().secret, archived.kept()), (item.secret.clone(), (5, Some(3))));
        assert_eq!(block_on(archived.photo(&tables)).unwrap().as_ref(), Some(&item.photo));
        assert_eq!(blobs(&store, "items").len(), 0);
        assert!(blobs(&store, "formeritems").into_values().eq([item.photo.clone()]));
        assert!(b.get(&Own::find(3)).unwrap().is_none());
        let own = keys(&store, "Items").into_iter().filter(|(shop, row)| shop == SHOP && row != "shop");
        assert_eq!(own.collect::<Vec<_>>(), [(SHOP.to_owned(), "i_000003".to_owned())]);
        for table in ["ItemsInOrder", "FarRows", "FarLists"] {
            assert_eq!(keys(&store, table), BTreeSet::new(), "{table}");
        }
    }
    // It is recreated with the values that its sources added in the meantime, and is deleted again.
    b.upsert(&line(7)).unwrap();
    block_on(tables.catch_up()).unwrap();
    b.insert(&Own::of(&item)).unwrap();
    let read = b.get(&Own::find(3)).unwrap().unwrap();
    assert_eq!(read.kept(), (7, Some(3)));
    assert!(block_on(tables.move_entity(&key, "FormerItems")).unwrap());
    block_on(tables.catch_up()).unwrap();
    assert_eq!(blobs(&store, "items").len(), 0);
    assert!(blobs(&store, "formeritems").into_values().eq([item.photo.clone()]));
    b.delete_at(Line::point(3)).unwrap();
    block_on(tables.catch_up()).unwrap();
    assert!(!keys(&store, "Items").iter().any(|(_, row)| row == "i_000003"));
    assert!(block_on(tables.verify::<Own>().run()).unwrap().is_clean());
    assert!(block_on(tables.verify::<Line>().run()).unwrap().is_clean());
}

/// Maintenance by a process that lacks the newest key, or all keys.
#[test]
fn maintenance_without_the_key_damages_nothing() {
    use shops::all::{Group, Item as Own, Owner, Shop};

    let ring = KeyRing::generate().unwrap();
    for has_old_key in [false, true] {
        let store = OpenOptions::new().in_memory().unwrap();
        let clear = Tables::new(store.clone()).with_queues(store.clone()).with_blobs(store.clone());
        let tables = clear.clone().with_keys(ring.rotated().unwrap());
        let blind = if has_old_key { clear.with_keys(ring.clone()) } else { clear };
        let b = tables.blocking();
        b.insert(&Shop { shop: SHOP.into(), value: 0, most: None }).unwrap();
        for number in 0..4 {
            b.insert(&Group { floor: number, value: 0, items: 0 }).unwrap();
            b.insert(&Owner { badge: number, item: None }).unwrap();
        }
        let mut model = Model::new();
        let mut dice = Seed::new(3);
        for id in 0..4 {
            let item = Item { id, name: format!("n{id}"), badge: id, ..random(&mut dice, id) };
            b.insert(&Own::of(&item)).unwrap();
            model.insert(id, item);
        }
        // Pending commits.
        let behind = tables.with_deferred_updates();
        for id in 0..3 {
            let mut read = b.get(&Own::find(id)).unwrap().unwrap();
            if id == 2 {
                behind.blocking().delete(&read).unwrap();
                model.remove(&id);
                continue;
            }
            let old = &model[&id];
            let item = Item { floor: old.floor + 1, rank: old.rank + 1, secret: "new".into(), ..old.clone() };
            read.set(&item);
            behind.blocking().replace(&read).unwrap();
            model.insert(id, item);
        }
        let mut failed = Vec::new();
        for _ in 0..8 {
            failed.push(block_on(blind.catch_up()).is_err());
            failed.push(block_on(blind.worker().register_entity::<Own>().pass()).is_err());
            failed.push(block_on(blind.verify::<Own>().repair().run()).is_err());
            failed.push(block_on(blind.collect_blobs::<Own>().older_than(Duration::ZERO).run()).is_err());
            failed.push(block_on(blind.sweep().run()).is_err());
            failed.push(block_on(blind.upgrade::<Own>().run()).is_err());
            for index in Own::DESIGN.indexes {
                failed.push(block_on(blind.reindex::<Own>(index.name).run()).is_err());
            }
        }
        assert!(failed.contains(&true), "it lacks the key");
        block_on(tables.catch_up()).unwrap();
        check::<Own>(&store, &tables, &model, &BTreeSet::new());
        let verified = block_on(tables.verify::<Own>().run()).unwrap();
        assert!(verified.is_clean() && verified.lagging == 0, "{verified}");
    }
}
