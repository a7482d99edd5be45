//! Series (P9): one property per slot, one merge for one slot.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a store that cannot be filled fails the test"
)]

use pollster::block_on;
use table_patterns::{ValueError, prelude::*};

const QUARTERS: usize = 96;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Messages", partition = "{employee}", row = "{day:%Y%m%d}", rename_all = "PascalCase")]
struct Messages {
    employee: String,
    day: Date,
    #[table(series)]
    hours: [Option<i32>; 24],
    note: Option<String>,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Load", partition = "{host}", row = "day")]
struct Load {
    host: String,
    #[table(series, default, rename = "cpu")]
    quarters: [f64; QUARTERS],
    #[table(series)]
    limits: [u16; 3],
}

#[derive(Projection, Debug, PartialEq)]
#[table(of = Messages)]
struct Chart {
    day: Date,
    hours: [Option<i32>; 24],
}

fn day() -> Date {
    "2014-07-31".parse().unwrap()
}

fn messages(hours: &[(usize, i32)]) -> Messages {
    let mut slots = [None; 24];
    for (hour, count) in hours {
        slots[*hour] = Some(*count);
    }
    Messages { employee: "jonesj".into(), day: day(), hours: slots, note: None }
}

#[test]
fn a_series_is_stored_slot_by_slot_and_comes_back() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        tables.insert(&messages(&[(9, 3), (13, 42)])).await.unwrap();
        let read = Messages::point("jonesj", day()).get(&tables).await.unwrap().unwrap();
        assert_eq!(*read, messages(&[(9, 3), (13, 42)]));

        let bag = DynamicEntity::point("Messages", "jonesj", "20140731").get(&tables).await.unwrap().unwrap();
        let names: Vec<&str> = bag.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["Hours_09", "Hours_13", "EntityType"]);

        let load = Load { host: "web".into(), quarters: [0.5; QUARTERS], limits: [70, 80, 90] };
        tables.insert(&load).await.unwrap();
        assert_eq!(Load::point("web").get(&tables).await.unwrap().unwrap().into_inner(), load);
        assert_eq!(Load::DESIGN.property_count(), 99);
        assert_eq!(Load::DESIGN.properties[0].slots[95], "cpu_95");
    });
}

#[test]
fn a_patch_of_a_slot_changes_that_property_alone_and_can_be_the_first_write() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        let patch = |slot, count| Messages::patch("jonesj", day()).hours(slot, count);
        assert!(tables.merge(patch(13, 1)).await.unwrap_err().is_not_found());
        tables.upsert_merge(patch(13, 41)).await.unwrap();
        tables.merge(patch(9, 3).hours(13, 42)).await.unwrap();
        let read = Messages::point("jonesj", day()).get(&tables).await.unwrap().unwrap();
        assert_eq!(*read, messages(&[(9, 3), (13, 42)]));

        let updated = tables
            .update(Messages::point("jonesj", day()), |m| *m.hours[13].get_or_insert(0) += 1)
            .await
            .unwrap();
        assert_eq!(*updated, messages(&[(9, 3), (13, 43)]));
    });
}

#[test]
fn slots_with_a_default_need_not_be_there() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        let patch = |host| Load::patch(host).quarters(40, 1.5);
        tables.upsert_merge(patch("web").limits(0, 1).limits(1, 2).limits(2, 3)).await.unwrap();
        let read = Load::point("web").get(&tables).await.unwrap().unwrap();
        assert_eq!((read.quarters[40], read.quarters[41], read.limits), (1.5, 0.0, [1, 2, 3]));

        // Without a default they must.
        tables.upsert_merge(patch("db")).await.unwrap();
        let error = Load::point("db").get(&tables).await.unwrap_err();
        assert!(error.to_string().contains("property `limits_0`: the property is missing"), "{error}");
    });
}

#[test]
fn a_slot_that_is_not_there_is_an_error_when_it_is_sent() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        tables.insert(&messages(&[])).await.unwrap();
        let error = tables.merge(Messages::patch("jonesj", day()).hours(24, 1)).await.unwrap_err();
        let Error::Property(problem) = &error else { panic!("{error:?}") };
        assert_eq!(problem.reason, ValueError::NoSlot { slot: 24, slots: 24 });
        assert_eq!(
            error.to_string(),
            "`Messages.Hours`: slot index 24 is out of range for a series of 24 slots"
        );
        let scan = Messages::scan_partition("jonesj").filter(|e| e.hours.slot(24).gt(5));
        assert_eq!(scan.all(&tables).await.unwrap_err().to_string(), error.to_string());
        assert!(scan.explain().is_err());
        let read = Messages::point("jonesj", day()).get(&tables).await.unwrap().unwrap();
        assert_eq!(*read, messages(&[]), "nothing was sent");
    });
}

#[test]
fn a_filter_asks_about_a_slot_and_a_projection_reads_them_all() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        tables.insert(&messages(&[(13, 42)])).await.unwrap();
        let busy = Messages::scan_partition("jonesj").filter(|e| e.hours.slot(13).gt(40));
        assert!(busy.explain().unwrap().to_string().contains("Hours_13 gt 40"));
        assert_eq!(busy.all(&tables).await.unwrap().len(), 1);
        let idle = Messages::scan_partition("jonesj").filter(|e| e.hours.slot(13).is_absent());
        assert_eq!(idle.all(&tables).await.unwrap().len(), 0);

        let chart = Messages::point("jonesj", day()).select::<Chart>().get(&tables).await.unwrap().unwrap();
        assert_eq!(chart, Chart { day: day(), hours: messages(&[(13, 42)]).hours });
        let select = Messages::rows("jonesj").select::<Chart>().explain().unwrap().select.unwrap();
        assert_eq!(select.len(), 3 + 24);
    });
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Meters", partition = "{site}", row = "meter_{id:04}")]
#[table(index(by_serial, row = "serial_{serial}", unique))]
#[table(index(by_street, row = "street_{street}_{id:04}", copy(hours)))]
struct Meter {
    site: String,
    id: u16,
    serial: String,
    street: String,
    #[table(series)]
    hours: [Option<i64>; 24],
}

#[test]
fn rows_of_indexes_hold_the_slots_of_a_series() {
    block_on(async {
        let tables = Tables::in_memory().unwrap();
        let mut hours = [None; 24];
        hours[7] = Some(3);
        let (serial, street) = ("x7".to_owned(), "Elm".to_owned());
        tables.insert(&Meter { site: "north".into(), id: 1, serial, street, hours }).await.unwrap();
        let whole = Meter::by_serial("north", "x7").get(&tables).await.unwrap().unwrap();
        assert_eq!(whole.hours, hours);

        tables.merge(whole.patch().hours(8, 4)).await.unwrap();
        hours[8] = Some(4);
        let of_street = Meter::by_street_rows("north").at("Elm").all(&tables).await.unwrap();
        assert_eq!((of_street[0].street.as_str(), of_street[0].hours), ("Elm", hours));
        let filtered = Meter::by_street_rows("north").scan(|e| e.hours.slot(8).eq(4));
        assert_eq!(filtered.all(&tables).await.unwrap().len(), 1);
        let own = Meter::point("north", 1).get(&tables).await.unwrap().unwrap();
        assert_eq!(own.hours, hours);
    });
}
