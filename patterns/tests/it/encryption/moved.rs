use table_patterns::{DecryptError, Value, prelude::*};

use crate::encryption::staff::{Note, NoteKey, handles, note, put, refusal, ring, stored};

const FIRST: (&str, &str) = ("jo", "001");
const SECOND: (&str, &str) = ("jo", "002");

#[test]
fn a_value_moved_to_another_row_does_not_open() {
    let (clear, sealing) = handles();
    sealing.blocking().insert(&note(1)).unwrap();
    sealing.blocking().insert(&note(2)).unwrap();
    put(&clear, "Notes", SECOND, "text", stored(&clear, "Notes", FIRST, "text").unwrap());

    let error = sealing.blocking().get(&Note::point("jo", 2)).unwrap_err();
    assert_eq!(refusal(error), ("002".into(), "text".into(), DecryptError::Refused { id: 1 }));
    assert!(sealing.blocking().get(&Note::point("jo", 1)).unwrap().is_some());
}

#[test]
fn a_value_moved_to_another_property_or_table_does_not_open() {
    let (clear, sealing) = handles();
    sealing.blocking().insert(&note(1)).unwrap();
    put(&clear, "Notes", FIRST, "mood", stored(&clear, "Notes", FIRST, "text").unwrap());
    let error = sealing.blocking().get(&Note::point("jo", 1)).unwrap_err();
    assert_eq!(refusal(error), ("001".into(), "mood".into(), DecryptError::Refused { id: 1 }));

    let mut other = DynamicEntity::new("Other", "jo", "001").unwrap();
    other.set("text", stored(&clear, "Notes", FIRST, "text").unwrap());
    clear.blocking().insert(&other).unwrap();
    let resolving = sealing.encrypting(|_, _, property| property == "text");
    let error = resolving.blocking().get(&DynamicEntity::point("Other", "jo", "001")).unwrap_err();
    assert_eq!(refusal(error).2, DecryptError::Refused { id: 1 });
    // The row can be decrypted regardless of the case of the table name.
    let found = resolving.blocking().get(&DynamicEntity::point("NOTES", "jo", "001")).unwrap().unwrap();
    assert!(matches!(found.value("text"), Some(Value::String(_))));
}

#[test]
fn every_changed_byte_is_noticed() {
    let (clear, sealing) = handles();
    sealing.blocking().insert(&note(1)).unwrap();
    let Some(Value::Binary(sealed)) = stored(&clear, "Notes", FIRST, "text") else { panic!() };
    for at in 0..sealed.len() {
        let mut damaged = sealed.clone();
        damaged[at] ^= 1;
        put(&clear, "Notes", FIRST, "text", Value::Binary(damaged));
        let error = sealing.blocking().get(&Note::point("jo", 1)).unwrap_err();
        let (row, property, reason) = refusal(error);
        assert_eq!((row.as_str(), property.as_str()), ("001", "text"));
        match at {
            0 => assert_eq!(reason, DecryptError::Form),
            1..5 => assert!(matches!(reason, DecryptError::UnknownKey { .. }), "{at}: {reason}"),
            _ => assert_eq!(reason, DecryptError::Refused { id: 1 }, "{at}"),
        }
    }
    for length in 0..sealed.len() {
        put(&clear, "Notes", FIRST, "text", Value::Binary(sealed[..length].to_vec()));
        assert!(sealing.blocking().get(&Note::point("jo", 1)).is_err(), "{length}");
    }
}

#[test]
fn a_value_in_clear_is_not_taken_for_a_sealed_one() {
    let (clear, sealing) = handles();
    sealing.blocking().insert(&note(1)).unwrap();
    put(&clear, "Notes", FIRST, "text", Value::from("somebody else wrote this"));
    let error = sealing.blocking().get(&Note::point("jo", 1)).unwrap_err();
    assert!(matches!(refusal(error).2, DecryptError::NotSealed { found: table_patterns::EdmType::String }));
}

#[test]
fn another_key_of_the_same_id_does_not_open() {
    let (clear, sealing) = handles();
    sealing.blocking().insert(&note(1)).unwrap();
    let other = clear.with_keys(ring(2));
    let error = other.blocking().get(&Note::point("jo", 1)).unwrap_err();
    assert_eq!(refusal(error).2, DecryptError::Refused { id: 1 });
}

#[test]
fn what_goes_into_an_archive_is_sealed_for_it() {
    let (clear, sealing) = handles();
    sealing.blocking().insert(&note(1)).unwrap();
    let key = NoteKey { user: "jo".into(), id: 1 };
    // Without keys the entity remains.
    assert!(pollster::block_on(clear.move_entity(&key, "OldNotes")).is_err());
    assert!(stored(&clear, "OldNotes", FIRST, "text").is_none());

    assert!(pollster::block_on(sealing.move_entity(&key, "OldNotes")).unwrap());
    assert!(matches!(stored(&clear, "OldNotes", FIRST, "text"), Some(Value::Binary(_))));
    assert_eq!(pollster::block_on(sealing.archived(&key)).unwrap().unwrap(), note(1));
    assert!(stored(&clear, "Notes", FIRST, "text").is_none());
}
