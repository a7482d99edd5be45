//! Accounts: what sweeps may delete, and the rows of those that are not soft-deleted.

use std::collections::{BTreeMap, BTreeSet};

use super::{Expected, Key, Oracle};
use crate::faults::{
    client::accounts::{may_vanish, value_of},
    design::Account,
};

impl Oracle<'_> {
    pub(super) fn accounts(&mut self) {
        let raw = self.raw;
        let mut values: BTreeMap<(String, u32), i64> = BTreeMap::new();
        let mut groups: BTreeMap<String, (i64, i64)> = BTreeMap::new();
        let mut logins: BTreeSet<String> = BTreeSet::new();
        for (key, row) in raw.of("Accounts", "a_") {
            self.count("account");
            self.explain(key.clone());
            let id: u32 = key.row_key[2..].parse().unwrap_or_default();
            let stamp = row.number("stamp").unwrap_or_default();
            let account = Account::new(&key.partition_key, id, stamp);
            if row.text("login") != Some(&account.login)
                || row.text("name") != Some(&account.name)
                || row.properties.contains_key("ends") != account.ends.is_some()
            {
                self.wrong(format!("mixed writes: {key} is not of its stamp: {:?}", row.properties));
            }
            let is_deleted = row.properties.contains_key("deleted");
            values.insert((account.group.clone(), id), if is_deleted { -stamp } else { stamp });
            // A soft-deleted account has no other rows: they would be orphans.
            if is_deleted {
                continue;
            }
            if !logins.insert(account.login.clone()) {
                self.wrong(format!("two owners of the login {}: {key}", account.login));
            }
            let total = groups.entry(account.group.clone()).or_default();
            *total = (total.0 + 1, total.1 + i64::from(account.score));
            self.rows_of_account(key, &account);
        }
        for (group, (members, score)) in &groups {
            let kept = BTreeMap::from([
                ("members".to_owned(), Expected::Number(*members)),
                ("score".to_owned(), Expected::Number(*score)),
            ]);
            self.target("Group", &Key::new("Accounts", group, "group"), &kept);
        }
        for (key, row) in raw.of("Accounts", "group") {
            if !groups.contains_key(&key.partition_key) {
                self.without_sources(key, row);
            }
        }
        self.registers_of_accounts(&values);
    }

    fn rows_of_account(&mut self, key: &Key, account: &Account) {
        let Account { group, id, stamp, login, name, .. } = account;
        let register = value_of(group, *id);
        let (stamp, number) = (("stamp", Expected::Number(*stamp)), ("id", Expected::Number(i64::from(*id))));
        let of = ("group", Expected::Text(group.clone()));
        let held = Key::new("AccountLogins", login, "holder");
        self.expect("row of by_login", &held, &[stamp.clone(), number, of], &register);
        if let Some(row) = self.raw.rows.get(&held)
            && row.text("_src") != Some(&key.as_source())
        {
            self.wrong(format!("wrong row of by_login: {held} is of {:?}, not of {key}", row.text("_src")));
        }
        let near = Key::new("Accounts", group, format!("name_{name}_{id:06}"));
        self.expect("row of an account by_name", &near, &[stamp], &register);
    }

    /// Checks that only accounts that are due have disappeared.
    fn registers_of_accounts(&mut self, values: &BTreeMap<(String, u32), i64>) {
        let mut all: BTreeSet<(String, u32)> = values.keys().cloned().collect();
        for register in self.registers("account/") {
            let Some((group, id)) = register.split_once('/') else { continue };
            all.insert((group.to_owned(), id.parse().unwrap_or_default()));
        }
        for account in all {
            let register = value_of(&account.0, account.1);
            let stored = values.get(&account).copied();
            let is_swept = stored.is_none() && self.history.allowed(&register).into_iter().any(may_vanish);
            if is_swept {
                self.count("account that a sweep deleted");
            } else {
                self.register(&register, stored);
            }
        }
    }
}
