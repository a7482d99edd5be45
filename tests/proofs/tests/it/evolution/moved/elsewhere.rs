//! Moves of entities with an index in other partitions, whose rows both types have at the same keys.

use table_patterns::MoveState::*;

use super::{
    place::{Place, move_with_equal_fields},
    *,
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Tickets", partition = "{project}", row = "{id:04}", entity_type = "Ticket")]
#[table(index(by_owner, table = "Owners", partition = "{owner}", row = "{project}_{id:04}"))]
struct TicketV1 {
    project: String,
    id: u32,
    owner: String,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "AllTickets", partition = "{project}", row = "ticket_{id:08}", entity_type = "Ticket")]
#[table(index(by_owner, table = "Owners", partition = "{owner}", row = "{project}_{id:04}"))]
struct Ticket {
    project: String,
    id: u32,
    owner: String,
}

move_with_equal_fields!(TicketV1 TicketV1Key => Ticket TicketKey { project, id, owner } key { project, id });

fn ticket(id: u32) -> Ticket {
    Ticket { project: "a".into(), id, owner: "Ann".into() }
}

fn key(id: u32) -> TicketKey {
    ticket(id).key()
}

fn at_old(id: u32) -> (String, String) {
    (format!(r#"["Tickets","a","{id:04}"]"#), "l".into())
}

fn at_new(id: u32) -> (String, String) {
    (format!(r#"["AllTickets","a","ticket_{id:08}"]"#), "l".into())
}

/// The row that the entity has at its new key remains, whichever commit of a move is applied first.
#[test]
fn the_commits_of_a_move_are_applied_in_any_order() {
    for is_old_first in [true, false] {
        let place = Place::new();
        place.process().blocking().insert(&TicketV1::from(ticket(1))).unwrap();
        let late = place.process().with_deferred_updates();
        go_to::<Ticket>(&late, &place.calendar, Both);
        block_on(late.moving::<Ticket>().update(&key(1), |_| {})).unwrap();
        assert_eq!(place.index_rows("Owners"), [at_old(1)], "nothing is applied yet");
        let worker = place.process();
        worker.moving::<Ticket>();
        for is_old in [is_old_first, !is_old_first] {
            let pass = if is_old {
                block_on(worker.catch_up_partition(&TicketV1::rows("a")))
            } else {
                block_on(worker.catch_up_partition(&Ticket::rows("a")))
            };
            let pass = pass.unwrap();
            assert!(pass.followed > 0 && pass.left == 0, "{pass:?}");
        }
        assert_eq!(place.index_rows("Owners"), [at_new(1)], "old first: {is_old_first}");
    }
}

/// A worker judges the rows of a commit by the type in the table of its partition.
#[test]
fn a_worker_that_knows_one_of_the_types_leaves_the_commits_of_the_other() {
    let place = Place::new();
    let late = place.process().with_deferred_updates();
    late.blocking().insert(&TicketV1::from(ticket(1))).unwrap();
    let newer = place.process();
    newer.register_entity::<Ticket>();
    let pass = block_on(newer.catch_up()).unwrap();
    assert_eq!((pass.followed, pass.left, &*pass.reasons[0].entity), (0, 1, "Ticket"));
    newer.moving::<Ticket>();
    assert_eq!(block_on(newer.catch_up()).unwrap().followed, 1);
    assert_eq!(place.index_rows("Owners"), [at_old(1)]);
}

/// A process that starts in each state writes; workers apply the commits of all states late.
#[test]
fn programs_of_each_state_leave_their_commits_to_workers() {
    let place = Place::new();
    place.process().blocking().insert(&TicketV1::from(ticket(0))).unwrap();
    for (number, state) in (1..).zip([Off, Follow, Both, New, Gone]) {
        go_to::<Ticket>(&place.process().with_deferred_updates(), &place.calendar, state);
        let process = place.process().with_deferred_updates();
        let tickets = process.moving::<Ticket>();
        for id in [number, 100 + number] {
            block_on(tickets.insert(&ticket(id))).unwrap();
        }
        for id in 0..=number {
            block_on(tickets.update(&key(id), |ticket| ticket.owner = format!("Bo{number}"))).unwrap();
        }
        assert!(block_on(tickets.delete_at(&key(100 + number))).unwrap());
    }
    // A program that does not contain the old type.
    let last = place.process();
    last.register_entity::<Ticket>();
    let pass = block_on(last.catch_up()).unwrap();
    assert_eq!((pass.left, pass.dead_lettered), (0, 0), "{pass:?}");
    let mut found = place.index_rows("Owners");
    found.sort();
    assert_eq!(found, (0..=5).map(at_new).collect::<Vec<_>>());
    let report = block_on(last.verify::<Ticket>().run()).unwrap();
    assert!(report.is_clean() && report.entities == 6, "{report}");
    let of_bo = block_on(Ticket::by_owner_rows("Bo5").all(&last)).unwrap();
    assert_eq!(of_bo.iter().map(|ticket| ticket.id).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
}

/// After the move no program may know the old type, so its commits must be applied before.
#[test]
fn a_move_does_not_end_before_the_commits_of_the_old_type_are_applied() {
    /// The old type of a program that also had another index.
    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Tickets", partition = "{project}", row = "{id:04}", entity_type = "Ticket")]
    #[table(index(by_state, table = "States", partition = "{state}", row = "{project}_{id:04}"))]
    struct Earlier {
        project: String,
        id: u32,
        state: String,
        owner: String,
    }

    let place = Place::new();
    place.process().blocking().insert(&TicketV1::from(ticket(1))).unwrap();
    go_to::<Ticket>(&place.process(), &place.calendar, Both);
    let earlier = Tables::from(place.store.clone()).with_deferred_updates();
    let state = "open".into();
    earlier.blocking().insert(&Earlier { project: "a".into(), id: 2, state, owner: "Ann".into() }).unwrap();
    let tables = place.process();
    go_to::<Ticket>(&tables, &place.calendar, New);
    let stuck = loop {
        match block_on(tables.migration::<Ticket>().step_to(Gone)).unwrap() {
            MigrationStep::Wait(rest) => place.calendar.pass(rest + Duration::from_millis(1)),
            MigrationStep::Stuck(stuck) => break stuck,
            step => assert!(!matches!(step, MigrationStep::Done)),
        }
    };
    assert!(matches!(&stuck[..], [(record, Error::NoSuchIndex { index, .. })]
        if record.row_key().starts_with("!o_") && index == "by_state"));
    // A program that knows the index applies the commit.
    earlier.register_entity::<Earlier>();
    assert_eq!(block_on(earlier.catch_up()).unwrap().followed, 1);
    go_to::<Ticket>(&tables, &place.calendar, Gone);
    let mut found = place.index_rows("Owners");
    found.sort();
    assert_eq!(found, [at_new(1), at_new(2)]);
}

#[test]
fn requests_of_a_move_with_an_index_in_other_partitions() {
    let requests = |count: u32| {
        let place = Place::new();
        let counting = Counting::new(place.store.clone());
        let clock = Arc::new(place.calendar.clone());
        let tables = Tables::new(counting.clone()).with_registry_by(clock);
        for id in 0..count {
            tables.blocking().insert(&TicketV1::from(ticket(id))).unwrap();
        }
        go_to::<Ticket>(&tables, &place.calendar, Both);
        counting.take();
        go_to::<Ticket>(&tables, &place.calendar, New);
        counting.take().all()
    };
    // 5 for the rows of the entity, 9 for its two commits, and 1 in the pass that checks.
    assert_eq!(requests(21) - requests(1), 20 * 15);
}
