//! The entity that expires and can be soft-deleted.

use table_patterns::prelude::*;

use super::mix;

/// An entity whose stamp determines when it expires, with a unique index in another partition and a count.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[allow(clippy::duplicated_attributes, reason = "two indexes copy the stamp")]
#[table(name = "Accounts", partition = "{group}", row = "a_{id:06}", expires = ends, soft_delete = deleted)]
#[table(index(
    by_login,
    table = "AccountLogins",
    partition = "{login}",
    row = "holder",
    unique,
    copy(stamp)
))]
#[table(index(by_name, row = "name_{name}_{id:06}", copy(stamp)))]
#[table(counted_in(Group::members), summed_in(Group::score, of = score))]
pub struct Account {
    pub group: String,
    pub id: u32,
    pub stamp: i64,
    pub login: String,
    pub name: String,
    pub score: i32,
    pub ends: Option<Timestamp>,
    pub deleted: Option<Timestamp>,
}

/// The target of the accounts of a partition.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Accounts", partition = "{group}", row = "group")]
pub struct Group {
    pub group: String,
    pub motto: i64,
    #[table(from_source)]
    pub members: i64,
    #[table(from_source)]
    pub score: i64,
}

impl Account {
    /// Returns the entity for a stamp. Two adjacent IDs have the same logins.
    #[must_use]
    pub fn new(group: &str, id: u32, stamp: i64) -> Self {
        let drawn = mix(stamp.unsigned_abs() ^ u64::from(id));
        let end = match drawn % 4 {
            _ if Self::is_doomed(stamp) => Some("2001-01-01T00:00:00Z"),
            0 => Some("9000-01-01T00:00:00Z"),
            _ => None,
        };
        Self {
            group: group.to_owned(),
            id,
            stamp,
            login: format!("{group}l{}x{}", id / 2, drawn / 4 % 2),
            name: format!("n{}", drawn / 8 % 3),
            score: (drawn / 24 % 100) as i32,
            ends: end.and_then(|end| end.parse().ok()),
            deleted: None,
        }
    }

    /// Returns whether an entity with this stamp has expired: a sweep may delete it at any time.
    #[must_use]
    pub fn is_doomed(stamp: i64) -> bool {
        mix(stamp.unsigned_abs() ^ 0x0061_6363_6f75_6e74).is_multiple_of(4)
    }

    /// Returns the time of a soft delete: before each purge if the account is doomed, otherwise after the time that a
    /// purge keeps.
    #[must_use]
    pub fn time_of_deletion(&self) -> Option<Timestamp> {
        if Self::is_doomed(self.stamp) { "2002-01-01T00:00:00Z".parse().ok() } else { Some(Timestamp::now()) }
    }

    /// Returns the value of its register: its stamp, which is negative while it is soft-deleted.
    #[must_use]
    pub const fn value(&self) -> i64 {
        if self.deleted.is_some() { -self.stamp } else { self.stamp }
    }
}
