//! Rows of an older and of a newer version.

use pollster::block_on;
use table_patterns::prelude::*;

use super::{Backend, backends, other_process};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Users", partition = "{tenant}", row = "u_{id:06}", entity_type = "User")]
#[table(index(by_mail, row = "m_{mail}", unique))]
struct UserV1 {
    tenant: String,
    id: u32,
    mail: String,
    name: String,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Users", partition = "{tenant}", row = "u_{id:06}", version = 2, from(UserV1))]
#[table(index(by_mail, row = "m_{mail}", unique))]
struct User {
    tenant: String,
    id: u32,
    mail: String,
    first: String,
    last: String,
}

impl From<UserV1> for User {
    fn from(old: UserV1) -> Self {
        let (first, last) = old.name.split_once(' ').unwrap_or((&old.name, ""));
        Self { first: first.into(), last: last.into(), tenant: old.tenant, id: old.id, mail: old.mail }
    }
}

fn of_v1() -> UserV1 {
    UserV1 { tenant: "a".into(), id: 1, mail: "x@y".into(), name: "Ann Lee".into() }
}

fn newest(last: &str) -> User {
    User { tenant: "a".into(), id: 1, mail: "x@y".into(), first: "Ann".into(), last: last.into() }
}

/// A property that neither version declares.
fn add_extra(tables: &Tables) {
    let b = tables.blocking();
    let mut row = b.get(&DynamicEntity::point("Users", "a", "u_000001")).unwrap().unwrap();
    row.set("extra", 7);
    b.replace(&row).unwrap();
}

type Verb = (&'static str, fn(&Tables));

const PATCHES: &[Verb] = &[
    ("patch", |tables| {
        let stored = tables.blocking().get(&User::point("a", 1)).unwrap().unwrap();
        tables.blocking().merge(stored.patch().last("Lo".to_owned())).unwrap();
    }),
    ("patch of an index row", |tables| {
        let stored = tables.blocking().get(&User::by_mail("a", "x@y")).unwrap().unwrap();
        tables.blocking().merge(stored.patch().last("Lo".to_owned())).unwrap();
    }),
    ("patch in a transaction", |tables| {
        let stored = tables.blocking().get(&User::point("a", 1)).unwrap().unwrap();
        block_on(tables.transact().merge(stored.patch().last("Lo".to_owned())).commit()).unwrap();
    }),
    ("update", |tables| {
        drop(block_on(tables.update(User::point("a", 1), |user| user.last = "Lo".into())).unwrap());
    }),
];

#[test]
fn patches_of_older_rows_write_the_newest_version() {
    for Backend { name: backend, tables, .. } in &backends() {
        let b = tables.blocking();
        for (verb, write) in PATCHES {
            b.delete_if_exists(User::point("a", 1)).unwrap();
            b.insert(&of_v1()).unwrap();
            write(&other_process(tables));
            let row = b.get(&DynamicEntity::point("Users", "a", "u_000001")).unwrap().unwrap();
            assert_eq!(
                row.get::<String>("EntityType").unwrap().as_deref(),
                Some("User.v2"),
                "{backend}: {verb}"
            );
            assert_eq!(row.get::<String>("name").unwrap(), None, "{backend}: {verb}: the older form is gone");
            for found in [User::point("a", 1), User::by_mail("a", "x@y")] {
                assert_eq!(*b.get(&found).unwrap().unwrap(), newest("Lo"), "{backend}: {verb}");
            }
        }
    }
}

#[test]
fn patches_by_key_upgrade_older_rows() {
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Notes", partition = "{tenant}", row = "n", entity_type = "Note")]
    struct NoteV1 {
        tenant: String,
        text: Option<String>,
    }
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Notes", partition = "{tenant}", row = "n", version = 2, from(NoteV1))]
    struct Note {
        tenant: String,
        title: Option<String>,
        body: Option<String>,
    }
    impl From<NoteV1> for Note {
        fn from(old: NoteV1) -> Self {
            Self { tenant: old.tenant, title: None, body: old.text }
        }
    }
    for Backend { name: backend, tables, .. } in &backends() {
        let b = tables.blocking();
        let verbs: [Verb; 2] = [
            ("merge", |tables| {
                drop(tables.blocking().merge(Note::patch("a").title("t".to_owned())).unwrap());
            }),
            ("upsert_merge", |tables| {
                drop(tables.blocking().upsert_merge(Note::patch("a").title("t".to_owned())).unwrap());
            }),
        ];
        for (verb, write) in verbs {
            b.delete_if_exists(Note::point("a")).unwrap();
            b.insert(&NoteV1 { tenant: "a".into(), text: Some("long".into()) }).unwrap();
            write(tables);
            let found = b.get(&Note::point("a")).unwrap().unwrap();
            let expected = Note { tenant: "a".into(), title: Some("t".into()), body: Some("long".into()) };
            assert_eq!(*found, expected, "{backend}: {verb}");
        }
        // An insert-or-merge of an absent entity inserts it.
        b.delete_at(Note::point("a")).unwrap();
        b.upsert_merge(Note::patch("a").title("t".to_owned())).unwrap();
        assert_eq!(b.get(&Note::point("a")).unwrap().unwrap().title.as_deref(), Some("t"));
    }
}

#[test]
fn upgrade_keeps_properties_of_no_version() {
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Users", partition = "{tenant}", row = "u_{id:06}", entity_type = "User")]
    struct Bare {
        tenant: String,
        id: u32,
        mail: String,
        name: String,
    }
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(
        name = "Users",
        partition = "{tenant}",
        row = "u_{id:06}",
        version = 2,
        from(Bare),
        entity_type = "User"
    )]
    struct Named {
        tenant: String,
        id: u32,
        mail: String,
        last: String,
    }
    impl From<Bare> for Named {
        fn from(old: Bare) -> Self {
            Self { last: old.name, tenant: old.tenant, id: old.id, mail: old.mail }
        }
    }

    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&Bare { tenant: "a".into(), id: 1, mail: "x@y".into(), name: "Ann Lee".into() }).unwrap();
    add_extra(&tables);
    let report = block_on(tables.upgrade::<Named>().run()).unwrap();
    assert_eq!((report.written, report.failed.len()), (1, 0));
    let row = b.get(&DynamicEntity::point("Users", "a", "u_000001")).unwrap().unwrap();
    assert_eq!(row.get::<i32>("extra").unwrap(), Some(7), "no version declares it, so it remains");
    assert_eq!(row.get::<String>("name").unwrap(), None, "the conversion used it");
    assert_eq!(row.get::<String>("last").unwrap().as_deref(), Some("Ann Lee"));
}

/// An older program does not replace a row of a newer version. The error contains both versions.
#[test]
fn rows_of_newer_versions_are_not_written_over() {
    for Backend { name: backend, tables, .. } in &backends() {
        let (older, b) = (other_process(tables), tables.blocking());
        b.insert(&newest("Lee")).unwrap();
        let o = older.blocking();
        let refused = [
            ("get", o.get(&UserV1::point("a", 1)).map(drop)),
            ("get by index", o.get(&UserV1::by_mail("a", "x@y")).map(drop)),
            ("rows", o.all(&UserV1::rows("a")).map(drop)),
            ("upsert", o.upsert(&of_v1()).map(drop)),
            ("replace_any", o.replace_any(&of_v1()).map(drop)),
            ("delete_at", o.delete_at(UserV1::point("a", 1)).map(drop)),
            (
                "update",
                block_on(older.update(UserV1::point("a", 1), |user| user.name = "x".into())).map(drop),
            ),
        ];
        for (verb, result) in refused {
            let Err(Error::Decode(error)) = &result else { panic!("{backend}: {verb}: {result:?}") };
            assert!(error.is_newer() && !error.is_foreign(), "{backend}: {verb}: {error}");
            let text = error.to_string();
            assert!(
                text.contains("version 2") && text.contains("knows version 1"),
                "{backend}: {verb}: {text}"
            );
        }
        assert_eq!(*b.get(&User::point("a", 1)).unwrap().unwrap(), newest("Lee"), "{backend}");
        b.delete(&b.get(&User::point("a", 1)).unwrap().unwrap()).unwrap();
    }
}

/// An insert-or-replace does not replace an entity of another type at the same key.
#[test]
fn entities_of_another_type_are_not_written_over() {
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Users", partition = "{tenant}", row = "u_{id:06}")]
    struct Robot {
        tenant: String,
        id: u32,
        model: Option<String>,
    }
    for Backend { name: backend, tables, .. } in &backends() {
        let b = tables.blocking();
        b.insert(&of_v1()).unwrap();
        let robot = Robot { tenant: "a".into(), id: 1, model: None };
        let refused =
            [("upsert", b.upsert(&robot).map(drop)), ("replace_any", b.replace_any(&robot).map(drop))];
        for (verb, result) in refused {
            let Err(Error::Decode(error)) = &result else { panic!("{backend}: {verb}: {result:?}") };
            assert!(error.is_foreign(), "{backend}: {verb}: {error}");
        }
        assert_eq!(*b.get(&UserV1::point("a", 1)).unwrap().unwrap(), of_v1(), "{backend}");
        b.delete(&b.get(&UserV1::point("a", 1)).unwrap().unwrap()).unwrap();
    }
}
