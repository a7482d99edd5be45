//! One design with every pattern, which the clients write and the oracle recomputes.

mod account;
mod person;
mod places;
mod rows;
mod ticket;

pub use account::{Account, Group};
pub use person::{Person, Pool, photo};
pub use places::{City, Lead, Mayor, Owner, Team};
pub use rows::{Day, Event, Login, Year};
pub use ticket::Ticket;

/// The partitions of the people.
pub const TEAMS: [&str; 2] = ["t0", "t1"];
/// The partitions of the accounts.
pub const GROUPS: [&str; 2] = ["g0", "g1"];
/// The cities in which people are counted.
pub const CITIES: [&str; 4] = ["bergen", "lund", "oslo", "turku"];
/// Slots of a [`Year`].
pub const SLOTS: usize = 60;

/// Mixes the bits of a number, so that adjacent numbers have unrelated results.
pub(crate) fn mix(number: u64) -> u64 {
    table_tests::seed::Seed::new(number).draw()
}
