//! Errors of the service.

use table_model::{Entity, ErrorCode, StorageFault, TableError};

use crate::{service::Remote, store};

const ROWS: &str = "/t/Employees/rows?filter=PartitionKey%20eq%20%27Sales%27";

#[test]
fn a_service_error_has_code_message_and_request() {
    let remote = Remote::new(&store([]));
    let served = remote.serve();
    let error = TableError::with_message(ErrorCode::AuthorizationFailure, "not for ?sig=abc%3D");
    remote.next_read(error.of_request("r-42"));
    served
        .get(ROWS)
        .is(403)
        .has("AuthorizationFailure")
        .has("sig=(hidden)")
        .has("r-42")
        .lacks("abc")
        .lacks("Try again");
}

#[test]
fn a_silent_service_is_tried_again_and_named_since_when() {
    let remote = Remote::new(&store([]));
    let served = remote.serve();
    remote.next_read(TableError::not_connected("cannot connect to https://acme.table.core.windows.net"));
    let page = served.get(ROWS);
    page.is(503).has("The service is not reachable").has("Try again");
    let since =
        page.text.split("Without a response since ").nth(1).unwrap().split("Z.").next().unwrap().to_owned();
    remote.next_read(TableError::new(ErrorCode::ServerBusy));
    served.get(ROWS).is(503).has(&since);
    served.get(ROWS).is(200);
    remote.next_read(TableError::new(ErrorCode::ServerBusy));
    served.get(ROWS).is(503).lacks(&since);
}

#[test]
fn a_damaged_record_does_not_hide_the_rows_before_it() {
    let remote = Remote::new(&store((1..=3).map(|number| Entity::new("Sales", format!("k{number}")))));
    let served = remote.serve();
    let what = "table #7, PartitionKey `Sales`, RowKey `k3`: it does not match its checksum".to_owned();
    remote.damage("k3", StorageFault::Corrupt { what }.into());
    served
        .get(ROWS)
        .is(200)
        .has("rk=k1")
        .has("rk=k2")
        .lacks("rk=k3\"")
        .has("A stored record is damaged")
        .has("RowKey `k3`: it does not match its checksum")
        .has("tables scrub");
    served.get("/t/Employees/e?pk=Sales&rk=k3").is(500).has("A stored record is damaged");
    served.get("/t/Employees/e?pk=Sales&rk=k2").is(200);
}
