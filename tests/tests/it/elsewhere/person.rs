//! One entity, with each kind of list.

use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "People", partition = "{team}", row = "id_{id:06}")]
#[table(lookup(by_name, on = name, place = table))]
#[table(lookup(by_home, on = (city, floor), place = table, table = "Homes", ids = "PersonDetails"))]
#[table(lookup(by_skill, on = skill, place = blob))]
#[table(lookup(by_age, on = age, place = table, table = "People", partition = "age_{age:03}", row = "ages"))]
pub(super) struct Person {
    pub(super) team: String,
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) city: Option<String>,
    pub(super) floor: u8,
    pub(super) skill: String,
    pub(super) age: u8,
    pub(super) note: String,
}

impl Person {
    pub(super) fn new(team: &str, id: u32) -> Self {
        Self {
            team: team.into(),
            id,
            name: "Jones".into(),
            city: Some("Oslo".into()),
            floor: 3,
            skill: "R/W #1?".into(),
            age: 30,
            note: String::new(),
        }
    }
}

/// Returns the teams and IDs of the found people.
pub(super) fn ids(found: &[Stored<Person>]) -> Vec<(&str, u32)> {
    found.iter().map(|person| (person.team.as_str(), person.id)).collect()
}

/// Returns the members of all four lookups for a person of [`Person::new`].
pub(super) fn listed(tables: &Tables) -> [Vec<(String, u32)>; 4] {
    let b = tables.blocking();
    let found = [
        b.all(&Person::by_name("Jones")).unwrap(),
        b.all(&Person::by_home("Oslo", 3)).unwrap(),
        b.all(&Person::by_skill("R/W #1?")).unwrap(),
        b.all(&Person::by_age(30)).unwrap(),
    ];
    found.map(|found| ids(&found).into_iter().map(|(team, id)| (team.to_owned(), id)).collect())
}
