//! P7, the log tail: a RowKey that begins with inverted ticks, so that the newest entries come first.
//!
//! `cargo run --example log_tail`

use std::time::Duration;

use table_examples::Outcome;
use table_patterns::prelude::*;

/// An expense claim. Ticks count down: a later claim has a smaller RowKey.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Expenses", partition = "{employee}", row = "{submitted:inverted_ticks}_{number}")]
struct Claim {
    employee: String,
    submitted: Timestamp,
    number: String,
    amount: f64,
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let tables = Tables::in_memory()?;
    let start: Timestamp = "2014-06-01T08:00:00Z".parse()?;
    for day in 0..90_u32 {
        tables
            .insert(&Claim {
                employee: "jonesj".into(),
                submitted: start.saturating_add(Duration::from_secs(u64::from(day) * 86_400)),
                number: format!("e{day:02}"),
                amount: 10.0 + f64::from(day),
            })
            .await?;
    }

    println!("the five newest, without knowing when they were:");
    let newest = Claim::rows("jonesj").take(5);
    println!("  {}", newest.explain()?);
    let claims = newest.all(&tables).await?;
    for claim in &claims {
        println!("  {}  {}  {:>6.2}", claim.submitted, claim.number, claim.amount);
    }
    assert_eq!(claims.first().map(|claim| claim.number.as_str()), Some("e89"));

    println!("July, asked for in the order of time; the key order is computed:");
    let july: Timestamp = "2014-07-01T00:00:00Z".parse()?;
    let august: Timestamp = "2014-08-01T00:00:00Z".parse()?;
    let query = Claim::rows("jonesj").between(july..august);
    println!("  {}", query.explain()?);
    assert_eq!(query.all(&tables).await?.len(), 31);
    println!("  31 claims, and the time of each comes back from its key");
    Ok(())
}
