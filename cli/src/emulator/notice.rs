//! What a user must know before using the emulator, on standard error, also with `--silent`.

use std::{fs, path::Path};

use table_rest::{ServiceKind, auth::AccountKey};

use super::Arguments;
use crate::serve::Account;

/// Returns the warnings, each on one line.
pub(super) fn lines(arguments: &Arguments, accounts: &[Account]) -> Vec<String> {
    let mut lines =
        vec!["warning: the emulator is for tests only; use `tables serve` for data that matters".to_owned()];
    let open: Vec<&str> = ServiceKind::ALL
        .into_iter()
        .filter(|kind| !arguments.host(*kind).is_loopback())
        .map(ServiceKind::as_str)
        .collect();
    if !open.is_empty() {
        let known = accounts.iter().any(|account| account.keys.contains(&AccountKey::emulator()));
        let plain = if arguments.is_secure() { "" } else { ", without TLS" };
        let key = if known { ", with the public key of devstoreaccount1" } else { "" };
        lines.push(format!(
            "warning: other machines are served ({}){plain}{key}: any client that reaches these ports can read and \
             change all data",
            open.join(", ")
        ));
    }
    if arguments.oauth.is_some() {
        lines.push(
            "warning: --oauth basic does not verify the signature of a bearer token: any client can create a valid one, and \
             can read and change all data"
                .to_owned(),
        );
    }
    lines.extend(arguments.location.as_deref().filter(|directory| is_of_azurite(directory)).map(|directory| {
        format!(
            "warning: {} contains files of Azurite (__azurite_db_*.json, __blobstorage__), which are not read: their data is \
             not served; copy it with a client while Azurite runs",
            directory.display()
        )
    }));
    if arguments.location.is_none() && !arguments.silent {
        lines.push("note: all data is in memory and is lost at the end; --location DIR keeps it".to_owned());
    }
    lines
}

/// Returns `true` if a directory contains files that Azurite has written.
fn is_of_azurite(directory: &Path) -> bool {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).any(|name| {
        let name = name.to_string_lossy();
        name.starts_with("__azurite_db_") || ["__blobstorage__", "__queuestorage__"].contains(&&*name)
    })
}
