//! Random programs against a plain map, on both engines, with restarts in between.

use std::collections::BTreeMap;

use proptest::{collection::vec, prelude::*};
use table_store::{
    Condition, ETag, Entity, ErrorCode, Filter, Operation, Plan, Properties, Query, Result, TableName,
    Written,
    embedded::{BlockingStore, MapStorage, MemoryDisk, OpenOptions},
    key,
};

/// What a program does. Tables, partitions, rows and versions are small numbers, so that programs meet themselves.
#[derive(Clone, Debug)]
enum Step {
    Create(u8),
    DeleteTable(u8),
    Write(u8, Act),
    Transact(u8, Vec<Act>),
    Get(u8, Keys),
    Query(u8, u8, u8),
    Reopen,
}

type Keys = (u8, u8);

#[derive(Clone, Debug)]
struct Act {
    kind: u8,
    keys: Keys,
    version: Version,
    properties: Vec<(u8, i32)>,
}

#[derive(Clone, Copy, Debug)]
enum Version {
    Any,
    Current,
    Old,
}

const PARTS: [&str; 4] = ["", "a", "a\u{ffff}", "a\u{10000}"];

fn keys() -> impl Strategy<Value = Keys> {
    (0..4_u8, 0..4_u8)
}

fn act() -> impl Strategy<Value = Act> {
    let version = prop_oneof![Just(Version::Any), Just(Version::Current), Just(Version::Old)];
    (0..6_u8, keys(), version, vec((0..3_u8, any::<i32>()), 0..3))
        .prop_map(|(kind, keys, version, properties)| Act { kind, keys, version, properties })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => (0..2_u8).prop_map(Step::Create),
        1 => (0..2_u8).prop_map(Step::DeleteTable),
        8 => (0..2_u8, act()).prop_map(|(table, act)| Step::Write(table, act)),
        3 => (0..2_u8, vec(act(), 1..5)).prop_map(|(table, acts)| Step::Transact(table, acts)),
        2 => (0..2_u8, keys()).prop_map(|(table, keys)| Step::Get(table, keys)),
        4 => (0..2_u8, 0..6_u8, 1..6_u8).prop_map(|(table, filter, top)| Step::Query(table, filter, top)),
        1 => Just(Step::Reopen),
    ]
}

/// An entity in the model, and its version in the store.
type Stored = (Properties, Option<ETag>);
type ModelTable = Vec<((String, String), Stored)>;

#[derive(Default)]
struct Model {
    tables: BTreeMap<u8, ModelTable>,
}

fn find<'m>(table: &'m mut ModelTable, keys: &(String, String)) -> Option<&'m mut Stored> {
    table.iter_mut().find(|(known, _)| known == keys).map(|(_, stored)| stored)
}

fn texts((p, r): Keys) -> (String, String) {
    (PARTS[usize::from(p)].to_owned(), PARTS[usize::from(r)].to_owned())
}

fn name(table: u8) -> TableName {
    format!("Table{table}").parse().unwrap()
}

impl Act {
    fn operation(&self, current: Option<&ETag>) -> Operation {
        let (partition_key, row_key) = texts(self.keys);
        let mut entity = Entity::new(partition_key.clone(), row_key.clone());
        entity.properties =
            self.properties.iter().map(|(name, value)| (format!("P{name}"), *value)).collect();
        let old: ETag = "W/\"old\"".parse().unwrap();
        let condition = match (self.version, current) {
            (Version::Any, _) => Condition::Exists,
            (Version::Current, Some(etag)) => Condition::Matches(etag.clone()),
            _ => Condition::Matches(old),
        };
        match self.kind {
            0 => Operation::Insert(entity),
            1 => Operation::Replace(entity, condition),
            2 => Operation::Merge(entity, condition),
            3 => Operation::InsertOrReplace(entity),
            4 => Operation::InsertOrMerge(entity),
            _ => Operation::Delete { partition_key, row_key, condition },
        }
    }

    /// The rules of the service, written down once more.
    fn expect(&self, table: &mut ModelTable) -> Option<ErrorCode> {
        let keys = texts(self.keys);
        let sent: Properties =
            self.properties.iter().map(|(name, value)| (format!("P{name}"), *value)).collect();
        let there = find(table, &keys).is_some();
        match self.kind {
            0 if there => return Some(ErrorCode::EntityAlreadyExists),
            0 | 3 | 4 => {}
            _ if !there => return Some(ErrorCode::ResourceNotFound),
            _ if matches!(self.version, Version::Old) => return Some(ErrorCode::UpdateConditionNotSatisfied),
            _ => {}
        }
        let merged = match find(table, &keys) {
            Some((stored, _)) if matches!(self.kind, 2 | 4) => {
                let mut merged = stored.clone();
                for (name, value) in &sent {
                    merged.set(name.clone(), value.clone());
                }
                merged
            }
            _ => sent,
        };
        table.retain(|(known, _)| *known != keys);
        if self.kind < 5 {
            table.push((keys, (merged, None)));
        }
        None
    }
}

fn note(table: &mut ModelTable, act: &Act, written: &Written) {
    if let (Some(stored), Some(etag)) = (find(table, &texts(act.keys)), written.etag()) {
        stored.1 = Some(etag.clone());
    }
}

fn code<T>(result: &Result<T>) -> Option<(ErrorCode, Option<usize>)> {
    result.as_ref().err().map(|error| (error.code(), error.index()))
}

fn run(program: &[Step], open: &dyn Fn() -> BlockingStore) {
    let mut store = open();
    let mut model = Model::default();
    for step in program {
        match step {
            Step::Reopen => {
                drop(store);
                store = open();
            }
            Step::Create(table) => {
                let result = store.create_table(&name(*table));
                let exists = model.tables.contains_key(table);
                assert_eq!(code(&result), exists.then_some((ErrorCode::TableAlreadyExists, None)));
                model.tables.entry(*table).or_default();
            }
            Step::DeleteTable(table) => {
                let result = store.delete_table(&name(*table));
                let there = model.tables.remove(table).is_some();
                assert_eq!(code(&result), (!there).then_some((ErrorCode::ResourceNotFound, None)));
                store.swept().unwrap();
            }
            Step::Write(table, act) => {
                let Some(rows) = model.tables.get_mut(table) else {
                    let result = store.execute(&name(*table), act.operation(None));
                    assert_eq!(code(&result), Some((ErrorCode::TableNotFound, None)));
                    continue;
                };
                let current = find(rows, &texts(act.keys)).and_then(|stored| stored.1.clone());
                let result = store.execute(&name(*table), act.operation(current.as_ref()));
                assert_eq!(code(&result).map(|(code, _)| code), act.expect(rows), "{act:?}");
                if let Ok(written) = result {
                    note(rows, act, &written);
                }
            }
            Step::Transact(table, acts) => transact(&store, &mut model, *table, acts),
            Step::Get(table, keys) => {
                let (partition_key, row_key) = texts(*keys);
                let result = store.get(&name(*table), &partition_key, &row_key, None);
                match model.tables.get_mut(table) {
                    None => assert_eq!(code(&result), Some((ErrorCode::TableNotFound, None))),
                    Some(rows) => {
                        let found = result.unwrap().map(|row| (row.properties, Some(row.etag)));
                        assert_eq!(found.as_ref(), find(rows, &(partition_key, row_key)).as_deref());
                    }
                }
            }
            Step::Query(table, filter, top) => query(&store, &model, *table, *filter, *top),
        }
    }
}

fn transact(store: &BlockingStore, model: &mut Model, table: u8, acts: &[Act]) {
    // One partition, each entity once, as far as the program goes: the other refusals have tests of their own.
    let mut acts: Vec<Act> = acts.to_vec();
    let partition = acts[0].keys.0;
    let mut seen = Vec::new();
    acts.retain_mut(|act| {
        act.keys.0 = partition;
        let new = !seen.contains(&act.keys);
        seen.push(act.keys);
        new
    });
    let Some(rows) = model.tables.get_mut(&table) else {
        let operations = acts.iter().map(|act| act.operation(None)).collect();
        let result = store.transact(&name(table), operations);
        assert_eq!(code(&result), Some((ErrorCode::TableNotFound, Some(0))));
        return;
    };
    let etag =
        |rows: &mut ModelTable, act: &Act| find(rows, &texts(act.keys)).and_then(|stored| stored.1.clone());
    let operations = acts.iter().map(|act| act.operation(etag(rows, act).as_ref())).collect();
    let result = store.transact(&name(table), operations);
    let mut after = rows.clone();
    let refused =
        acts.iter().enumerate().find_map(|(index, act)| Some((act.expect(&mut after)?, Some(index))));
    assert_eq!(code(&result), refused, "{acts:?}");
    if let Ok(written) = result {
        *rows = after;
        for (act, written) in acts.iter().zip(&written) {
            note(rows, act, written);
        }
    }
}

fn query(store: &BlockingStore, model: &Model, table: u8, filter: u8, top: u8) {
    let texts = [
        "PartitionKey eq 'a'",
        "PartitionKey ge 'a' and RowKey lt 'b'",
        "P0 gt 0",
        "PartitionKey eq 'a' and RowKey eq 'a' or P1 le 0",
        "not (P2 eq 1) and RowKey ne ''",
    ];
    let filter = texts.get(usize::from(filter)).map(|text| Filter::parse(text).unwrap());
    let mut next = Query { filter: filter.clone(), top: Some(top.into()), ..Query::new() };
    let Some(rows) = model.tables.get(&table) else {
        assert_eq!(code(&store.query(&name(table), next)), Some((ErrorCode::TableNotFound, None)));
        return;
    };
    let mut expected: Vec<_> = rows.clone();
    expected.sort_by(|((p, r), _), ((q, s), _)| key::compare(p, q).then_with(|| key::compare(r, s)));
    expected.retain(|((p, r), (properties, _))| {
        let entity = Entity { properties: properties.clone(), ..Entity::new(p, r) };
        filter.as_ref().is_none_or(|filter| filter.matches(&entity))
    });
    let mut found = Vec::new();
    let ranges = Plan::of(filter.as_ref()).ranges.len();
    loop {
        let segment = store.query(&name(table), next.clone()).unwrap();
        assert!(segment.rows.len() <= usize::from(top) && segment.stats.ranges == ranges);
        found.extend(segment.rows.into_iter().map(|row| {
            ((row.partition_key.unwrap(), row.row_key.unwrap()), (row.properties, Some(row.etag)))
        }));
        next.continuation = segment.continuation;
        if next.continuation.is_none() {
            break;
        }
    }
    assert_eq!(found, expected);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn the_store_in_a_file_behaves_like_the_model(program in vec(step(), 1..60)) {
        let disk = MemoryDisk::new();
        run(&program, &|| OpenOptions::new().open_disk(disk.clone()).unwrap().blocking());
    }

    #[test]
    fn the_store_on_a_map_behaves_like_the_model(program in vec(step(), 1..60)) {
        let storage = MapStorage::default();
        run(&program, &|| OpenOptions::new().open_map(storage.clone()).unwrap().blocking());
    }
}
