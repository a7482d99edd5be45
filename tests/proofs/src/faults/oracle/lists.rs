//! The lists of lookups: in rows, in one row, and in blobs.

use std::collections::{BTreeMap, BTreeSet};

use super::{Expected, Key, Oracle, people::Primary};

/// Members, grouped by their list.
type Lists = BTreeMap<String, BTreeSet<(String, String)>>;

impl Oracle<'_> {
    pub(super) fn lists_of(&mut self, people: &[Primary]) {
        for person in people {
            let (row_key, register) = (&person.key.row_key, person.register());
            let member = format!("skill!{}!{row_key}", person.team);
            let key = Key::new("PeopleBySkill", person.text("skill"), member);
            self.expect("member of by_skill", &key, &[], &register);
            let key = Key::new("People", &person.team, format!("group_{}!{row_key}", person.text("group")));
            self.expect("member of by_group", &key, &[], &register);
        }
        let mut offices = Lists::new();
        let mut hobbies = Lists::new();
        let mut shifts: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
        for person in people {
            let pair = (person.team.clone(), person.key.row_key.clone());
            offices.entry(person.text("office")).or_default().insert(pair.clone());
            hobbies.entry(person.text("hobby")).or_default().insert(pair);
            let shift = (person.team.clone(), person.text("shift"));
            shifts.entry(shift).or_default().insert(person.key.row_key.clone());
        }
        self.offices(&offices);
        self.hobbies(&hobbies);
        self.shifts(&shifts);
    }

    /// Checks lists with one row each, in another table.
    fn offices(&mut self, offices: &Lists) {
        for (office, members) in offices {
            self.count("list of by_office");
            let key = Key::new("Offices", office, "office");
            let stored =
                self.raw.rows.get(&key).map(|row| row.text("Members").unwrap_or_default().to_owned());
            let pairs: Vec<(String, String)> =
                stored.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
            self.explain(key.clone());
            let mut listed: BTreeSet<(String, String)> = pairs.iter().cloned().collect();
            // Once the row is full, members have separate rows.
            for (team, row_key) in members {
                let spilled = Key::new("Offices", office, format!("office!{team}!{row_key}"));
                if self.raw.rows.contains_key(&spilled) {
                    self.explain(spilled);
                    listed.insert((team.clone(), row_key.clone()));
                }
            }
            self.compare("by_office", &key.to_string(), members, &listed);
            if !pairs.is_sorted() {
                self.wrong(format!("wrong list of by_office: {key} is not sorted: {pairs:?}"));
            }
        }
        let raw = self.raw;
        for (key, row) in raw.of("Offices", "office") {
            // A list that was full once is kept, even if it is empty.
            if row.properties.contains_key("_spill") && row.text("Members") == Some("[]") {
                self.explain(key.clone());
            }
        }
    }

    /// Checks lists with one row each, in the partition.
    fn shifts(&mut self, shifts: &BTreeMap<(String, String), BTreeSet<String>>) {
        for ((team, shift), members) in shifts {
            let key = Key::new("People", team, format!("shift_{shift}"));
            let register = format!("by_shift of {team}");
            let text = serde_json::to_string(members).unwrap_or_default();
            self.expect("list of by_shift", &key, &[("Members", Expected::Text(text))], &register);
        }
    }

    /// Checks lists with one blob each, and the blobs below it once it is full.
    fn hobbies(&mut self, hobbies: &Lists) {
        for (hobby, members) in hobbies {
            self.count("list of by_hobby");
            let name = format!("by_hobby/{}.jsonl", hobby.replace('/', ".1"));
            let mut listed = BTreeSet::new();
            let raw = self.raw;
            let below = format!("{name}/");
            for ((container, found), blob) in &raw.blobs {
                if container != "people" || *found != name && !found.starts_with(&below) {
                    continue;
                }
                self.explain_blob(container, found);
                for line in String::from_utf8_lossy(&blob.content).lines() {
                    match serde_json::from_str::<(String, String)>(line) {
                        Ok(pair) if listed.insert(pair.clone()) => {}
                        Ok(pair) => self.wrong(format!("wrong list of by_hobby: {found} has {pair:?} twice")),
                        Err(error) => self.wrong(format!("wrong list of by_hobby: {found}: {line}: {error}")),
                    }
                }
            }
            self.compare("by_hobby", &name, members, &listed);
        }
    }

    fn compare(
        &mut self,
        lookup: &str,
        list: &str,
        members: &BTreeSet<(String, String)>,
        listed: &BTreeSet<(String, String)>,
    ) {
        for (what, pairs) in [("missing", members - listed), ("orphan", listed - members)] {
            for (team, row_key) in pairs {
                let register = format!("person/{team}/{}", row_key.trim_start_matches("p_"));
                let known = self.history.tell(&register);
                self.wrong(format!("{what} member of {lookup}: {team}/{row_key} in {list}{known}"));
            }
        }
    }
}
