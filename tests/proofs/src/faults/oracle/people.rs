//! People, and the rows of their indexes.

use std::collections::BTreeMap;

use table_store::Value;

use super::{Expected, Key, Oracle, RawRow};
use crate::faults::{
    client::people::{note_of, stamp_of},
    design::{Pool, photo},
};

/// A person according to its row.
pub(super) struct Primary {
    pub(super) key: Key,
    pub(super) team: String,
    pub(super) id: u32,
    pub(super) row: RawRow,
}

impl Primary {
    pub(super) fn text(&self, name: &str) -> String {
        self.row.text(name).unwrap_or_default().to_owned()
    }

    pub(super) fn number(&self, name: &str) -> i64 {
        self.row.number(name).unwrap_or(i64::MIN)
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        matches!(self.row.properties.get(name), Some(Value::Boolean(true)))
    }

    pub(super) fn register(&self) -> String {
        stamp_of(&self.team, self.id)
    }
}

impl Oracle<'_> {
    /// Returns all people, after checking them against the journals and their stamps.
    pub(super) fn people(&mut self) -> Vec<Primary> {
        let mut people = Vec::new();
        for (key, row) in self.raw.of("People", "p_") {
            let id = key.row_key[2..].parse().unwrap_or(u32::MAX);
            people.push(Primary { key: key.clone(), team: key.partition_key.clone(), id, row: row.clone() });
        }
        for person in &people {
            self.count("person");
            self.explain(person.key.clone());
            self.fields(person);
            self.index_rows(person);
        }
        self.registers_of_people(&people);
        self.unique_values(&people);
        people
    }

    fn registers_of_people(&mut self, people: &[Primary]) {
        let mut stored: BTreeMap<(String, u32), (i64, i64)> = BTreeMap::new();
        for person in people.iter().filter(|person| Pool::of(person.id) == Pool::Own) {
            stored.insert((person.team.clone(), person.id), (person.number("stamp"), person.number("note")));
        }
        let mut all: Vec<(String, u32)> = stored.keys().cloned().collect();
        for register in self.registers("person/") {
            let Some((team, id)) = register.split_once('/') else { continue };
            all.push((team.to_owned(), id.parse().unwrap_or_default()));
        }
        all.sort();
        all.dedup();
        for (team, id) in all {
            let found = stored.get(&(team.clone(), id));
            self.register(&stamp_of(&team, id), found.map(|(stamp, _)| *stamp));
            self.register(&note_of(&team, id), found.map(|(_, note)| *note));
        }
    }

    /// Checks that all fields are from one write.
    fn fields(&mut self, person: &Primary) {
        let whole = crate::faults::design::Person::new(&person.team, person.id, person.number("stamp"));
        let optional = |text: &Option<String>| text.clone();
        let texts = [
            ("name", Some(whole.name)),
            ("email", Some(whole.email)),
            ("city", optional(&whole.city)),
            ("skill", Some(whole.skill)),
            ("office", Some(whole.office)),
            ("hobby", Some(whole.hobby)),
            ("group", Some(whole.group)),
            ("shift", Some(whole.shift)),
        ];
        let mixed = texts.iter().find(|(name, text)| person.row.text(name).map(str::to_owned) != *text);
        let numbers = [("badge", whole.badge.map(i64::from)), ("score", Some(i64::from(whole.score)))];
        let mixed_number = numbers.iter().find(|(name, number)| person.row.number(name) != *number);
        let name = mixed.map(|(name, _)| name).or(mixed_number.map(|(name, _)| name));
        if let Some(name) = name {
            let known = self.history.tell(&person.register());
            self.wrong(format!("mixed writes: `{name}` of {} is not of its stamp{known}", person.key));
        }
        let has_photo = person.row.properties.contains_key("photo");
        if has_photo != photo(person.number("stamp")).is_some() {
            self.wrong(format!("mixed writes: `photo` of {} is not of its stamp", person.key));
        }
    }

    fn index_rows(&mut self, person: &Primary) {
        let (team, id, register) = (&person.team, person.id, person.register());
        let stamp = ("stamp", Expected::Number(person.number("stamp")));
        let number = ("id", Expected::Number(i64::from(id)));
        let rank = ("rank", Expected::Number(person.number("rank")));

        let key = Key::new("People", team, format!("email_{}", person.text("email")));
        self.expect("row of by_email", &key, &[stamp.clone(), number.clone()], &register);
        let key = Key::new("People", team, format!("name_{}_{id:06}", person.text("name")));
        self.expect("row of by_name", &key, &[stamp.clone(), rank.clone()], &register);
        let own = format!("{team}_{id:06}");
        if let Some(badge) = person.row.number("badge") {
            let key = Key::new("People", format!("badge_{badge:08}"), "holder");
            let name = ("name", Expected::Text(person.text("name")));
            let of = ("team", Expected::Text(team.clone()));
            self.expect_far("row of by_badge", &key, &[name, stamp.clone(), of, number], person);
        }
        if let Some(city) = person.row.text("city") {
            let key = Key::new("PeopleByCity", city, &own);
            self.expect_far("row of by_city", &key, &[rank, stamp.clone()], person);
        }
        let key = Key::new("PeopleByRank", format!("rank_{:02}", person.number("rank")), &own);
        self.expect_far("row of by_rank", &key, &[stamp, ("secret", Expected::Binary)], person);
    }

    /// Checks a row in another partition, which also names its source.
    fn expect_far(
        &mut self,
        kind: &'static str,
        key: &Key,
        properties: &[(&str, Expected)],
        person: &Primary,
    ) {
        self.expect(kind, key, properties, &person.register());
        if let Some(row) = self.raw.rows.get(key)
            && row.text("_src") != Some(&person.key.as_source())
        {
            self.wrong(format!("wrong {kind}: {key} is of {:?}, not of {}", row.text("_src"), person.key));
        }
    }

    fn unique_values(&mut self, people: &[Primary]) {
        let mut owners: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for person in people {
            let email = format!("email {} in {}", person.text("email"), person.team);
            owners.entry(email).or_default().push(person.key.to_string());
            if let Some(badge) = person.row.number("badge") {
                owners.entry(format!("badge {badge}")).or_default().push(person.key.to_string());
            }
        }
        for (value, owners) in owners.into_iter().filter(|(_, owners)| owners.len() > 1) {
            self.wrong(format!("two owners of {value}: {}", owners.join(", ")));
        }
    }
}
