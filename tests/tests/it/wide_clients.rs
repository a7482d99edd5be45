//! Several clients on one wide entity: no reader returns parts of two writes, and no patch is lost. The same test
//! detects three incorrect variants of the protocol.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::cell::RefCell;

use table_patterns::prelude::*;
use table_store::{OpenOptions, Query as TableQuery, Rows, ValueRef};
use table_tests::{
    schedule::{Client, Crashes, run},
    seed::Seed,
    unreliable::{Faults, Unreliable},
};

/// A head, three parts that are written together, four that are patched.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Shared", partition = "p", row = "x_{part:02}", wide = 2, allow(append_only))]
struct Shared {
    /// Number of elements in `whole`, all of which equal `value`.
    count: i64,
    value: i64,
    #[table(series)]
    whole: [Option<i64>; 6],
    /// Each client increments its own slot, and writes every third number to a second slot, in another row, in the same
    /// write.
    #[table(series)]
    own: [Option<i64>; 2 * CLIENTS],
}

const CLIENTS: usize = 4;

/// The deviation from the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    /// No deviation.
    Right,
    /// A reader accepts the rows without a check.
    NoCheck,
    /// A reader checks only one stamp.
    OneStamp,
    /// A replace does not require the versions that it read.
    ReplaceNoEtag,
}

fn written(state: &mut Shared, value: i64) {
    let count = usize::try_from(value % 7).unwrap();
    state.whole = std::array::from_fn(|at| (at < count).then_some(value));
    (state.count, state.value) = (i64::try_from(count).unwrap(), value);
}

/// Events recorded by all clients.
#[derive(Debug, Default)]
struct Journal {
    /// For each client the last acknowledged patch, and the last sent patch.
    patches: [(i64, i64); CLIENTS],
    found: Option<String>,
    reads: u32,
}

impl Journal {
    fn look(&mut self, seen: &Shared, earlier: &mut [i64; CLIENTS]) {
        self.reads += 1;
        let mut expected = seen.clone();
        written(&mut expected, seen.value);
        if *seen != expected {
            self.found = Some(format!("torn: {seen:?}"));
        }
        for (client, (own, earlier)) in seen.own.iter().zip(earlier).enumerate() {
            let own = own.unwrap_or(0);
            if own < *earlier {
                self.found = Some(format!("client {client} went back from {earlier} to {own}"));
            }
            *earlier = own;
            let thirds = seen.own.get(CLIENTS + client).copied().flatten().unwrap_or(0);
            if thirds != own / 3 * 3 {
                self.found = Some(format!("client {client}: half a patch, {own} and {thirds}"));
            }
        }
    }
}

/// Returns whether the error is caused by the network or by another client.
fn may_be_repeated(error: &Error) -> bool {
    let of_network = [ErrorCode::OperationTimedOut, ErrorCode::ServerBusy];
    error.is_conflict() || error.code().is_some_and(|code| of_network.contains(&code))
}

async fn retried<T>(mut call: impl AsyncFnMut() -> Result<T>) -> T {
    loop {
        match call().await {
            Ok(value) => return value,
            Err(error) if may_be_repeated(&error) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// Writes the complete entity several times.
async fn replacer(tables: &Tables, number: i64, variant: Variant) {
    for round in 0..6 {
        let value = 100 * round + 10 * number + round;
        let attempt = async || {
            let Some(mut stored) = Shared::point().get(tables).await? else { return Ok(()) };
            written(&mut stored, value);
            match variant {
                Variant::ReplaceNoEtag => tables.replace_any(&*stored).await?,
                _ => tables.replace(&stored).await?,
            };
            Ok(())
        };
        let outcome: Result<()> = attempt().await;
        match outcome {
            Err(error) if may_be_repeated(&error) => {}
            other => other.unwrap(),
        }
    }
}

/// Increments its own slots.
async fn patcher(tables: &Tables, client: usize, journal: &RefCell<Journal>) {
    for value in 1..=8 {
        journal.borrow_mut().patches[client].1 = value;
        retried(async || {
            let mut patch = Shared::patch().own(client, value);
            if value % 3 == 0 {
                patch = patch.own(CLIENTS + client, value);
            }
            tables.upsert_merge(patch).await
        })
        .await;
        journal.borrow_mut().patches[client].0 = value;
    }
}

async fn reader(tables: &Tables, variant: Variant, journal: &RefCell<Journal>) {
    let mut earlier = [0; CLIENTS];
    for _ in 0..12 {
        let seen = match variant {
            Variant::Right | Variant::ReplaceNoEtag => {
                retried(async || Shared::point().get(tables).await).await.map(Stored::into_inner)
            }
            wrong => retried(async || by_hand(tables, wrong).await).await,
        };
        if let Some(seen) = seen {
            journal.borrow_mut().look(&seen, &mut earlier);
        }
    }
}

/// An incorrect reader: the same range, with too few checks or none.
async fn by_hand(tables: &Tables, variant: Variant) -> Result<Option<Shared>> {
    let (table, filter) = (Shared::point().address()?, Shared::point().explain()?.filter);
    loop {
        let mut query = TableQuery::new().filter(filter.clone().unwrap());
        let mut rows = Rows::new();
        loop {
            let segment = tables.service().query(table.table(), query.clone()).await?;
            rows.append(segment.rows).unwrap();
            query.continuation = segment.continuation;
            if query.continuation.is_none() {
                break;
            }
        }
        let head = rows.get(0).filter(|head| head.row_key == Some("x_00"));
        if rows.is_empty() {
            return Ok(None);
        }
        let stamp = |row_key: &str, name: &str| {
            let row = rows.iter().find(|row| row.row_key == Some(row_key))?;
            let Some(ValueRef::Binary(stamps)) = row.properties.get(name) else { return None };
            stamps.get(..8).filter(|stamp| *stamp != [0; 8]).map(<[u8]>::to_vec)
        };
        let is_one_state = variant == Variant::NoCheck || stamp("x_00", "_gv") == stamp("x_01", "_g");
        if head.is_none() || !is_one_state {
            continue;
        }
        let number = |name: &str| {
            rows.iter().find_map(|row| match row.properties.get(name) {
                Some(ValueRef::Int64(number)) => Some(number),
                _ => None,
            })
        };
        return Ok(Some(Shared {
            count: number("count").unwrap_or(0),
            value: number("value").unwrap_or(0),
            whole: std::array::from_fn(|slot| number(&format!("whole_{slot}"))),
            own: std::array::from_fn(|slot| number(&format!("own_{slot}"))),
        }));
    }
}

/// Returns the error of one run, if any.
fn trial(seed: u64, variant: Variant) -> Option<String> {
    let store = OpenOptions::new().in_memory().unwrap();
    // A patch by key that is executed late would undo a later patch, with any protocol.
    let faults = Faults { refused: 30, lost: 30, late: 0, short: 800 };
    let (seed, number) = (Seed::new(seed), seed);
    let calm = Tables::new(store.clone());
    let tables = Tables::new(Unreliable::new(store, seed.fork(1), faults)).with_seeded_tokens(number);
    let mut first = Shared { count: 0, value: 0, whole: [None; 6], own: [None; 2 * CLIENTS] };
    written(&mut first, 0);
    calm.blocking().insert(&first).unwrap();

    let journal = RefCell::new(Journal::default());
    let begin = |client: usize, _| -> Client<'_> {
        match (client.checked_sub(CLIENTS), client % 2) {
            (None, _) => Box::pin(patcher(&tables, client, &journal)),
            (Some(number), 0) => Box::pin(replacer(&tables, i64::try_from(number).unwrap(), variant)),
            (Some(_), _) => Box::pin(reader(&tables, variant, &journal)),
        }
    };
    run(seed.fork(2), CLIENTS + 6, Crashes::default(), begin, || {});

    let mut journal = journal.into_inner();
    let last = calm.blocking().get(&Shared::point()).unwrap().unwrap();
    journal.look(&last, &mut [0; CLIENTS]);
    for (client, (own, (acknowledged, sent))) in last.own.iter().zip(journal.patches).enumerate() {
        let own = own.unwrap_or(0);
        if own < acknowledged || own > sent {
            journal.found.get_or_insert(format!("client {client}: {own}, not {acknowledged} to {sent}"));
        }
    }
    assert!(journal.reads > 12, "the readers saw the entity");
    journal.found
}

/// The seeds of each test.
const SEEDS: std::ops::Range<u64> = 0..60;

#[test]
fn no_reader_sees_halves_and_no_patch_is_lost() {
    for seed in SEEDS {
        assert_eq!(trial(seed, Variant::Right), None, "seed {seed}");
    }
}

#[test]
fn wrong_variants_are_found() {
    for variant in [Variant::NoCheck, Variant::OneStamp, Variant::ReplaceNoEtag] {
        let found = SEEDS.clone().find_map(|seed| trial(seed, variant));
        assert!(found.is_some(), "{variant:?} was not found");
    }
}

#[test]
fn a_seed_says_all_that_happens() {
    for variant in [Variant::NoCheck, Variant::ReplaceNoEtag] {
        let runs = [(); 2].map(|()| SEEDS.take(4).map(|seed| trial(seed, variant)).collect::<Vec<_>>());
        assert_eq!(runs[0], runs[1], "{variant:?}");
    }
}
