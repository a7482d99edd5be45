//! Two entity types of one table whose derived rows can have the same key: rejected in one program. Between programs,
//! rows of the other type are an obstacle that is never deleted or overwritten.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken promise ends the test")]
#![allow(clippy::duplicated_attributes, reason = "it takes the words of two indexes for words said twice")]
#![allow(dead_code, unreachable_pub, clippy::items_after_statements, reason = "entities that only collide")]

use pollster::block_on;
use table_patterns::{DifferenceKind, VerifyReport, prelude::*};

mod company {
    use table_patterns::prelude::*;

    macro_rules! kind {
        ($name:ident, $row:literal) => {
            #[derive(TableEntity, Clone, Debug, PartialEq)]
            #[table(name = "Company", partition = "{club}", row = $row)]
            #[table(index(by_mail, partition = "m_{mail}", row = "holder", unique))]
            #[table(index(by_tag, partition = "t_{tag}", row = "{club}_{id:04}", copy(mail)))]
            #[table(index(near, row = "near_{tag}_{id:04}", copy(mail)))]
            #[table(lookup(by_city, on = city, place = table))]
            #[table(lookup(by_blob, on = city, place = blob))]
            #[table(lookup(by_ids, on = city, place = table, table = "CompanyIds", ids = "Ids"))]
            pub struct $name {
                pub club: String,
                pub id: u16,
                pub mail: String,
                pub tag: String,
                pub city: String,
            }
        };
    }
    kind!(Player, "p_{id:04}");
    kind!(Coach, "c_{id:04}");

    /// Has a lookup under the same name, whose lists are in the same table.
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Company", partition = "{club}", row = "r_{id:04}")]
    #[table(lookup(by_town, on = town, place = table, table = "companybycity", row = "city"))]
    pub struct Referee {
        pub club: String,
        pub id: u16,
        pub town: String,
    }

    /// Has the patterns of the others, at other keys.
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Company", partition = "{club}", row = "g_{id:04}")]
    #[table(index(by_mail, partition = "g_{mail}", row = "holder", unique))]
    #[table(lookup(by_city, on = city, place = table, table = "GuestsByCity"))]
    #[table(lookup(guests, on = city, place = blob))]
    pub struct Guest {
        pub club: String,
        pub id: u16,
        pub mail: String,
        pub city: String,
    }
}

use company::{Coach, Guest, Player, Referee};

fn player(id: u16, mail: &str, tag: &str) -> Player {
    Player { club: "c".into(), id, mail: mail.into(), tag: tag.into(), city: "Rome".into() }
}

fn coach(id: u16, mail: &str, tag: &str) -> Coach {
    Coach { club: "c".into(), id, mail: mail.into(), tag: tag.into(), city: "Rome".into() }
}

fn other_process(tables: &Tables) -> Tables {
    let (queues, blobs) = (tables.queues().unwrap().clone(), tables.blobs().unwrap().clone());
    Tables::from_services(tables.service().clone(), Some(queues), Some(blobs))
}

fn assert_collision<T: std::fmt::Debug>(result: Result<T>) {
    let error = result.unwrap_err();
    let Error::Collision(collision) = &error else { panic!("{error:?}") };
    assert_eq!((collision.entity, collision.other), ("Coach", "Player"));
    let text = error.to_string();
    assert!(
        text.contains("`Coach.") && text.contains("`Player.") && text.contains("a table of its own"),
        "{text}"
    );
}

#[test]
fn second_of_two_colliding_kinds_is_refused() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&player(1, "p", "t")).unwrap();
    assert_collision(b.insert(&coach(1, "c", "t")));
    assert_collision(b.get(&Coach::by_mail("c")));
    assert_collision(block_on(tables.verify::<Coach>().run()));
    assert_collision(block_on(tables.reindex::<Coach>("by_tag").run()));
    // The first type still works.
    b.insert(&player(2, "q", "t")).unwrap();
    assert_eq!(b.all(&Player::by_city("Rome")).unwrap().len(), 2);
    assert!(block_on(tables.catch_up()).is_ok());
    tables.register_entity::<Coach>();
    assert_collision(block_on(tables.catch_up()));
    assert_collision(block_on(tables.worker().pass()));
    assert_collision(block_on(tables.worker().run_until(std::future::pending())));
}

#[test]
fn collisions_are_found_under_other_names() {
    let tables = Tables::in_memory().unwrap();
    tables.register_entity::<Player>();
    let referee = Referee { club: "c".into(), id: 1, town: "Rome".into() };
    let refused = tables.blocking().insert(&referee).unwrap_err().to_string();
    assert!(refused.contains("`Referee.by_town` and `Player.by_city`"), "{refused}");
    let guest = Guest { club: "c".into(), id: 1, mail: "p".into(), city: "Rome".into() };
    tables.blocking().insert(&guest).unwrap();
    block_on(tables.catch_up()).unwrap();
}

/// Two types with one `EntityType`, in one table: a list contains only the row keys of its members.
#[test]
fn types_of_one_name_with_lists_in_one_partition_are_refused() {
    macro_rules! item {
        ($name:ident, $row:literal, $lookup:ident) => {
            #[derive(TableEntity, Clone, Debug, PartialEq)]
            #[table(name = "Items", partition = "{club}", row = $row, entity_type = "Item")]
            #[table(lookup($lookup, on = city))]
            struct $name {
                club: String,
                id: u16,
                city: String,
            }
        };
    }
    item!(Ball, "b_{id:04}", by_city);
    item!(Net, "n_{id:04}", by_city);
    item!(Post, "p_{id:04}", of_city);

    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&Ball { club: "c".into(), id: 1, city: "Rome".into() }).unwrap();
    let net = Net { club: "c".into(), id: 1, city: "Rome".into() };
    let refused = b.insert(&net).unwrap_err();
    assert!(matches!(refused, Error::Collision(_)), "{refused:?}");
    assert!(refused.to_string().contains("`Net.by_city` and `Ball.by_city`"), "{refused}");
    // Lists at other keys.
    b.insert(&Post { club: "c".into(), id: 1, city: "Rome".into() }).unwrap();
    assert_eq!(b.all(&Ball::by_city("c", "Rome")).unwrap().len(), 1);
}

/// Returns a process with players, and a process with coaches, on the same tables.
fn two_processes() -> (Tables, Tables) {
    let players = Tables::in_memory().unwrap();
    let coaches = other_process(&players);
    for id in 1..=2 {
        players.blocking().insert(&player(id, &format!("p{id}"), "p")).unwrap();
        coaches.blocking().insert(&coach(id, &format!("c{id}"), "c")).unwrap();
    }
    (players, coaches)
}

fn verified(tables: &Tables) -> VerifyReport {
    block_on(tables.verify::<Coach>().run()).unwrap()
}

#[test]
fn unique_value_of_another_kind_is_taken() {
    let (players, coaches) = two_processes();
    let taken = coaches.blocking().insert(&coach(3, "p1", "c")).unwrap_err();
    assert!(matches!(taken, Error::Unique(_)), "{taken:?}");
    assert_eq!(players.blocking().get(&Player::by_mail("p1")).unwrap().unwrap().id, 1);
}

#[test]
fn rows_of_another_kind_are_obstacles() {
    let (players, coaches) = two_processes();
    let mut stored = coaches.blocking().get(&Coach::point("c", 1)).unwrap().unwrap();
    stored.tag = "p".into();
    // In the entity's partition the write is rejected.
    let refused = coaches.blocking().replace(&stored).unwrap_err();
    assert!(matches!(refused, Error::IndexConflict(_)), "{refused:?}");
    let near = DynamicEntity::point("Company", "c", "near_p_0001");
    let near = players.blocking().get(&near).unwrap().unwrap();
    assert_eq!(near.get::<String>("mail").unwrap().unwrap(), "p1");

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Company", partition = "{club}", row = "x_{id:04}")]
    #[table(index(by_tag, partition = "t_{tag}", row = "{club}_{id:04}"))]
    struct Extra {
        club: String,
        id: u16,
        tag: String,
    }
    // In other partitions the commit fails, and is finally dead-lettered.
    let extras = other_process(&players);
    extras.blocking().insert(&Extra { club: "c".into(), id: 1, tag: "p".into() }).unwrap();
    let pass = block_on(extras.catch_up()).unwrap();
    assert!(pass.reasons.iter().any(|left| left.entity == "Extra"), "{pass:?}");
    // The lists of `by_ids` belong to `Player`, which came first: both inserts of coaches are left too.
    assert_eq!(pass.left, 3);
    assert_eq!(players.blocking().all(&Player::by_tag_rows("p")).unwrap().len(), 2);
}

#[test]
fn repair_of_one_kind_leaves_rows_of_another() {
    let (players, coaches) = two_processes();
    let report = block_on(players.verify::<Player>().repair().run()).unwrap();
    assert_eq!(report.repaired, 0, "{report}");
    let report = verified(&coaches);
    // The lists of `by_ids` belong to `Player`, which came first.
    assert_eq!(report.count_of(DifferenceKind::Unreadable), report.count(), "{report}");
    assert!(report.differences.iter().all(|difference| difference.index == Some("by_ids")), "{report}");
}

#[test]
fn removed_index_rows_are_of_one_kind() {
    let (players, coaches) = two_processes();
    for index in ["by_mail", "by_tag", "near", "by_city", "by_blob", "by_ids"] {
        drop(block_on(players.remove_index_rows::<Player>(index).run()).unwrap());
    }
    let report = verified(&coaches);
    assert!(report.is_clean(), "{report}");
}

mod namesakes {
    pub mod orders {
        use table_patterns::prelude::*;

        #[derive(TableEntity, Clone, Debug, PartialEq)]
        #[table(name = "OrderNotes", partition = "{order}", row = "{id:04}")]
        #[table(index(by_author, partition = "a_{author}", row = "{order}_{id:04}"))]
        pub struct Note {
            pub order: String,
            pub id: u16,
            pub author: String,
        }
    }

    pub mod people {
        use table_patterns::prelude::*;

        #[derive(TableEntity, Clone, Debug, PartialEq)]
        #[table(name = "PeopleNotes", partition = "{person}", row = "{id:04}", entity_type = "PersonNote")]
        #[table(index(by_author, partition = "a_{author}", row = "{person}_{id:04}", unique))]
        pub struct Note {
            pub person: String,
            pub id: u16,
            pub author: String,
        }
    }

    pub mod places {
        use table_patterns::prelude::*;

        #[derive(TableEntity, Clone, Debug, PartialEq)]
        #[table(name = "PlaceNotes", partition = "{place}", row = "{id:04}")]
        #[table(index(by_author, partition = "a_{author}", row = "{place}_{id:04}", unique))]
        pub struct Note {
            pub place: String,
            pub id: u16,
            pub author: String,
        }
    }

    /// The version after [`orders::Note`], with the same name and an additional index.
    pub mod newer {
        use table_patterns::prelude::*;

        #[derive(TableEntity, Clone, Debug, PartialEq)]
        #[table(
            name = "OrderNotes",
            partition = "{order}",
            row = "{id:04}",
            version = 2,
            from(super::orders::Note)
        )]
        #[table(index(by_author, partition = "a_{author}", row = "{order}_{id:04}"))]
        #[table(index(by_topic, partition = "t_{topic}", row = "{order}_{id:04}"))]
        pub struct Note {
            pub order: String,
            pub id: u16,
            pub author: String,
            pub topic: String,
        }

        impl From<super::orders::Note> for Note {
            fn from(note: super::orders::Note) -> Self {
                Self { order: note.order, id: note.id, author: note.author, topic: "none".into() }
            }
        }
    }
}

#[test]
fn second_of_two_kinds_of_one_name_is_refused() {
    use namesakes::{orders, people, places};
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&orders::Note { order: "o".into(), id: 1, author: "jo".into() }).unwrap();
    // Stored rows name a type by its `EntityType`.
    b.insert(&people::Note { person: "p".into(), id: 1, author: "jo".into() }).unwrap();
    let refused = b.insert(&places::Note { place: "p".into(), id: 1, author: "jo".into() }).unwrap_err();
    assert!(matches!(refused, Error::Collision(_)), "{refused:?}");
    assert!(refused.to_string().contains("two entities are named `Note`"), "{refused}");
    block_on(tables.catch_up()).unwrap();
    assert_eq!(b.all(&orders::Note::by_author_rows("jo")).unwrap().len(), 1);
}

#[test]
fn newer_version_of_one_name_replaces_the_older() {
    use namesakes::{newer, orders};
    for newer_first in [false, true] {
        let tables = Tables::in_memory().unwrap();
        let b = tables.blocking();
        if newer_first {
            tables.register_entity::<newer::Note>();
        }
        b.insert(&orders::Note { order: "o".into(), id: 1, author: "jo".into() }).unwrap();
        let note = newer::Note { order: "o".into(), id: 2, author: "jo".into(), topic: "price".into() };
        b.insert(&note).unwrap();
        block_on(tables.catch_up()).unwrap();
        assert_eq!(b.all(&newer::Note::by_topic_rows("price")).unwrap().len(), 1, "{newer_first}");
        assert!(block_on(tables.verify::<newer::Note>().run()).unwrap().count() <= 1);
    }
}
