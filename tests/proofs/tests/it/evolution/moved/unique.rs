//! Moves of entities with a unique index in other partitions: a value belongs to one entity in every state.

use table_patterns::{LeftReason, MoveState::*};

use super::{place::Place, *};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Cards", partition = "{club}", row = "{id:04}", entity_type = "Card")]
#[table(index(by_badge, table = "Badges", partition = "{badge:04}", row = "holder", unique))]
struct CardV1 {
    club: String,
    id: u32,
    badge: u32,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "AllCards", partition = "of_{club}", row = "card_{id:08}", entity_type = "Card")]
#[table(index(by_badge, table = "Badges", partition = "{badge:04}", row = "holder", unique))]
struct Card {
    club: String,
    id: u32,
    badge: u32,
}

impl From<CardV1> for Card {
    fn from(CardV1 { club, id, badge }: CardV1) -> Self {
        // Invalid badges are an error of the conversion.
        Self { club, id, badge: badge.min(9_000) }
    }
}

impl From<Card> for CardV1 {
    fn from(Card { club, id, badge }: Card) -> Self {
        Self { club, id, badge }
    }
}

impl From<CardKey> for CardV1Key {
    fn from(CardKey { club, id }: CardKey) -> Self {
        Self { club, id }
    }
}

impl MovedFrom for Card {
    type Old = CardV1;
}

fn card(id: u32, badge: u32) -> Card {
    Card { club: "a".into(), id, badge }
}

fn key(id: u32) -> CardKey {
    card(id, 0).key()
}

/// Returns the entity that each index row names.
fn named(place: &Place) -> Vec<String> {
    place.index_rows("Badges").into_iter().map(|(entity, _)| entity).collect()
}

/// The value of another entity is rejected in every state, by programs of this and of the next state.
#[test]
fn a_value_belongs_to_one_entity_in_every_state() {
    let place = Place::new();
    place.process().blocking().insert(&CardV1::from(card(1, 7))).unwrap();
    for (number, state) in (2..).zip([Off, Follow, Both, New, Gone]) {
        // Commits are left to workers, so that index rows name old keys for as long as possible.
        go_to::<Card>(&place.process().with_deferred_updates(), &place.calendar, state);
        let process = place.process().with_deferred_updates();
        let cards = process.moving::<Card>();
        let taken = block_on(cards.insert(&card(number, 7)));
        assert!(matches!(taken, Err(Error::Unique(_))), "{state}: {taken:?}");
        block_on(cards.insert(&card(number, 100 + number))).unwrap();
        let taken = block_on(cards.update(&key(number), |card| card.badge = 7));
        assert!(matches!(taken, Err(Error::Unique(_))), "{state}: {taken:?}");
        // A released value can be claimed by another entity.
        block_on(cards.update(&key(1), |card| card.badge = 8)).unwrap();
        block_on(cards.update(&key(number), |card| card.badge = 7)).unwrap();
        assert!(block_on(cards.delete_at(&key(number))).unwrap());
        block_on(cards.update(&key(1), |card| card.badge = 7)).unwrap();
        // Reads by the index are rejected while its rows can name the other type.
        let found = process.blocking().get(&Card::by_badge(7));
        if matches!(state, Follow | Both | New) {
            let text = found.unwrap_err().to_string();
            assert!(text.contains("`tables.moving::<Card>()`, which reads and writes by key"), "{text}");
            assert!(text.contains("indexes can be read again when the migration is complete"), "{text}");
        } else {
            found.unwrap();
        }
    }
    let last = place.process();
    last.register_entity::<Card>();
    assert_eq!(block_on(last.catch_up()).unwrap().left, 0);
    assert!(block_on(last.verify::<Card>().run()).unwrap().is_clean());
    assert_eq!(named(&place), [r#"["AllCards","of_a","card_00000001"]"#]);
}

/// Between the marker and the completion of the move, the value belongs to the entity.
#[test]
fn a_worker_that_knows_one_type_leaves_the_commits_of_a_move() {
    let place = Place::new();
    place.process().blocking().insert(&CardV1::from(card(1, 7))).unwrap();
    let late = place.process().with_deferred_updates();
    go_to::<Card>(&late, &place.calendar, Both);
    block_on(late.moving::<Card>().update(&key(1), |_| {})).unwrap();
    let older = Tables::from(place.store.clone());
    older.register_entity::<CardV1>();
    let pass = block_on(older.catch_up_partition(&CardV1::rows("a"))).unwrap();
    assert_eq!((pass.followed, pass.left, pass.reasons[0].reason), (0, 1, LeftReason::Registry));
    assert!(pass.reasons[0].message.contains("tables.moving"), "{}", pass.reasons[0].message);
    // The row still names the old key, and the value is not free.
    assert_eq!(named(&place), [r#"["Cards","a","0001"]"#]);
    let taken = block_on(late.moving::<Card>().insert(&card(2, 7)));
    assert!(matches!(taken, Err(Error::Unique(_))), "{taken:?}");
    // A program that knows both types applies the commits.
    let both = place.process();
    both.moving::<Card>();
    assert_eq!(block_on(both.catch_up()).unwrap().left, 0);
    assert_eq!(named(&place), [r#"["AllCards","of_a","card_00000001"]"#]);
}

/// An entity whose conversion changes its value remains at its old key.
#[test]
fn a_conversion_that_changes_a_value_is_listed() {
    let place = Place::new();
    let tables = place.process();
    tables.blocking().insert(&CardV1 { club: "a".into(), id: 1, badge: 9_001 }).unwrap();
    let is_it = |error: &Error| {
        matches!(error, Error::Registry(error)
            if matches!(&**error, RegistryError::ValueChanged { index: "by_badge", .. }))
    };
    let report = block_on(tables.migration::<Card>().check().run()).unwrap();
    assert!(matches!(&report.stuck[..], [(_, error)] if is_it(error)), "{report:?}");
    go_to::<Card>(&tables, &place.calendar, Both);
    let stuck = loop {
        match block_on(tables.migration::<Card>().step_to(New)).unwrap() {
            MigrationStep::Wait(rest) => place.calendar.pass(rest + Duration::from_millis(1)),
            MigrationStep::Stuck(stuck) => break stuck,
            step => assert!(!matches!(step, MigrationStep::Done)),
        }
    };
    assert!(is_it(&stuck[0].1), "{stuck:?}");
    assert!(block_on(tables.moving::<Card>().get(&key(1))).unwrap().is_some_and(|card| !card.is_moved()));
}

#[test]
fn requests_of_a_move_with_unique_values() {
    let requests = |count: u32| {
        let place = Place::new();
        let counting = Counting::new(place.store.clone());
        let clock = Arc::new(place.calendar.clone());
        let queues = place.store.clone();
        let tables = Tables::new(counting.clone()).with_queues(queues).with_registry_by(clock);
        for id in 0..count {
            tables.blocking().insert(&CardV1::from(card(id, id))).unwrap();
        }
        go_to::<Card>(&tables, &place.calendar, Both);
        counting.take();
        go_to::<Card>(&tables, &place.calendar, New);
        counting.take().all()
    };
    // 5 for the rows of the entity, 11 for its two commits, and 1 in the pass that checks.
    assert_eq!(requests(21) - requests(1), 20 * 17);
}
