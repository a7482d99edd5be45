//! The lines of requests on standard error.

use super::started;
use crate::serve::client::Client;

#[test]
fn each_request_has_one_line() {
    let running = started(&[]);
    Client::new(&running).create_table("people");
    // The key is not that of the account.
    assert_eq!(Client::of(&running, "devstoreaccount1", "a2V5").try_insert("people", "a", "1"), Some(403));
    let log = running.log();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("service=\"table\"")).collect();
    let [created, refused] = lines.as_slice() else { panic!("{log}") };
    assert!(created.contains("  INFO request service=\"table\" account=\"devstoreaccount1\""), "{log}");
    assert!(created.contains(" operation=\"CreateTable\"") && created.contains(" status=204 "), "{log}");
    assert!(refused.contains(" WARN ") && refused.contains("status=403"), "{log}");
    assert!(!log.contains("time.busy") && !log.contains("table_rest::"), "{log}");
}
