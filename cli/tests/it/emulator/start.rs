//! Errors at the start.

use std::net::TcpListener;

use super::{command, ended, started};

#[test]
fn a_busy_port_is_named_with_its_service_and_its_option() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = other.local_addr().unwrap().port().to_string();
    let (code, out, err) =
        ended(&["--silent", "--blobPort", "0", "--tablePort", "0", "--queuePort", port.as_str()]);
    assert_eq!((code, &*out), (Some(1), ""), "{err}");
    let said = format!(
        "cannot listen on 127.0.0.1:{port} (queue): address in use; stop the other program or choose another port with \
         --queuePort"
    );
    assert!(err.contains(&said), "{err}");
}

#[test]
fn files_of_azurite_are_reported_as_not_read() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("__azurite_db_table__.json"), "{}").unwrap();
    let path = directory.path().display().to_string();
    let running = started(&["--silent", "--location", path.as_str()]);
    let log = running.log();
    assert!(log.contains(&format!("warning: {path} contains files of Azurite")), "{log}");
}

#[test]
fn invalid_accounts_are_reported_once() {
    let output = command(&["--silent"]).env("AZURITE_ACCOUNTS", "one").output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(err.matches("NAME:KEY:KEY").count(), 1, "{err}");
    assert!(err.contains("`;` between accounts"), "{err}");
}

#[test]
fn a_missing_certificate_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("missing.pem").display().to_string();
    let (code, _, err) = ended(&["--silent", "--cert", missing.as_str(), "--key", missing.as_str()]);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains(&format!("the certificate file {missing} does not exist")), "{err}");
}
