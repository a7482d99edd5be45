//! One entity before and after each change. All versions have the same contents.

use table_patterns::{MovedFrom, prelude::*};

/// The first version.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Tickets", partition = "{tenant}", row = "{number:08}", entity_type = "Ticket", version = 1)]
pub struct TicketV1 {
    pub tenant: String,
    pub number: u32,
    pub title: String,
    pub level: i32,
}

/// Another stored name and a wider type.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Tickets", partition = "{tenant}", row = "{number:08}", entity_type = "Ticket")]
#[table(version = 2, from(TicketV1))]
pub struct TicketV2 {
    pub tenant: String,
    pub number: u32,
    #[table(was = "title")]
    pub subject: String,
    pub level: i64,
}

impl From<TicketV1> for TicketV2 {
    fn from(TicketV1 { tenant, number, title, level }: TicketV1) -> Self {
        Self { tenant, number, subject: title, level: level.into() }
    }
}

/// The first version with an index in the same partition and one in another partition.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Tickets", partition = "{tenant}", row = "{number:08}", entity_type = "Ticket", version = 1)]
#[table(index(by_title, row = "t_{title}_{number:08}"))]
#[table(index(by_level, partition = "level_{level:04}", row = "{tenant}_{number:08}"))]
pub struct Indexed {
    pub tenant: String,
    pub number: u32,
    pub title: String,
    pub level: i32,
}

/// Another row key in the same partition and table, which requires another `EntityType`.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Tickets", partition = "{tenant}", row = "ticket_{number:08}", entity_type = "TicketV2")]
pub struct Prefixed {
    pub tenant: String,
    pub number: u32,
    pub title: String,
    pub level: i32,
}

/// Another table, and another partition.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "AllTickets", partition = "{shard:02}_{tenant}", row = "{number:08}", entity_type = "Ticket")]
#[table(shard(of = number, count = 16))]
pub struct Sharded {
    pub tenant: String,
    pub number: u32,
    pub title: String,
    pub level: i32,
}

macro_rules! moved {
    ($new:ident $key:ident) => {
        impl From<TicketV1> for $new {
            fn from(TicketV1 { tenant, number, title, level }: TicketV1) -> Self {
                Self { tenant, number, title, level }
            }
        }

        impl From<$new> for TicketV1 {
            fn from($new { tenant, number, title, level }: $new) -> Self {
                Self { tenant, number, title, level }
            }
        }

        impl From<$key> for TicketV1Key {
            fn from($key { tenant, number }: $key) -> Self {
                Self { tenant, number }
            }
        }

        impl MovedFrom for $new {
            type Old = TicketV1;
        }
    };
}

moved!(Prefixed PrefixedKey);
moved!(Sharded ShardedKey);
