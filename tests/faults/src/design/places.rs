//! The entities that others are counted in and copied to.

use table_patterns::prelude::*;

use super::Person;

/// What a team shows of its lead.
#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Person)]
pub struct Lead {
    pub id: u32,
    pub name: String,
    pub stamp: i64,
}

/// What a city shows of its mayor.
#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Person)]
pub struct Mayor {
    pub team: String,
    pub id: u32,
    pub stamp: i64,
}

/// In the partition of its people.
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

/// In another table than its people.
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

/// Who has tickets.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Owners", partition = "{owner}", row = "owner")]
pub struct Owner {
    pub owner: String,
    pub motto: i64,
    #[table(from_source)]
    pub tickets: i64,
}
