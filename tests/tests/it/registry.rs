//! Allowed and rejected operations of the registry of indexes, and its requests to the service.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod damaged;
mod kinds;
mod readers;
mod retired;
mod sampled;
mod status;
mod verified;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use pollster::block_on;
use table_patterns::{IndexState, IndexStep, LEASE, LeaseClock, MAX_REQUEST_AGE, RegistryError, prelude::*};
use table_store::{Clock, OpenOptions, Store, Timestamp};
use table_tests::{
    counting::{Calls, Counting},
    seed::Seed,
    unreliable::{Faults, Unreliable},
};

mod before {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Staff", partition = "{team}", row = "id_{id:03}")]
    pub(crate) struct Staff {
        pub(crate) team: String,
        pub(crate) id: u16,
        pub(crate) mail: String,
    }
}

mod otherwise {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Staff", partition = "{team}", row = "id_{id:03}")]
    #[table(index(by_mail, row = "mail_{mail}_{id:03}"))]
    pub(crate) struct Staff {
        pub(crate) team: String,
        pub(crate) id: u16,
        pub(crate) mail: String,
    }
}

/// The same rows, from a struct whose fields have other names.
mod renamed {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Staff", partition = "{group}", row = "id_{number:03}")]
    #[table(index(by_mail, row = "mail_{address}", unique))]
    pub(crate) struct Staff {
        pub(crate) group: String,
        // The rows of the index contain it.
        #[table(rename = "id")]
        pub(crate) number: u16,
        #[table(rename = "mail")]
        pub(crate) address: String,
    }
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{team}", row = "id_{id:03}")]
#[table(index(by_mail, row = "mail_{mail}", unique))]
struct Staff {
    team: String,
    id: u16,
    mail: String,
}

/// The clock of the store and of the programs.
#[derive(Clone, Debug, Default)]
struct Time(Arc<AtomicU64>);

impl Time {
    fn pass(&self, time: Duration) {
        self.0.fetch_add(u64::try_from(time.as_millis()).unwrap(), Ordering::Relaxed);
    }
}

impl LeaseClock for Time {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::Relaxed))
    }
}

impl Clock for Time {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH.saturating_add(LeaseClock::now(self))
    }
}

fn staff(id: u16, mail: &str) -> Staff {
    Staff { team: "Blue".into(), id, mail: mail.into() }
}

/// Returns a handle on a store, its requests and its clock.
fn counted() -> (Tables, Counting<Store>, Time) {
    let time = Time::default();
    let service = Counting::new(OpenOptions::new().clock(time.clone()).in_memory().unwrap());
    let tables = Tables::new(service.clone()).with_registry_by(Arc::new(time.clone()));
    (tables, service, time)
}

/// The same, with an entity that was written before the index was added.
fn with_one_from_before() -> (Tables, Counting<Store>, Time) {
    let (tables, service, time) = counted();
    let old = before::Staff { team: "Blue".into(), id: 1, mail: "a".into() };
    tables.blocking().insert(&old).unwrap();
    (tables, service, time)
}

fn refusal<T: std::fmt::Debug>(result: Result<T>) -> RegistryError {
    match result {
        Err(Error::Registry(refusal)) => *refusal,
        other => panic!("{other:?}"),
    }
}

/// Advances until the index is in a state.
fn bring(tables: &Tables, time: &Time, to: IndexState) {
    let change = tables.add_index::<Staff>("by_mail");
    loop {
        match block_on(change.step()).unwrap() {
            IndexStep::Moved(state) if state == to => return,
            IndexStep::Wait(rest) => time.pass(rest),
            IndexStep::Moved(_) | IndexStep::Rows(_) => {}
            other => panic!("{other:?} before {to}"),
        }
    }
}

#[test]
fn the_indexes_of_an_empty_table_can_be_read_from_the_start() {
    let (tables, ..) = counted();
    let b = tables.blocking();
    b.insert(&staff(1, "a")).unwrap();
    assert_eq!(b.get(&Staff::by_mail("Blue", "a")).unwrap().unwrap().id, 1);
    let indexes = block_on(tables.indexes::<Staff>()).unwrap();
    assert_eq!((indexes.len(), &*indexes[0].index, indexes[0].state), (1, "by_mail", IndexState::Readable));
}

#[test]
fn a_new_index_is_left_alone_and_not_read_until_it_is_added() {
    let (tables, ..) = with_one_from_before();
    let b = tables.blocking();
    b.insert(&staff(2, "b")).unwrap();
    let refused = refusal(b.get(&Staff::by_mail("Blue", "b")));
    assert_eq!(refused, RegistryError::NotReadable { entity: "Staff", index: "by_mail", state: None });
    assert!(b.get(&DynamicEntity::point("Staff", "Blue", "mail_b")).unwrap().is_none(), "no row was made");
    // This does not change the entity.
    b.replace(&b.get(&Staff::point("Blue", 2)).unwrap().unwrap()).unwrap();
    b.delete_at(Staff::point("Blue", 2)).unwrap();
}

#[test]
fn an_index_comes_through_all_its_states_and_goes_again() {
    let (tables, _, time) = with_one_from_before();
    let b = tables.blocking();
    bring(&tables, &time, IndexState::DeleteOnly);
    b.insert(&staff(2, "b")).unwrap();
    let mut stored = b.get(&Staff::point("Blue", 2)).unwrap().unwrap();
    stored.mail = "c".into();
    let written = b.replace(&stored).unwrap();
    assert!(written.repaired_indexes.is_empty(), "a row that was never made is no damage");
    assert!(b.get(&DynamicEntity::point("Staff", "Blue", "mail_c")).unwrap().is_none(), "no row is made yet");

    bring(&tables, &time, IndexState::DualWrite);
    time.pass(LEASE);
    b.insert(&staff(3, "d")).unwrap();
    assert!(b.get(&DynamicEntity::point("Staff", "Blue", "mail_d")).unwrap().is_some());
    assert!(matches!(
        refusal(b.get(&Staff::by_mail("Blue", "d"))),
        RegistryError::NotReadable { state: Some(IndexState::DualWrite), .. }
    ));

    bring(&tables, &time, IndexState::Readable);
    for (mail, id) in [("a", 1), ("c", 2), ("d", 3)] {
        assert_eq!(b.get(&Staff::by_mail("Blue", mail)).unwrap().unwrap().id, id);
    }
    assert!(matches!(block_on(tables.add_index::<Staff>("by_mail").step()).unwrap(), IndexStep::Done));

    let drop = tables.drop_index::<Staff>("by_mail");
    loop {
        match block_on(drop.step()).unwrap() {
            IndexStep::Done => break,
            IndexStep::Wait(rest) => time.pass(rest),
            IndexStep::Moved(state) => {
                let refused = refusal(block_on(tables.add_index::<Staff>("by_mail").step()));
                assert_eq!(refused, RegistryError::Goes { entity: "Staff", index: "by_mail", state });
            }
            other => assert!(matches!(other, IndexStep::Rows(_)), "{other:?}"),
        }
    }
    assert!(b.get(&DynamicEntity::point("Staff", "Blue", "mail_a")).unwrap().is_none());
    assert!(block_on(tables.indexes::<Staff>()).unwrap().is_empty());
}

/// Each delete is sent twice, and the second response says that the row is missing.
#[test]
fn dropped_index_may_be_gone_already() {
    let (tables, service, time) = counted();
    tables.blocking().insert(&staff(1, "a")).unwrap();
    let service = Unreliable::new(service, Seed::new(1), Faults::NONE).doubling_deletes();
    let tables = Tables::new(service).with_registry_by(Arc::new(time.clone()));
    let change = tables.drop_index::<Staff>("by_mail");
    loop {
        match block_on(change.step()).unwrap() {
            IndexStep::Done => break,
            IndexStep::Wait(rest) => time.pass(rest),
            other => assert!(matches!(other, IndexStep::Moved(_) | IndexStep::Rows(_)), "{other:?}"),
        }
    }
    assert!(block_on(tables.indexes::<Staff>()).unwrap().is_empty());
}

/// While the service is busy, an index is not reported as dropped.
#[test]
fn dropped_index_is_gone_when_the_change_is_done() {
    for seed in 0..20 {
        let (tables, service, time) = counted();
        tables.blocking().insert(&staff(1, "a")).unwrap();
        let service = Unreliable::new(service, Seed::new(seed), Faults { refused: 300, ..Faults::NONE });
        let busy = Tables::new(service).with_registry_by(Arc::new(time.clone()));
        let change = busy.drop_index::<Staff>("by_mail");
        loop {
            match block_on(change.step()) {
                Ok(IndexStep::Done) => break,
                Ok(IndexStep::Wait(rest)) => time.pass(rest),
                Ok(_) | Err(_) => {}
            }
        }
        time.pass(LEASE);
        assert!(block_on(tables.indexes::<Staff>()).unwrap().is_empty(), "seed {seed}");
    }
}

#[test]
fn a_state_lasts_longer_than_a_lease_and_a_request() {
    let (tables, _, time) = with_one_from_before();
    bring(&tables, &time, IndexState::DeleteOnly);
    let change = tables.add_index::<Staff>("by_mail");
    let IndexStep::Wait(rest) = block_on(change.step()).unwrap() else { panic!("it does not wait") };
    let (second, whole) = (Duration::from_secs(1), LEASE + MAX_REQUEST_AGE);
    assert!(rest <= whole && rest + second > whole, "{rest:?}");
    time.pass(whole.saturating_sub(second));
    assert!(matches!(block_on(change.step()).unwrap(), IndexStep::Wait(_)));
    // Two writes at one instant have different times.
    time.pass(Duration::from_millis(1_001));
    let step = block_on(change.step()).unwrap();
    assert!(matches!(step, IndexStep::Moved(IndexState::DualWrite)), "{step:?}");
}

#[test]
fn a_program_that_does_not_know_an_index_reads_and_does_not_write() {
    let (tables, _, time) = with_one_from_before();
    let b = tables.blocking();
    bring(&tables, &time, IndexState::DeleteOnly);
    time.pass(LEASE);
    let old = before::Staff { team: "Blue".into(), id: 9, mail: "z".into() };
    assert!(matches!(refusal(b.insert(&old)), RegistryError::SchemaTooOld { .. }));
    assert!(matches!(
        refusal(b.delete_at(before::Staff::point("Blue", 1))),
        RegistryError::SchemaTooOld { .. }
    ));
    assert!(b.get(&before::Staff::point("Blue", 1)).unwrap().is_some());
}

#[test]
fn an_index_of_another_form_is_refused() {
    let (tables, ..) = counted();
    let b = tables.blocking();
    b.insert(&staff(1, "a")).unwrap();
    let other = otherwise::Staff { team: "Blue".into(), id: 2, mail: "b".into() };
    assert_eq!(refusal(b.insert(&other)), RegistryError::Differs { entity: "Staff", index: "by_mail" });
}

#[test]
fn fields_may_have_other_names_in_another_program() {
    let (tables, service, time) = counted();
    tables.blocking().insert(&staff(1, "a")).unwrap();
    let other = Tables::new(service).with_registry_by(Arc::new(time));
    let renamed = renamed::Staff { group: "Blue".into(), number: 2, address: "b".into() };
    other.blocking().insert(&renamed).unwrap();
    assert_eq!(tables.blocking().get(&Staff::by_mail("Blue", "b")).unwrap().map(|staff| staff.id), Some(2));
}

#[test]
fn a_table_from_before_the_registry_is_registered_by_hand() {
    let (tables, service, _) = counted();
    Tables::new(service).blocking().insert(&staff(1, "a")).unwrap();
    let b = tables.blocking();
    assert_eq!(
        refusal(b.insert(&staff(2, "b"))),
        RegistryError::NotRegistered { entity: "Staff", table: "Staff" }
    );
    assert_eq!(block_on(tables.register::<Staff>()).unwrap(), [""; 0]);
    b.insert(&staff(2, "b")).unwrap();
    assert_eq!(b.get(&Staff::by_mail("Blue", "a")).unwrap().unwrap().id, 1);
}

/// The registration is called by the version with a new index, for which the first or each entity has no row.
#[test]
fn registration_makes_no_incomplete_index_readable() {
    for has_row in [false, true] {
        let (tables, service, time) = counted();
        let without = Tables::new(service);
        without.blocking().insert(&before::Staff { team: "Blue".into(), id: 1, mail: "a".into() }).unwrap();
        if has_row {
            without.blocking().insert(&staff(2, "b")).unwrap();
        }
        for _ in 0..2 {
            assert_eq!(block_on(tables.register::<Staff>()).unwrap(), ["by_mail"]);
        }
        let b = tables.blocking();
        let refused = refusal(b.get(&Staff::by_mail("Blue", "a")));
        assert!(refused.to_string().contains("call `tables.add_index::<E>(\"by_mail\")`"), "{refused}");
        bring(&tables, &time, IndexState::Readable);
        assert_eq!(b.get(&Staff::by_mail("Blue", "a")).unwrap().unwrap().id, 1);
        assert!(b.sweep(tables.verify::<Staff>()).unwrap().is_clean());
        assert_eq!(block_on(tables.register::<Staff>()).unwrap(), [""; 0]);
    }
}

#[test]
fn entities_that_can_have_no_row_hold_an_index_up() {
    let (tables, _, time) = with_one_from_before();
    let b = tables.blocking();
    b.insert(&before::Staff { team: "Blue".into(), id: 2, mail: "a".into() }).unwrap();
    bring(&tables, &time, IndexState::Backfill);
    let change = tables.add_index::<Staff>("by_mail");
    let IndexStep::Stuck(entities) = block_on(change.step()).unwrap() else { panic!("it goes on") };
    assert_eq!(entities.len(), 1, "two have the same mail");
    time.pass(LEASE);
    b.delete_at(Staff::point("Blue", 2)).unwrap();
    bring(&tables, &time, IndexState::Readable);
    assert_eq!(b.get(&Staff::by_mail("Blue", "a")).unwrap().unwrap().id, 1);
}

/// Adds an index that does not become readable, in pages that are smaller than the table.
#[test]
fn stuck_index_stays_stuck_until_repaired() {
    let (tables, _, time) = with_one_from_before();
    let b = tables.blocking();
    for id in 2..=40 {
        let mail = if id == 2 { "a".to_owned() } else { format!("m{id}") };
        b.insert(&before::Staff { team: "Blue".into(), id, mail }).unwrap();
    }
    let change = || tables.add_index::<Staff>("by_mail").page_size(5);
    let mut stuck = 0;
    for _ in 0..20 {
        match block_on(change().step()).unwrap() {
            // The clock counts milliseconds.
            IndexStep::Wait(rest) => time.pass(rest + Duration::from_millis(1)),
            IndexStep::Stuck(entities) => stuck += entities.len(),
            IndexStep::Moved(IndexState::Verify | IndexState::Readable) | IndexStep::Done => {
                panic!("not repaired")
            }
            IndexStep::Moved(_) | IndexStep::Rows(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert!(stuck > 10, "every further step reports it: {stuck}");
    time.pass(LEASE);
    b.delete_at(Staff::point("Blue", 2)).unwrap();
    bring(&tables, &time, IndexState::Readable);
    assert_eq!(b.get(&Staff::by_mail("Blue", "a")).unwrap().unwrap().id, 1);
}

/// Deletes a row behind the cursor of a pass that already found a difference.
#[test]
fn verify_repeats_the_pass_after_a_difference() {
    let (tables, service, time) = counted();
    for id in 1..=40 {
        let mail = format!("m{id}");
        tables.blocking().insert(&before::Staff { team: "Blue".into(), id, mail }).unwrap();
    }
    let raw = Tables::new(service);
    let row = || DynamicEntity::point("Staff", "Blue", "mail_m1");
    let change = || tables.add_index::<Staff>("by_mail").page_size(5);
    let (mut verified, mut deleted) = (0, 0);
    loop {
        match block_on(change().step()).unwrap() {
            IndexStep::Wait(rest) => time.pass(rest),
            IndexStep::Moved(IndexState::Verify) => {
                verified += 1;
                if verified == 1 {
                    raw.blocking().delete_at(row()).unwrap();
                }
            }
            IndexStep::Rows(rows) if verified == 2 && deleted == 0 && rows >= 15 => {
                // Behind the cursor: only another pass finds it.
                raw.blocking().delete_at(row()).unwrap();
                raw.blocking().delete_at(DynamicEntity::point("Staff", "Blue", "mail_m40")).unwrap();
                deleted = rows;
            }
            IndexStep::Done => break,
            IndexStep::Moved(_) | IndexStep::Rows(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(verified, 4, "a pass for each of three differences, and a pass without any");
    assert!(raw.blocking().get(&row()).unwrap().is_some());
}

#[test]
fn the_registry_is_asked_once_in_a_lease() {
    let (tables, service, time) = counted();
    let b = tables.blocking();
    b.insert(&staff(1, "a")).unwrap();
    service.take();
    b.insert(&staff(2, "b")).unwrap();
    drop(b.get(&Staff::by_mail("Blue", "b")).unwrap());
    assert_eq!(service.take(), Calls { transactions: 1, finds: 1, ..Calls::default() });
    time.pass(LEASE);
    b.insert(&staff(3, "c")).unwrap();
    b.insert(&staff(4, "d")).unwrap();
    assert_eq!(service.take(), Calls { transactions: 2, queries: 1, ..Calls::default() });
}

#[test]
fn without_a_registry_there_is_nothing_to_bring_in() {
    let tables = Tables::in_memory().unwrap();
    assert_eq!(refusal(block_on(tables.add_index::<Staff>("by_mail").step())), RegistryError::None);
}
