//! Readers of rows in another partition that ask for more than some past state, and what that costs them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use pollster::block_on;
use table_patterns::{Copied, prelude::*};
use table_store::embedded::{OpenOptions, Store};
use table_tests::counting::{Calls, Counting};

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
    /// What it writes is followed by others.
    late: Tables,
    /// Another process, which has met no entity.
    reader: Tables,
    service: Counting<Store>,
}

fn place() -> Place {
    let service = Counting::new(OpenOptions::new().in_memory().unwrap());
    let late = Tables::with(service.clone()).leaving_to_workers();
    Place { late, reader: Tables::with(service.clone()), service }
}

impl Place {
    /// With three people at desk 7.
    fn filled() -> Self {
        let place = place();
        for id in 1..=3 {
            place.late.blocking().insert(&staff("Blue", id, 7)).unwrap();
        }
        block_on(place.late.settle()).unwrap();
        place.service.take();
        place
    }

    /// Changes somebody; nobody follows.
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

impl HasId for Copied<StaffByDesk> {
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
    assert_eq!(ids(&place, &at_seven.clone().checked()), [1, 3]);
    assert_eq!(ids(&place, &at_seven), [1, 3], "others need not check it again");
    assert_eq!(ids(&place, &Staff::by_desk_rows(8).checked()), [0; 0], "what has not come is not found");

    block_on(place.late.delete_at(Staff::point("Blue", 3))).unwrap();
    assert_eq!(ids(&place, &at_seven.checked()), [1]);
}

#[test]
fn a_row_that_shows_an_older_state_shows_the_present_one() {
    let place = Place::filled();
    place.change(2, |staff| staff.name = "Al".into());
    let names = |query| -> Vec<String> {
        let rows: Vec<Copied<StaffByDesk>> = place.reader.blocking().all(&query).unwrap();
        rows.iter().map(|row| row.name.clone()).collect()
    };
    assert_eq!(names(Staff::by_desk_rows(7)), ["Jo", "Jo", "Jo"]);
    assert_eq!(names(Staff::by_desk_rows(7).checked()), ["Jo", "Al", "Jo"]);

    place.change(3, |staff| staff.name = "Al".into());
    let named_jo = Staff::by_desk_rows(7).scan(|staff| staff.name.eq("Jo"));
    assert_eq!(ids(&place, &named_jo), [1, 3]);
    assert_eq!(ids(&place, &named_jo.checked()), [1], "the filter is asked of the present state");
}

#[test]
fn a_page_is_filled_and_goes_on_where_rows_were_left_out() {
    let place = Place::filled();
    place.change(1, |staff| staff.desk = 8);
    let query = Staff::by_desk_rows(7).checked().page_size(1).take(1);
    assert_eq!(ids(&place, &query), [2]);
    place.change(2, |staff| staff.desk = 8);
    let query = Staff::by_desk_rows(7).checked().page_size(1);
    let page = place.reader.blocking().page(&query).unwrap();
    assert_eq!(page.items.len(), 0, "its only row was left out");
    assert_eq!(ids(&place, &query.resume(page.cursor.unwrap())), [3]);
}

#[test]
fn a_point_is_checked_as_well() {
    let place = Place::filled();
    let point = Staff::by_desk_rows(7).at("Blue").at(2).checked();
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
    assert_eq!(ids(&place, &Staff::by_desk_rows(7).settled(&blue)), [1, 3, 4]);
    assert_eq!(ids(&place, &Staff::by_desk_rows(8).settled(&blue)), [2]);
    // The other partition was not asked for.
    let red = Staff::point("Red", 1);
    assert_eq!(ids(&place, &Staff::by_desk_rows(7).settled(&red).settled(&blue)), [1, 3, 4, 1]);

    place.change(2, |staff| staff.desk = 7);
    assert_eq!(block_on(place.reader.settle_partition(&blue)).unwrap().followed, 1);
    assert_eq!(ids(&place, &Staff::by_desk_rows(7)), [1, 2, 3, 4, 1]);
}

#[test]
fn each_costs_what_it_says() {
    let place = Place::filled();
    let at_seven = Staff::by_desk_rows(7);
    ids(&place, &at_seven.clone().checked());
    assert_eq!(place.service.take(), Calls { queries: 1, finds: 3, ..Calls::default() });
    let report = place.reader.blocking().report(&at_seven.clone().checked()).unwrap();
    assert_eq!((report.stats.requests, report.stats.read), (4, 6));
    place.service.take();
    ids(&place, &at_seven.clone().settled(&Staff::rows("Blue")));
    assert_eq!(place.service.take(), Calls { queries: 2, ..Calls::default() }, "nothing is to be followed");
    ids(&place, &at_seven.checked().settled(&Staff::rows("Blue")));
    assert_eq!(place.service.take(), Calls { queries: 2, finds: 3, ..Calls::default() });
    // In the entity's own partition there is nothing to compare.
    place.reader.blocking().all(&Staff::rows("Blue").checked()).unwrap();
    assert_eq!(place.service.take(), Calls { queries: 1, ..Calls::default() });
}
