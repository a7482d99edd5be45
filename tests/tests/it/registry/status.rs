//! The status of an index that is added.

use pollster::block_on;
use table_patterns::{IndexState, IndexStep};

use super::{Staff, before, bring, counted};

#[test]
fn the_status_has_the_counts_of_the_state() {
    let (tables, _, time) = counted();
    for id in 1..=20 {
        let mail = format!("m{id:02}");
        tables.blocking().insert(&before::Staff { team: "Blue".into(), id, mail }).unwrap();
    }
    bring(&tables, &time, IndexState::Backfill);
    let status = || {
        let status = block_on(tables.indexes::<Staff>()).unwrap().remove(0);
        (status.state, status.rows(), status.changed())
    };
    assert_eq!(status(), (IndexState::Backfill, 0, 0));
    // A handle each time: any process continues.
    for rows in [5, 10] {
        let step = block_on(tables.add_index::<Staff>("by_mail").page_size(5).step()).unwrap();
        assert!(matches!(step, IndexStep::Rows(read) if read == rows), "{step:?}");
        assert_eq!(status(), (IndexState::Backfill, rows, rows));
    }
    bring(&tables, &time, IndexState::Verify);
    assert_eq!(status(), (IndexState::Verify, 0, 0));
}
