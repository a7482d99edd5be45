use table_patterns::{DecryptError, KeyRing, KeyRingError, Value, prelude::*};

use crate::encryption::staff::{Employee, Note, employee, handles, note, refusal, ring, stored};

/// Returns the id of the key that encrypted the value.
fn key_of(tables: &Tables, row_key: &str) -> u8 {
    let Some(Value::Binary(sealed)) = stored(tables, "Notes", ("jo", row_key), "text") else { panic!() };
    assert_eq!(sealed[..4], [1, 0, 0, 0]);
    sealed[4]
}

#[test]
fn after_a_rotation_new_values_have_the_new_key_and_old_ones_are_read() {
    let clear = Tables::in_memory().unwrap();
    let old = KeyRing::generate().unwrap();
    let new = old.rotated().unwrap();
    assert_eq!((new.current(), new.ids().collect::<Vec<_>>()), (2, vec![1, 2]));
    let (before, after) = (clear.clone().with_keys(old), clear.clone().with_keys(new));

    before.blocking().insert(&note(1)).unwrap();
    after.blocking().insert(&note(2)).unwrap();
    assert_eq!((key_of(&clear, "001"), key_of(&clear, "002")), (1, 2));
    let found = after.blocking().all(&Note::rows("jo")).unwrap();
    assert_eq!(found.len(), 2);

    let error = before.blocking().get(&Note::point("jo", 2)).unwrap_err();
    assert_eq!(refusal(error), ("002".into(), "text".into(), DecryptError::UnknownKey { id: 2 }));
    // A write encrypts the row with the current key.
    after.blocking().replace(&found[0]).unwrap();
    assert_eq!(key_of(&clear, "001"), 2);
    // A patch encrypts only the properties that it sets, so a row may contain several keys.
    before.blocking().merge(Note::patch("jo", 2).mood(9)).unwrap();
    assert_eq!(after.blocking().get(&Note::point("jo", 2)).unwrap().unwrap().mood, 9);
}

/// No row has the old key afterwards: neither of entities nor of indexes in the partition and elsewhere.
#[test]
fn reencrypted_rows_need_the_current_key_only() {
    let clear = Tables::in_memory().unwrap();
    let keys = [(1, [1; 32]), (2, [2; 32])];
    let old = clear.clone().with_keys(KeyRing::from_keys(1, keys).unwrap());
    let both = clear.clone().with_keys(KeyRing::from_keys(2, keys).unwrap());
    for id in 1..=25 {
        old.blocking().insert(&employee(id)).unwrap();
    }
    both.blocking().insert(&employee(26)).unwrap();
    // Killed after the first page, and continued.
    let mut first = both.reencrypt::<Employee>().page_size(20);
    pollster::block_on(first.step()).unwrap();
    let cursor = first.cursor().unwrap();
    let rest = both.blocking().sweep(both.reencrypt::<Employee>().resume(cursor)).unwrap();
    assert_eq!((first.report().written + rest.written, rest.failed.len()), (25, 0));
    assert_eq!(both.blocking().sweep(both.reencrypt::<Employee>()).unwrap().written, 0);

    let new = clear.with_keys(KeyRing::from_keys(2, [(2, [2; 32])]).unwrap());
    let report = new.blocking().sweep(new.verify::<Employee>()).unwrap();
    assert!(report.is_clean() && report.entities == 26 && report.lagging == 0, "{report}");
    assert_eq!(new.blocking().all(&Employee::by_desk_rows("4b")).unwrap().len(), 26);
    assert_eq!(
        new.blocking().get(&Employee::by_email("Sales", "e7@contoso.com")).unwrap().unwrap().salary,
        51_000
    );
}

#[test]
fn no_key_is_shown() {
    let ring = ring(0xAB);
    let (_, sealing) = handles();
    for text in [format!("{ring:?}"), format!("{ring:#?}"), format!("{:?}", sealing.with_keys(ring.clone()))]
    {
        assert!(!text.contains("171") && !text.to_lowercase().contains("ab, ab"), "{text}");
        assert!(text.contains("current"), "{text}");
    }
}

#[test]
fn a_ring_has_its_current_key_and_each_id_once() {
    let error = KeyRing::from_keys(2, [(1, [0; 32])]).unwrap_err();
    assert!(matches!(error, KeyRingError::NoCurrent { id: 2 }));
    let error = KeyRing::from_keys(1, [(1, [0; 32]), (1, [1; 32])]).unwrap_err();
    assert!(matches!(error, KeyRingError::Twice { id: 1 }));
    let last = KeyRing::from_keys(u32::MAX, [(u32::MAX, [0; 32])]).unwrap();
    assert!(matches!(last.rotated().unwrap_err(), KeyRingError::NoMoreIds));
}
