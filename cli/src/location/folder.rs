//! The data directory of a server: one file per account.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use table_rest::AccountName;

use super::StoreLocationError;

const EXTENSION: &str = "tables";

/// Returns the file of an account; of the only account if none is specified.
pub(super) fn file(folder: &Path, account: Option<&AccountName>) -> Result<PathBuf, StoreLocationError> {
    let named = |account: &str| folder.join(format!("{account}.{EXTENSION}"));
    if let Some(account) = account {
        return Ok(named(account.as_str()));
    }
    let accounts =
        accounts(folder).map_err(|error| StoreLocationError::Folder { folder: folder.into(), error })?;
    match accounts.as_slice() {
        [] => Err(StoreLocationError::Empty(folder.into())),
        [account] => Ok(named(account)),
        _ => Err(StoreLocationError::Several { folder: folder.into(), accounts }),
    }
}

/// Returns the accounts in the order of their names.
fn accounts(folder: &Path) -> io::Result<Vec<String>> {
    let mut accounts = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            accounts.extend(path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned));
        }
    }
    accounts.sort();
    Ok(accounts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_account_need_not_be_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert!(matches!(file(path, None), Err(StoreLocationError::Empty(_))));
        fs::write(path.join("b1a.tables"), "").unwrap();
        fs::write(path.join("notes.txt"), "").unwrap();
        assert_eq!(file(path, None).unwrap(), path.join("b1a.tables"));
        fs::write(path.join("a1b.tables"), "").unwrap();
        let Err(StoreLocationError::Several { accounts, .. }) = file(path, None) else {
            panic!("one was chosen")
        };
        assert_eq!(accounts, ["a1b", "b1a"]);
        let named = "a1b".parse().unwrap();
        assert_eq!(file(path, Some(&named)).unwrap(), path.join("a1b.tables"));
    }
}
