//! What an older version of a type declares, and the newest version drops, renames or stores in another way. After a
//! write by the newest version, the store contains what the newest version alone would have written.

#![allow(clippy::unwrap_used, clippy::panic, clippy::pedantic, reason = "tests")]
#![allow(dead_code, reason = "fields and items of entities that only some of the cases read")]
#![allow(clippy::duplicated_attributes, reason = "it takes the words of two rules for words said twice")]

mod cases;
mod dump;
mod runs;

use table_patterns::{PointQuery, prelude::*};

/// Target in the partition of its sources.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Items", partition = "{p}", row = "shop")]
pub(crate) struct Shop {
    p: String,
    #[table(from_source)]
    items: i64,
    #[table(from_source)]
    value: i64,
    #[table(from_source)]
    most: Option<i64>,
    #[table(from_source)]
    least: Option<i64>,
}

/// Target in another partition.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Groups", partition = "{team}", row = "group")]
pub(crate) struct Group {
    team: String,
    #[table(from_source)]
    items: i64,
    #[table(from_source)]
    value: i64,
    #[table(from_source)]
    most: Option<i64>,
    #[table(from_source)]
    least: Option<i64>,
}

/// Another target, whose sources are in other partitions.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Teams", partition = "{team}", row = "team")]
pub(crate) struct Team {
    team: String,
    #[table(from_source)]
    items: i64,
}

/// The fields of both versions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values {
    pub(crate) id: u16,
    pub(crate) team: &'static str,
    pub(crate) size: i64,
}

/// An entity type in two versions.
pub(crate) trait Case: 'static {
    type Old: TableEntity + std::fmt::Debug;
    type New: TableEntity + Clone + std::fmt::Debug;

    const NAME: &'static str;

    fn old(values: Values) -> Self::Old;
    fn new(values: Values) -> Self::New;
    fn point(id: u16) -> PointQuery<Self::New>;
    fn change(new: &mut Self::New, to: Values);
    /// Patches a stored entity.
    fn patch(tables: &Tables, read: &Stored<Self::New>, size: i64) -> Result<()>;
    /// Patches an entity by its key.
    fn patch_by_key(tables: &Tables, id: u16, note: i64) -> Result<()>;
    fn register(tables: &Tables);
}

/// Declares a type: the rules of its older version, and those of its newest version. The derives come from the caller,
/// so that they resolve names as the attributes do.
macro_rules! case {
    ($module:ident, [$($old:tt)*], [$($new:tt)*]) => {
        pub(crate) mod $module {
            use table_patterns::{PointQuery, prelude::*};

            #[allow(unused_imports, reason = "not every case has a target")]
            use crate::older_rules::{Case, Group, Shop, Team, Values};

            $($old)*
            #[table(name = "Items", partition = "{p}", row = "i_{id:04}", entity_type = "Item")]
            pub(crate) struct ItemV1 {
                p: String,
                id: u16,
                team: String,
                name: String,
                size: i64,
                note: i64,
            }

            $($new)*
            #[table(name = "Items", partition = "{p}", row = "i_{id:04}", entity_type = "Item")]
            #[table(version = 2, from(ItemV1))]
            pub(crate) struct Item {
                p: String,
                id: u16,
                team: String,
                name: String,
                size: i64,
                note: i64,
            }

            impl From<ItemV1> for Item {
                fn from(ItemV1 { p, id, team, name, size, note }: ItemV1) -> Self {
                    Self { p, id, team, name, size, note }
                }
            }

            pub(crate) struct This;

            impl Case for This {
                type Old = ItemV1;
                type New = Item;

                const NAME: &'static str = stringify!($module);

                fn old(Values { id, team, size }: Values) -> ItemV1 {
                    ItemV1 { p: "a".into(), id, team: team.into(), name: format!("name{id}"), size, note: 1 }
                }

                fn new(values: Values) -> Item {
                    Self::old(values).into()
                }

                fn point(id: u16) -> PointQuery<Item> {
                    Item::point("a", id)
                }

                fn change(new: &mut Item, to: Values) {
                    (new.team, new.size) = (to.team.into(), to.size);
                }

                fn patch(tables: &Tables, read: &Stored<Item>, size: i64) -> Result<()> {
                    tables.blocking().merge(read.patch().size(size)).map(drop)
                }

                fn patch_by_key(tables: &Tables, id: u16, note: i64) -> Result<()> {
                    tables.blocking().merge(Item::patch("a", id).note(note)).map(drop)
                }

                fn register(tables: &Tables) {
                    tables.register_entity::<Item>();
                    tables.register_entity::<Shop>();
                    tables.register_entity::<Group>();
                    tables.register_entity::<Team>();
                }
            }
        }
    };
}

pub(crate) use case;
