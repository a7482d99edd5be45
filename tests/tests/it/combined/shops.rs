//! Entities with the largest allowed sets of patterns, one module per set. All have the same fields.

use table_patterns::{Pending, PointQuery, WriteResult, prelude::*};

/// The fields of an item, for all sets of patterns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    pub(crate) id: u32,
    /// Unique in the shop.
    pub(crate) name: String,
    /// Unique in all partitions.
    pub(crate) badge: u32,
    pub(crate) rank: u32,
    pub(crate) floor: u32,
    pub(crate) value: i64,
    pub(crate) hours: [Option<i32>; 4],
    pub(crate) secret: String,
    pub(crate) photo: Vec<u8>,
}

/// A nested struct of an entity with other patterns.
#[derive(TableFields, Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) city: String,
    pub(crate) floor: Option<u32>,
}

impl Place {
    pub(crate) fn of(city: &str, floor: u32) -> Self {
        Self { city: city.to_owned(), floor: Some(floor).filter(|floor| *floor > 0) }
    }
}

/// Returns the time at which the entities expire.
pub(crate) fn end() -> Timestamp {
    "2999-01-01T00:00:00Z".parse().unwrap()
}

pub(crate) const SHOP: &str = "north";

/// An entity of one of the sets.
pub(crate) trait Variant: Expires + Clone {
    /// Its patterns, by the numbers of the book's table.
    const PATTERNS: &'static [usize];
    /// `true` if lines add to it.
    const IS_TARGET: bool;

    fn of(item: &Item) -> Self;
    fn find(id: u32) -> PointQuery<Self>;
    /// Patches a stored entity.
    fn patch_read<'t>(tables: &'t Tables, read: &Stored<Self>, to: &Item) -> Pending<'t, WriteResult>;
    /// Patches one slot of the series by key.
    fn patch_slot<'t>(tables: &'t Tables, id: u32, slot: usize, to: i32) -> Pending<'t, WriteResult>;
    fn upsert_merge(tables: &Tables, id: u32) -> Pending<'_, WriteResult>;
    fn set(&mut self, item: &Item);
    fn item(&self) -> Item;
    /// Returns the bytes of its blob field, if it has one.
    fn photo<'t>(&'t self, tables: &'t Tables) -> Pending<'t, Option<Vec<u8>>>;
    /// Returns the weight of its lines, and the number of its main line.
    fn kept(&self) -> (i64, Option<u32>);
    /// Inserts an item by a program of the older version, if its set has one.
    fn insert_older<'t>(_tables: &'t Tables, _item: &Item) -> Option<Pending<'t, WriteResult>> {
        None
    }
    /// Soft-deletes and restores an item, if its set includes that and the item exists.
    fn erase_and_restore(_tables: &Tables, _id: u32) -> Pending<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}

/// The entities of one set: the item, the shop, group and owner that it contributes to, and the line that contributes
/// to it.
macro_rules! variant {
    (
        $module:ident, $numbers:expr, [$($word:tt)*],
        $(blob: $photo:ident,)? $(target: $weight:ident $main:ident,)? $(older: $older:ident,)?
        $(soft_delete: $erased:ident,)?
    ) => {
        #[allow(dead_code, reason = "fields that a set does not read")]
        pub(crate) mod $module {
            use table_patterns::{Pending, PointQuery, WriteResult, prelude::*};

            use super::{Place, SHOP, Variant, end};

            #[derive(Projection, Clone, Debug, PartialEq)]
            #[table(of = Item)]
            pub(crate) struct Card {
                pub(crate) id: u32,
                pub(crate) name: String,
                pub(crate) value: i64,
            }

            /// In the item's partition.
            #[derive(TableEntity, Clone, Debug, PartialEq)]
            #[table(name = "Items", partition = "{shop}", row = "shop")]
            pub(crate) struct Shop {
                pub(crate) shop: String,
                #[table(from_source)]
                pub(crate) value: i64,
                #[table(from_source)]
                pub(crate) most: Option<i64>,
            }

            #[derive(TableEntity, Clone, Debug, PartialEq)]
            #[table(name = "Groups", partition = "{floor:03}", row = "group")]
            pub(crate) struct Group {
                pub(crate) floor: u32,
                #[table(from_source)]
                pub(crate) value: i64,
                #[table(from_source)]
                pub(crate) items: i64,
            }

            #[derive(TableEntity, Clone, Debug, PartialEq)]
            #[table(name = "Owners", partition = "{badge:06}", row = "owner")]
            pub(crate) struct Owner {
                pub(crate) badge: u32,
                #[table(from_source)]
                pub(crate) item: Option<Card>,
            }

            #[derive(TableEntity, Clone, Debug, PartialEq)]
            #[table(name = "Items", partition = "{shop}", row = "i_{id:06}", expires = until, $($word)*)]
            #[table(index(by_rank, row = "a_{rank:06}_{id:06}", copy(note)))]
            #[table(index(by_name, row = "b_{name}", unique, copy(secret)))]
            #[table(index(
                in_order, table = "ItemsInOrder", partition = "{rank:06}", row = "{shop}_{id:06}", copy(secret, place)
            ))]
            #[table(index(by_badge, partition = "d_{badge:06}", row = "holder", unique, copy(note)))]
            #[table(lookup(near_rows, on = floor, place = partition, row = "e_{floor:03}"))]
            #[table(lookup(near_lists, on = floor, place = partition, row = "f_{floor:03}", ids = "Ids"))]
            #[table(lookup(far_rows, on = floor, place = table, table = "FarRows"))]
            #[table(lookup(far_lists, on = floor, place = table, table = "FarLists", ids = "Ids"))]
            #[table(lookup(in_blobs, on = floor, place = blob))]
            #[table(summed_in(Shop::value, of = value), max_in(Shop::most, of = value))]
            #[table(summed_in(Group::value, of = value), counted_in(Group::items))]
            #[table(copied_to(Owner::item))]
            pub(crate) struct Item {
                pub(crate) shop: String,
                pub(crate) id: u32,
                pub(crate) name: String,
                pub(crate) badge: u32,
                pub(crate) rank: u32,
                pub(crate) floor: u32,
                pub(crate) value: i64,
                pub(crate) note: String,
                #[table(series)]
                pub(crate) hours: [Option<i32>; 4],
                #[table(encrypt)]
                pub(crate) secret: String,
                #[table(flatten)]
                pub(crate) place: Place,
                pub(crate) until: Timestamp,
                #[table(created)]
                pub(crate) made: Option<Timestamp>,
                #[table(updated)]
                pub(crate) changed: Option<Timestamp>,
                $(pub(crate) $erased: Option<Timestamp>,)?
                $(#[table(blob, inline = 10)] pub(crate) $photo: Blob,)?
                $(#[table(from_source)] pub(crate) $weight: i64,
                #[table(from_source)] pub(crate) $main: Option<MainLine>,)?
            }

            impl Variant for Item {
                const PATTERNS: &'static [usize] = &$numbers;
                const IS_TARGET: bool = <[&str]>::len(&[$(stringify!($weight))?]) == 1;

                fn of(item: &super::Item) -> Self {
                    Self {
                        shop: SHOP.into(),
                        id: item.id,
                        name: item.name.clone(),
                        badge: item.badge,
                        rank: item.rank,
                        floor: item.floor,
                        value: item.value,
                        note: item.name.to_uppercase(),
                        hours: item.hours,
                        secret: item.secret.clone(),
                        place: Place::of(&item.name, item.floor),
                        until: end(),
                        made: None,
                        changed: None,
                        $($erased: None,)?
                        $($photo: Blob::new(item.photo.clone()),)?
                        $($weight: 0, $main: None,)?
                    }
                }

                fn find(id: u32) -> PointQuery<Self> {
                    Self::point(SHOP, id)
                }

                fn patch_read<'t>(
                    tables: &'t Tables,
                    read: &Stored<Self>,
                    to: &super::Item,
                ) -> Pending<'t, WriteResult> {
                    let patch = read.patch().value(to.value).secret(to.secret.clone()).hours(2, 7);
                    $(let patch = patch.$photo(Blob::new(to.photo.clone()));)?
                    tables.merge(patch)
                }

                fn patch_slot<'t>(tables: &'t Tables, id: u32, slot: usize, to: i32) -> Pending<'t, WriteResult> {
                    tables.merge(Self::patch(SHOP, id).hours(slot, to))
                }

                fn upsert_merge(tables: &Tables, id: u32) -> Pending<'_, WriteResult> {
                    tables.upsert_merge(Self::patch(SHOP, id).hours(0, 1))
                }

                fn set(&mut self, item: &super::Item) {
                    *self = Self { $($weight: self.$weight, $main: self.$main.clone(),)? ..Self::of(item) };
                }

                fn item(&self) -> super::Item {
                    assert_eq!(self.note, self.name.to_uppercase());
                    assert_eq!(self.place, Place::of(&self.name, self.floor));
                    super::Item {
                        id: self.id,
                        name: self.name.clone(),
                        badge: self.badge,
                        rank: self.rank,
                        floor: self.floor,
                        value: self.value,
                        hours: self.hours,
                        secret: self.secret.clone(),
                        photo: Vec::new(),
                    }
                }

                #[allow(unused_variables, reason = "not every item has a blob")]
                fn photo<'t>(&'t self, tables: &'t Tables) -> Pending<'t, Option<Vec<u8>>> {
                    $(return Box::pin(async { Ok(Some(self.$photo.read(tables).await?.to_vec())) });)?
                    #[allow(unreachable_code, reason = "not every item has a blob")]
                    Box::pin(async { Ok(None) })
                }

                fn kept(&self) -> (i64, Option<u32>) {
                    $(return (self.$weight, self.$main.as_ref().map(|main| main.line));)?
                    #[allow(unreachable_code, reason = "not every item is a target")]
                    (0, None)
                }

                $(
                    fn insert_older<'t>(
                        tables: &'t Tables,
                        item: &super::Item,
                    ) -> Option<Pending<'t, WriteResult>> {
                        let older = $older::of(item);
                        Some(Box::pin(async move { tables.insert(&older).await }))
                    }
                )?

                $(
                    fn erase_and_restore(tables: &Tables, id: u32) -> Pending<'_, ()> {
                        const _: &str = stringify!($erased);
                        Box::pin(async move {
                            match tables.soft_delete(Self::find(id)).await {
                                Err(error) if error.is_not_found() => return Ok(()),
                                erased => assert!(erased?.is_deleted()),
                            }
                            tables.catch_up().await?;
                            assert!(Self::find(id).get(tables).await?.is_none());
                            assert!(tables.verify::<Self>().run().await?.is_clean());
                            tables.undelete(Self::find(id)).await.map(drop)
                        })
                    }
                )?
            }

            $(
                /// Every rule of the newest version is renamed, has another key, is stored in another way, or is missing.
                #[derive(TableEntity, Clone, Debug, PartialEq)]
                #[table(name = "Items", partition = "{shop}", row = "i_{id:06}", entity_type = "Item")]
                #[table(index(by_rank, row = "a_{rank:06}_{id:06}", copy(secret)))]
                #[table(index(by_former_name, row = "b_{name}", unique, copy(value)))]
                #[table(index(in_order, row = "o_{rank:06}_{id:06}", copy(secret)))]
                #[table(index(by_badge, partition = "d_{badge:06}", row = "holder", unique, copy(secret)))]
                #[table(lookup(near_rows, on = floor, place = partition, row = "v_{floor:03}", ids = "Ids"))]
                #[table(lookup(former_lists, on = floor, place = partition, row = "f_{floor:03}", ids = "Ids"))]
                #[table(lookup(far_rows, on = floor, place = table, table = "FormerRows", ids = "Ids"))]
                #[table(lookup(far_lists, on = rank, place = table, table = "FormerLists"))]
                #[table(lookup(in_former_blobs, on = floor, place = blob))]
                #[table(counted_in(Shop::value), summed_in(Group::items, of = value))]
                pub(crate) struct $older {
                    pub(crate) shop: String,
                    pub(crate) id: u32,
                    pub(crate) name: String,
                    pub(crate) badge: u32,
                    pub(crate) rank: u32,
                    pub(crate) floor: u32,
                    pub(crate) value: i64,
                    #[table(series)]
                    pub(crate) hours: [Option<i32>; 4],
                    #[table(encrypt)]
                    pub(crate) secret: String,
                    #[table(blob, inline = 10)]
                    pub(crate) photo: Blob,
                }

                impl $older {
                    fn of(item: &super::Item) -> Self {
                        let super::Item { id, name, badge, rank, floor, value, hours, secret, photo } = item.clone();
                        let (shop, photo) = (SHOP.into(), Blob::new(photo));
                        Self { shop, id, name, badge, rank, floor, value, hours, secret, photo }
                    }
                }

                impl From<$older> for Item {
                    fn from(older: $older) -> Self {
                        let $older { id, name, badge, rank, floor, value, hours, secret, photo: kept, .. } = older;
                        let photo = Vec::new();
                        let item = super::Item { id, name, badge, rank, floor, value, hours, secret, photo };
                        Self { photo: kept, ..Self::of(&item) }
                    }
                }
            )?

            $(
                const _: &str = stringify!($weight);

                #[derive(Projection, Clone, Debug, PartialEq)]
                #[table(of = Line)]
                pub(crate) struct MainLine {
                    pub(crate) line: u32,
                    pub(crate) weight: i64,
                }

                #[derive(TableEntity, Clone, Debug, PartialEq)]
                #[table(name = "Lines", partition = "{line:06}", row = "line")]
                #[table(summed_in(Item::weight, of = weight), copied_to(Item::main, when = is_main))]
                pub(crate) struct Line {
                    pub(crate) line: u32,
                    pub(crate) shop: String,
                    pub(crate) id: u32,
                    pub(crate) weight: i64,
                    pub(crate) is_main: bool,
                }
            )?
        }
    };
}

variant!(
    all, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 18, 19, 23, 24, 25, 26], [soft_delete = erased],
    blob: photo, target: weight main, soft_delete: erased,
);
variant!(
    archived, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 18, 19, 20, 23, 24, 25], [archive = "FormerItems"],
    blob: photo, target: weight main,
);
variant!(
    versioned, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 18, 19, 21, 23, 24, 25, 26],
    [version = 2, from(ItemV1), soft_delete = erased],
    blob: photo, older: ItemV1, soft_delete: erased,
);
