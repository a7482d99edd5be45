//! The operations on each backend, and the step from version 1 to version 2 of a ticket.

use helpdesk::{
    design::{Priority, Status, Ticket, TicketV1},
    open, tickets,
};
use table_patterns::{
    prelude::*,
    testing::{Faults, TestTables},
};
use table_rest::{
    AccountName, ServiceKind,
    auth::AccountKey,
    server::{ServedAccount, Server},
};
use table_store::Store;

/// Creates, comments, closes and lists tickets.
async fn run(tables: &Tables) -> Result<()> {
    tickets::register(tables, "contoso").await?;
    for title in ["No network", "New keyboard"] {
        tickets::create(tables, "contoso", title.to_owned()).await?;
    }
    tickets::comment(tables, "contoso", 1, "jo".to_owned(), "Since today".to_owned()).await?;
    let ticket = tickets::find(tables, "contoso", 1).await?;
    tickets::set_status(tables, ticket, Status::Closed).await?;
    for (status, number) in [(Status::Closed, 1), (Status::Open, 2)] {
        let (tickets, next) = tickets::list(tables, "contoso", status, None).await?;
        assert_eq!((tickets.len(), tickets[0].number, next), (1, number, None));
    }
    assert_eq!(tickets::comments(tables, "contoso", 1).await?.len(), 1);
    Ok(())
}

#[tokio::test]
async fn every_backend_does_the_same() {
    run(&Tables::in_memory().unwrap()).await.unwrap();

    let folder = tempfile::tempdir().unwrap();
    run(&open(folder.path().join("helpdesk.tables").to_str().unwrap()).unwrap()).await.unwrap();

    let (name, key) = (AccountName::emulator(), AccountKey::emulator());
    let account = ServedAccount::new(name.clone(), vec![key.clone()], Store::in_memory().unwrap());
    let server = Server::builder().account(account).bind().await.unwrap();
    let services =
        [("Table", ServiceKind::Table), ("Queue", ServiceKind::Queue), ("Blob", ServiceKind::Blob)];
    let endpoints = services
        .map(|(service, kind)| format!(";{service}Endpoint=http://{}/{name}", server.address(kind)))
        .concat();
    let text = format!("AccountName={name};AccountKey={}{endpoints}", *key.expose());
    run(&open(&text).unwrap()).await.unwrap();
    server.shutdown().await;
}

/// The table of the chapter.
#[tokio::test]
async fn operations_cost_what_the_chapter_says() {
    let faults = Faults::new();
    let tables = TestTables::new().faults(&faults).open().unwrap();
    tickets::register(&tables, "contoso").await.unwrap();
    let mut before = faults.requests();
    let mut cost = || std::mem::replace(&mut before, faults.requests()).abs_diff(faults.requests());
    tickets::create(&tables, "contoso", "No network".to_owned()).await.unwrap();
    assert_eq!(cost(), 1 + 2);
    tickets::comment(&tables, "contoso", 1, "jo".to_owned(), "Since today".to_owned()).await.unwrap();
    assert_eq!(cost(), 1 + 1);
    let ticket = tickets::find(&tables, "contoso", 1).await.unwrap();
    tickets::set_status(&tables, ticket, Status::Closed).await.unwrap();
    assert_eq!(cost(), 1 + 1);
    tickets::list(&tables, "contoso", Status::Open, None).await.unwrap();
    assert_eq!(cost(), 1);
    tickets::find(&tables, "contoso", 1).await.unwrap();
    tickets::comments(&tables, "contoso", 1).await.unwrap();
    assert_eq!(cost(), 1 + 1);
}

#[tokio::test]
async fn tickets_of_version_1_are_read_and_upgraded() {
    let tables = Tables::in_memory().unwrap();
    for (number, title) in [(1, "URGENT: no network"), (2, "New keyboard")] {
        let (tenant, title) = ("contoso".to_owned(), title.to_owned());
        let old = TicketV1 { tenant, number, title, status: Status::Open, comments: 0 };
        tables.insert(&old).await.unwrap();
    }
    let ticket = tickets::find(&tables, "contoso", 1).await.unwrap();
    assert_eq!(ticket.priority, Priority::High);
    let report = tables.upgrade::<Ticket>().run().await.unwrap();
    assert_eq!((report.written, report.failed.len()), (2, 0));
    assert!(tables.verify::<Ticket>().run().await.unwrap().is_clean());
}
