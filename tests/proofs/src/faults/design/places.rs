//! The target entities of counts and copied fields.

use table_patterns::prelude::*;

use super::Person;

/// The fields of the lead in a team.
#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Person)]
pub struct Lead {
    pub id: u32,
    pub name: String,
    pub stamp: i64,
}

/// The fields of the mayor in a city.
#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Person)]
pub struct Mayor {
    pub team: String,
    pub id: u32,
    pub stamp: i64,
}

/// A target in the partition of its people.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "People", partition = "{team}", row = "team")]
pub struct Team {
    pub team: String,
    pub motto: i64,
    #[table(from_source)]
    pub members: i64,
    #[table(from_source)]
    pub score: i64,
    #[table(from_source)]
    pub best: Option<i32>,
    #[table(from_source)]
    pub lead: Option<Lead>,
}

/// A target in another table than its people.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Cities", partition = "{city}", row = "city")]
pub struct City {
    pub city: String,
    pub motto: i64,
    #[table(from_source)]
    pub people: i64,
    #[table(from_source)]
    pub score: i64,
    #[table(from_source)]
    pub least: Option<i32>,
    #[table(from_source)]
    pub mayor: Option<Mayor>,
}

/// The owner of tickets.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Owners", partition = "{owner}", row = "owner")]
pub struct Owner {
    pub owner: String,
    pub motto: i64,
    #[table(from_source)]
    pub tickets: i64,
}
