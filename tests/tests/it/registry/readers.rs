//! Reads by an index while another one is added and dropped.

use std::sync::Arc;

use pollster::block_on;
use table_patterns::{IndexState, IndexStep, LEASE, RegistryError, Tables, prelude::*};

use super::{Time, counted, refusal};

/// Declares another index than [`Staff`], and the one in the registry.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{team}", row = "id_{id:03}", entity_type = "Staff")]
#[table(index(by_mail, row = "mail_{mail}", unique))]
#[table(index(by_desk, row = "desk_{desk:03}_{id:03}", copy()))]
#[table(index(by_room, partition = "room_{desk:03}", row = "{team}_{id:03}", copy()))]
struct Seated {
    team: String,
    id: u16,
    mail: String,
    desk: u8,
}

/// The previous version of the program.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{team}", row = "id_{id:03}", entity_type = "Staff")]
#[table(index(by_desk, row = "desk_{desk:03}_{id:03}", copy()))]
#[table(index(by_room, partition = "room_{desk:03}", row = "{team}_{id:03}", copy()))]
struct Unmailed {
    team: String,
    id: u16,
    desk: u8,
}

/// Runs `look` in each state of an index that another version of the program adds and drops.
fn in_each_state(tables: &Tables, time: &Time, mut look: impl FnMut(Option<IndexState>)) {
    for change in [tables.add_index::<Seated>("by_mail"), tables.drop_index::<Seated>("by_mail")] {
        loop {
            match block_on(change.step()).unwrap() {
                IndexStep::Done => break,
                IndexStep::Wait(rest) => time.pass(rest),
                IndexStep::Moved(state) => {
                    time.pass(LEASE);
                    look(Some(state));
                }
                IndexStep::Rows(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }
    time.pass(LEASE);
    look(None);
}

#[test]
fn a_program_reads_by_its_indexes_in_each_state_of_the_others() {
    let (tables, service, time) = counted();
    let newer = Tables::new(service.clone()).with_registry_by(Arc::new(time.clone()));
    let b = tables.blocking();
    block_on(tables.register::<Unmailed>()).unwrap();
    newer.blocking().insert(&Seated { team: "Blue".into(), id: 1, mail: "a".into(), desk: 7 }).unwrap();
    let mut states = Vec::new();
    in_each_state(&newer, &time, |state| {
        let by_desk = b.all(&Unmailed::by_desk_rows("Blue").at(7)).unwrap();
        let by_room = b.all(&Unmailed::by_room_rows(7)).unwrap();
        assert_eq!((by_desk.len(), by_room.len()), (1, 1), "{state:?}");
        if state.is_some_and(|state| state != IndexState::Dropping) {
            let old = Unmailed { team: "Blue".into(), id: 2, desk: 7 };
            assert!(matches!(refusal(b.insert(&old)), RegistryError::SchemaTooOld { .. }), "{state:?}");
        }
        states.extend(state);
    });
    assert!(states.contains(&IndexState::DeleteOnly) && states.contains(&IndexState::Dropping), "{states:?}");
}
