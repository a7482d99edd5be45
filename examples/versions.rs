//! The five versions of a help desk, from its first program to its fifth, on one store. Programs of neighbouring
//! versions run side by side at each step.
//!
//! Run `cargo run --example versions`.

// Each module is the design of one program, as it was released.
#[path = "versions/v1.rs"]
mod v1;
#[path = "versions/v2.rs"]
mod v2;
#[path = "versions/v3.rs"]
mod v3;
#[path = "versions/v4.rs"]
mod v4;
#[path = "versions/v5.rs"]
mod v5;

use table_examples::{Outcome, screen::Screen};
use table_patterns::{DifferenceKind, prelude::*};

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let tables = Tables::in_memory()?;
    let mut screen = Screen::new();
    screen.title("Five versions of one program");
    add_a_field(&mut screen, &tables).await?;
    rename_a_field(&mut screen, &tables).await?;
    add_an_index(&mut screen, &tables).await?;
    retire_a_version(&mut screen, &tables).await
}

/// Version 2 of the program adds an optional field. This needs no version number and no order of deployment.
async fn add_a_field(screen: &mut Screen, tables: &Tables) -> Outcome {
    screen.section("The first program, and the second with one more field");
    for id in 1..=3 {
        let (tenant, title) = ("contoso".to_owned(), format!("printer {id} is on fire"));
        tables.insert(&v1::Ticket { tenant, id, title, state: "open".to_owned() }).await?;
    }
    tables.update(v2::Ticket::point("contoso", 1), |ticket| ticket.note = Some("call back".into())).await?;
    // The first program knows no note, and keeps it.
    tables.update(v1::Ticket::point("contoso", 1), |ticket| ticket.state = "closed".into()).await?;
    let ticket = v2::Ticket::point("contoso", 1).get(tables).await?.ok_or("the ticket exists")?;
    screen.say(format_args!("ticket 1 is {}, and its note is {:?}", ticket.state, ticket.note));
    assert_eq!((ticket.state.as_str(), ticket.note.as_deref()), ("closed", Some("call back")));
    Ok(())
}

/// Version 3 renames a field. Rows of both forms have different version numbers.
async fn rename_a_field(screen: &mut Screen, tables: &Tables) -> Outcome {
    screen.section("The third program: `title` is now `subject`");
    let ticket = v3::Ticket::point("contoso", 2).get(tables).await?.ok_or("the ticket exists")?;
    screen.say(format_args!("it reads rows of the older version: {:?}", ticket.subject));
    tables.update(v3::Ticket::point("contoso", 2), |ticket| ticket.priority = 1).await?;

    // A program that does not know the newer version cannot damage the row.
    let refused =
        tables.update(v2::Ticket::point("contoso", 2), |ticket| ticket.state = "closed".into()).await;
    let error = refused.err().ok_or("the second program does not know this row")?;
    screen.say(format_args!("the second program, at the same row: {error}"));
    assert!(matches!(&error, Error::Decode(error) if error.is_newer()));

    // What only the second program declared is kept.
    tables.update(v3::Ticket::point("contoso", 1), |ticket| ticket.priority = 3).await?;
    let row = v3::Ticket::point("contoso", 1).get(tables).await?.ok_or("the ticket exists")?;
    assert_eq!(row.note.as_deref(), Some("call back"));
    Ok(())
}

/// Version 4 adds an index. Programs without it write entities that have no row in it.
async fn add_an_index(screen: &mut Screen, tables: &Tables) -> Outcome {
    screen.section("The fourth program: an index by state");
    let late = v3::Ticket {
        tenant: "contoso".into(),
        id: 4,
        subject: "the third program still runs".into(),
        state: "open".into(),
        note: None,
        priority: 2,
    };
    tables.insert(&late).await?;
    let report = tables.verify::<v4::Ticket>().run().await?;
    screen.say(format_args!("before: {} index rows are missing", report.count_of(DifferenceKind::Missing)));
    // In a service whose programs run meanwhile, the registry orders this: `tables.add_index::<Ticket>("by_state")`.
    let report = tables.verify::<v4::Ticket>().repair().run().await?;
    screen.say(format_args!("repaired: {}", report.repaired));
    let open = v4::Ticket::by_state_rows("contoso").at("open").all(tables).await?;
    screen.say(format_args!("open tickets, by the index: {}", open.len()));
    assert_eq!(open.len(), 3);
    assert!(tables.verify::<v4::Ticket>().run().await?.is_clean());
    Ok(())
}

/// Version 5 no longer contains the struct of the first version: `upgrade` has rewritten its rows.
async fn retire_a_version(screen: &mut Screen, tables: &Tables) -> Outcome {
    screen.section("The fifth program: without the first version");
    let left = v5::Ticket::point("contoso", 3).get(tables).await;
    let error = left.err().ok_or("the row has the first version")?;
    screen.say(format_args!("before the upgrade, ticket 3: {error}"));
    let report = tables.upgrade::<v4::Ticket>().run().await?;
    screen.say(format_args!(
        "the fourth program rewrites {} row; {} failed",
        report.written,
        report.failed.len()
    ));
    let tickets = v5::Ticket::rows("contoso").all(tables).await?;
    for ticket in &tickets {
        screen.say(format_args!("{:>4}  {:<7} {}", ticket.id, ticket.state, ticket.subject));
    }
    assert_eq!(tickets.len(), 4);
    assert!(tables.verify::<v5::Ticket>().run().await?.is_clean());
    Ok(())
}
