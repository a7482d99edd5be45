//! What older versions of a type have beside the rules of `older_rules`: blobs, copied fields, change feeds, indexes that
//! an intermediate version added, and writes that ask for the previous state in another way.

#![allow(clippy::unwrap_used, clippy::panic, clippy::pedantic, reason = "tests")]
#![allow(dead_code, reason = "fields and items of entities that only some of the tests read")]
#![allow(clippy::duplicated_attributes, reason = "it takes the words of two rules for words said twice")]

use pollster::block_on;
use table_model::{
    Query as StoreQuery, TableName,
    blob::{ContainerName, ListBlobs},
};
use table_patterns::{Blob, Error, prelude::*};

/// Returns a handle of another program on the same store.
fn program(tables: &Tables) -> Tables {
    let service = tables.service().clone();
    Tables::from_services(service, tables.queues().ok().cloned(), tables.blobs().ok().cloned())
}

/// Returns the RowKeys of the rows of a table, without those of the library.
fn rows(tables: &Tables, table: &str) -> Vec<String> {
    let name = TableName::new(table).unwrap();
    let Ok(found) = block_on(tables.service().query(&name, StoreQuery::default())) else { return Vec::new() };
    let keys = found.rows.iter().map(|row| row.row_key.unwrap().to_owned());
    keys.filter(|key| !key.starts_with('_')).collect()
}

fn blobs(tables: &Tables, container: &str) -> usize {
    let container = ContainerName::new(container).unwrap();
    let listed = block_on(tables.blobs().unwrap().list_blobs(&container, ListBlobs::new()));
    listed.map_or(0, |listed| listed.items.len())
}

// ---- An index in three versions.

macro_rules! versioned {
    ($name:ident, [$($attribute:tt)*]) => {
        #[derive(TableEntity, Clone, Debug)]
        #[table(name = "Steps", partition = "{p}", row = "s_{id:04}", entity_type = "Step")]
        $($attribute)*
        pub(super) struct $name {
            pub(super) p: String,
            pub(super) id: u16,
            pub(super) team: String,
            pub(super) size: i64,
        }
    };
}

macro_rules! convert {
    ($old:ty, $new:ident) => {
        impl From<$old> for $new {
            fn from(old: $old) -> Self {
                Self { p: old.p, id: old.id, team: old.team, size: old.size }
            }
        }
    };
}

macro_rules! three {
    ($test:ident, [$($rule:tt)*], $tables:expr) => {
        mod $test {
            use super::*;

            versioned!(Step1, []);
            versioned!(Step2, [#[table(version = 2, from(Step1))] $($rule)*]);
            versioned!(Step3, [#[table(version = 3, from(Step2))]]);
            convert!(Step1, Step2);
            convert!(Step2, Step3);

            fn step(id: u16, team: &str) -> Step1 {
                Step1 { p: "a".into(), id, team: team.into(), size: 5 }
            }

            /// Every write of version 3 removes the rows that version 2 added to an entity of version 1.
            #[test]
            fn $test() {
                let writes: [(&str, fn(&Tables)); 5] = [
                    ("delete", |tables| {
                        let read = tables.blocking().get(&Step3::point("a", 1)).unwrap().unwrap();
                        tables.blocking().delete(&read).unwrap();
                    }),
                    ("delete_at", |tables| tables.blocking().delete_at(Step3::point("a", 1)).unwrap()),
                    ("replace", |tables| {
                        let mut read = tables.blocking().get(&Step3::point("a", 1)).unwrap().unwrap();
                        read.team = "green".into();
                        tables.blocking().replace(&read).unwrap();
                    }),
                    ("patch", |tables| {
                        tables.blocking().merge(Step3::patch("a", 1).size(7)).unwrap();
                    }),
                    ("upgrade", |tables| {
                        let report = block_on(tables.upgrade::<Step3>().run()).unwrap();
                        assert!(report.failed.is_empty(), "{report:?}");
                    }),
                ];
                let mut left = Vec::new();
                for (name, write) in writes {
                    for is_filled in [false, true] {
                        let store = Tables::in_memory().unwrap();
                        store.blocking().insert(&step(1, "red")).unwrap();
                        if is_filled {
                            let second = program(&store);
                            second.register_entity::<Step2>();
                            drop(block_on(second.verify::<Step2>().repair().run()).unwrap());
                            block_on(second.catch_up()).unwrap();
                        }
                        let third = program(&store);
                        third.register_entity::<Step3>();
                        write(&third);
                        block_on(third.catch_up()).unwrap();
                        let tables: &[&str] = &$tables;
                        let found: Vec<_> = tables
                            .iter()
                            .flat_map(|table| rows(&third, table))
                            .filter(|key| !key.starts_with("s_") && !key.starts_with("lock"))
                            .collect();
                        if !found.is_empty() {
                            left.push(format!("{name} {is_filled}: {found:?}"));
                        }
                        let report = block_on(third.verify::<Step3>().run()).unwrap();
                        if !report.is_clean() {
                            left.push(format!("{name} {is_filled}: {report}"));
                        }
                    }
                }
                assert!(left.is_empty(), "{}", left.join("\n"));
            }
        }
    };
}

three!(near_of_second, [#[table(index(by, row = "n_{team}_{id:04}", copy(size)))]], ["Steps"]);
three!(far_of_second, [#[table(index(by, table = "FarSteps", partition = "{team}", row = "{p}_{id:04}", copy(size)))]], ["Steps", "FarSteps"]);
three!(unique_of_second, [#[table(index(by, row = "u_{team}", unique, copy(size)))]], ["Steps"]);
three!(list_of_second, [#[table(lookup(by, on = team, row = "l_{team}", ids = "Ids"))]], ["Steps"]);
three!(far_list_of_second, [#[table(lookup(by, on = team, place = table, table = "StepLists", ids = "Ids"))]], ["Steps", "StepLists"]);

// ---- An overwrite does not read the previous state, so that it does not know its version.

versioned!(Over1, [#[table(index(by, row = "n_{team}_{id:04}", copy(size)))]]);
versioned!(Over2, [#[table(version = 2, from(Over1))]]);
convert!(Over1, Over2);

#[test]
fn no_overwrite_loses_the_rows_of_an_older_version() {
    let store = Tables::in_memory().unwrap();
    store.blocking().insert(&Over1 { p: "a".into(), id: 1, team: "red".into(), size: 1 }).unwrap();
    let tables = program(&store);
    let written = tables.blocking().overwrite(&Over2 { p: "a".into(), id: 1, team: "blue".into(), size: 1 });
    assert!(
        matches!(written, Err(Error::OverwriteUnsupported { .. })),
        "{written:?} {:?}",
        rows(&store, "Steps")
    );
}

/// A write of an entity that an older version wrote can have more operations than the newest version needs.
#[test]
fn a_bulk_write_has_room_for_the_rows_of_an_older_version() {
    let store = Tables::in_memory().unwrap();
    let old = |id| Over1 { p: "a".into(), id, team: "red".into(), size: 1 };
    block_on(store.bulk().upsert_all(&(0..150).map(old).collect::<Vec<_>>()).run())
        .unwrap()
        .into_result()
        .unwrap();
    let tables = program(&store);
    let new: Vec<Over2> = (0..150).map(|id| Over2 { team: "blue".into(), ..old(id).into() }).collect();
    block_on(tables.bulk().upsert_all(&new).run()).unwrap().into_result().unwrap();
    assert!(rows(&store, "Steps").iter().all(|key| key.starts_with("s_")), "{:?}", rows(&store, "Steps"));
}

// ---- A patch of an entity that was read by an index that only the newest version has.

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Notes", partition = "{p}", row = "o_{id:04}", entity_type = "Note")]
struct Note1 {
    p: String,
    id: u16,
    team: String,
    text: String,
}

macro_rules! notes {
    ($module:ident, $key:expr, $($index:tt)*) => {
        mod $module {
            use super::*;

            #[derive(TableEntity, Clone, Debug)]
            #[table(name = "Notes", partition = "{p}", row = "o_{id:04}", entity_type = "Note")]
            #[table(version = 2, from(Note1), index(by, $($index)*))]
            struct Note {
                p: String,
                id: u16,
                team: String,
                words: String,
                size: i64,
            }

            impl From<Note1> for Note {
                fn from(Note1 { p, id, team, text }: Note1) -> Self {
                    Self { p, id, team, words: text, size: 1 }
                }
            }

            #[test]
            fn $module() {
                let store = Tables::in_memory().unwrap();
                let note = Note1 { p: "a".into(), id: 1, team: "red".into(), text: "old".into() };
                store.blocking().insert(&note).unwrap();
                let tables = program(&store);
                tables.register_entity::<Note>();
                drop(block_on(tables.verify::<Note>().repair().run()).unwrap());
                block_on(tables.catch_up()).unwrap();
                let read = by(&tables);
                assert_eq!(read.words, "old");
                let b = tables.blocking();
                b.merge(read.patch().size(9).words("new".into())).unwrap();
                block_on(tables.catch_up()).unwrap();
                let now = b.get(&Note::point("a", 1)).unwrap().unwrap();
                assert_eq!((now.size, &*now.words), (9, "new"));
                assert_eq!((by(&tables).size, &*by(&tables).words), (9, "new"));
                assert!(block_on(tables.verify::<Note>().run()).unwrap().is_clean());
                // The entity is of the newest version.
                assert_eq!(block_on(tables.upgrade::<Note>().run()).unwrap().written, 0);
            }

            fn by(tables: &Tables) -> Stored<Note> {
                let [first, second] = $key;
                tables.blocking().get(&Note::by(first, second, 1)).unwrap().unwrap()
            }
        }
    };
}

notes!(patch_through_near, ["a", "red"], row = "n_{team}_{id:04}");

// ---- Lists of two versions in one row.

versioned!(List1, [#[table(lookup(by, on = team, row = "l_{team}", ids = "Ids"))]]);
versioned!(List2, [#[table(version = 2, from(List1), lookup(by, on = team, row = "l_{team}", ids = "Members"))]]);
convert!(List1, List2);

#[test]
fn two_lists_in_one_row_are_rejected() {
    let tables = Tables::in_memory().unwrap();
    let step = List2 { p: "a".into(), id: 1, team: "red".into(), size: 1 };
    let written = tables.blocking().insert(&step);
    assert!(matches!(written, Err(Error::Collision(_))), "{written:?}");
}

// ---- Blobs.

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Scans", partition = "{p}", row = "c_{id:04}", entity_type = "Scan")]
struct Scan1 {
    p: String,
    id: u16,
    #[table(blob, inline = 10)]
    image: Option<Blob>,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Scans", partition = "{p}", row = "c_{id:04}", entity_type = "Scan", version = 2, from(Scan1))]
struct Scan {
    p: String,
    id: u16,
    note: i64,
}

impl From<Scan1> for Scan {
    fn from(Scan1 { p, id, .. }: Scan1) -> Self {
        Self { p, id, note: 0 }
    }
}

/// A blob of a field that the newest version dropped ends with the row that refers to it.
#[test]
fn blobs_of_a_dropped_field_are_deleted() {
    type Write = fn(&Tables);
    let writes: [(&str, Write); 6] = [
        ("delete_at", |tables| tables.blocking().delete_at(Scan::point("a", 1)).unwrap()),
        ("delete", |tables| {
            let read = tables.blocking().get(&Scan::point("a", 1)).unwrap().unwrap();
            tables.blocking().delete(&read).unwrap();
        }),
        ("upsert", |tables| {
            tables.blocking().upsert(&Scan { p: "a".into(), id: 1, note: 2 }).map(drop).unwrap();
        }),
        ("replace", |tables| {
            let read = tables.blocking().get(&Scan::point("a", 1)).unwrap().unwrap();
            tables.blocking().replace(&read).map(drop).unwrap();
        }),
        ("patch", |tables| tables.blocking().merge(Scan::patch("a", 1).note(3)).map(drop).unwrap()),
        ("upgrade", |tables| drop(block_on(tables.upgrade::<Scan>().run()).unwrap())),
    ];
    for (name, write) in writes {
        let store = Tables::in_memory().unwrap();
        let scan = Scan1 { p: "a".into(), id: 1, image: Some(Blob::new(vec![7; 100_000])) };
        store.blocking().insert(&scan).unwrap();
        assert_eq!(blobs(&store, "scans"), 1);
        let tables = program(&store);
        tables.register_entity::<Scan>();
        write(&tables);
        block_on(tables.catch_up()).unwrap();
        assert_eq!(blobs(&store, "scans"), 0, "{name}");
    }
}
