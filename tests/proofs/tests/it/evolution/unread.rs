//! Properties that a newer program added, through each verb of an older program.

use pollster::block_on;
use table_patterns::{DifferenceKind, prelude::*};

use super::{Backend, backends, other_process};

/// The older program.
mod old {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Tickets", partition = "{tenant}", row = "t_{n:06}", entity_type = "Ticket")]
    pub struct Plain {
        pub tenant: String,
        pub n: u32,
        pub state: String,
        pub owner: Option<String>,
    }

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Tickets", partition = "{tenant}", row = "i_{n:06}", entity_type = "Indexed")]
    #[table(index(by_mail, row = "m_{mail}", unique))]
    #[table(index(everywhere, partition = "far_{tenant}", row = "{n:06}"))]
    #[table(index(by_state, row = "s_{state}_{n:06}", copy(mail)))]
    pub struct Indexed {
        pub tenant: String,
        pub n: u32,
        pub mail: String,
        pub state: String,
    }
}

/// The newer program: each type has additional fields, and needs no version for them.
mod new {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Tickets", partition = "{tenant}", row = "t_{n:06}", entity_type = "Ticket")]
    pub struct Plain {
        pub tenant: String,
        pub n: u32,
        pub note: Option<String>,
        pub state: String,
        pub owner: Option<String>,
        pub score: Option<f64>,
    }

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Tickets", partition = "{tenant}", row = "i_{n:06}", entity_type = "Indexed")]
    #[table(index(by_mail, row = "m_{mail}", unique))]
    #[table(index(everywhere, partition = "far_{tenant}", row = "{n:06}"))]
    #[table(index(by_state, row = "s_{state}_{n:06}", copy(mail)))]
    pub struct Indexed {
        pub tenant: String,
        pub n: u32,
        pub mail: String,
        pub state: String,
        pub phone: Option<String>,
    }
}

fn plain() -> new::Plain {
    new::Plain {
        tenant: "a".into(),
        n: 1,
        note: Some("important".into()),
        state: "open".into(),
        owner: Some("jo".into()),
        score: Some(0.5),
    }
}

fn indexed() -> new::Indexed {
    new::Indexed {
        tenant: "a".into(),
        n: 1,
        mail: "x@y".into(),
        state: "open".into(),
        phone: Some("555".into()),
    }
}

/// A verb of the older program, which sets `state` to `closed`.
type Verb<E> = (&'static str, fn(&Tables, E));

const PLAIN: &[Verb<old::Plain>] = &[
    ("replace", |tables, _| {
        let b = tables.blocking();
        let mut stored = b.get(&old::Plain::point("a", 1)).unwrap().unwrap();
        stored.state = "closed".into();
        let written = b.replace(&stored).unwrap();
        // Without another read.
        let stored = stored.written(&written);
        b.replace(&stored).unwrap();
    }),
    ("update", |tables, _| {
        block_on(tables.update(old::Plain::point("a", 1), |entity| entity.state = "closed".into())).unwrap();
    }),
    ("upsert", |tables, entity| drop(tables.blocking().upsert(&entity).unwrap())),
    ("replace_any", |tables, entity| drop(tables.blocking().replace_any(&entity).unwrap())),
    ("patch", |tables, _| {
        let stored = tables.blocking().get(&old::Plain::point("a", 1)).unwrap().unwrap();
        tables.blocking().merge(stored.patch().state("closed".to_owned())).unwrap();
    }),
    ("patch by key", |tables, _| {
        tables.blocking().merge(old::Plain::patch("a", 1).state("closed".to_owned())).unwrap();
    }),
    ("upsert_merge", |tables, _| {
        tables.blocking().upsert_merge(old::Plain::patch("a", 1).state("closed".to_owned())).unwrap();
    }),
    ("bulk", |tables, entity| {
        block_on(tables.bulk().upsert(&entity).run()).unwrap().into_result().unwrap();
    }),
    ("transaction", |tables, entity| drop(block_on(tables.transact().upsert(&entity).commit()).unwrap())),
    ("scan", |tables, _| {
        let b = tables.blocking();
        for mut stored in b.all(&old::Plain::scan_partition("a")).unwrap() {
            stored.state = "closed".into();
            b.replace(&stored).unwrap();
        }
    }),
];

#[test]
fn verbs_keep_properties_that_the_type_does_not_declare() {
    for Backend { name: backend, tables, .. } in &backends() {
        let b = tables.blocking();
        for (verb, write) in PLAIN {
            b.overwrite(&plain()).unwrap();
            let entity =
                old::Plain { tenant: "a".into(), n: 1, state: "closed".into(), owner: Some("jo".into()) };
            write(&other_process(tables), entity);
            let found = b.get(&new::Plain::point("a", 1)).unwrap().unwrap();
            assert_eq!(*found, new::Plain { state: "closed".into(), ..plain() }, "{backend}: {verb}");
        }
    }
}

/// A property that the type declares is removed by a value that is absent.
#[test]
fn declared_properties_are_removed() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&plain()).unwrap();
    b.upsert(&old::Plain { tenant: "a".into(), n: 1, state: "open".into(), owner: None }).unwrap();
    let found = b.get(&new::Plain::point("a", 1)).unwrap().unwrap();
    assert_eq!(*found, new::Plain { owner: None, ..plain() });
    b.overwrite(&old::Plain { tenant: "a".into(), n: 1, state: "open".into(), owner: None }).unwrap();
    let found = b.get(&new::Plain::point("a", 1)).unwrap().unwrap();
    assert_eq!((found.note.as_ref(), found.score), (None, None), "an overwrite keeps nothing");
}

#[test]
fn unread_lists_what_the_type_does_not_declare() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&plain()).unwrap();
    let names = |stored: &Stored<old::Plain>| -> Vec<String> {
        stored.unread().map(|(name, _)| name.to_owned()).collect()
    };
    let stored = b.get(&old::Plain::point("a", 1)).unwrap().unwrap();
    assert_eq!(names(&stored), ["note", "score"]);
    b.insert(&new::Plain { n: 2, note: None, score: None, ..plain() }).unwrap();
    let stored = b.get(&old::Plain::point("a", 2)).unwrap().unwrap();
    assert!(names(&stored).is_empty());
    assert_eq!(b.get(&new::Plain::point("a", 1)).unwrap().unwrap().unread().count(), 0);
    let all = b.all(&old::Plain::rows("a")).unwrap();
    assert_eq!(all.iter().map(|stored| stored.unread().count()).collect::<Vec<_>>(), [2, 0]);
}

fn assert_whole(tables: &Tables, state: &str, hint: &str) {
    let b = tables.blocking();
    block_on(tables.catch_up()).unwrap();
    let expected = new::Indexed { state: state.into(), ..indexed() };
    assert_eq!(*b.get(&new::Indexed::point("a", 1)).unwrap().unwrap(), expected, "{hint}");
    assert_eq!(*b.get(&new::Indexed::by_mail("a", "x@y")).unwrap().unwrap(), expected, "{hint}");
    let far = DynamicEntity::point("Tickets", "far_a", "000001");
    let far = b.get(&far).unwrap().unwrap();
    assert_eq!(far.get::<String>("phone").unwrap().as_deref(), Some("555"), "{hint}");
    let report = block_on(tables.verify::<new::Indexed>().run()).unwrap();
    assert!(report.is_clean(), "{hint}: {report}");
}

#[test]
fn index_rows_with_all_fields_keep_them_too() {
    let verbs: &[Verb<old::Indexed>] = &[
        ("replace", |tables, entity| {
            let b = tables.blocking();
            let mut stored = b.get(&old::Indexed::point("a", 1)).unwrap().unwrap();
            *stored = entity;
            b.replace(&stored).unwrap();
        }),
        ("replace through an index", |tables, entity| {
            let b = tables.blocking();
            let mut stored = b.get(&old::Indexed::by_mail("a", "x@y")).unwrap().unwrap();
            assert_eq!(stored.unread().map(|(name, _)| name).collect::<Vec<_>>(), ["phone"]);
            *stored = entity;
            b.replace(&stored).unwrap();
        }),
        ("upsert", |tables, entity| drop(tables.blocking().upsert(&entity).unwrap())),
        ("bulk", |tables, entity| {
            block_on(tables.bulk().replace_any(&entity).run()).unwrap().into_result().unwrap();
        }),
    ];
    for Backend { name: backend, tables, .. } in &backends() {
        for (verb, write) in verbs {
            let (older, b) = (other_process(tables), tables.blocking());
            older.register_entity::<old::Indexed>();
            b.upsert(&indexed()).unwrap();
            block_on(tables.catch_up()).unwrap();
            let closed =
                old::Indexed { tenant: "a".into(), n: 1, mail: "x@y".into(), state: "closed".into() };
            write(&older, closed);
            // The older program applies its commit.
            block_on(older.catch_up()).unwrap();
            assert_whole(tables, "closed", &format!("{backend}: {verb}"));
        }
    }
}

#[test]
fn maintenance_by_an_older_program_keeps_them() {
    for Backend { name: backend, tables, .. } in &backends() {
        let (older, b) = (other_process(tables), tables.blocking());
        b.insert(&indexed()).unwrap();
        block_on(tables.catch_up()).unwrap();
        let report = block_on(older.verify::<old::Indexed>().repair().run()).unwrap();
        assert!(report.is_clean(), "{backend}: {report}");
        for index in ["by_mail", "everywhere", "by_state"] {
            let _ = block_on(older.reindex::<old::Indexed>(index).run()).unwrap();
        }
        assert_whole(tables, "open", &format!("{backend}: nothing was wrong"));

        // The same for rows that must be written.
        for (partition, row) in [("a", "m_x@y"), ("far_a", "000001")] {
            b.delete_at(DynamicEntity::point("Tickets", partition, row)).unwrap();
        }
        let report = block_on(older.verify::<old::Indexed>().repair().run()).unwrap();
        assert_eq!(
            (report.count_of(DifferenceKind::Missing), report.repaired),
            (2, 2),
            "{backend}: {report}"
        );
        assert_whole(tables, "open", &format!("{backend}: repaired"));
        for (partition, row) in [("a", "m_x@y"), ("far_a", "000001")] {
            b.delete_at(DynamicEntity::point("Tickets", partition, row)).unwrap();
        }
        for index in ["by_mail", "everywhere"] {
            let _ = block_on(older.reindex::<old::Indexed>(index).run()).unwrap();
        }
        assert_whole(tables, "open", &format!("{backend}: reindexed"));
    }
}
