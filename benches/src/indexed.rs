//! Entities with indexes, and an entity with a manually maintained second row.

#![allow(dead_code, reason = "the derive writes more than is measured")]

use table_patterns::prelude::*;

/// An order with zero, one, three or five full index rows, each with the same six fields.
macro_rules! indexed {
    ($name:ident $table:literal $(#[$index:meta])*) => {
        // Clippy reports `unique` of two indexes as a duplicate attribute.
        #[allow(clippy::duplicated_attributes)]
        #[derive(TableEntity, Clone, Debug)]
        #[table(name = $table, partition = "{zone}", row = "row_{row:08}")]
        $(#[$index])*
        pub struct $name {
            pub zone: String,
            pub row: u32,
            pub mail: String,
            pub code: u32,
            pub city: String,
            pub note: String,
        }

        impl $name {
            pub fn of(row: u32) -> Self {
                Self {
                    zone: "north".into(),
                    row,
                    mail: format!("m{row}@contoso.com"),
                    code: row,
                    city: "Porto".into(),
                    note: "ring the bell at the left side of the door".into(),
                }
            }
        }
    };
}

indexed!(Plain "Plain");
indexed!(One "One" #[table(index(by_mail, row = "mail_{mail}", unique))]);
indexed!(Three "Three"
    #[table(index(by_mail, row = "mail_{mail}", unique))]
    #[table(index(by_code, row = "code_{code:08}", unique))]
    #[table(index(by_city, row = "city_{city}_{row:08}"))]);
indexed!(Five "Five"
    #[table(index(by_mail, row = "mail_{mail}", unique))]
    #[table(index(by_code, row = "code_{code:08}", unique))]
    #[table(index(by_city, row = "city_{city}_{row:08}"))]
    #[table(index(by_note, row = "note_{note}_{row:08}"))]
    #[table(index(by_both, row = "both_{city}_{mail}", unique))]);

indexed!(Far "Far" #[table(index(by_code, partition = "code_{code:08}", row = "{zone}_{row:08}"))]);

/// The manual alternative to an index: the entity is written again under the second key.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Plain", partition = "{zone}", row = "mail_{mail}")]
pub struct ByMail {
    pub zone: String,
    pub row: u32,
    pub mail: String,
    pub code: u32,
    pub city: String,
    pub note: String,
}

impl ByMail {
    pub fn of(row: u32) -> Self {
        let Plain { zone, row, mail, code, city, note } = Plain::of(row);
        Self { zone, row, mail, code, city, note }
    }
}
