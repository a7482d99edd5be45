//! A key that another process saved is never lost: of rings that were loaded before, none replaces the file.

use std::{error::Error, fs, path::Path, thread};

use table_patterns::{KeyRing, KeyRingError, KeyWrap, Tables};

use crate::encryption::staff::{Note, note};

fn ring(current: u32, keys: &[(u32, u8)]) -> KeyRing {
    KeyRing::from_keys(current, keys.iter().map(|(id, byte)| (*id, [*byte; 32]))).unwrap()
}

fn saved(path: &Path) -> (u32, Vec<u32>) {
    let ring = KeyRing::from_file(path).unwrap();
    (ring.current(), ring.ids().collect())
}

#[test]
fn a_ring_replaces_only_a_file_whose_keys_it_contains() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.toml");
    // The ring in the file, the ring to be saved, and the ids that would be lost.
    let cases: [(&str, KeyRing, KeyRing, &[u32]); 7] = [
        ("the same keys", ring(1, &[(1, 1)]), ring(1, &[(1, 1)]), &[]),
        ("one more", ring(1, &[(1, 1)]), ring(2, &[(1, 1), (2, 2)]), &[]),
        ("another current key", ring(2, &[(1, 1), (2, 2)]), ring(1, &[(1, 1), (2, 2)]), &[]),
        ("the id with other bytes", ring(2, &[(1, 1), (2, 2)]), ring(2, &[(1, 1), (2, 3)]), &[2]),
        ("a key is missing", ring(2, &[(1, 1), (2, 2)]), ring(2, &[(2, 2)]), &[1]),
        ("another ring", ring(4, &[(3, 3), (4, 4)]), ring(2, &[(1, 1), (2, 2)]), &[3, 4]),
        (
            "a key that was removed",
            ring(2, &[(1, 1), (2, 2)]),
            ring(2, &[(1, 1), (2, 2)]).without(1).unwrap(),
            &[],
        ),
    ];
    for (name, before, after, lost) in cases {
        drop(fs::remove_file(&path));
        before.save(&path).unwrap();
        let text = fs::read(&path).unwrap();
        let result = after.save(&path);
        if lost.is_empty() {
            result.unwrap();
            assert_eq!(saved(&path), (after.current(), after.ids().collect()), "{name}");
            continue;
        }
        let error = result.unwrap_err();
        let message = error.to_string();
        assert!(message.contains("load the file again with `from_file`"), "{name}: {message}");
        assert!(matches!(&error, KeyRingError::OtherKeys { ids, .. } if ids == lost), "{name}: {error:?}");
        assert_eq!(fs::read(&path).unwrap(), text, "{name}: the file is unchanged");
    }
}

/// Two processes load the ring and rotate it. The second one is rejected, and rotates the ring of the first one.
#[test]
fn of_two_rotations_the_second_one_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.toml");
    KeyRing::create(&path).unwrap();
    let load = || KeyRing::from_file(&path).unwrap();
    let (one, two) = (load().rotated().unwrap(), load().rotated().unwrap());
    one.save(&path).unwrap();
    let store = Tables::in_memory().unwrap();
    store.clone().with_keys(one).blocking().insert(&note(1)).unwrap();
    let error = two.save(&path).unwrap_err();
    assert!(matches!(&error, KeyRingError::OtherKeys { ids, .. } if ids == &[2]), "{error:?}");
    load().rotated().unwrap().save(&path).unwrap();
    assert_eq!(saved(&path), (3, vec![1, 2, 3]));
    assert_eq!(*store.with_keys(load()).blocking().get(&Note::point("jo", 1)).unwrap().unwrap(), note(1));
}

/// A removed key is part of the next rotation, too: the ring knows which key it may lose, and no other one.
#[test]
fn a_removed_key_is_removed_from_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.toml");
    KeyRing::create(&path).unwrap();
    let rotated = KeyRing::from_file(&path).unwrap().rotated().unwrap();
    rotated.save(&path).unwrap();
    assert!(matches!(rotated.without(2).unwrap_err(), KeyRingError::NoCurrent { id: 2 }));
    let next = rotated.without(1).unwrap().without(7).unwrap().rotated().unwrap();
    next.save(&path).unwrap();
    assert_eq!(saved(&path), (3, vec![2, 3]));
    // Another process has saved a further key.
    KeyRing::from_file(&path).unwrap().rotated().unwrap().save(&path).unwrap();
    let error = next.without(2).unwrap().save(&path).unwrap_err();
    assert!(matches!(&error, KeyRingError::OtherKeys { ids, .. } if ids == &[4]), "{error:?}");
}

/// Of many processes that rotate at the same time, each one that succeeds keeps the keys of all before.
#[test]
fn concurrent_rotations_lose_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.toml");
    KeyRing::create(&path).unwrap();
    let rotate = || {
        let ring = KeyRing::from_file(&path).unwrap().rotated().unwrap();
        ring.save(&path).ok().map(|()| ring)
    };
    let rings: Vec<KeyRing> = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..8).map(|_| scope.spawn(|| (0..8).filter_map(|_| rotate()).collect::<Vec<_>>())).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(!rings.is_empty());
    assert_eq!(saved(&path).1, (1..).take(rings.len() + 1).collect::<Vec<_>>(), "each success added one key");
    // Each ring is a part of the one in the file.
    let last = KeyRing::from_file(&path).unwrap();
    for ring in rings {
        ring.save(folder.path().join("other.toml")).unwrap();
        last.save(folder.path().join("other.toml")).unwrap();
        fs::remove_file(folder.path().join("other.toml")).unwrap();
    }
}

/// For tests only: it does not protect keys.
struct Flip(&'static str, u8);

impl KeyWrap for Flip {
    fn name(&self) -> &str {
        self.0
    }

    fn wrap(&self, _id: u32, key: &[u8; 32]) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
        Ok(key.iter().map(|byte| byte ^ self.1).collect())
    }

    fn unwrap_into(
        &self,
        _id: u32,
        wrapped: &[u8],
        key: &mut [u8; 32],
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        key.iter_mut().zip(wrapped).for_each(|(to, from)| *to = from ^ self.1);
        Ok(())
    }
}

#[test]
fn wrapped_keys_are_compared_unwrapped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.toml");
    let (vault, other) = (Flip("vault", 7), Flip("other", 9));
    let first = KeyRing::create(&path).unwrap();
    // Keys that were not wrapped become wrapped, unless the ring lacks one.
    let error = ring(2, &[(2, 2)]).save_with(&path, &vault).unwrap_err();
    assert!(matches!(&error, KeyRingError::OtherKeys { ids, .. } if ids == &[1]), "{error:?}");
    first.save_with(&path, &vault).unwrap();
    first.rotated().unwrap().save_with(&path, &vault).unwrap();
    let error = first.rotated().unwrap().save_with(&path, &vault).unwrap_err();
    assert!(matches!(&error, KeyRingError::OtherKeys { ids, .. } if ids == &[2]), "{error:?}");
    // Keys that cannot be compared are not replaced.
    let all = KeyRing::from_file_with(&path, &vault).unwrap();
    for wrap in [None, Some(&other)] {
        let result = wrap.map_or_else(|| all.save(&path), |wrap| all.save_with(&path, wrap));
        assert!(matches!(result.unwrap_err(), KeyRingError::OtherWrap { .. }));
    }
    assert_eq!(KeyRing::from_file_with(&path, &vault).unwrap().ids().count(), 2);
}

/// A file that is not a ring may be anything.
#[test]
fn a_file_that_is_no_ring_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.toml");
    let ring = KeyRing::create(&path).unwrap();
    fs::write(&path, "notes = 1").unwrap();
    assert!(matches!(ring.save(&path).unwrap_err(), KeyRingError::Form { .. }));
    assert_eq!(fs::read_to_string(&path).unwrap(), "notes = 1");
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_is_followed() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("keys.toml"), folder.path().join("link.toml"));
    let ring = KeyRing::create(&path).unwrap();
    symlink(&path, &link).unwrap();
    ring.rotated().unwrap().save(&link).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(saved(&path), (2, vec![1, 2]));
    assert!(matches!(ring.rotated().unwrap().save(&path).unwrap_err(), KeyRingError::OtherKeys { .. }));
    fs::remove_file(&path).unwrap();
    assert!(matches!(ring.save(&link).unwrap_err(), KeyRingError::File { .. }));
    assert!(matches!(KeyRing::create(&link).unwrap_err(), KeyRingError::File { .. }));
}
