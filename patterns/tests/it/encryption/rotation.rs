//! A rotation is complete when nothing that can be read needs the old key: in entities of every version, rows of indexes,
//! records of change feeds, archives, soft-deleted entities, tables of periods, and untyped entities.

use std::collections::BTreeMap;

use pollster::block_on;
use table_model::{Query, ValueRef, service::ListTables};
use table_patterns::{
    DecryptError, Error, KeyRing, Reencrypt, ReencryptReport, Sweep, Timestamp, prelude::*,
};

// Clippy treats the `copy` of two indexes as a duplicate.
#[allow(clippy::duplicated_attributes)]
/// Version 1 of entities whose encrypted property is renamed, or is no longer encrypted, in version 2.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Staff", partition = "{d}", row = "s_{id:04}", entity_type = "Staff", changes(old))]
#[table(archive = "OldStaff")]
#[table(index(by_name, row = "n_{name}_{id:04}", copy(ssn)))]
#[table(index(by_desk, table = "Desks", partition = "{desk}", row = "{d}_{id:04}", copy(ssn)))]
struct Staff1 {
    d: String,
    id: u16,
    name: String,
    desk: String,
    #[table(encrypt)]
    ssn: String,
    #[table(updated)]
    changed: Option<Timestamp>,
}

fn staff(id: u16) -> Staff1 {
    let (d, ssn) = ("a".to_owned(), format!("ssn {id}"));
    let (name, desk) = (format!("jo{id}"), format!("desk{id}"));
    Staff1 { d, id, name, desk, ssn, changed: None }
}

macro_rules! later {
    ($module:ident, ($($from:tt)*), $(#[$secret:meta])* $field:ident) => {
        #[allow(dead_code, reason = "each test reads some fields of some versions")]
        mod $module {
            use table_patterns::{Timestamp, prelude::*};

            #[derive(TableEntity, Clone, Debug, PartialEq)]
            #[table(name = "Staff", partition = "{d}", row = "s_{id:04}", entity_type = "Staff", changes(old))]
            #[table(archive = "OldStaff", version = 2, $($from)*)]
            pub(super) struct Staff {
                pub(super) d: String,
                pub(super) id: u16,
                pub(super) name: String,
                pub(super) desk: String,
                $(#[$secret])*
                pub(super) $field: String,
                #[table(updated)]
                pub(super) changed: Option<Timestamp>,
            }

            impl From<super::Staff1> for Staff {
                fn from(old: super::Staff1) -> Self {
                    let super::Staff1 { d, id, name, desk, ssn, changed } = old;
                    Self { d, id, name, desk, $field: ssn, changed }
                }
            }
        }
    };
}

later!(
    renamed,
    (from(super::Staff1)),
    #[table(encrypt, was = "ssn")]
    national_id
);
later!(clear, (from(super::Staff1)), number);
// The program no longer knows the version of the rows.
later!(
    retired,
    (oldest = 2),
    #[table(encrypt)]
    national_id
);

fn ring(current: u32, ids: &[u32]) -> KeyRing {
    let byte = |id: u32| u8::try_from(id).unwrap();
    KeyRing::from_keys(current, ids.iter().map(|id| (*id, [byte(*id); 32]))).unwrap()
}

/// Counts the values under a key, in all rows of all tables, by table.
fn values_of(tables: &Tables, id: u8) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for table in block_on(tables.service().list_tables(ListTables::new())).unwrap().tables {
        let rows = block_on(tables.service().query(&table, Query::default())).unwrap().rows;
        for row in &rows {
            for (_, value) in row.properties {
                if let ValueRef::Binary([1, 0, 0, 0, found, ..]) = value
                    && *found == id
                {
                    *counts.entry(table.as_str().to_owned()).or_default() += 1;
                }
            }
        }
    }
    counts
}

/// Writes what the first program leaves: entities with rows of indexes and records, one deleted, and one in the archive.
fn written(store: &Tables) {
    let tables = store.clone().with_keys(ring(1, &[1]));
    let tables = tables.blocking();
    for id in 1..=4 {
        tables.insert(&staff(id)).unwrap();
    }
    let first = tables.get(&Staff1::point("a", 1)).unwrap().unwrap();
    tables.merge(first.patch().ssn("ssn 1".into())).unwrap();
    tables.delete_at(Staff1::point("a", 3)).unwrap();
    assert!(
        block_on(store.clone().with_keys(ring(1, &[1])).move_entity(&staff(4).key(), "OldStaff")).unwrap()
    );
    let of = values_of(store, 1);
    assert_eq!(of.keys().collect::<Vec<_>>(), ["Desks", "OldStaff", "Staff"], "{of:?}");
}

/// Rotates as the guide says: until a run finds nothing.
fn rotated<R>(store: &Tables, run: impl Fn(&Tables) -> R) -> Tables
where
    R: Future<Output = Result<ReencryptReport>>,
{
    let both = store.clone().with_keys(ring(2, &[1, 2]));
    let first = block_on(run(&both)).unwrap();
    assert!(!first.is_complete() && first.failed.is_empty(), "{first}");
    assert_eq!(first.older_keys.keys().collect::<Vec<_>>(), [&1]);
    let second = block_on(run(&both)).unwrap();
    assert!(second.is_complete(), "{second}");
    assert_eq!(second.to_string(), "no value needs an older key");
    assert_eq!(values_of(store, 1), BTreeMap::new(), "a value needs the old key");
    store.clone().with_keys(ring(2, &[2]))
}

type RotationJob = fn(&Tables) -> Sweep<Reencrypt>;

/// Every version, also one that the program does not know, and every job that covers the tables.
#[test]
fn no_value_of_any_version_needs_the_old_key() {
    let jobs: [(&str, RotationJob); 5] = [
        ("renamed", |tables| tables.reencrypt::<renamed::Staff>()),
        ("no longer encrypted", |tables| tables.reencrypt::<clear::Staff>()),
        ("the same version", |tables| tables.reencrypt::<Staff1>()),
        ("all tables", Tables::reencrypt_all),
        ("small pages", |tables| tables.reencrypt_all().page_size(1)),
    ];
    for (name, job) in jobs {
        let store = Tables::in_memory().unwrap();
        written(&store);
        let new = rotated(&store, |tables| job(tables).run());
        let tables = new.blocking();
        let ssn = tables.get(&renamed::Staff::point("a", 1)).unwrap().map(|staff| staff.national_id.clone());
        assert_eq!(ssn.as_deref(), Some("ssn 1"), "{name}");
        let number = tables.get(&clear::Staff::point("a", 1)).unwrap().map(|staff| staff.number.clone());
        assert_eq!(number.as_deref(), Some("ssn 1"), "{name}");
        // The old program still runs, with the new key.
        let old = tables.get(&Staff1::point("a", 1)).unwrap().unwrap();
        assert_eq!((old.name.as_str(), old.ssn.as_str()), ("jo1", "ssn 1"), "{name}");
        assert_eq!(tables.get(&Staff1::by_desk("desk1", "a", 1)).unwrap().unwrap().ssn, "ssn 1", "{name}");
        let archived = block_on(new.archived(&renamed::StaffKey { d: "a".into(), id: 4 })).unwrap().unwrap();
        assert_eq!(archived.national_id, "ssn 4", "{name}");
        assert_eq!(block_on(new.upgrade::<renamed::Staff>().run()).unwrap().failed.len(), 0, "{name}");
    }
}

/// The job of a program that can no longer read the rows of version 1 keeps them readable for one that can.
#[test]
fn rows_of_a_retired_version_are_encrypted_again() {
    let store = Tables::in_memory().unwrap();
    written(&store);
    let new = rotated(&store, |tables| {
        let tables = tables.clone();
        async move {
            // The tables of an index that only version 1 declares are covered by the job over all tables.
            let mut report = tables.reencrypt::<retired::Staff>().run().await?;
            let rest = tables.reencrypt_all().run().await?;
            report.written += rest.written;
            report.other_rows += rest.other_rows;
            rest.older_keys
                .into_iter()
                .for_each(|(id, values)| *report.older_keys.entry(id).or_default() += values);
            Ok(report)
        }
    });
    assert!(new.blocking().get(&retired::Staff::point("a", 1)).is_err());
    assert_eq!(new.blocking().get(&Staff1::point("a", 1)).unwrap().unwrap().ssn, "ssn 1");
}

/// The records of a feed are read as before: with their states, their numbers and the times of their changes. A position
/// that was saved before remains valid, and the rotation is no change.
#[test]
fn a_rotation_does_not_change_the_feed() {
    let store = Tables::in_memory().unwrap();
    written(&store);
    let read = |tables: &Tables| {
        let batch = block_on(tables.changes::<renamed::Staff>().next_batch()).unwrap();
        assert!(batch.blocked.is_none() && batch.is_end);
        let changes: Vec<_> = batch
            .changes
            .iter()
            .map(|change| (change.sequence(), change.time(), change.new().cloned(), change.old().cloned()))
            .collect();
        (changes, batch.position)
    };
    let (before, position) = read(&store.clone().with_keys(ring(1, &[1])));
    assert!(before.len() > 6 && before.iter().any(|(.., old)| old.is_some()));
    let new = rotated(&store, |tables| tables.reencrypt::<renamed::Staff>().run());
    assert_eq!(read(&new).0, before);
    let rest = block_on(new.changes::<renamed::Staff>().after(&position).next_batch()).unwrap();
    assert!(rest.changes.is_empty());
}

/// A value of the type that cannot be read is named, with its key. Bytes of other rows are not.
#[test]
fn what_still_needs_a_key_is_named() {
    let store = Tables::in_memory().unwrap();
    written(&store);
    let later = store.clone().with_keys(ring(3, &[2, 3]));
    let report = block_on(later.reencrypt::<renamed::Staff>().run()).unwrap();
    assert!(!report.is_complete() && report.written == 0, "{report}");
    assert_eq!(report.older_keys.keys().collect::<Vec<_>>(), [&1]);
    let Error::Decode(error) = &report.failed[0].1 else { panic!("{report}") };
    assert!(
        error.to_string().contains("key 1, which is missing in the key ring; load a ring with key 1"),
        "{error}"
    );
    assert!(report.to_string().contains("values of key 1 found; keep the older keys"), "{report}");

    // Bytes with the form of an encrypted value, in a row of another program.
    let both = store.clone().with_keys(ring(2, &[1, 2]));
    let bytes = |id: u8| [&[1, 0, 0, 0, id][..], &[7; 60]].concat();
    let mut other = DynamicEntity::new("Staff", "a", "x").unwrap();
    other.set("EntityType", "Other");
    other.set("known", bytes(1));
    other.set("unknown", bytes(9));
    store.blocking().insert(&other).unwrap();
    drop(block_on(both.reencrypt::<renamed::Staff>().run()).unwrap());
    let report = block_on(both.reencrypt::<renamed::Staff>().run()).unwrap();
    assert!(report.is_complete(), "{report}");
    assert_eq!(report.unreadable, 1, "{report}");
}

#[test]
fn a_rotation_without_keys_is_an_error() {
    let store = Tables::in_memory().unwrap();
    written(&store);
    for run in [
        store.reencrypt::<renamed::Staff>().run(),
        store.reencrypt::<clear::Staff>().run(),
        store.reencrypt_all().run(),
    ] {
        let Err(Error::Property(error)) = block_on(run) else { panic!("no error") };
        assert_eq!(error.reason, table_patterns::ValueError::Encrypted(DecryptError::NoKeys));
    }
}

/// An entity with a table for each period and an archive.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Stays{at:%Y%m%d}", partition = "{hotel}", row = "{at:ticks}_{id:06}", archive = "OldStays")]
struct Stay {
    hotel: String,
    at: Timestamp,
    id: u32,
    #[table(encrypt)]
    guest: String,
}

#[test]
fn tables_of_periods_their_archive_and_untyped_entities_are_covered() {
    let store = Tables::in_memory().unwrap();
    let seals = |_: &str, _: &str, property: &str| property == "secret";
    let first = store.clone().with_keys(ring(1, &[1]));
    for (id, at) in (1..).zip(["2030-01-01T00:00:00Z", "2030-01-02T00:00:00Z", "2030-01-03T00:00:00Z"]) {
        let stay = Stay { hotel: "h".into(), at: at.parse().unwrap(), id, guest: "jo".into() };
        first.blocking().insert(&stay).unwrap();
        if id == 3 {
            assert!(block_on(first.move_entity(&stay.key(), "OldStays")).unwrap());
        }
    }
    let both = store.clone().with_keys(ring(2, &[1, 2]));
    let report = block_on(both.reencrypt::<Stay>().page_size(1).run()).unwrap();
    assert_eq!((report.written, report.failed.len()), (3, 0), "{report}");
    assert_eq!(values_of(&store, 1), BTreeMap::new());

    let mut untyped = DynamicEntity::new("Untyped", "p", "r").unwrap();
    untyped.set("secret", "jo");
    first.encrypting(seals).blocking().insert(&untyped).unwrap();
    assert!(!values_of(&store, 1).is_empty());
    let new = rotated(&store, |tables| tables.reencrypt_all().run());
    let found =
        new.encrypting(seals).blocking().get(&DynamicEntity::point("Untyped", "p", "r")).unwrap().unwrap();
    assert_eq!(found.get::<String>("secret").unwrap().as_deref(), Some("jo"));
}

/// A soft-deleted entity, whose version 2 no longer encrypts.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Guests", partition = "{d}", row = "g_{id:04}", entity_type = "Guest", soft_delete = deleted)]
struct Guest1 {
    d: String,
    id: u16,
    #[table(encrypt)]
    name: String,
    deleted: Option<Timestamp>,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Guests", partition = "{d}", row = "g_{id:04}", entity_type = "Guest", soft_delete = deleted)]
#[table(version = 2, from(Guest1))]
struct Guest {
    d: String,
    id: u16,
    full: String,
    deleted: Option<Timestamp>,
}

impl From<Guest1> for Guest {
    fn from(Guest1 { d, id, name, deleted }: Guest1) -> Self {
        Self { d, id, full: name, deleted }
    }
}

#[test]
fn soft_deleted_entities_are_encrypted_again() {
    let store = Tables::in_memory().unwrap();
    let first = store.clone().with_keys(ring(1, &[1]));
    first.blocking().insert(&Guest1 { d: "a".into(), id: 1, name: "jo".into(), deleted: None }).unwrap();
    first.blocking().soft_delete(Guest1::point("a", 1)).unwrap();
    let new = rotated(&store, |tables| tables.reencrypt::<Guest>().run());
    assert_eq!(new.blocking().undelete(Guest::point("a", 1)).unwrap().full, "jo");
}
