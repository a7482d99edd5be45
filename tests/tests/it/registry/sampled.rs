//! What the first entities prove about an index before `register` makes it readable.

#![allow(clippy::duplicated_attributes, reason = "two indexes are sparse")]

use super::*;

mod old {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Badges", partition = "{team}", row = "id_{id:04}", soft_delete = deleted)]
    pub(crate) struct Badge {
        pub(crate) team: String,
        pub(crate) id: u32,
        pub(crate) number: Option<u32>,
        pub(crate) deleted: Option<Timestamp>,
    }
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Badges", partition = "{team}", row = "id_{id:04}", soft_delete = deleted)]
#[table(index(near, row = "number_{number:06}", unique, sparse))]
#[table(index(far, table = "Numbers", partition = "{number:06}", row = "{team}_{id:04}", sparse))]
#[table(lookup(listed, on = number))]
struct Badge {
    team: String,
    id: u32,
    number: Option<u32>,
    deleted: Option<Timestamp>,
}

const ALL: [&str; 3] = ["near", "far", "listed"];

/// Returns the indexes that are not readable after entities were written without them.
fn unreadable(
    entities: u32,
    number: fn(u32) -> Option<u32>,
    is_deleted: fn(u32) -> bool,
) -> Vec<&'static str> {
    block_on(async {
        let plain = Tables::in_memory().unwrap();
        let deleted = |id| is_deleted(id).then(Timestamp::now);
        let badge = |id| old::Badge { team: "a".into(), id, number: number(id), deleted: deleted(id) };
        let all: Vec<_> = (0..entities).map(badge).collect();
        plain.bulk().insert_all(&all).run().await.unwrap().into_result().unwrap();
        plain.with_registry().register::<Badge>().await.unwrap()
    })
}

#[test]
fn an_index_that_the_first_entities_do_not_require_is_not_readable() {
    assert_eq!(unreadable(1_001, |id| (id == 1_000).then_some(7), |_| false), ALL);
    assert_eq!(unreadable(1_001, Some, |id| id < 1_000), ALL);
    assert_eq!(unreadable(1_001, |_| None, |_| false), ALL, "whether a later entity has a number is unknown");
    assert_eq!(unreadable(20, |id| (id == 19).then_some(7), |_| false), ALL);
}

#[test]
fn an_index_that_no_entity_of_the_table_requires_is_readable() {
    assert_eq!(unreadable(20, |_| None, |_| false), [""; 0]);
    assert_eq!(unreadable(20, Some, |_| true), [""; 0]);
    assert_eq!(unreadable(0, Some, |_| false), [""; 0]);
}

#[test]
fn an_index_that_some_of_the_first_entities_require_is_compared_with_them() {
    block_on(async {
        let plain = Tables::in_memory().unwrap();
        for id in 0..250 {
            let number = (id % 50 == 0).then_some(id);
            plain.insert(&Badge { team: "a".into(), id, number, deleted: None }).await.unwrap();
        }
        let tables = plain.with_registry();
        assert_eq!(tables.register::<Badge>().await.unwrap(), [""; 0]);
        assert_eq!(Badge::near("a", 200).get(&tables).await.unwrap().unwrap().id, 200);
    });
}
