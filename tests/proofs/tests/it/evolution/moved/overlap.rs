//! Programs in two states at the same time.

use super::*;

/// Markers are the rows of a range over old keys, and programs enter `new` at different times.
#[test]
fn programs_in_both_find_what_programs_in_new_insert() {
    let (tables, calendar) = embedded();
    block_on(tables.register::<OrderV1>()).unwrap();
    go_to::<Order>(&tables, &calendar, MoveState::Both);
    let migration = tables.migration::<Order>();
    let process = || {
        Tables::from_services(tables.service().clone(), None, None)
            .with_registry_by(Arc::new(calendar.clone()))
    };
    let earlier = process();
    loop {
        // Reads the state before each step, so that this program remains in the state before the last one.
        block_on(earlier.moving::<Order>().all(&OrderV1::rows("contoso"))).unwrap();
        match block_on(migration.step_to(MoveState::New)).unwrap() {
            MigrationStep::Advanced(MoveState::New) => break,
            MigrationStep::Wait(rest) => calendar.pass(rest + Duration::from_millis(1)),
            _ => {}
        }
    }
    block_on(process().moving::<Order>().insert(&order(1, 1))).unwrap();
    let found = block_on(earlier.moving::<Order>().all(&OrderV1::rows("contoso"))).unwrap();
    assert_eq!(found.iter().map(|order| order.number).collect::<Vec<_>>(), [1]);
    // When no program is in `both`, inserts write no marker.
    go_to::<Order>(&tables, &calendar, MoveState::New);
    block_on(process().moving::<Order>().insert(&order(2, 1))).unwrap();
    let point = |key| DynamicEntity::point("Orders", "contoso", key);
    let at_old = |key| tables.blocking().get(&point(key)).unwrap().is_some();
    assert_eq!([at_old("0001"), at_old("0002")], [true, false]);
}

/// Programs that insert behind the position of the job do not keep it in `new`.
#[test]
fn a_move_ends_while_programs_insert_behind_its_position() {
    let (tables, calendar) = embedded();
    block_on(tables.register::<OrderV1>()).unwrap();
    go_to::<Order>(&tables, &calendar, MoveState::New);
    let migration = tables.migration::<Order>().page_size(1);
    let mut inserted = 0;
    for number in 1..200 {
        match block_on(migration.step_to(MoveState::Gone)).unwrap() {
            MigrationStep::Done => break,
            MigrationStep::Wait(rest) => {
                // The last shard, and the last key of the old table.
                for number in 16 * number..16 * number + 16 {
                    block_on(tables.moving::<Order>().insert(&order(number, 1))).unwrap();
                }
                inserted += 16;
                calendar.pass(rest + Duration::from_millis(1));
            }
            _ => {}
        }
    }
    assert_eq!(state(&tables), Some(MoveState::Gone));
    assert!(inserted > 0);
}

fn state(tables: &Tables) -> Option<MoveState> {
    block_on(tables.migration::<Order>().status()).unwrap().map(|status| status.state)
}
