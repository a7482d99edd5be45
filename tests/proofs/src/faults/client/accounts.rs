//! Writes of each client's own accounts, which sweeps delete once they are due.

use std::collections::BTreeMap;

use pollster::block_on;
use table_patterns::{Query, Stored, Tables, prelude::*};

use super::{Client, Known};
use crate::faults::{
    design::{Account, GROUPS},
    journal::Class,
};

/// Number of accounts per client and group.
const OWN: usize = 4;

/// The values of the client's accounts; `None` for a missing account.
#[derive(Debug, Default)]
pub(crate) struct Accounts(BTreeMap<(usize, u32), Known<Option<i64>>>);

/// Returns the register of an account.
pub(crate) fn value_of(group: &str, id: u32) -> String {
    format!("account/{group}/{id:06}")
}

/// Returns whether an account with this value in its register may be deleted by a sweep.
pub(crate) fn may_vanish(value: Option<i64>) -> bool {
    value.is_some_and(|value| Account::is_doomed(value.abs()))
}

impl Client {
    pub(crate) fn write_account(&mut self) {
        let group = self.seed.below(GROUPS.len());
        let id = (self.who.number * 100 + self.seed.below(OWN)) as u32;
        let point = || Account::point(GROUPS[group], id);
        let found = match block_on(point().with_deleted().get(&self.tables)) {
            Ok(found) => found,
            Err(error) => return self.judge("a read of an account", &error),
        };
        let late = self.who.late;
        let known = *self.accounts.0.entry((group, id)).or_insert_with(|| Known::after_a_start(late));
        let stored = found.as_ref().map(|account| account.value());
        if let Some(certain) = known.certain()
            && certain != stored
            && !(stored.is_none() && may_vanish(certain))
        {
            let what = value_of(GROUPS[group], id);
            self.journal.violation(&format!("{what} is {stored:?}, and {certain:?} was acknowledged"));
        }
        let is_certain = known.certain() == Some(stored);
        if is_certain && stored.is_some_and(|value| value < 0) && self.seed.chance(1, 2) {
            match block_on(point().get(&self.tables)) {
                Ok(None) => {}
                Ok(Some(_)) => self.journal.violation(&format!("a soft-deleted account is found: {id}")),
                Err(error) => self.judge("a read of a soft-deleted account", &error),
            }
        }
        let next = Account::new(GROUPS[group], id, self.stamp());
        let tables = self.handle();
        match found {
            None => {
                let effects = [(value_of(GROUPS[group], id), Some(next.stamp))];
                let upsert = self.seed.chance(1, 4);
                let kind = if upsert { "upsert of an account" } else { "insert of an account" };
                let result = self.call(kind, Class::Blind, &effects, || {
                    block_on(if upsert { tables.upsert(&next) } else { tables.insert(&next) })
                });
                self.account(group, id).wrote(&result, Class::Blind, Some(next.stamp), late);
            }
            Some(stored) => self.change_account(group, &stored, next, &tables, is_certain),
        }
    }

    fn change_account(
        &mut self,
        group: usize,
        stored: &Stored<Account>,
        mut next: Account,
        tables: &Tables,
        is_certain: bool,
    ) {
        let (late, id) = (self.who.late, stored.id);
        let register = value_of(GROUPS[group], id);
        let point = Account::point(GROUPS[group], id);
        // The verbs keep the stamp, which must be the one that was read.
        let (class, value, result) = match self.seed.below(12) {
            0..4 if is_certain => {
                let value = Some(-stored.value());
                let (kind, is_deleted) =
                    if stored.is_deleted() { ("undelete", true) } else { ("soft_delete", false) };
                let result = self.call(kind, Class::Fenced, &[(register, value)], || {
                    block_on(if is_deleted { tables.undelete(point) } else { tables.soft_delete(point) })
                        .map(drop)
                });
                (Class::Fenced, value, result)
            }
            4 => {
                let value = Some(next.value());
                let result = self.call("upsert of an account", Class::Blind, &[(register, value)], || {
                    block_on(tables.upsert(&next)).map(drop)
                });
                (Class::Blind, value, result)
            }
            5 => {
                let result = self.call("delete of an account", Class::Fenced, &[(register, None)], || {
                    block_on(tables.delete(stored))
                });
                (Class::Fenced, None, result)
            }
            drawn => {
                if drawn < 8 {
                    next.deleted = next.time_of_deletion();
                }
                let value = Some(next.value());
                let mut changed = stored.clone();
                *changed = next;
                let result = self.call("replace of an account", Class::Fenced, &[(register, value)], || {
                    block_on(tables.replace(&changed)).map(drop)
                });
                (Class::Fenced, value, result)
            }
        };
        self.account(group, id).wrote(&result, class, value, late);
    }

    fn account(&mut self, group: usize, id: u32) -> &mut Known<Option<i64>> {
        self.accounts.0.entry((group, id)).or_default()
    }
}
