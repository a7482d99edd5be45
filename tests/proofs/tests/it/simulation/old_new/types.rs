//! The programs. Every value of a row follows from the stamp of the operation that wrote it.

use table_patterns::{Pending, Writable, WriteResult, prelude::*};

use super::rows::{Kind, Row};

/// A merge by key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByKey {
    Merge,
    UpsertMerge,
    Blind,
}

/// What only some of the types have.
pub(crate) trait Special: TableEntity + Writable {
    /// Sends a merge by key.
    fn by_key(_: &Tables, _: ByKey, _: u8, _: i32) -> Option<Pending<'_, WriteResult>> {
        None
    }

    /// Reads the index in the partition.
    fn near(_: &Tables) -> Option<Pending<'_, Vec<Stored<Self>>>> {
        None
    }
}

/// A program of one type.
pub(crate) trait Program: Special + Clone {
    const KIND: Kind;

    fn new(id: u8, stamp: i32) -> Self;
    fn id(&self) -> u8;
    fn stamp(&self) -> i32;
    fn row(&self) -> Row;
    fn get(tables: &Tables, id: u8) -> Pending<'_, Option<Stored<Self>>>;
    /// Replaces all fields.
    fn update<'t>(
        tables: &'t Tables,
        id: u8,
        change: impl FnMut(&mut Self) + Send + 't,
    ) -> Pending<'t, Stored<Self>>;
    fn delete_at(tables: &Tables, id: u8) -> Pending<'_, bool>;
    /// Patches the version that was read.
    fn patch<'t>(tables: &'t Tables, stored: &Stored<Self>, stamp: i32) -> Pending<'t, WriteResult>;
    /// Reads what a filter accepts. Leaves newer rows out if `skips` is set.
    fn scan(tables: &Tables, choice: usize, value: i32, skips: bool) -> Pending<'_, Vec<Stored<Self>>>;
    /// Reads the id, the stamp and the amount of all entities.
    fn slim(tables: &Tables) -> Pending<'_, Vec<(u8, i32, i64)>>;
}

/// Implements [`Program`].
macro_rules! program {
    ($type:ident, $kind:ident, $slim:ident) => {
        impl Program for $type {
            const KIND: Kind = $kind;

            fn new(id: u8, stamp: i32) -> Self {
                Self::made("a".to_owned(), id, stamp)
            }

            fn id(&self) -> u8 {
                self.n
            }

            fn stamp(&self) -> i32 {
                self.stamp
            }

            fn row(&self) -> Row {
                self.properties()
            }

            fn get(tables: &Tables, id: u8) -> Pending<'_, Option<Stored<Self>>> {
                Box::pin(async move { Self::point("a", id).get(tables).await })
            }

            fn update<'t>(
                tables: &'t Tables,
                id: u8,
                change: impl FnMut(&mut Self) + Send + 't,
            ) -> Pending<'t, Stored<Self>> {
                tables.update(Self::point("a", id), change)
            }

            fn delete_at(tables: &Tables, id: u8) -> Pending<'_, bool> {
                tables.delete_if_exists(Self::point("a", id))
            }

            fn patch<'t>(tables: &'t Tables, stored: &Stored<Self>, stamp: i32) -> Pending<'t, WriteResult> {
                tables.merge(patched!($type, stored.patch(), stamp))
            }

            fn scan(
                tables: &Tables,
                choice: usize,
                value: i32,
                skips: bool,
            ) -> Pending<'_, Vec<Stored<Self>>> {
                Box::pin(async move {
                    let scan = Self::scan_partition("a").filter(|_| Self::accepts(choice, value));
                    let scan = if skips { scan.newer(RowPolicy::Skip) } else { scan };
                    scan.all(tables).await
                })
            }

            fn slim(tables: &Tables) -> Pending<'_, Vec<(u8, i32, i64)>> {
                Box::pin(async move {
                    let found = Self::scan_partition("a").select::<$slim>().all(tables).await?;
                    Ok(found.into_iter().map(|slim| (slim.n, slim.stamp, slim.value())).collect())
                })
            }
        }
    };
}

/// Sets the fields of a patch.
macro_rules! patched {
    (Plain, $patch:expr, $stamp:ident) => {
        $patch.stamp($stamp).count($stamp)
    };
    (Extra, $patch:expr, $stamp:ident) => {
        $patch.stamp($stamp).count($stamp)
    };
    (Renamed, $patch:expr, $stamp:ident) => {
        $patch.stamp($stamp).amount(amount($stamp))
    };
    (Other, $patch:expr, $stamp:ident) => {
        $patch.stamp($stamp).label(format!("l{}", $stamp))
    };
}

/// Defines the programs of a table.
macro_rules! family {
    ($module:ident, $table:literal, [$(#[$index:meta])*], [$(#[$newest:meta])*]) => {
        #[allow(dead_code, reason = "the derive generates more than the tests use")]
        pub(crate) mod $module {
            use table_patterns::{Pending, Predicate, RowPolicy, WriteResult, prelude::*};

            use super::super::rows::{
                EXTRA, Kind, OTHER, PLAIN, RENAMED, Row, amount, group, int, long, optional, row, text,
            };
            use super::Program;

            /// Version 1.
            #[derive(TableEntity, Clone, Debug)]
            #[table(name = $table, partition = "{p}", row = "i_{n:02}", entity_type = "Item", version = 1)]
            $(#[$index])*
            pub(crate) struct Plain {
                p: String,
                n: u8,
                pub(crate) name: String,
                pub(crate) count: i32,
                pub(crate) group: String,
                pub(crate) stamp: i32,
            }

            /// Version 1 with another optional field.
            #[derive(TableEntity, Clone, Debug)]
            #[table(name = $table, partition = "{p}", row = "i_{n:02}", entity_type = "Item", version = 1)]
            $(#[$index])*
            pub(crate) struct Extra {
                p: String,
                n: u8,
                pub(crate) name: String,
                pub(crate) count: i32,
                pub(crate) group: String,
                pub(crate) note: Option<String>,
                pub(crate) stamp: i32,
            }

            /// Version 2: a field with another name, a field with another type, and a new field.
            #[derive(TableEntity, Clone, Debug)]
            #[table(name = $table, partition = "{p}", row = "i_{n:02}", entity_type = "Item")]
            #[table(version = 2, from(Plain))]
            $(#[$newest])*
            pub(crate) struct Renamed {
                p: String,
                n: u8,
                #[table(was = "name")]
                pub(crate) full_name: String,
                pub(crate) amount: i64,
                pub(crate) group: String,
                pub(crate) tag: Option<String>,
                pub(crate) stamp: i32,
            }

            /// Another type at the same keys.
            #[derive(TableEntity, Clone, Debug)]
            #[table(name = $table, partition = "{p}", row = "i_{n:02}", entity_type = "Other", version = 1)]
            pub(crate) struct Other {
                p: String,
                n: u8,
                pub(crate) label: String,
                pub(crate) stamp: i32,
            }

            impl From<Plain> for Renamed {
                fn from(old: Plain) -> Self {
                    let Plain { p, n, name, count, group, stamp } = old;
                    Self { p, n, full_name: name, amount: amount(count), group, tag: None, stamp }
                }
            }

            #[derive(Projection, Clone, Debug)]
            #[table(of = Plain)]
            pub(crate) struct PlainSlim {
                n: u8,
                pub(crate) stamp: i32,
                pub(crate) count: i32,
            }

            #[derive(Projection, Clone, Debug)]
            #[table(of = Extra)]
            pub(crate) struct ExtraSlim {
                n: u8,
                pub(crate) stamp: i32,
                pub(crate) count: i32,
            }

            #[derive(Projection, Clone, Debug)]
            #[table(of = Renamed)]
            pub(crate) struct RenamedSlim {
                n: u8,
                pub(crate) stamp: i32,
                pub(crate) amount: i64,
            }

            #[derive(Projection, Clone, Debug)]
            #[table(of = Other)]
            pub(crate) struct OtherSlim {
                n: u8,
                pub(crate) stamp: i32,
            }

            impl PlainSlim {
                fn value(&self) -> i64 {
                    amount(self.count)
                }
            }

            impl ExtraSlim {
                fn value(&self) -> i64 {
                    amount(self.count)
                }
            }

            impl RenamedSlim {
                fn value(&self) -> i64 {
                    self.amount
                }
            }

            impl OtherSlim {
                fn value(&self) -> i64 {
                    amount(self.stamp)
                }
            }

            impl Plain {
                fn made(p: String, n: u8, stamp: i32) -> Self {
                    Self { p, n, name: format!("n{stamp}"), count: stamp, group: group(stamp), stamp }
                }

                fn properties(&self) -> Row {
                    let Self { name, count, group, stamp, .. } = self;
                    row([
                        ("name", text(name)),
                        ("count", int(*count)),
                        ("group", text(group)),
                        ("stamp", int(*stamp)),
                    ])
                }

                fn accepts(choice: usize, value: i32) -> Predicate {
                    let fields = Self::FIELDS;
                    match choice {
                        0 => fields.stamp.ge(value),
                        1 => fields.name.lt(&format!("n{value}")),
                        2 => fields.count.lt(value),
                        _ => !fields.group.eq("a"),
                    }
                }
            }

            impl Extra {
                fn made(p: String, n: u8, stamp: i32) -> Self {
                    let (name, note) = (format!("n{stamp}"), optional('o', stamp));
                    Self { p, n, name, count: stamp, group: group(stamp), note, stamp }
                }

                fn properties(&self) -> Row {
                    let Self { name, count, group, note, stamp, .. } = self;
                    let mut all = row([
                        ("name", text(name)),
                        ("count", int(*count)),
                        ("group", text(group)),
                        ("stamp", int(*stamp)),
                    ]);
                    all.extend(note.as_ref().map(|note| ("note".to_owned(), text(note))));
                    all
                }

                fn accepts(choice: usize, value: i32) -> Predicate {
                    let fields = Self::FIELDS;
                    match choice {
                        0 => fields.stamp.ge(value),
                        1 => fields.name.lt(&format!("n{value}")),
                        2 => fields.count.lt(value),
                        _ => fields.note.is_present(),
                    }
                }
            }

            impl Renamed {
                fn made(p: String, n: u8, stamp: i32) -> Self {
                    let (full_name, tag) = (format!("n{stamp}"), optional('t', stamp));
                    Self { p, n, full_name, amount: amount(stamp), group: group(stamp), tag, stamp }
                }

                fn properties(&self) -> Row {
                    let Self { full_name, amount, group, tag, stamp, .. } = self;
                    let mut all = row([
                        ("full_name", text(full_name)),
                        ("amount", long(*amount)),
                        ("group", text(group)),
                        ("stamp", int(*stamp)),
                    ]);
                    all.extend(tag.as_ref().map(|tag| ("tag".to_owned(), text(tag))));
                    all
                }

                fn accepts(choice: usize, value: i32) -> Predicate {
                    let fields = Self::FIELDS;
                    match choice {
                        0 => fields.stamp.ge(value),
                        1 => fields.full_name.lt(&format!("n{value}")),
                        2 => fields.amount.lt(amount(value)),
                        _ => fields.tag.is_present() | fields.group.eq("a"),
                    }
                }
            }

            impl Other {
                fn made(p: String, n: u8, stamp: i32) -> Self {
                    Self { p, n, label: format!("l{stamp}"), stamp }
                }

                fn properties(&self) -> Row {
                    row([("label", text(&self.label)), ("stamp", int(self.stamp))])
                }

                fn accepts(_: usize, value: i32) -> Predicate {
                    Self::FIELDS.stamp.ge(value)
                }
            }

            program!(Plain, PLAIN, PlainSlim);
            program!(Extra, EXTRA, ExtraSlim);
            program!(Renamed, RENAMED, RenamedSlim);
            program!(Other, OTHER, OtherSlim);
        }
    };
}

family!(bare, "Items", [], []);
family!(
    indexed,
    "Things",
    [#[table(index(near, row = "g_{group}_{n:02}"), index(far, partition = "f_{group}", row = "{p}_{n:02}"))]],
    [#[table(index(near, row = "g_{group}_{n:02}"), index(far, partition = "f_{group}", row = "{p}_{n:02}"))]]
);
// The new program has another index.
family!(
    extended,
    "Things",
    [#[table(index(near, row = "g_{group}_{n:02}"), index(far, partition = "f_{group}", row = "{p}_{n:02}"))]],
    [
        #[table(index(near, row = "g_{group}_{n:02}"), index(far, partition = "f_{group}", row = "{p}_{n:02}"))]
        #[table(index(late, row = "l_{full_name}_{n:02}"))]
    ]
);

// The new program drops indexes and lookups, and renames an index.
family!(
    dropped,
    "Things",
    [
        #[table(index(near, row = "g_{group}_{n:02}"), index(far, partition = "f_{group}", row = "{p}_{n:02}"))]
        #[table(index(gone, row = "o_{name}_{n:02}", copy(count)))]
        #[table(index(lost, partition = "o_{name}", row = "{p}_{n:02}", copy(count)))]
        #[table(index(was, row = "w_{group}_{n:02}", copy(group)))]
        #[table(index(was_far, partition = "w_{group}", row = "{p}_{n:02}", copy(group)))]
        #[table(lookup(listed, on = group, row = "k_{group}", ids = "Ids"))]
        #[table(lookup(listed_far, on = group, place = table, table = "Listed", ids = "Ids"))]
        #[table(lookup(members, on = group, place = table, table = "Members"))]
    ],
    [
        #[table(index(near, row = "g_{group}_{n:02}"), index(far, partition = "f_{group}", row = "{p}_{n:02}"))]
        #[table(index(now, row = "w_{group}_{n:02}", copy(group)))]
        #[table(index(now_far, partition = "w_{group}", row = "{p}_{n:02}", copy(group)))]
    ]
);

/// Implements [`Special`] for the types without indexes.
macro_rules! by_key {
    ($($type:ident $part:ident: $entity:ident, $patch:ident => $whole:expr;)*) => {
        $(impl Special for bare::$type {
            fn by_key(tables: &Tables, verb: ByKey, id: u8, stamp: i32) -> Option<Pending<'_, WriteResult>> {
                let ($entity, $patch) = (Self::new(id, stamp), Self::patch("a", id).stamp(stamp));
                Some(match verb {
                    ByKey::Merge => tables.merge($patch.$part($entity.$part)),
                    ByKey::UpsertMerge => tables.upsert_merge($whole),
                    ByKey::Blind => tables.merge($patch.blind()),
                })
            }
        })*
    };
}

by_key! {
    Plain count: entity, patch => patch.name(entity.name).count(entity.count).group(entity.group);
    Extra count: entity, patch => {
        let patch = patch.name(entity.name).count(entity.count).group(entity.group);
        if let Some(note) = entity.note { patch.note(note) } else { patch }
    };
    Renamed amount: entity, patch => {
        let patch = patch.full_name(entity.full_name).amount(entity.amount).group(entity.group);
        if let Some(tag) = entity.tag { patch.tag(tag) } else { patch }
    };
    Other label: entity, patch => patch.label(entity.label);
}

/// Implements [`Special`] for the types with an index.
macro_rules! near {
    ($($module:ident::$type:ident),*) => {
        $(impl Special for $module::$type {
            fn near(tables: &Tables) -> Option<Pending<'_, Vec<Stored<Self>>>> {
                Some(Box::pin(async move { Self::near_rows("a").all(tables).await }))
            }
        })*
    };
}

near!(indexed::Plain, indexed::Extra, indexed::Renamed, extended::Plain, extended::Extra, extended::Renamed);
near!(dropped::Plain, dropped::Extra, dropped::Renamed);

impl Special for indexed::Other {}
impl Special for extended::Other {}
impl Special for dropped::Other {}
