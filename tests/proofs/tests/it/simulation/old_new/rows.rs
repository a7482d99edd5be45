//! The properties of rows, and what a program knows of them.

use std::collections::BTreeMap;

/// The properties of a row, without those of the library.
pub(crate) type Row = BTreeMap<String, String>;

/// What a program knows of a type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// `EntityType` without the version.
    entity: &'static str,
    pub(crate) version: u8,
    names: &'static [&'static str],
    whole: fn(i32) -> Row,
    /// The field that a patch changes with the stamp.
    part: &'static str,
}

pub(crate) const PLAIN: Kind = Kind {
    entity: "Item",
    version: 1,
    names: &["stamp", "group", "name", "count"],
    whole: plain,
    part: "count",
};
pub(crate) const EXTRA: Kind = Kind {
    entity: "Item",
    version: 1,
    names: &["stamp", "group", "name", "count", "note"],
    whole: extra,
    part: "count",
};
pub(crate) const RENAMED: Kind = Kind {
    entity: "Item",
    version: 2,
    names: &["stamp", "group", "full_name", "amount", "tag"],
    whole: renamed,
    part: "amount",
};
pub(crate) const OTHER: Kind =
    Kind { entity: "Other", version: 1, names: &["stamp", "label"], whole: other, part: "label" };

const TYPE: &str = "EntityType";
pub(crate) const STAMP: &str = "stamp";

/// Why a program cannot read a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    Newer,
    Foreign,
}

pub(crate) fn text(text: impl AsRef<str>) -> String {
    format!("String({:?})", text.as_ref())
}

pub(crate) fn int(number: i32) -> String {
    format!("Int32({number})")
}

pub(crate) fn long(number: i64) -> String {
    format!("Int64({number})")
}

pub(crate) fn row<const N: usize>(properties: [(&str, String); N]) -> Row {
    properties.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

pub(crate) fn group(stamp: i32) -> String {
    if stamp % 4 < 2 { "a" } else { "b" }.to_owned()
}

pub(crate) fn amount(stamp: i32) -> i64 {
    i64::from(stamp) * 100
}

/// Returns an optional value, which every second operation sets.
pub(crate) fn optional(letter: char, stamp: i32) -> Option<String> {
    (stamp % 2 == 0).then(|| format!("{letter}{stamp}"))
}

fn plain(stamp: i32) -> Row {
    let name = text(format!("n{stamp}"));
    row([("stamp", int(stamp)), ("group", text(group(stamp))), ("name", name), ("count", int(stamp))])
}

fn extra(stamp: i32) -> Row {
    let mut all = plain(stamp);
    all.extend(optional('o', stamp).map(|note| ("note".to_owned(), text(note))));
    all
}

fn renamed(stamp: i32) -> Row {
    let mut all = converted(plain(stamp));
    all.extend(optional('t', stamp).map(|tag| ("tag".to_owned(), text(tag))));
    all
}

fn other(stamp: i32) -> Row {
    row([("stamp", int(stamp)), ("label", text(format!("l{stamp}")))])
}

fn number(value: &str) -> Option<i32> {
    value.strip_prefix("Int32(")?.strip_suffix(')')?.parse().ok()
}

fn long_of(row: &Row, name: &str) -> Option<i64> {
    row.get(name)?.strip_prefix("Int64(")?.strip_suffix(')')?.parse().ok()
}

/// Returns the stamp of a row.
pub(crate) fn stamp_of(row: &Row) -> Option<i32> {
    number(row.get(STAMP)?)
}

/// Converts version 1 to version 2.
fn converted(mut row: Row) -> Row {
    if let Some(name) = row.remove("name") {
        row.insert("full_name".to_owned(), name);
    }
    if let Some(count) = row.remove("count").as_deref().and_then(number) {
        row.insert("amount".to_owned(), long(amount(count)));
    }
    row
}

impl Kind {
    fn entity_type(&self) -> String {
        text(match self.version {
            1 => self.entity.to_owned(),
            version => format!("{}.v{version}", self.entity),
        })
    }

    /// Returns the row of a new entity.
    pub(crate) fn whole(&self, stamp: i32) -> Row {
        let mut all = (self.whole)(stamp);
        all.insert(TYPE.to_owned(), self.entity_type());
        all
    }

    fn part(&self, stamp: i32) -> Row {
        let all = (self.whole)(stamp);
        all.into_iter().filter(|(name, _)| name == STAMP || name == self.part).collect()
    }

    /// Converts a row to the version of the program, with all properties that it does not know.
    pub(crate) fn read(&self, row: &Row) -> Result<Row, Unreadable> {
        let found = row.get(TYPE).map(String::as_str).unwrap_or_default();
        let mut row = match (self.version, self.entity) {
            (1, "Item") if found == text("Item.v2") => return Err(Unreadable::Newer),
            (2, "Item") if found == text("Item") => converted(row.clone()),
            _ if found == self.entity_type() => row.clone(),
            _ => return Err(Unreadable::Foreign),
        };
        row.insert(TYPE.to_owned(), self.entity_type());
        Ok(row)
    }

    /// Returns the row after a replace: what the program does not know remains.
    pub(crate) fn replaced(&self, before: &Row, stamp: i32) -> Result<Row, Unreadable> {
        let mut row = self.read(before)?;
        row.retain(|name, _| !self.names.contains(&name.as_str()));
        row.extend(self.whole(stamp));
        Ok(row)
    }

    /// Returns the row after a patch.
    pub(crate) fn patched(&self, before: &Row, stamp: i32) -> Result<Row, Unreadable> {
        let mut row = self.read(before)?;
        row.extend(self.part(stamp));
        Ok(row)
    }

    /// Returns the row after a merge of all fields.
    pub(crate) fn merged(&self, before: &Row, stamp: i32) -> Result<Row, Unreadable> {
        let mut row = self.read(before)?;
        row.extend(self.whole(stamp));
        Ok(row)
    }

    /// Returns the stamp and the amount of an entity.
    pub(crate) fn slim(&self, row: &Row) -> (i32, i64) {
        let stamp = stamp_of(row).unwrap_or_default();
        let count = |row: &Row| row.get("count").and_then(|count| number(count)).map(amount);
        match (self.entity, self.version) {
            ("Other", _) => (stamp, amount(stamp)),
            (_, 1) => (stamp, count(row).unwrap_or_default()),
            _ => (stamp, long_of(row, "amount").unwrap_or_default()),
        }
    }

    /// Returns whether the filter of the simulation accepts an entity.
    pub(crate) fn accepts(&self, row: &Row, choice: usize, value: i32) -> bool {
        let Some(stamp) = stamp_of(row) else { return false };
        if self.entity == "Other" || choice == 0 {
            return stamp >= value;
        }
        let is_text = |name: &str, is: &dyn Fn(&str) -> bool| {
            row.get(name)
                .and_then(|found| found.strip_prefix("String(\"")?.strip_suffix("\")"))
                .is_some_and(is)
        };
        let is_a = is_text("group", &|group| group == "a");
        match (choice, self.version) {
            (1, 1) => is_text("name", &|name| name < &*format!("n{value}")),
            (1, _) => is_text("full_name", &|name| name < &*format!("n{value}")),
            (2, 1) => row.get("count").and_then(|count| number(count)).is_some_and(|count| count < value),
            (2, _) => long_of(row, "amount").is_some_and(|found| found < amount(value)),
            (_, 1) if self.names.contains(&"note") => row.contains_key("note"),
            (_, 1) => !is_a,
            _ => row.contains_key("tag") || is_a,
        }
    }
}

/// Returns the row without its type.
pub(crate) fn untyped(mut row: Row) -> Row {
    row.remove(TYPE);
    row
}

/// Returns the row after a merge of the stamp, whatever the row is.
pub(crate) fn stamped(before: &Row, stamp: i32) -> Row {
    let mut row = before.clone();
    row.insert(STAMP.to_owned(), int(stamp));
    row
}
