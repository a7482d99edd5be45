//! P10, the wide entity: 1,143 daily counts of a place are one entity in six rows, because a row can contain at most
//! 252 properties. It is written by one transaction and read by one range query. A day is updated by one merge.
//!
//! Run `cargo run --example wide_entity`, or add `-- --data DIR` to read `DIR/wide/covid19_confirmed_daily.csv`.

#[path = "wide_entity/cases.rs"]
mod cases;

use table_examples::{Outcome, data_folder, screen::grouped, spark::line};
use table_patterns::prelude::*;

/// Days from January 22, 2020 to March 9, 2023.
const DAYS: usize = 1_143;

/// Cumulative cases of a place by day.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Cases", partition = "{country:esc}", row = "{province:esc}_{part:02}", wide = 200)]
struct Place {
    country: String,
    province: String,
    latitude: Option<f64>,
    longitude: Option<f64>,
    #[table(series)]
    days: [Option<i32>; DAYS],
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let tables = Tables::in_memory()?;
    let places = match data_folder("wide_entity")? {
        Some(folder) => cases::read(&folder)?,
        None => cases::made_up(),
    };
    tables.bulk().insert_all(&places).run().await?.into_result()?;
    println!("{} places, {} days each", grouped(places.len()), grouped(DAYS));

    let place = cases::worst(&places).ok_or("there is a place")?;
    let point = Place::point(&place.country, &place.province);
    println!("\none of them, by one range:");
    println!("  {}", point.explain()?);
    println!("the rows that come, and what each of them holds:");
    let head = point.address()?;
    for part in 0..6 {
        let row_key = head.row_key().replace("_00", &format!("_{part:02}"));
        let row = DynamicEntity::point("Cases", head.partition_key(), &row_key).get(&tables).await?;
        let row = row.ok_or("each part holds something")?;
        let days: Vec<&str> =
            row.iter().map(|(name, _)| name).filter(|name| name.starts_with("days")).collect();
        let ends = days.first().zip(days.last()).ok_or("each part holds days")?;
        println!("  {row_key:<10} {:>3} properties, {} to {}", row.len(), ends.0, ends.1);
    }

    println!("\nread back as one entity; new cases of {} in spans of 18 days:", name(&place));
    let mut stored = point.get(&tables).await?.ok_or("the place is there")?;
    println!("  {}", line(&spans(&stored.days)));
    assert_eq!(stored.days, place.days);

    println!("\none more day is one merge of the row that it belongs to:");
    let corrected = stored.days[1_100].unwrap_or(0) + 1;
    let patch = Place::patch(&place.country, &place.province).days(1_100, corrected);
    let written = tables.merge(patch).await?;
    println!("  {}", written.address);

    println!("who read the place before that cannot replace it, whichever row was changed:");
    stored.latitude = None;
    let error = tables.replace(&stored).await.err().ok_or("the replace went through")?;
    println!("  {error}");
    assert!(error.is_conflict());
    let now = tables.update(point, |place| place.latitude = None).await?;
    println!("  read again and replaced, in one transaction: day 1100 is {:?}", now.days[1_100]);
    assert_eq!(now.days[1_100], Some(corrected));

    println!("\nwithout its later days it needs fewer rows; those that hold nothing go:");
    let mut early = now.into_inner();
    early.days.iter_mut().skip(300).for_each(|day| *day = None);
    tables.replace_any(&early).await?;
    let rows = DynamicEntity::point("Cases", head.partition_key(), head.row_key().replace("_00", "_05"));
    assert!(rows.get(&tables).await?.is_none());
    println!("  {} is gone", rows.address()?);
    Ok(())
}

fn name(place: &Place) -> String {
    if place.province == place.country {
        place.country.clone()
    } else {
        format!("{}, {}", place.province, place.country)
    }
}

/// Returns the new cases of each span.
fn spans(days: &[Option<i32>]) -> Vec<Option<i32>> {
    let ends: Vec<i32> = days.chunks(18).filter_map(|span| span.last().copied().flatten()).collect();
    std::iter::once(0).chain(ends.iter().copied()).zip(&ends).map(|(from, to)| Some(to - from)).collect()
}
