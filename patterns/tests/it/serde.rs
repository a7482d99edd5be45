//! Types of the library in an application's own serde types.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says why")]

use serde::{Deserialize, Serialize};
use table_patterns::{ETag, prelude::*};

#[derive(TableEntity, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[table(name = "Tickets", partition = "{tenant}", row = "t_{id:06}")]
struct Ticket {
    tenant: String,
    id: u32,
    title: String,
    due: Option<Date>,
    opened: Timestamp,
    reporter: Uuid,
}

/// What an HTTP handler receives and sends.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Dto {
    key: TicketKey,
    etag: ETag,
    due: Option<Date>,
    opened: Timestamp,
    reporter: Uuid,
    next: Option<Cursor>,
}

fn ticket(id: u32) -> Ticket {
    Ticket {
        tenant: "contoso".into(),
        id,
        title: "Printer".into(),
        due: Date::new(2026, 2, 28),
        opened: "2026-02-01T10:00:00.0000001Z".parse().unwrap(),
        reporter: Uuid::from_u128(7),
    }
}

#[test]
fn types_of_the_library_round_trip() {
    let tables = Tables::in_memory().unwrap();
    let tables = tables.blocking();
    for id in 1..=3 {
        tables.insert(&ticket(id)).unwrap();
    }
    let page = tables.page(&Ticket::rows("contoso").page_size(2)).unwrap();
    let first = &page.items[0];
    let dto = Dto {
        key: first.key(),
        etag: first.etag().clone(),
        due: first.due,
        opened: first.opened,
        reporter: first.reporter,
        next: page.cursor,
    };
    let json = serde_json::to_value(&dto).unwrap();
    assert_eq!(json["key"], serde_json::json!({ "partition_key": "contoso", "row_key": "t_000001" }));
    assert_eq!(json["due"], "2026-02-28");
    assert_eq!(json["opened"], "2026-02-01T10:00:00.0000001Z");
    assert_eq!(json["etag"], first.etag().to_string());
    assert_eq!(serde_json::from_value::<Dto>(json.clone()).unwrap(), dto);
    assert_eq!(serde_json::from_str::<Dto>(&json.to_string()).unwrap(), dto);
}

#[test]
fn stored_entity_serializes_as_its_entity() {
    let tables = Tables::in_memory().unwrap();
    let tables = tables.blocking();
    tables.insert(&ticket(1)).unwrap();
    let stored = tables.get(&Ticket::point("contoso", 1)).unwrap().unwrap();
    let json = serde_json::to_value(&stored).unwrap();
    assert_eq!(json, serde_json::to_value(ticket(1)).unwrap());
    assert_eq!(serde_json::from_value::<Ticket>(json).unwrap(), ticket(1));
}

#[test]
fn invalid_strings_name_the_cause() {
    let read = |json: &str| serde_json::from_str::<TicketKey>(json).unwrap_err().to_string();
    let error = read(r#"{ "partition_key": "contoso", "row_key": "x_1" }"#);
    assert_eq!(error, "\"contoso\", \"x_1\" is not a key of `Ticket`; expected `{tenant}`, `t_{id:06}`");
    assert!(serde_json::from_str::<Date>("\"2026-02-30\"").unwrap_err().to_string().contains("2026-02-30"));
    assert!(serde_json::from_str::<Cursor>("\"2.x\"").unwrap_err().to_string().contains("invalid cursor"));
}
