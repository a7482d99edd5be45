//! Readers of rows in another partition with stronger consistency, and the cost of these reads.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use pollster::block_on;
use table_patterns::{IndexRow, Query, prelude::*};
use table_store::{OpenOptions, Store};
use table_tests::{
    counting::{Calls, Counting},
    seed::Seed,
    unreliable::{Faults, Unreliable},
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Staff", partition = "{team}", row = "id_{id:03}")]
#[table(index(by_desk, partition = "desk_{desk:03}", row = "{team}_{id:03}", copy(name)))]
struct Staff {
    team: String,
    id: u16,
    desk: u16,
    name: String,
}

fn staff(team: &str, id: u16, desk: u16) -> Staff {
    Staff { team: team.into(), id, desk, name: "Jo".into() }
}

struct Place {
    /// Other processes apply its commits.
    late: Tables,
    /// Another process, without registered entities.
    reader: Tables,
    service: Counting<Store>,
}

fn place() -> Place {
    let service = Counting::new(OpenOptions::new().in_memory().unwrap());
    let late = Tables::new(service.clone()).with_deferred_updates();
    Place { late, reader: Tables::new(service.clone()), service }
}

impl Place {
    /// Creates a fixture with three people at desk 7.
    fn filled() -> Self {
        let place = place();
        for id in 1..=3 {
            place.late.blocking().insert(&staff("Blue", id, 7)).unwrap();
        }
        block_on(place.late.catch_up()).unwrap();
        place.service.take();
        place
    }

    /// Changes a person; no process applies the commit.
    fn change(&self, id: u16, change: impl Fn(&mut Staff) + Send) {
        block_on(self.late.update(Staff::point("Blue", id), change)).unwrap();
        self.service.take();
    }
}

fn ids<Q: Query>(place: &Place, query: &Q) -> Vec<u16>
where
    <Q::Row as FromRow>::Out: HasId,
{
    place.reader.blocking().all(query).unwrap().iter().map(HasId::id).collect()
}

trait HasId {
    fn id(&self) -> u16;
}

impl HasId for IndexRow<StaffByDesk> {
    fn id(&self) -> u16 {
        self.id
    }
}

#[test]
fn rows_of_who_has_left_are_left_out_and_taken_away() {
    let place = Place::filled();
    place.change(2, |staff| staff.desk = 8);
    let at_seven = Staff::by_desk_rows(7);
    assert_eq!(ids(&place, &at_seven), [1, 2, 3], "a past state");
    assert_eq!(ids(&place, &at_seven.clone().validated()), [1, 3]);
    assert_eq!(ids(&place, &at_seven), [1, 3], "others need not check it again");
    assert_eq!(ids(&place, &Staff::by_desk_rows(8).validated()), [0; 0], "what has not come is not found");

    block_on(place.late.delete_at(Staff::point("Blue", 3))).unwrap();
    assert_eq!(ids(&place, &at_seven.validated()), [1]);
}

#[test]
fn a_row_that_shows_an_older_state_shows_the_present_one() {
    let place = Place::filled();
    place.change(2, |staff| staff.name = "Al".into());
    let names = |query| -> Vec<String> {
        let rows: Vec<IndexRow<StaffByDesk>> = place.reader.blocking().all(&query).unwrap();
        rows.iter().map(|row| row.name.clone()).collect()
    };
    assert_eq!(names(Staff::by_desk_rows(7)), ["Jo", "Jo", "Jo"]);
    assert_eq!(names(Staff::by_desk_rows(7).validated()), ["Jo", "Al", "Jo"]);

    place.change(3, |staff| staff.name = "Al".into());
    let named_jo = Staff::by_desk_rows(7).scan(|staff| staff.name.eq("Jo"));
    assert_eq!(ids(&place, &named_jo), [1, 3]);
    assert_eq!(ids(&place, &named_jo.validated()), [1], "the filter is asked of the present state");
}

#[test]
fn a_page_is_filled_and_goes_on_where_rows_were_left_out() {
    let place = Place::filled();
    place.change(1, |staff| staff.desk = 8);
    let query = Staff::by_desk_rows(7).validated().page_size(1).take(1);
    assert_eq!(ids(&place, &query), [2]);
    place.change(2, |staff| staff.desk = 8);
    let query = Staff::by_desk_rows(7).validated().page_size(1);
    let page = place.reader.blocking().page(&query).unwrap();
    assert_eq!(page.items.len(), 0, "its only row was left out");
    assert_eq!(ids(&place, &query.resume(page.cursor.unwrap())), [3]);
}

#[test]
fn a_point_is_checked_as_well() {
    let place = Place::filled();
    let point = Staff::by_desk_rows(7).at("Blue").at(2).validated();
    assert!(block_on(point.get(&place.reader)).unwrap().is_some());
    place.change(2, |staff| staff.desk = 8);
    assert!(block_on(point.get(&place.reader)).unwrap().is_none());
}

#[test]
fn who_waits_for_a_partition_sees_all_that_was_committed_to_it() {
    let place = Place::filled();
    place.change(2, |staff| staff.desk = 8);
    place.late.blocking().insert(&staff("Blue", 4, 7)).unwrap();
    place.late.blocking().insert(&staff("Red", 1, 7)).unwrap();
    let blue = Staff::rows("Blue");
    assert_eq!(ids(&place, &Staff::by_desk_rows(7).caught_up(&blue)), [1, 3, 4]);
    assert_eq!(ids(&place, &Staff::by_desk_rows(8).caught_up(&blue)), [2]);
    // The other partition was not read.
    let red = Staff::point("Red", 1);
    assert_eq!(ids(&place, &Staff::by_desk_rows(7).caught_up(&red).caught_up(&blue)), [1, 3, 4, 1]);

    place.change(2, |staff| staff.desk = 7);
    assert_eq!(block_on(place.reader.catch_up_partition(&blue)).unwrap().followed, 1);
    assert_eq!(ids(&place, &Staff::by_desk_rows(7)), [1, 2, 3, 4, 1]);
}

#[test]
fn each_costs_what_it_says() {
    let place = Place::filled();
    let at_seven = Staff::by_desk_rows(7);
    ids(&place, &at_seven.clone().validated());
    assert_eq!(place.service.take(), Calls { queries: 1, finds: 3, ..Calls::default() });
    let report = place.reader.blocking().report(&at_seven.clone().validated()).unwrap();
    assert_eq!((report.stats.requests, report.stats.read), (4, 6));
    place.service.take();
    ids(&place, &at_seven.clone().caught_up(&Staff::rows("Blue")));
    assert_eq!(place.service.take(), Calls { queries: 2, ..Calls::default() }, "nothing is to be followed");
    ids(&place, &at_seven.validated().caught_up(&Staff::rows("Blue")));
    assert_eq!(place.service.take(), Calls { queries: 2, finds: 3, ..Calls::default() });
    // In the entity's own partition no comparison is required.
    place.reader.blocking().all(&Staff::rows("Blue").validated()).unwrap();
    assert_eq!(place.service.take(), Calls { queries: 1, ..Calls::default() });
}

mod reads_after_writes {
    use super::{
        Calls, Counting, Faults, OpenOptions, Place, Seed, Staff, Store, Unreliable, block_on, ids, place,
        staff,
    };
    use table_patterns::{WriteResult, prelude::*};
    use table_store::{Condition, Operation, TableName};

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Players", partition = "{club}", row = "p_{id:04}")]
    #[table(index(by_nick, partition = "nick_{nick}", row = "holder", unique))]
    #[table(lookup(by_grade, on = grade, place = table), lookup(by_list, on = grade, place = table, table = "Grades", ids = "Ids"))]
    struct Player {
        club: String,
        id: u16,
        nick: String,
        grade: String,
        note: i64,
    }

    fn player(id: u16) -> Player {
        Player { club: "c".into(), id, nick: format!("n{id}"), grade: "g".into(), note: 0 }
    }

    /// Writes a player and defers its rows in other partitions to workers, then writes it again without changing these
    /// rows.
    fn written_twice(tables: &Tables) -> WriteResult {
        let late = tables.with_deferred_updates();
        late.blocking().insert(&player(1)).unwrap();
        let stored = late.blocking().get(&Player::point("c", 1)).unwrap().unwrap();
        late.blocking().merge(stored.patch().note(1)).unwrap()
    }

    #[test]
    fn read_after_a_write_sees_rows_of_earlier_commits() {
        let tables = Tables::in_memory().unwrap();
        let written = written_twice(&tables);
        assert_eq!(tables.blocking().all(&Player::by_grade("g").after(&written)).unwrap().len(), 1);

        let tables = Tables::in_memory().unwrap();
        let written = written_twice(&tables);
        assert_eq!(tables.blocking().all(&Player::by_list("g").after(&written)).unwrap().len(), 1);

        let tables = Tables::in_memory().unwrap();
        let written = written_twice(&tables);
        assert!(tables.blocking().get(&Player::by_nick("n1").after(&written)).unwrap().is_some());

        let tables = Tables::in_memory().unwrap();
        written_twice(&tables);
        let mut stored = tables.blocking().get(&Player::point("c", 1)).unwrap().unwrap();
        stored.note = 2;
        let written = tables.blocking().replace(&stored).unwrap();
        assert_eq!(tables.blocking().all(&Player::by_grade("g").after(&written)).unwrap().len(), 1);
    }

    #[test]
    fn read_after_a_write_applies_no_commits_of_other_entities() {
        let place = place();
        let written = place.late.blocking().insert(&staff("Blue", 1, 7)).unwrap();
        place.late.blocking().insert(&staff("Blue", 2, 7)).unwrap();
        assert_eq!(ids(&place, &Staff::by_desk_rows(7).after(&written)), [1]);
        place.service.take();
        ids(&place, &Staff::by_desk_rows(7).after(&written));
        assert_eq!(place.service.take(), Calls { queries: 2, ..Calls::default() }, "one range of records");
    }

    #[test]
    fn read_after_a_write_without_rows_elsewhere_costs_nothing() {
        #[derive(TableEntity, Clone, Debug, PartialEq)]
        #[table(name = "Rooms", partition = "{house}", row = "r_{id:03}")]
        struct Room {
            house: String,
            id: u16,
        }
        let Place { late, reader, service } = place();
        let written = late.blocking().insert(&Room { house: "h".into(), id: 1 }).unwrap();
        service.take();
        reader.blocking().all(&Staff::by_desk_rows(7).after(&written)).unwrap();
        assert_eq!(service.take(), Calls { queries: 1, ..Calls::default() });
    }

    /// Inserts a row without an entity at a key of the index.
    fn obstruct(tables: &Tables) -> (TableName, Operation) {
        let table = TableName::new("Staff").unwrap();
        let row = table_store::Entity::new("desk_007", "Blue_001").with("name", "nobody");
        block_on(tables.service().execute(&table, &Operation::Insert(row))).unwrap();
        let (partition_key, row_key) = ("desk_007".into(), "Blue_001".into());
        (table, Operation::Delete { partition_key, row_key, condition: Condition::Exists })
    }

    /// Returns a reader, and a write whose commit record is dead-lettered because of an obstacle.
    fn dead_lettered() -> (Tables, WriteResult, (TableName, Operation)) {
        dead_letters_in(OpenOptions::new().in_memory().unwrap())
    }

    fn dead_letters_in(store: Store) -> (Tables, WriteResult, (TableName, Operation)) {
        let tables = Tables::new(Counting::new(store));
        tables.blocking().insert(&staff("Blue", 9, 9)).unwrap();
        let obstacle = obstruct(&tables);
        let written = tables.blocking().insert(&staff("Blue", 1, 7)).unwrap();
        for _ in 0..5 {
            block_on(tables.catch_up()).unwrap();
        }
        assert_eq!(block_on(tables.lag()).unwrap().dead_lettered, 1);
        (tables, written, obstacle)
    }

    #[test]
    fn read_after_a_parked_write_names_the_parked_record() {
        let (tables, written, _) = dead_lettered();
        let at_desk = Staff::by_desk_rows(7);
        let blue = Staff::rows("Blue");
        for query in [at_desk.clone().after(&written), at_desk.caught_up(&blue)] {
            let error = tables.blocking().all(&query).unwrap_err();
            let Error::DeadLettered { record, cause } = &error else { panic!("{error:?}") };
            assert!(record.partition_key() == "Blue" && record.row_key().starts_with("!x_"), "{record}");
            assert!(matches!(**cause, Error::IndexConflict(_)), "{cause:?}");
            let text = error.to_string();
            assert!(text.contains("!x_") && text.contains("retry_dead_letters"), "{text}");
        }
        // Another entity of the partition is not affected.
        let other = tables.blocking().insert(&staff("Blue", 2, 8)).unwrap();
        assert_eq!(tables.blocking().all(&Staff::by_desk_rows(8).after(&other)).unwrap().len(), 1);
    }

    /// Only a dead-lettered record is reported as such. A pending record is still retried by workers.
    #[test]
    fn read_after_a_pending_write_reports_its_obstacle() {
        let place = place();
        place.late.blocking().insert(&staff("Blue", 9, 9)).unwrap();
        obstruct(&place.late);
        let written = place.late.blocking().insert(&staff("Blue", 1, 7)).unwrap();
        let read = place.late.blocking().all(&Staff::by_desk_rows(7).after(&written));
        assert!(matches!(read, Err(Error::IndexConflict(_))), "{read:?}");
    }

    /// A record that a busy service did not move is not reported as moved.
    #[test]
    fn retried_records_are_moved_or_an_error_is_returned() {
        let (mut moved, mut failed) = (0, 0);
        for seed in 0..40 {
            let store = OpenOptions::new().in_memory().unwrap();
            let (tables, ..) = dead_letters_in(store.clone());
            let service = Unreliable::new(store, Seed::new(seed), Faults { refused: 200, ..Faults::NONE });
            let retried = block_on(Tables::new(service).retry_dead_letters());
            let lag = block_on(tables.lag()).unwrap();
            match retried {
                Ok(records) => {
                    assert_eq!((records, lag.pending, lag.dead_lettered), (1, Some(1), 0), "seed {seed}");
                }
                Err(_) => assert_eq!((lag.pending, lag.dead_lettered), (Some(0), 1), "seed {seed}"),
            }
            if retried.is_ok() { moved += 1 } else { failed += 1 }
        }
        assert!(moved > 5 && failed > 5, "{moved} {failed}");
    }

    #[test]
    fn read_applies_a_parked_record_without_its_obstacle() {
        let (tables, written, (table, delete)) = dead_lettered();
        block_on(tables.service().execute(&table, &delete)).unwrap();
        assert_eq!(tables.blocking().all(&Staff::by_desk_rows(7).after(&written)).unwrap().len(), 1);
        let lag = block_on(tables.lag()).unwrap();
        assert_eq!((lag.pending, lag.dead_lettered), (Some(0), 0));

        let (tables, _, (table, delete)) = dead_lettered();
        block_on(tables.service().execute(&table, &delete)).unwrap();
        let settled = Staff::by_desk_rows(7).caught_up(&Staff::rows("Blue"));
        assert_eq!(tables.blocking().all(&settled).unwrap().len(), 1);
        let lag = block_on(tables.lag()).unwrap();
        assert_eq!((lag.pending, lag.dead_lettered), (Some(0), 0));
    }
}

#[test]
fn pass_over_tables_skips_those_that_do_not_exist() {
    let tables = Tables::new(Counting::new(OpenOptions::new().in_memory().unwrap()).without_marks());
    tables.register_entity::<Staff>();
    assert_eq!(block_on(tables.catch_up()).unwrap().followed, 0);
}

/// A busy service is an error, not a partition without pending commits.
#[test]
fn reads_of_a_busy_service_fail_or_are_complete() {
    let (mut complete, mut failed) = (0, 0);
    for seed in 0..40 {
        let store = OpenOptions::new().in_memory().unwrap();
        let late = Tables::new(store.clone()).with_deferred_updates();
        let written = late.blocking().insert(&staff("Blue", 1, 7)).unwrap();
        let service = Unreliable::new(store, Seed::new(seed), Faults { refused: 150, ..Faults::NONE });
        match Tables::new(service).blocking().all(&Staff::by_desk_rows(7).after(&written)) {
            Ok(found) => {
                assert_eq!(found.len(), 1, "seed {seed}");
                complete += 1;
            }
            Err(_) => failed += 1,
        }
    }
    assert!(complete > 5 && failed > 5, "{complete} {failed}");
}

/// The reader writes the rows itself: it does not fail if one of its own responses is lost.
#[test]
fn lost_answers_of_its_writes_do_not_fail_a_read() {
    let mut lost = 0;
    for seed in 0..60 {
        let store = OpenOptions::new().in_memory().unwrap();
        let late = Tables::new(store.clone()).with_deferred_updates();
        let written = late.blocking().insert(&staff("Blue", 1, 7)).unwrap();
        let faults = Faults { lost: 150, ..Faults::NONE };
        let service = Unreliable::new(store, Seed::new(seed), faults);
        let reader = Tables::new(service.clone());
        let found = reader.blocking().all(&Staff::by_desk_rows(7).after(&written)).unwrap();
        assert_eq!(found.len(), 1, "seed {seed}");
        lost += service.befell().lost;
    }
    assert!(lost > 10, "{lost}");
}
