//! Derives in a `macro_rules!` whose caller passes attributes, types, names or the derive itself: their tokens have other
//! syntax contexts than those of the macro.

use storage::{Timestamp, prelude::*};

/// Maintained by an entity of the macro.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(crate = storage, name = "PassedTotals", partition = "t", row = "t_{team}", allow(append_only))]
pub struct Total {
    /// In the RowKey.
    pub team: String,
    /// A property.
    pub x: i64,
    /// A count.
    #[table(from_source)]
    pub n: i64,
    /// A sum.
    #[table(from_source)]
    pub sum: i64,
    /// The greatest value.
    #[table(from_source)]
    pub most: Option<i64>,
    /// A copy of one field.
    #[table(from_source)]
    pub latest: Option<LeadName>,
}

/// The leader of a team, which the total of the team copies.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(crate = storage, name = "PassedTotals", partition = "t", row = "l_{team}", copied_to(Total::latest), allow(append_only))]
pub struct Lead {
    /// In the RowKey.
    pub team: String,
    /// Copied.
    pub name: String,
}

/// What is copied.
#[derive(Projection, Clone, Debug, PartialEq)]
#[table(crate = storage, of = Lead)]
pub struct LeadName {
    /// Copied.
    pub name: String,
}

/// Returns whether an entity has a row of an index.
#[must_use]
pub const fn is_high(of: &Attributes) -> bool {
    of.amount > 5
}

/// Checks an entity.
///
/// # Errors
/// Returns a text if the amount is negative.
pub fn check(of: &Attributes) -> Result<(), String> {
    if of.amount < 0 { Err("negative".to_owned()) } else { Ok(()) }
}

/// A value of an undefined field.
#[must_use]
pub fn three() -> i64 {
    3
}

macro_rules! attributes {
    ($(#[$of:meta])* ; $(#[$key:meta])* ; $(#[$field:meta])*) => {
        /// An entity with attributes of the caller.
        #[derive(TableEntity, Clone, Debug, PartialEq)]
        #[table(crate = storage)]
        $(#[$of])*
        pub struct Attributes {
            /// In the PartitionKey.
            pub p: String,
            /// In the RowKey.
            $(#[$key])*
            pub id: u16,
            /// In an index, and the key of a total.
            pub team: String,
            /// Summed.
            $(#[$field])*
            pub amount: i64,
            /// The time of the insert.
            #[table(created)]
            pub made: Option<Timestamp>,
            /// The end of its life.
            pub until: Option<Timestamp>,
        }

        impl Attributes {
            /// Returns whether the entity has a row of an index.
            #[must_use]
            pub const fn is_low(&self) -> bool {
                self.amount < 2
            }
        }
    };
}

attributes! {
    #[table(name = "Passed", partition = "{p}", row = "o_{id:04}", changes, validate = check, expires = until)]
    #[table(index(by_team, row = "i_{team}_{id:04}", when = is_low))]
    #[table(index(far, table = "PassedFar", partition = "{team}", row = "f_{p}_{id:04}", when = self::is_high))]
    #[table(lookup(teams, on = team, ids = "Ids"))]
    #[table(counted_in(Total::n), summed_in(Total::sum, of = amount), max_in(Total::most, of = amount))]
    ;
    #[table(store)]
    ;
    #[table(rename = "Amount", default = three)]
}

macro_rules! types {
    ($entity:ident, $nested:ident, $older:ident, $text:ty, $number:ty, $field:ident, $table:literal) => {
        /// A struct that is stored as several properties.
        #[derive(TableFields, Clone, Debug, Default, PartialEq)]
        #[table(crate = storage)]
        pub struct $nested {
            /// A property.
            pub street: $text,
            /// A property.
            pub $field: Option<$number>,
        }

        /// The previous version.
        #[derive(TableEntity, Clone, Debug, PartialEq)]
        #[table(crate = storage, name = $table, partition = "{p}", row = "e_{id:06}", entity_type = "E")]
        pub struct $older {
            /// In the PartitionKey.
            pub p: $text,
            /// In the RowKey.
            pub id: $number,
            /// A property.
            pub $field: $text,
        }

        /// An entity with types of the caller.
        #[derive(TableEntity, Clone, Debug, PartialEq)]
        #[table(crate = storage, name = $table, partition = "{p}", row = "e_{id:06}", entity_type = "E")]
        #[table(version = 2, from($older), soft_delete = deleted)]
        pub struct $entity {
            /// In the PartitionKey.
            pub p: $text,
            /// In the RowKey.
            pub id: $number,
            /// A property.
            #[table(default)]
            pub $field: $text,
            /// Several properties.
            #[table(flatten)]
            pub home: $nested,
            /// JSON.
            #[table(json, default)]
            pub list: Vec<$number>,
            /// The time of a deletion.
            pub deleted: Option<Timestamp>,
        }

        impl From<$older> for $entity {
            fn from(old: $older) -> Self {
                let home = $nested::default();
                Self { p: old.p, id: old.id, $field: old.$field, home, list: Vec::new(), deleted: None }
            }
        }
    };
}

types!(Typed, TypedHome, TypedBefore, String, u32, zip, "PassedTypes");

macro_rules! readers {
    ($projection:ident of $entity:ty { $($field:ident: $ty:ty),* }, $union:ident { $($kind:ident($member:ty)),* }) => {
        /// Some fields of an entity of the caller.
        #[derive(Projection, Clone, Debug, PartialEq)]
        #[table(crate = storage, of = $entity)]
        pub struct $projection {
            $(
                /// A field.
                pub $field: $ty,
            )*
        }

        /// Rows of entities of the caller.
        #[derive(TableUnion, Clone, Debug)]
        #[table(crate = storage, partition = "{p}", unknown = skip)]
        pub enum $union {
            $(
                /// A kind of rows.
                $kind(Stored<$member>),
            )*
        }
    };
}

readers!(TeamAmount of Attributes { team: String, amount: i64 }, TypedRow { Typed(Typed) });

macro_rules! values {
    ($(#[$of:meta])* ; $key:ident($inner:ty), $kind:ident { $($name:ident = $number:literal),* }) => {
        /// A newtype of the caller's type.
        $(#[$of])*
        #[table(crate = storage)]
        pub struct $key(pub $inner);

        /// An enum of the caller.
        $(#[$of])*
        #[table(crate = storage, repr = int)]
        pub enum $kind {
            $(
                /// A value.
                $name = $number,
            )*
        }
    };
}

values! {
    #[derive(TableValue, KeyPart, Clone, Copy, Debug, PartialEq, Eq)]
    ;
    PassedKey(u32), PassedKind { Low = 1, High = 2 }
}

macro_rules! derived {
    ($(#[$derive:meta])* $name:ident) => {
        /// An entity whose derive is the caller's.
        $(#[$derive])*
        #[table(crate = storage, name = "PassedDerive", partition = "{p}", row = "d_{id:04}", validate = Self::is_valid)]
        #[table(index(by_team, row = "i_{team}_{id:04}", when = is_low), counted_in(Total::n))]
        pub struct $name {
            /// In the PartitionKey.
            pub p: String,
            /// In the RowKey.
            pub id: u16,
            /// In an index, and the key of a total.
            pub team: String,
        }

        impl $name {
            /// Returns whether the entity has a row of an index.
            #[must_use]
            pub const fn is_low(&self) -> bool {
                self.id < 2
            }

            fn is_valid(&self) -> Result<(), String> {
                if self.id == 0 { Err("zero".to_owned()) } else { Ok(()) }
            }
        }
    };
}

derived!(
    #[derive(TableEntity, Clone, Debug, PartialEq)]
    PassedDerive
);
