//! Sharded keys and tables per period, together with the patterns that support them.

use std::collections::{BTreeMap, BTreeSet};

use pollster::block_on;
use table_patterns::{Address, KeyRing, prelude::*};
use table_store::{OpenOptions, Query, Store, TableService};
use table_tests::seed::Seed;

use super::shops::{Place, end};

/// Period, shard, series, encryption, an archive, versions, a nested struct, expiry and time stamps.
pub(crate) const VISIT: &[usize] = &[14, 16, 17, 19, 20, 21, 23, 24, 25];

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Visits{at:%Y%m%d}", partition = "{shop}_{shard:02}", row = "i_{id:06}_{at:inverted_ticks}")]
#[table(shard(of = id, count = 4), archive = "FormerVisits", version = 2, from(VisitV1), expires = until)]
struct Visit {
    shop: String,
    id: u32,
    at: Timestamp,
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

impl Visit {
    /// Returns the visit without the times that the library sets, after a check that they are set.
    fn untimed(self) -> Self {
        assert!(self.changed.is_some() && self.made <= self.changed, "{self:?}");
        Self { made: None, changed: None, ..self }
    }
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Visits{at:%Y%m%d}", partition = "{shop}_{shard:02}", row = "i_{id:06}_{at:inverted_ticks}")]
#[table(shard(of = id, count = 4), entity_type = "Visit")]
struct VisitV1 {
    shop: String,
    id: u32,
    at: Timestamp,
}

impl From<VisitV1> for Visit {
    fn from(VisitV1 { shop, id, at }: VisitV1) -> Self {
        Self { shop, hours: [None; 4], secret: "first".into(), ..visit(id, at, 0) }
    }
}

/// Shard, a blob, series, encryption, versions, aggregates and copied fields.
pub(crate) const PARCEL: &[usize] = &[10, 12, 14, 17, 18, 19, 21];

#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Parcel)]
struct Heaviest {
    id: u32,
    weight: i64,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Depots", partition = "{depot:03}", row = "depot")]
struct Depot {
    depot: u32,
    #[table(from_source)]
    weight: i64,
    #[table(from_source)]
    heaviest: Option<Heaviest>,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Parcels", partition = "{shard:02}", row = "p_{id:06}")]
#[table(shard(of = id, count = 4), version = 2, from(ParcelV1))]
#[table(summed_in(Depot::weight, of = weight), copied_to(Depot::heaviest, when = is_heaviest))]
struct Parcel {
    id: u32,
    depot: u32,
    weight: i64,
    is_heaviest: bool,
    #[table(series)]
    hours: [Option<i32>; 4],
    #[table(encrypt)]
    secret: String,
    #[table(blob, inline = 10)]
    photo: Blob,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Parcels", partition = "{shard:02}", row = "p_{id:06}", entity_type = "Parcel")]
#[table(shard(of = id, count = 4))]
struct ParcelV1 {
    id: u32,
}

impl From<ParcelV1> for Parcel {
    fn from(ParcelV1 { id }: ParcelV1) -> Self {
        parcel(id, 0, 0, "")
    }
}

fn parcel(id: u32, depot: u32, weight: i64, secret: &str) -> Parcel {
    let photo = Blob::new(vec![7; 2_000]);
    let is_heaviest = id == depot;
    Parcel { id, depot, weight, is_heaviest, hours: [None; 4], secret: secret.into(), photo }
}

/// Shard, an archive, aggregates and copied fields.
pub(crate) const LETTER: &[usize] = &[10, 12, 14, 17, 19, 20];

#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Letter)]
struct Last {
    id: u32,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Boxes", partition = "{letterbox:03}", row = "box")]
struct LetterBox {
    letterbox: u32,
    #[table(from_source)]
    letters: i64,
    #[table(from_source)]
    last: Option<Last>,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Letters", partition = "{shard:02}", row = "l_{id:06}", archive = "FormerLetters")]
#[table(shard(of = id, count = 4))]
#[table(counted_in(LetterBox::letters), copied_to(LetterBox::last))]
struct Letter {
    id: u32,
    letterbox: u32,
    #[table(series)]
    hours: [Option<i32>; 4],
    #[table(encrypt)]
    secret: String,
}

/// Wide, with one table per period, a shard, a series and a nested struct.
pub(crate) const SHEET: &[usize] = &[14, 15, 16, 17, 23];

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Sheets{at:%Y%m}", partition = "{shop}_{shard:02}", row = "s_{id:06}_{at:ticks}_{part:02}")]
#[table(shard(of = id, count = 4), wide = 3)]
struct Sheet {
    shop: String,
    id: u32,
    at: Timestamp,
    #[table(series)]
    hours: [Option<i32>; 10],
    #[table(flatten)]
    place: Place,
}

fn keys(store: &Store, prefix: &str) -> BTreeSet<(String, String, String)> {
    let tables = block_on(store.list_tables(Default::default())).unwrap();
    let mut keys = BTreeSet::new();
    for table in tables.tables.iter().filter(|table| table.as_str().starts_with(prefix)) {
        let rows = block_on(store.query(table, Query::new())).unwrap().rows;
        keys.extend(rows.iter().map(|row| {
            let key = |text: Option<&str>| text.unwrap().to_owned();
            (table.as_str().to_owned(), key(row.partition_key), key(row.row_key))
        }));
    }
    keys
}

fn place(address: &Address) -> (String, String, String) {
    let (partition_key, row_key) = (address.partition_key().to_owned(), address.row_key().to_owned());
    (address.table().as_str().to_owned(), partition_key, row_key)
}

fn day(number: usize) -> Timestamp {
    format!("2014-07-{:02}T10:00:00Z", number + 1).parse().unwrap()
}

fn sealed() -> (Store, Tables) {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::new(store.clone()).with_queues(store.clone()).with_blobs(store.clone());
    (store, tables.with_keys(KeyRing::generate().unwrap()))
}

fn visit(id: u32, at: Timestamp, secret: u64) -> Visit {
    let (hours, place) = ([Some(1), None, None, None], Place::of("Bonn", id));
    let secret = secret.to_string();
    Visit { shop: "north".into(), id, at, hours, secret, place, until: end(), made: None, changed: None }
}

/// Writes concurrent with moves into the archive and the deletion of periods.
#[test]
fn periods_and_shards_keep_secrets_and_archives() {
    for seed in 0..8 {
        let mut dice = Seed::new(seed);
        let (store, tables) = sealed();
        let (mut model, mut archived) = (BTreeMap::new(), BTreeMap::new());
        for _ in 0..80 {
            let (id, at) = (u32::try_from(dice.below(5)).unwrap(), day(dice.below(4)));
            let new = visit(id, at, dice.draw());
            let point = Visit::point("north", id, at);
            let was_there = model.contains_key(&(at, id));
            let b = tables.blocking();
            let done = match dice.below(9) {
                0 => b.insert(&new).is_ok().then_some(new.clone()),
                1 => b.upsert(&new).is_ok().then_some(new.clone()),
                2 => {
                    let old = VisitV1 { shop: "north".into(), id, at };
                    match b.upsert(&old) {
                        Err(Error::Decode(error)) if error.is_newer() => None,
                        written => written.map(|_| Some(old.into())).unwrap(),
                    }
                }
                3 => {
                    let Some(mut read) = b.get(&point).unwrap() else { continue };
                    *read = new.clone();
                    b.replace(&read).unwrap();
                    Some(new.clone())
                }
                4 => {
                    let Some(read) = b.get(&point).unwrap() else { continue };
                    if !matches!(read.hours, [Some(_), ..]) {
                        continue;
                    }
                    b.merge(read.patch().secret("patched".into()).hours(3, 4)).unwrap();
                    let mut patched = Visit { made: None, changed: None, ..read.into_inner() };
                    (patched.secret, patched.hours[3]) = ("patched".into(), Some(4));
                    Some(patched)
                }
                5 => {
                    assert_eq!(b.delete_if_exists(&point).unwrap(), was_there);
                    model.remove(&(at, id));
                    None
                }
                6 => {
                    let Some(read) = b.get(&point).unwrap() else { continue };
                    block_on(tables.archive(&read)).unwrap();
                    assert_eq!(block_on(tables.worker().on::<Archive<Visit>>().pass()).unwrap().done, 1);
                    archived.insert((at, id), Visit { made: None, changed: None, ..read.into_inner() });
                    model.remove(&(at, id));
                    None
                }
                7 if dice.chance(1, 4) => {
                    block_on(tables.drop_before::<Visit>(day(1))).unwrap();
                    model.retain(|(at, _), _| *at >= day(1));
                    None
                }
                _ => None,
            };
            model.extend(done.map(|visit| ((at, id), visit)));
        }
        let expected = model.keys().map(|(at, id)| {
            let address = visit(*id, *at, 0).address().unwrap();
            let days = at.to_string()[..10].replace('-', "");
            assert_eq!(address.table().as_str(), format!("Visits{days}"));
            place(&address)
        });
        assert_eq!(keys(&store, "Visits"), expected.collect(), "seed {seed}");
        assert_eq!(keys(&store, "FormerVisits").len(), archived.len(), "seed {seed}");
        for visit in model.values() {
            let point = Visit::point("north", visit.id, visit.at);
            let read = tables.blocking().get(&point).unwrap().unwrap();
            if read.changed.is_none() {
                // The older version has no times.
                assert_eq!((read.secret.as_str(), read.made), ("first", None), "seed {seed}");
                continue;
            }
            assert_eq!(read.into_inner().untimed(), *visit, "seed {seed}");
        }
        for visit in archived.values() {
            let read = block_on(tables.archived(&visit.key())).unwrap();
            let read = read.map(|read| Visit { made: None, changed: None, ..read });
            assert_eq!(read.as_ref(), Some(visit), "seed {seed}");
        }
    }
}

#[test]
fn sources_with_spread_keys_keep_totals_and_blobs() {
    for seed in 0..4 {
        let mut dice = Seed::new(seed);
        let (store, tables) = sealed();
        let b = tables.blocking();
        for depot in 0..3 {
            b.insert(&Depot { depot, weight: 0, heaviest: None }).unwrap();
            b.insert(&LetterBox { letterbox: depot, letters: 0, last: None }).unwrap();
        }
        let mut parcels = BTreeMap::new();
        for _ in 0..40 {
            let (id, depot) = (u32::try_from(dice.below(6)).unwrap(), u32::try_from(dice.below(3)).unwrap());
            let new = parcel(id, depot, i64::try_from(dice.below(30)).unwrap(), "secret");
            let done = match dice.below(6) {
                0 => b.insert(&new).is_ok().then_some(new),
                1 => b.upsert(&new).is_ok().then_some(new),
                2 => {
                    let Some(mut read) = b.get(&Parcel::point(id)).unwrap() else { continue };
                    *read = new.clone();
                    b.replace(&read).unwrap();
                    Some(new)
                }
                3 => {
                    let Some(read) = b.get(&Parcel::point(id)).unwrap() else { continue };
                    b.merge(read.patch().weight(new.weight).secret("patched".into())).unwrap();
                    let old: &Parcel = &parcels[&id];
                    Some(Parcel { weight: new.weight, secret: "patched".into(), ..old.clone() })
                }
                _ => {
                    assert_eq!(b.delete_if_exists(Parcel::point(id)).unwrap(), parcels.remove(&id).is_some());
                    None
                }
            };
            parcels.extend(done.map(|parcel| (id, parcel)));
        }
        block_on(tables.catch_up()).unwrap();
        assert!(block_on(tables.verify::<Parcel>().run()).unwrap().is_clean());
        let expected = parcels.keys().map(|id| place(&parcel(*id, 0, 0, "").address().unwrap()));
        assert_eq!(keys(&store, "Parcels"), expected.collect(), "seed {seed}");
        for (id, parcel) in &parcels {
            let found = b.get(&Parcel::point(*id)).unwrap().unwrap();
            assert_eq!(
                (&found.secret, found.depot, found.weight),
                (&parcel.secret, parcel.depot, parcel.weight)
            );
            assert_eq!(block_on(found.photo.read(&tables)).unwrap().len(), 2_000);
        }
        for depot in 0..3 {
            let found = b.get(&Depot::point(depot)).unwrap().unwrap();
            let weights = parcels.values().filter(|parcel| parcel.depot == depot).map(|parcel| parcel.weight);
            assert_eq!(found.weight, weights.sum::<i64>(), "seed {seed}");
            let heaviest = parcels.get(&depot).filter(|parcel| parcel.depot == depot);
            let expected = heaviest.map(|parcel| Heaviest { id: depot, weight: parcel.weight });
            assert_eq!(found.heaviest, expected, "seed {seed}");
        }
    }
}

#[test]
fn archived_sources_leave_their_totals() {
    let (store, tables) = sealed();
    let b = tables.blocking();
    b.insert(&LetterBox { letterbox: 1, letters: 0, last: None }).unwrap();
    let letter = Letter { id: 7, letterbox: 1, hours: [None; 4], secret: "S".into() };
    for round in 0..2 {
        b.insert(&letter).unwrap();
        let found = b.get(&LetterBox::point(1)).unwrap().unwrap();
        assert_eq!((found.letters, found.last.clone()), (1, Some(Last { id: 7 })), "round {round}");
        let read = b.get(&Letter::point(7)).unwrap().unwrap();
        block_on(tables.archive(&read)).unwrap();
        assert_eq!(block_on(tables.worker().on::<Archive<Letter>>().pass()).unwrap().done, 1);
        block_on(tables.catch_up()).unwrap();
        let found = b.get(&LetterBox::point(1)).unwrap().unwrap();
        assert_eq!((found.letters, found.last.clone()), (0, None), "round {round}");
        assert_eq!(block_on(tables.archived(&letter.key())).unwrap(), Some(letter.clone()));
        assert_eq!(keys(&store, "Letters"), BTreeSet::new());
        assert_eq!(keys(&store, "FormerLetters").len(), 1);
        assert!(block_on(tables.verify::<Letter>().run()).unwrap().is_clean());
    }
}

#[test]
fn wide_rows_stay_in_their_period_and_shard() {
    let (store, tables) = sealed();
    let b = tables.blocking();
    for id in 0..6 {
        let at = day(3);
        let point = || Sheet::point("north", id, at);
        let hours = |set: &[usize]| std::array::from_fn(|hour| set.contains(&hour).then_some(1));
        let place = || Place::of("Bonn", id);
        let sheet = |set| Sheet { shop: "north".into(), id, at, hours: hours(set), place: place() };
        b.insert(&sheet(&[0, 4])).unwrap();
        b.merge(Sheet::patch("north", id, at).hours(9, 1)).unwrap();
        b.upsert_merge(Sheet::patch("north", id, at).hours(5, 1)).unwrap();
        assert_eq!(*b.get(&point()).unwrap().unwrap(), sheet(&[0, 4, 5, 9]));
        b.update(point(), |read| read.hours = hours(&[8])).unwrap();
        let head = sheet(&[]).address().unwrap();
        let own: Vec<_> = keys(&store, "Sheets")
            .into_iter()
            .filter(|row| row.2.starts_with(&format!("s_{id:06}")))
            .collect();
        let stem = head.row_key().strip_suffix("00").unwrap();
        let row = |part: &str| {
            ("Sheets201407".to_owned(), head.partition_key().to_owned(), format!("{stem}{part}"))
        };
        assert_eq!(own, [row("00"), row("02"), row("03")]);
        b.upsert(&sheet(&[1])).unwrap();
        let read = b.get(&point()).unwrap().unwrap();
        if id < 3 {
            b.delete(&read).unwrap();
            assert!(b.get(&point()).unwrap().is_none());
        }
    }
    assert_eq!(keys(&store, "Sheets").len(), 6);
    block_on(tables.drop_before::<Sheet>("2014-08-01T00:00:00Z".parse().unwrap())).unwrap();
    assert_eq!(keys(&store, "Sheets").len(), 0);
}

/// Every pair that the book's table allows is used by one of the entities of these tests.
#[test]
fn every_pair_of_the_book_is_tested() {
    use super::shops::{Variant, all, archived, versioned};
    use crate::{changes::combined as feeds, soft_delete};

    let tested = [
        all::Item::PATTERNS,
        archived::Item::PATTERNS,
        versioned::Item::PATTERNS,
        VISIT,
        PARCEL,
        LETTER,
        SHEET,
        feeds::ITEM,
        feeds::USER,
        feeds::METER,
        soft_delete::USER,
        soft_delete::STAY,
    ];
    let mut pairs = 0;
    for line in include_str!("../../../../docs/guide/combinations.md").lines() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let Some(row) = cells.first().and_then(|cell| cell.parse::<usize>().ok()) else { continue };
        for (at, cell) in cells.iter().skip(2).enumerate() {
            let column = at + 1;
            if row < column && *cell != "–" {
                let is_tested = tested.iter().any(|set| set.contains(&row) && set.contains(&column));
                assert!(is_tested, "{row} and {column}");
                pairs += 1;
            }
        }
    }
    assert_eq!(pairs, 272);
}
