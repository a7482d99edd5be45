//! Wide entities: properties that a newer program added remain in the row that contains them.

use table_patterns::prelude::*;

use super::{Backend, backends, other_process};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Wide", partition = "{owner}", row = "w_{part:02}", wide = 2, entity_type = "Wide")]
struct Old {
    owner: String,
    a: Option<i32>,
    b: Option<i32>,
    c: Option<i32>,
}

/// The additional fields are in a part of their own.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Wide", partition = "{owner}", row = "w_{part:02}", wide = 2, entity_type = "Wide")]
struct New {
    owner: String,
    a: Option<i32>,
    b: Option<i32>,
    c: Option<i32>,
    d: Option<i32>,
    e: Option<i32>,
}

fn new() -> New {
    New { owner: "o".into(), a: Some(1), b: Some(2), c: Some(3), d: Some(4), e: Some(5) }
}

fn old() -> Old {
    Old { owner: "o".into(), a: Some(9), b: None, c: None }
}

type Verb = (&'static str, fn(&Tables));

#[test]
fn wide_entities_keep_properties_of_a_newer_program() {
    let verbs: [Verb; 4] = [
        ("replace", |tables| {
            let b = tables.blocking();
            let mut stored = block(tables);
            assert_eq!(stored.unread().map(|(name, _)| name).collect::<Vec<_>>(), ["d", "e"]);
            *stored = Old { c: Some(1), ..old() };
            let written = b.replace(&stored).unwrap();
            let mut stored = stored.written(&written);
            *stored = old();
            b.replace(&stored).unwrap();
        }),
        ("upsert", |tables| drop(tables.blocking().upsert(&old()).unwrap())),
        ("replace_any", |tables| drop(tables.blocking().replace_any(&old()).unwrap())),
        ("update", |tables| {
            pollster::block_on(tables.update(Old::point("o"), |entity| *entity = old())).unwrap();
        }),
    ];
    for Backend { name: backend, tables, .. } in &backends() {
        let b = tables.blocking();
        for (verb, write) in verbs {
            b.upsert(&new()).unwrap();
            write(&other_process(tables));
            let found = pollster::block_on(New::point("o").get(tables)).unwrap().unwrap();
            assert_eq!(*found, New { a: Some(9), b: None, c: None, ..new() }, "{backend}: {verb}");
        }
    }
}

fn block(tables: &Tables) -> Stored<Old> {
    pollster::block_on(Old::point("o").get(tables)).unwrap().unwrap()
}
