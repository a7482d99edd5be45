//! The entity with indexes, unique values, lookups, aggregates, copies, a blob and an encrypted property.

use table_patterns::prelude::*;

use super::{CITIES, TEAMS, mix};

/// An entity in a team. All fields except `note` are derived from `stamp`, so a mixture of two writes is detected.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[allow(clippy::duplicated_attributes, reason = "two indexes are unique")]
#[table(name = "People", partition = "{team}", row = "p_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique, copy(stamp)))]
#[table(index(by_name, row = "name_{name}_{id:06}", copy(rank, stamp)))]
#[table(index(by_badge, partition = "badge_{badge:08}", row = "holder", unique, sparse, copy(name, stamp)))]
#[table(index(
    by_city,
    table = "PeopleByCity",
    partition = "{city}",
    row = "{team}_{id:06}",
    sparse,
    copy(rank, stamp)
))]
#[table(index(
    by_rank,
    table = "PeopleByRank",
    partition = "rank_{rank:02}",
    row = "{team}_{id:06}",
    copy(stamp, secret)
))]
#[table(lookup(by_skill, on = skill, place = table))]
#[table(lookup(by_office, on = office, place = table, table = "Offices", ids = "Members"))]
#[table(lookup(by_hobby, on = hobby, place = blob))]
#[table(lookup(by_group, on = group, place = partition))]
#[table(lookup(by_shift, on = shift, ids = "Members"))]
#[table(counted_in(Team::members), summed_in(Team::score, of = score), max_in(Team::best, of = score))]
#[table(copied_to(Team::lead, when = leads))]
#[table(counted_in(City::people), summed_in(City::score, of = score), min_in(City::least, of = score))]
#[table(copied_to(City::mayor, when = presides))]
pub struct Person {
    pub team: String,
    pub id: u32,
    pub stamp: i64,
    pub note: i64,
    pub name: String,
    pub email: String,
    pub badge: Option<u32>,
    pub city: Option<String>,
    pub rank: u8,
    pub score: i32,
    pub leads: bool,
    pub presides: bool,
    pub skill: String,
    pub office: String,
    pub hobby: String,
    pub group: String,
    pub shift: String,
    #[table(encrypt)]
    pub secret: String,
    #[table(blob, inline = 64)]
    pub photo: Option<Blob>,
}

use super::{City, Team};

/// The pool of unique values of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pool {
    /// Values that no other entity claims.
    Own,
    /// A few values that all contended entities claim.
    Shared,
}

impl Pool {
    /// Every client writes the IDs from this number on.
    pub const FIRST_SHARED: u32 = 900_000;

    /// Returns the pool of an ID.
    #[must_use]
    pub const fn of(id: u32) -> Self {
        if id < Self::FIRST_SHARED { Self::Own } else { Self::Shared }
    }
}

impl Person {
    /// Returns the entity for a stamp.
    #[must_use]
    pub fn new(team: &str, id: u32, stamp: i64) -> Self {
        let mut state = mix(u64::from(id) << 8 ^ stamp.unsigned_abs() ^ u64::from(team.as_bytes()[1]));
        let mut below = |end: u64| {
            state = mix(state);
            state % end
        };
        let number = TEAMS.iter().position(|known| *known == team).unwrap_or_default() as u64;
        let (email, badge) = match Pool::of(id) {
            Pool::Own => (format!("e{id}x{}", below(3)), number * 10_000_000 + u64::from(id) * 4 + below(3)),
            Pool::Shared => (format!("c{}", below(4)), 90_000_000 + below(6)),
        };
        let city = (below(6) > 0).then(|| CITIES[below(4) as usize].to_owned());
        Self {
            team: team.to_owned(),
            id,
            stamp,
            note: 0,
            name: format!("n{}", below(10)),
            email,
            badge: (below(5) > 0).then_some(badge as u32),
            city,
            rank: below(5) as u8,
            score: below(100) as i32,
            leads: below(8) == 0,
            presides: below(8) == 0,
            skill: format!("s{}", below(4)),
            office: format!("o{}", below(3)),
            hobby: ["chess", "R/W", "go", "knots"][below(4) as usize].to_owned(),
            group: format!("g{}", below(3)),
            shift: format!("s{}", below(2)),
            secret: format!("secret {stamp}"),
            photo: photo(stamp).map(Blob::new),
        }
    }
}

/// Returns the photo for a stamp: `None`, a photo that fits into the row, or a photo for a blob.
#[must_use]
pub fn photo(stamp: i64) -> Option<Vec<u8>> {
    let drawn = mix(stamp.unsigned_abs() ^ 0x0050_484f_544f);
    let length = match drawn % 4 {
        0 => return None,
        1 => 8 + drawn / 4 % 40,
        _ => 200 + drawn / 4 % 3_000,
    };
    let mut bytes = stamp.to_le_bytes().to_vec();
    bytes.extend((8..length).map(|at| (mix(drawn ^ at) & 0xff) as u8));
    Some(bytes)
}
