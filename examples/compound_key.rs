//! P6, the compound key: a RowKey of two fields, so that one kind of entity is found by either or both.
//!
//! `cargo run --example compound_key`

use table_examples::Outcome;
use table_patterns::prelude::*;

/// A yearly review. Its RowKey holds the employee and the year: `000123_2012`.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Reviews", partition = "{department}", row = "{id:06}_{year:04}")]
struct Review {
    department: String,
    id: u32,
    year: u16,
    manager_rating: i32,
    peer_rating: i32,
    comments: String,
}

/// What a list of reviews shows: two properties instead of six travel.
#[derive(Projection)]
#[table(of = Review)]
struct Ratings {
    manager_rating: i32,
    peer_rating: i32,
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let tables = Tables::in_memory()?;
    let mut bulk = tables.bulk();
    for id in [122, 123, 124] {
        for year in 2009..=2014 {
            bulk = bulk.insert(&Review {
                department: "Sales".into(),
                id,
                year,
                manager_rating: i32::from(year % 5) + 1,
                peer_rating: i32::from(year % 3) + 3,
                comments: "Arrives on time, and brings cake. ".repeat(20),
            });
        }
    }
    bulk.run().await?.into_result()?;

    println!("one review, a point query:");
    let one = Review::point("Sales", 123, 2012);
    println!("  {}", one.explain()?);
    let review = one.get(&tables).await?.ok_or("the review is there")?;
    println!("  manager {}, peers {}", review.manager_rating, review.peer_rating);

    println!("all years of one employee, a range of the same keys:");
    let years = Review::rows("Sales").at(123).select::<Ratings>();
    println!("  {}", years.explain()?);
    let ratings = years.all(&tables).await?;
    assert_eq!(ratings.len(), 6);
    for rating in &ratings {
        println!("  manager {}, peers {}", rating.manager_rating, rating.peer_rating);
    }

    println!("three years of one employee:");
    let three = Review::rows("Sales").at(123).between(2010..=2012);
    println!("  {}", three.explain()?);
    let years: Vec<u16> = three.all(&tables).await?.iter().map(|review| review.year).collect();
    assert_eq!(years, [2010, 2011, 2012]);
    println!("  {years:?}");
    Ok(())
}
