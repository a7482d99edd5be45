use std::{error::Error, fs, path::Path};

use table_patterns::{KeyRing, KeyRingError, KeyWrap, prelude::*};

use crate::encryption::staff::{Employee, Note, SECRET, employee, note};

#[test]
fn the_store_s_file_holds_nothing_in_clear() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("company.tables");
    let tables = Tables::open(&path).unwrap().with_keys(KeyRing::generate().unwrap());
    tables.blocking().insert(&employee(1)).unwrap();
    tables.blocking().insert(&note(1)).unwrap();
    let read = tables.blocking().get(&Employee::point("Sales", 1)).unwrap().unwrap();
    tables.blocking().merge(read.patch().national_id(format!("2: {SECRET}"))).unwrap();
    drop(tables);

    let has = |bytes: &[u8], text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    let mut looked_at = 0;
    for file in fs::read_dir(directory.path()).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        looked_at += usize::from(has(&bytes, b"e1@contoso.com"));
        assert!(!has(&bytes, SECRET.as_bytes()) && !has(&bytes, b"private"));
    }
    assert_eq!(looked_at, 1, "what is not encrypted is found");
}

#[test]
fn a_ring_is_read_from_its_file_as_it_was_saved() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("keys.toml");
    let ring = KeyRing::create(&path).unwrap();
    let clear = Tables::in_memory().unwrap();
    clear.clone().with_keys(ring).blocking().insert(&note(1)).unwrap();

    KeyRing::from_file(&path).unwrap().rotated().unwrap().save(&path).unwrap();
    let ring = KeyRing::from_file(&path).unwrap();
    assert_eq!((ring.current(), ring.ids().collect::<Vec<_>>()), (2, vec![1, 2]));
    let tables = clear.with_keys(ring);
    assert_eq!(*tables.blocking().get(&Note::point("jo", 1)).unwrap().unwrap(), note(1));
}

#[test]
fn a_file_that_is_there_is_never_overwritten_by_a_new_ring() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("keys.toml");
    KeyRing::create(&path).unwrap();
    let before = fs::read(&path).unwrap();
    assert!(matches!(KeyRing::create(&path).unwrap_err(), KeyRingError::File { .. }));
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn a_ring_s_file_is_its_owner_s_alone() {
    use std::os::unix::fs::PermissionsExt;

    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("keys.toml");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let ring = KeyRing::create(&path).unwrap();
    assert_eq!(mode(&path), 0o600);
    ring.rotated().unwrap().save(&path).unwrap();
    assert_eq!(mode(&path), 0o600);

    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let error = KeyRing::from_file(&path).unwrap_err();
    assert!(matches!(error, KeyRingError::OpenToOthers { mode: 0o640, .. }), "{error}");
}

#[test]
fn what_is_no_ring_is_refused_and_not_shown() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("keys.toml");
    KeyRing::create(&path).unwrap();
    let good = fs::read_to_string(&path).unwrap();
    let key = good.split('"').rev().nth(1).unwrap().to_owned();
    for (from, to) in [
        ("version = 1", "version = 2"),
        ("current = 1", "current = 3"),
        ("1 = \"", "one = \""),
        ("wrap =", "warp ="),
        ("=\"\n", "\"\n"),
        ("1 = \"", "1 = \"AAAA"),
        ("1 = \"", "1 = "),
    ] {
        assert!(good.contains(from), "{from}");
        fs::write(&path, good.replace(from, to)).unwrap();
        let error = KeyRing::from_file(&path).unwrap_err();
        assert!(!error.to_string().contains(&key[..8]), "{error}");
        assert!(!format!("{error:?}").contains(&key[..8]), "{error:?}");
    }
}

/// For tests only: it does not protect keys.
struct Flip(u8);

impl KeyWrap for Flip {
    fn name(&self) -> &'static str {
        "flip"
    }

    fn wrap(&self, _id: u32, key: &[u8; 32]) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
        Ok(key.iter().map(|byte| byte ^ self.0).collect())
    }

    fn unwrap_into(
        &self,
        id: u32,
        wrapped: &[u8],
        key: &mut [u8; 32],
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        if self.0 == 0 {
            return Err(format!("no access to {id}").into());
        }
        key.iter_mut().zip(wrapped).for_each(|(to, from)| *to = from ^ self.0);
        Ok(())
    }
}

#[test]
fn keys_are_wrapped_before_they_are_saved() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("keys.toml");
    let ring = KeyRing::create_with(&path, &Flip(7)).unwrap();
    let clear = Tables::in_memory().unwrap();
    clear.clone().with_keys(ring).blocking().insert(&note(1)).unwrap();

    let error = KeyRing::from_file(&path).unwrap_err();
    assert!(
        matches!(&error, KeyRingError::OtherWrap { found, given, .. } if found == "flip" && given == "none")
    );
    let error = KeyRing::from_file_with(&path, &Flip(0)).unwrap_err();
    assert_eq!(error.to_string(), "key 1 could not be wrapped or unwrapped: no access to 1");

    let ring = KeyRing::from_file_with(&path, &Flip(7)).unwrap();
    let found = clear.clone().with_keys(ring).blocking().get(&Note::point("jo", 1)).unwrap();
    assert!(found.is_some());
    let wrong = KeyRing::from_file_with(&path, &Flip(8)).unwrap();
    assert!(clear.with_keys(wrong).blocking().get(&Note::point("jo", 1)).is_err());
}
