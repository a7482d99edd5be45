//! A list that outgrows its row while many clients add and remove members (T11).

use std::{cell::RefCell, collections::BTreeSet};

use table_patterns::prelude::*;
use table_store::OpenOptions;
use table_tests::{
    schedule::{self, Client, Crashes},
    seed::Seed,
    unreliable::{Faults, Unreliable},
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Members", partition = "{team}", row = "id_{id:06}")]
#[table(lookup(by_city, on = city, ids = "Ids"))]
struct Member {
    team: String,
    id: u32,
    city: String,
}

fn member(id: u32) -> Member {
    Member { team: "Blue".into(), id, city: "Oslo".into() }
}

#[test]
fn a_list_is_its_group_before_beside_and_behind_its_limit() {
    let seed = Seed::new(11);
    let service = Unreliable::new(OpenOptions::new().in_memory().unwrap(), seed.fork(1), Faults::NONE);
    let tables = Tables::new(service.clone()).with_seeded_tokens(2);
    let calm = Tables::new(service).with_seeded_tokens(3);
    let expected = RefCell::new((0..1365).collect::<BTreeSet<u32>>());
    let first: Vec<Member> = expected.borrow().iter().copied().map(member).collect();
    // The list is full; then five clients add a hundred members, and remove the same number.
    pollster::block_on(calm.bulk().insert_all(&first).run()).unwrap().into_result().unwrap();
    let ran = schedule::run(
        seed.fork(2),
        5,
        Crashes::default(),
        |number, _| -> Client<'_> {
            let (tables, expected) = (&tables, &expected);
            let mut seed = seed.fork(100 + number as u64);
            Box::pin(async move {
                for turn in 0..20 {
                    let id = 10_000 + u32::try_from(number * 100 + turn).unwrap();
                    tables.insert(&member(id)).await.unwrap();
                    expected.borrow_mut().insert(id);
                    let out = u32::try_from(seed.below(1365)).unwrap();
                    if tables.delete_if_exists(Member::point("Blue", out)).await.unwrap() {
                        expected.borrow_mut().remove(&out);
                    }
                }
            })
        },
        || {},
    );
    println!("{ran}");
    let found = pollster::block_on(Member::by_city("Blue", "Oslo").report(&calm)).unwrap();
    let found_ids: Vec<u32> = found.items.iter().map(|member| member.id).collect();
    assert_eq!(found_ids, expected.borrow().iter().copied().collect::<Vec<_>>());
    assert_eq!(found.stats.skipped, 0);
    let list = calm.blocking().get(&DynamicEntity::point("Members", "Blue", "city_Oslo")).unwrap().unwrap();
    let own: Vec<String> = serde_json::from_str(&list.get::<String>("Ids").unwrap().unwrap()).unwrap();
    assert!(own.len() < found.items.len(), "all of them stand in the row");
    assert!(list.get::<String>("Ids").unwrap().unwrap().len() <= 16 * 1024);
}
