//! Generated functions that read several partitions return the rows of a plain scan.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says why")]

use std::{ops::Range, time::Duration};

use pollster::block_on;
use table_patterns::{FromRow, Query, prelude::*};
use table_tests::{
    generated::events::{Device, Measurement, MeasurementLevel},
    seed::Seed,
};

const DEVICES: u32 = 3;
const LEVELS: [MeasurementLevel; 3] =
    [MeasurementLevel::Quiet, MeasurementLevel::Normal, MeasurementLevel::Alarm];

fn hours(after: u64) -> Timestamp {
    let start: Timestamp = "2014-07-20T00:00:00Z".parse().unwrap();
    start.saturating_add(Duration::from_secs(after * 3_600))
}

/// Returns a store, and its measurements of three weeks, newest first.
fn filled(dice: &mut Seed) -> (Tables, Vec<Measurement>) {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    for device in 1..=DEVICES {
        let site = if device == 1 { "north" } else { "south" }.to_owned();
        b.insert(&Device { device, site, alarms: 0, watched_sum: 0 }).unwrap();
    }
    let mut all = Vec::new();
    for hour in (0..21 * 24).step_by(5) {
        for device in 1..=DEVICES {
            let level = *dice.pick(&LEVELS).unwrap();
            let celsius = i32::try_from(dice.below(40)).unwrap() - 10;
            let (at, watched) = (hours(hour), dice.below(2) == 0);
            all.push(Measurement { device, at, level, watched, celsius });
        }
    }
    for one in &all {
        b.insert(one).unwrap();
    }
    all.reverse();
    (tables, all)
}

fn keys<'m>(rows: impl IntoIterator<Item = &'m Measurement>) -> Vec<(u32, Timestamp)> {
    rows.into_iter().map(|one| (one.device, one.at)).collect()
}

/// Reads a query page by page, each by the cursor of the previous one.
fn paged<Q: Query>(query: &Q, tables: &Tables) -> Vec<<Q::Row as FromRow>::Out> {
    let (mut all, mut query) = (Vec::new(), query.clone());
    loop {
        let page = block_on(query.page(tables)).unwrap();
        all.extend(page.items);
        match page.cursor {
            Some(cursor) => query = query.resume(cursor),
            None => return all,
        }
    }
}

#[test]
fn windows_over_periods_return_the_rows_of_a_scan() {
    let mut dice = Seed::new(7);
    let (tables, all) = filled(&mut dice);
    for _ in 0..40 {
        let (from, length) = (dice.below(600) as u64, dice.below(300) as u64);
        let device = 1 + u32::try_from(dice.below(3)).unwrap();
        let times: Range<Timestamp> = hours(from)..hours(from + length);
        let of_device = |one: &&Measurement| one.device == device && times.contains(&one.at);
        let expected = keys(all.iter().filter(of_device).take(50));

        let recent = Measurement::recent(device, times.clone());
        let report = block_on(recent.report(&tables)).unwrap();
        assert_eq!(keys(report.items.iter().map(|one| &**one)), expected);
        let days = (from + length).div_ceil(24) - from / 24;
        assert!(report.stats.requests <= days.max(1), "{} for {days} days", report.stats);
        let pages = paged(&recent.clone().page_size(3), &tables);
        assert_eq!(keys(pages.iter().map(|one| &**one)), expected);

        let oldest: Vec<_> = all.iter().rev().filter(of_device).take(4).collect();
        let back = block_on(recent.clone().descending().take(4).all(&tables)).unwrap();
        assert_eq!(keys(back.iter().map(|one| &**one)), keys(oldest));

        let warm = block_on(Measurement::warm(device, times.clone(), 12).all(&tables)).unwrap();
        let is_warm = |one: &&Measurement| of_device(one) && one.celsius >= 12;
        assert_eq!(keys(warm.iter().map(|one| &**one)), keys(all.iter().filter(is_warm)));

        for level in LEVELS {
            let found = Measurement::of_level(level, times.clone(), 0..=20);
            let found = paged(&found.page_size(4), &tables);
            let is_of_level = |one: &&Measurement| {
                one.level == level && times.contains(&one.at) && (0..=20).contains(&one.celsius)
            };
            let mut expected: Vec<_> =
                all.iter().filter(is_of_level).map(|one| (one.at, one.device)).collect();
            expected.sort_unstable();
            assert_eq!(found.iter().map(|row| (row.at, row.device)).collect::<Vec<_>>(), expected);
        }
    }
}

#[test]
fn newest_rows_are_read_from_the_newest_period() {
    let (tables, all) = filled(&mut Seed::new(1));
    let recent = Measurement::recent(2, hours(0)..hours(21 * 24)).take(3);
    let report = block_on(recent.report(&tables)).unwrap();
    assert_eq!(report.stats.to_string(), "fan-out: 1 request, 1 range, 3 read, 3 returned");
    assert_eq!(report.items[0].at, all[0].at);
}

#[test]
fn ranges_without_end_are_rejected() {
    let tables = Tables::in_memory().unwrap();
    let error = block_on(Measurement::recent(1, hours(0)..).all(&tables)).unwrap_err();
    assert!(error.to_string().contains("specify both"), "{error}");
    let long = "0001-01-01T00:00:00Z".parse().unwrap()..hours(0);
    let error = block_on(Measurement::recent(1, long).all(&tables)).unwrap_err();
    assert!(error.to_string().contains("more than 10000 periods"), "{error}");
    assert!(block_on(Measurement::recent(1, hours(5)..hours(5)).all(&tables)).unwrap().is_empty());
}

#[test]
fn lists_of_values_are_read_together() {
    let (tables, _) = filled(&mut Seed::new(1));
    let found = block_on(Device::devices([3, 1, 9]).all(&tables)).unwrap();
    assert_eq!(found.iter().map(|one| one.device).collect::<Vec<_>>(), [3, 1]);
    let found = block_on(Device::of_sites(["south", "north", "south"]).all(&tables)).unwrap();
    assert_eq!(found.iter().map(|one| one.device).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(block_on(Device::of_sites([]).all(&tables)).unwrap().is_empty());
}

#[test]
fn conditional_totals_contain_the_selected_entities() {
    let (tables, mut all) = filled(&mut Seed::new(3));
    block_on(tables.catch_up()).unwrap();
    let b = tables.blocking();
    let mut changed = b.get(&Measurement::point(1, all.last().unwrap().at)).unwrap().unwrap();
    changed.level = MeasurementLevel::Alarm;
    b.replace(&changed).unwrap();
    let last = all.iter_mut().rev().find(|one| one.device == 1).unwrap();
    last.level = MeasurementLevel::Alarm;
    block_on(tables.catch_up()).unwrap();
    for device in 1..=DEVICES {
        let mine = || all.iter().filter(|one| one.device == device);
        let alarms = mine().filter(|one| one.level == MeasurementLevel::Alarm).count();
        let sum: i64 = mine().filter(|one| one.watched).map(|one| i64::from(one.celsius)).sum();
        let stored = b.get(&Device::point(device)).unwrap().unwrap();
        assert_eq!((stored.alarms, stored.watched_sum), (i64::try_from(alarms).unwrap(), sum));
    }
    assert!(b.sweep(tables.verify::<Measurement>()).unwrap().is_clean());
}
