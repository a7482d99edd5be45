//! Verification of an index in each of its states.

use pollster::block_on;
use table_patterns::{DifferenceKind, IndexState, IndexStep, LEASE, Tables, prelude::*};

use super::{Staff, bring, staff, with_one_from_before};

#[test]
fn verify_reports_what_the_state_of_an_index_requires() {
    let (tables, service, time) = with_one_from_before();
    let b = tables.blocking();
    let missing = || {
        let report = b.sweep(tables.verify::<Staff>()).unwrap();
        assert_eq!(report.count(), report.count_of(DifferenceKind::Missing), "{report}");
        report.count()
    };
    assert_eq!(missing(), 0, "it was not added");
    for state in [IndexState::DeleteOnly, IndexState::DualWrite, IndexState::Backfill] {
        bring(&tables, &time, state);
        assert_eq!(missing(), 0, "{state}");
    }
    bring(&tables, &time, IndexState::Verify);
    assert_eq!(missing(), 0, "it was filled");
    bring(&tables, &time, IndexState::Readable);
    let raw = Tables::new(service);
    let lose = || raw.blocking().delete_at(DynamicEntity::point("Staff", "Blue", "mail_a")).unwrap();
    lose();
    assert_eq!(missing(), 1);
    assert_eq!(b.sweep(tables.verify::<Staff>().repair()).unwrap().repaired, 1);

    let change = tables.drop_index::<Staff>("by_mail");
    loop {
        match block_on(change.step()).unwrap() {
            IndexStep::Done => break,
            IndexStep::Wait(rest) => time.pass(rest),
            IndexStep::Moved(state @ (IndexState::Removing | IndexState::Dropping)) => {
                time.pass(LEASE);
                if state == IndexState::Removing {
                    // Writers delete the rows that they find.
                    b.replace(&b.get(&Staff::point("Blue", 1)).unwrap().unwrap()).unwrap();
                    b.insert(&staff(2, "b")).unwrap();
                } else {
                    // Writers leave the row of this entity.
                    let row = DynamicEntity::new("Staff", "Blue", "mail_c").unwrap();
                    raw.blocking().insert(&row).unwrap();
                }
                let unpromised = b.sweep(tables.verify::<Staff>().repair()).unwrap();
                assert!(unpromised.is_clean(), "{state}: {unpromised}");
                assert!(b.get(&DynamicEntity::point("Staff", "Blue", "mail_b")).unwrap().is_none());
            }
            IndexStep::Moved(_) | IndexStep::Rows(_) => {}
            other => panic!("{other:?}"),
        }
    }
    time.pass(LEASE);
    assert_eq!(missing(), 0, "it was dropped");
}
