//! After an upgrade, no record of a change feed and no archived entity needs the older version: a program that no longer
//! knows it reads the same changes.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::fmt::Debug;

use pollster::block_on;
use table_patterns::{
    Blob, ChangeEvent, ChangeKind, Error, HasChanges, KeyRing, TaskError, Timestamp, prelude::*,
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(
    name = "Guests",
    partition = "{d}",
    row = "g_{id:04}",
    entity_type = "Guest",
    changes(old),
    archive = "OldGuests"
)]
struct Guest1 {
    d: String,
    id: u16,
    name: String,
    #[table(encrypt)]
    ssn: String,
    #[table(created)]
    made: Option<Timestamp>,
    #[table(updated)]
    changed: Option<Timestamp>,
}

macro_rules! later {
    ($module:ident, $($from:tt)*) => {
        #[allow(dead_code, reason = "the tests read some fields of some versions")]
        mod $module {
            use table_patterns::{Timestamp, prelude::*};

            #[derive(TableEntity, Clone, Debug, PartialEq)]
            #[table(name = "Guests", partition = "{d}", row = "g_{id:04}", entity_type = "Guest", changes(old))]
            #[table(archive = "OldGuests", version = 2, $($from)*)]
            pub(super) struct Guest {
                pub(super) d: String,
                pub(super) id: u16,
                pub(super) full: String,
                #[table(encrypt)]
                pub(super) number: String,
                #[table(created)]
                pub(super) made: Option<Timestamp>,
                #[table(updated)]
                pub(super) changed: Option<Timestamp>,
            }
        }
    };
}

later!(both, from(super::Guest1));
later!(newest, oldest = 2);

impl From<Guest1> for both::Guest {
    fn from(Guest1 { d, id, name, ssn, made, changed }: Guest1) -> Self {
        Self { d, id, full: name, number: ssn, made, changed }
    }
}

fn guest(id: u16) -> Guest1 {
    let (d, name) = ("a".to_owned(), format!("guest {id}"));
    Guest1 { d, id, name, ssn: format!("ssn {id}"), made: None, changed: None }
}

/// Returns a program with its own registrations on the tables of another one.
fn program(tables: &Tables) -> Tables {
    let (queues, blobs) = (tables.queues().unwrap().clone(), tables.blobs().unwrap().clone());
    let ring = KeyRing::from_keys(1, [(1, [1; 32])]).unwrap();
    Tables::from_services(tables.service().clone(), Some(queues), Some(blobs)).with_keys(ring)
}

/// Returns the changes, in the newest version.
fn changes<E: HasChanges + Debug>(tables: &Tables) -> Vec<String> {
    let batch = block_on(tables.changes::<E>().next_batch()).unwrap();
    assert!(batch.blocked.is_none() && batch.is_end, "{:?}", batch.blocked);
    let change = |change: &ChangeEvent<E>| {
        let parts = (change.kind(), change.sequence(), change.time(), change.new(), change.old());
        format!("{parts:?}")
    };
    batch.changes.iter().map(change).collect()
}

/// Writes what the first program leaves: an entity that was changed, a deleted one, and an archived one.
fn written(store: &Tables) {
    let tables = program(store);
    for id in 1..=3 {
        tables.blocking().insert(&guest(id)).unwrap();
    }
    tables.blocking().merge(Guest1::patch("a", 1).name("ann".into())).unwrap();
    tables.blocking().delete_at(Guest1::point("a", 2)).unwrap();
    assert!(block_on(tables.move_entity(&guest(3).key(), "OldGuests")).unwrap());
}

#[test]
fn a_program_without_the_older_version_reads_the_feed_and_the_archive() {
    let store = Tables::in_memory().unwrap();
    written(&store);
    let before = changes::<both::Guest>(&program(&store));
    assert_eq!(before.len(), 6);
    let archived =
        block_on(program(&store).archived(&both::GuestKey { d: "a".into(), id: 3 })).unwrap().unwrap();
    // It cannot read them before, and says what to do.
    let error = block_on(program(&store).changes::<newest::Guest>().next_batch()).unwrap_err();
    assert!(
        error.to_string().contains("run `tables.upgrade` with a program that knows version 1"),
        "{error}"
    );

    let first = block_on(program(&store).upgrade::<both::Guest>().page_size(2).run()).unwrap();
    assert!(first.failed.is_empty(), "{:?}", first.failed);
    // The records of 3 inserts and a patch, and the previous states of the patch and 2 deletes. The job itself records the
    // previous state of the entity in the newest version.
    assert_eq!((first.written, first.records), (2, 7));
    let second = block_on(program(&store).upgrade::<both::Guest>().run()).unwrap();
    assert_eq!((second.written, second.records, second.failed.len()), (0, 0, 0));

    let newest = program(&store);
    let after = changes::<newest::Guest>(&newest);
    assert_eq!(after[..6], before, "as they were read before");
    assert_eq!(after.len(), 7, "the upgrade of the entity is a change");
    let now = block_on(newest.archived(&newest::GuestKey { d: "a".into(), id: 3 })).unwrap().unwrap();
    assert_eq!(format!("{now:?}"), format!("{archived:?}"));
    assert!(block_on(program(&store).reopen(&both::GuestKey { d: "a".into(), id: 3 })).unwrap());
    assert_eq!(newest.blocking().get(&newest::Guest::point("a", 3)).unwrap().unwrap().number, "ssn 3");
}

/// Records keep their token and number, so that a position that was saved before remains valid.
#[test]
fn a_position_remains_valid_in_an_upgrade() {
    let store = Tables::in_memory().unwrap();
    written(&store);
    let position = block_on(program(&store).changes::<both::Guest>().next_batch()).unwrap().position;
    drop(block_on(program(&store).upgrade::<both::Guest>().run()).unwrap());
    let batch = block_on(program(&store).changes::<newest::Guest>().after(&position).next_batch()).unwrap();
    assert_eq!(batch.changes.iter().map(ChangeEvent::kind).collect::<Vec<_>>(), [ChangeKind::Update]);
}

/// An entity with a value in a blob is not converted in the archive: its blob belongs to the row.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Papers", partition = "{d}", row = "p_{id:04}", entity_type = "Paper", archive = "OldPapers")]
struct Paper1 {
    d: String,
    id: u16,
    #[table(blob, inline = 10)]
    text: Option<Blob>,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Papers", partition = "{d}", row = "p_{id:04}", entity_type = "Paper", archive = "OldPapers")]
#[table(version = 2, from(Paper1))]
struct Paper {
    d: String,
    id: u16,
    #[table(blob, inline = 10)]
    body: Option<Blob>,
}

impl From<Paper1> for Paper {
    fn from(Paper1 { d, id, text }: Paper1) -> Self {
        Self { d, id, body: text }
    }
}

#[test]
fn an_archived_value_in_a_blob_is_named() {
    let store = Tables::in_memory().unwrap();
    let paper = Paper1 { d: "a".into(), id: 1, text: Some(Blob::new(vec![7; 100_000])) };
    program(&store).blocking().insert(&paper).unwrap();
    assert!(block_on(program(&store).move_entity(&paper.key(), "OldPapers")).unwrap());
    let report = block_on(program(&store).upgrade::<Paper>().run()).unwrap();
    let [(address, Error::Task(error))] = &report.failed[..] else { panic!("{:?}", report.failed) };
    assert!(matches!(error, TaskError::ArchivedBlob { entity: "Paper", .. }), "{error}");
    assert_eq!(address.table().as_str(), "OldPapers");
    assert!(block_on(program(&store).reopen(&PaperKey { d: "a".into(), id: 1 })).unwrap());
}

/// A version without an archive: the rows that the older version archived are upgraded where they are.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Forms", partition = "{d}", row = "f_{id:04}", entity_type = "Form", archive = "OldForms")]
struct Form1 {
    d: String,
    id: u16,
    text: String,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Forms", partition = "{d}", row = "f_{id:04}", entity_type = "Form", version = 2, from(Form1))]
struct Form {
    d: String,
    id: u16,
    title: String,
}

impl From<Form1> for Form {
    fn from(older: Form1) -> Self {
        Self { d: older.d, id: older.id, title: older.text }
    }
}

#[test]
fn an_upgrade_covers_the_archive_that_only_an_older_version_has() {
    let store = Tables::in_memory().unwrap();
    let form = Form1 { d: "a".into(), id: 1, text: "leave".into() };
    program(&store).blocking().insert(&form).unwrap();
    assert!(block_on(program(&store).move_entity(&form.key(), "OldForms")).unwrap());
    let report = block_on(program(&store).upgrade::<Form>().run()).unwrap();
    assert_eq!((report.written, report.failed.len()), (1, 0), "{:?}", report.failed);
    let again = block_on(program(&store).upgrade::<Form>().run()).unwrap();
    assert_eq!(again.written, 0);
    // A program of version 1 sees that a newer version wrote it.
    assert!(block_on(program(&store).archived(&form.key())).is_err());
}

/// An entity with rows of an index, which a soft delete removes.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Users", partition = "{d}", row = "u_{id:04}", entity_type = "User", soft_delete = deleted)]
#[table(index(by_mail, row = "m_{mail}", unique, copy()))]
struct User1 {
    d: String,
    id: u16,
    mail: String,
    deleted: Option<Timestamp>,
}

macro_rules! users {
    ($module:ident, [$($deleted:ident)?], $convert:expr) => {
        #[allow(dead_code, reason = "the tests read some fields of some versions")]
        mod $module {
            use table_patterns::prelude::*;

            #[derive(TableEntity, Clone, Debug)]
            #[table(name = "Users", partition = "{d}", row = "u_{id:04}", entity_type = "User")]
            #[table(version = 2, from(super::User1) $(, soft_delete = $deleted)?)]
            #[table(index(by_mail, row = "m_{mail}", unique, copy()))]
            pub(super) struct User {
                pub(super) d: String,
                pub(super) id: u16,
                pub(super) mail: String,
                pub(super) visits: i64,
                $(pub(super) $deleted: Option<table_patterns::Timestamp>,)?
            }

            impl From<super::User1> for User {
                fn from(old: super::User1) -> Self {
                    $convert(old)
                }
            }
        }
    };
}

users!(without, [], |old: super::User1| User { d: old.d, id: old.id, mail: old.mail, visits: 0 });
users!(dropped, [gone], |old: super::User1| User {
    d: old.d,
    id: old.id,
    mail: old.mail,
    visits: 0,
    gone: None
});
users!(renamed, [gone], |old: super::User1| User {
    d: old.d,
    id: old.id,
    mail: old.mail,
    visits: 0,
    gone: old.deleted
});

/// An entity that version 1 soft-deleted is not restored by a version that does not know it.
#[test]
fn no_write_restores_what_an_older_version_soft_deleted() {
    macro_rules! check {
        ($module:ident, $is_kept:expr) => {
            let store = Tables::in_memory().unwrap();
            let old = program(&store);
            for id in 1..=2 {
                let mail = format!("m{id}");
                old.blocking().insert(&User1 { d: "a".into(), id, mail, deleted: None }).unwrap();
            }
            old.blocking().soft_delete(User1::point("a", 1)).unwrap();
            let tables = program(&store);
            let user = $module::User::from(User1 { d: "a".into(), id: 1, mail: "m1".into(), deleted: None });
            let is_rejected = |result: Result<()>| matches!(result, Err(Error::RestoresDeleted { .. }));
            if !$is_kept {
                let tables = tables.blocking();
                assert!(is_rejected(tables.upsert(&user).map(drop)));
                assert!(is_rejected(tables.replace_any(&user).map(drop)));
                assert!(is_rejected(tables.merge($module::User::patch("a", 1).visits(7)).map(drop)));
            }
            let report = block_on(tables.upgrade::<$module::User>().run()).unwrap();
            assert_eq!((report.written, report.failed.len()), if $is_kept { (2, 0) } else { (1, 1) });
            assert!($is_kept || is_rejected(Err(report.failed[0].1.clone())));
            // It remains invisible, also by its index, and its unique value is free.
            let tables = tables.blocking();
            assert!(tables.get(&$module::User::point("a", 1)).unwrap().is_none());
            assert!(tables.get(&$module::User::by_mail("a", "m1")).unwrap().is_none());
            assert!(tables.get(&$module::User::by_mail("a", "m2")).unwrap().is_some());
            // It can be deleted.
            tables.delete_at($module::User::point("a", 1)).unwrap();
        };
    }
    check!(without, false);
    check!(dropped, false);
    check!(renamed, true);
}
