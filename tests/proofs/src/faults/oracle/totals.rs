//! Aggregates and copied fields, in the same partition as their sources and in others.

use std::collections::BTreeMap;

use super::{Expected, Key, Oracle, RawRow, people::Primary};

/// The expected values in a row, by property name.
type Kept = BTreeMap<String, Expected>;

/// Returns the RowKey of an entity's contribution to a target in another partition.
pub(super) fn contribution(target: (&str, &str), entity: &str, source: &Key) -> String {
    let parts = [target.0, target.1, entity, &source.table, &source.partition_key, &source.row_key];
    let parts = parts.map(|part| format!("{}_{part}", part.len()));
    format!("!c_{}", parts.concat())
}

impl Oracle<'_> {
    pub(super) fn totals_of(&mut self, people: &[Primary]) {
        let mut teams: BTreeMap<String, Vec<&Primary>> = BTreeMap::new();
        let mut cities: BTreeMap<String, Vec<&Primary>> = BTreeMap::new();
        for person in people {
            teams.entry(person.team.clone()).or_default().push(person);
            if let Some(city) = person.row.text("city") {
                cities.entry(city.to_owned()).or_default().push(person);
                self.adds(city, person);
            }
        }
        for (team, members) in &teams {
            let lead = members.iter().find(|person| person.flag("leads"));
            let kept =
                Self::kept(members, ["members", "score", "best"], Iterator::max, lead.copied(), "lead");
            self.target("Team", &Key::new("People", team, "team"), &kept);
        }
        for (city, members) in &cities {
            let mayor = members.iter().find(|person| person.flag("presides"));
            let kept =
                Self::kept(members, ["people", "score", "least"], Iterator::min, mayor.copied(), "mayor");
            self.target("City", &Key::new("Cities", city, "city"), &kept);
        }
        let none = [("People", "team", &teams), ("Cities", "city", &cities)];
        for (table, row_key, sources) in none {
            let raw = self.raw;
            for (key, row) in raw.of(table, row_key) {
                if key.row_key == row_key && !sources.contains_key(&key.partition_key) {
                    self.without_sources(key, row);
                }
            }
        }
    }

    /// Checks that a target without sources contains no aggregated values.
    pub(super) fn without_sources(&mut self, key: &Key, row: &RawRow) {
        self.explain(key.clone());
        if row.text("_st") == Some("s") {
            self.left_over("placeholder of a target");
        }
        for name in ["members", "people", "tickets", "score"] {
            if row.number(name).unwrap_or_default() != 0 {
                self.wrong(format!(
                    "wrong total: {name} of {key} is {:?}, and there is no source",
                    row.number(name)
                ));
            }
        }
        for name in ["best", "least", "_src_lead", "_src_mayor"] {
            if row.properties.contains_key(name) {
                self.wrong(format!("wrong total: {key} has {name}, and there is no source"));
            }
        }
    }

    fn kept(
        members: &[&Primary],
        [count, sum, extreme]: [&str; 3],
        choose: fn(std::vec::IntoIter<i64>) -> Option<i64>,
        first: Option<&Primary>,
        copy: &str,
    ) -> Kept {
        let scores: Vec<i64> = members.iter().map(|person| person.number("score")).collect();
        let mut kept = Kept::from([
            (count.to_owned(), Expected::Number(members.len() as i64)),
            (sum.to_owned(), Expected::Number(scores.iter().sum())),
        ]);
        if let Some(chosen) = choose(scores.into_iter()) {
            kept.insert(extreme.to_owned(), Expected::Number(chosen));
        }
        if let Some(first) = first {
            copied(&mut kept, copy, first);
        }
        kept
    }

    /// Checks the contribution row of a person to its city.
    fn adds(&mut self, city: &str, person: &Primary) {
        let row_key = contribution(("City", "city"), "Person", &person.key);
        let mut kept = Kept::from([
            ("people".to_owned(), Expected::Number(1)),
            ("score".to_owned(), Expected::Number(person.number("score"))),
            ("least".to_owned(), Expected::Number(person.number("score"))),
        ]);
        if person.flag("presides") {
            copied(&mut kept, "mayor", person);
        }
        let properties: Vec<(&str, Expected)> = kept
            .iter()
            .filter(|(name, _)| !name.starts_with('_'))
            .map(|(name, value)| (name.as_str(), value.clone()))
            .collect();
        self.expect(
            "contribution to a city",
            &Key::new("Cities", city, row_key),
            &properties,
            &person.register(),
        );
    }

    /// Checks the row of a target, whether or not its entity exists.
    pub(super) fn target(&mut self, kind: &str, key: &Key, kept: &Kept) {
        self.count("target of totals");
        self.explain(key.clone());
        let Some(row) = self.raw.rows.get(key) else {
            return self.wrong(format!("wrong total: {kind} {key} has no row, and should keep {kept:?}"));
        };
        let all = [
            "members",
            "people",
            "tickets",
            "score",
            "best",
            "least",
            "_src_lead",
            "lead_id",
            "lead_name",
            "lead_stamp",
            "_src_mayor",
            "mayor_id",
            "mayor_team",
            "mayor_stamp",
        ];
        let row = row.clone();
        for name in all {
            let stored = row.properties.get(name);
            let is_right = match kept.get(name) {
                Some(expected) => expected.is(stored),
                None => stored.is_none(),
            };
            if !is_right {
                let expected = kept.get(name);
                self.wrong(format!("wrong total: {name} of {key} is {stored:?}, not {expected:?}"));
            }
        }
    }
}

/// Adds the copied fields of a source.
fn copied(kept: &mut Kept, field: &str, source: &Primary) {
    kept.insert(format!("_src_{field}"), Expected::Text(source.key.as_source()));
    kept.insert(format!("{field}_id"), Expected::Number(i64::from(source.id)));
    kept.insert(format!("{field}_stamp"), Expected::Number(source.number("stamp")));
    let text = if field == "lead" { ("name", source.text("name")) } else { ("team", source.team.clone()) };
    kept.insert(format!("{field}_{}", text.0), Expected::Text(text.1));
}
