//! The types of the moves.

use std::fmt;

use table_patterns::{MovedFrom, OnePoint, Query, prelude::*};

/// Defines the old and the new type of a move: the table, the partition and the type of the new one, and the index in
/// other partitions of both, if there is one.
macro_rules! types {
    ($module:ident, $table:literal, $partition:literal, $entity_type:literal, [$($old:tt)*], [$($new:tt)*]) => {
        #[allow(dead_code, reason = "the derive generates more than the tests use")]
        pub(crate) mod $module {
            use table_patterns::{MovedFrom, Query, prelude::*};

            #[derive(TableEntity, Clone, Debug, PartialEq)]
            #[table(name = "Members", partition = "{club}", row = "m_{id:02}", entity_type = "Member")]
            #[table(index(by_score, row = "s_{score:06}_{id:02}") $($old)*)]
            pub(crate) struct Old {
                pub(crate) club: String,
                pub(crate) id: u8,
                pub(crate) score: u32,
                pub(crate) badge: u8,
            }

            #[derive(TableEntity, Clone, Debug, PartialEq)]
            #[table(name = $table, partition = $partition, row = "member_{id:04}", entity_type = $entity_type)]
            #[table(index(by_score, row = "score_{score:06}_{id:02}") $($new)*)]
            pub(crate) struct New {
                pub(crate) club: String,
                pub(crate) id: u8,
                pub(crate) score: u32,
                pub(crate) badge: u8,
            }

            impl From<Old> for New {
                fn from(Old { club, id, score, badge }: Old) -> Self {
                    Self { club, id, score, badge }
                }
            }

            impl From<New> for Old {
                fn from(New { club, id, score, badge }: New) -> Self {
                    Self { club, id, score, badge }
                }
            }

            impl From<NewKey> for OldKey {
                fn from(NewKey { club, id }: NewKey) -> Self {
                    Self { club, id }
                }
            }

            impl MovedFrom for New {
                type Old = Old;
            }

            impl super::Case for New {
                const TABLE: &'static str = $table;
                const TYPE: &'static str = $entity_type;
                type OldPoint = table_patterns::PointQuery<Old>;

                fn has_far() -> bool {
                    New::DESIGN.indexes.iter().any(|index| !index.near)
                }

                fn has_feed() -> bool {
                    New::DESIGN.changes.is_some()
                }

                fn is_unique() -> bool {
                    New::DESIGN.indexes.iter().any(|index| index.unique)
                }

                fn new(id: u8, score: u32) -> Self {
                    Self { club: "c".into(), id, score, badge: super::badge_of(score) }
                }

                fn key_of(id: u8) -> NewKey {
                    NewKey { club: "c".into(), id }
                }

                fn score(&self) -> u32 {
                    self.score
                }

                fn set_score(&mut self, score: u32) {
                    (self.score, self.badge) = (score, super::badge_of(score));
                }

                fn old_point(id: u8) -> Self::OldPoint {
                    Old::point("c", id)
                }

                fn old_range() -> impl Query<Row = Old> {
                    Old::rows("c")
                }
            }
        }
    };
}

types!(across, "People", "of_{club}", "Person", [], []);
types!(within, "Members", "{club}", "Person", [], []);

// Each type has rows of its own.
types!(
    far_across, "People", "of_{club}", "Person",
    [, index(by_level, partition = "l_{score:06}", row = "{club}_{id:02}")],
    [, index(by_level, partition = "level_{score:06}", row = "{club}_{id:02}")]
);

// Both types have the same rows in a third table, and the same `EntityType`.
types!(
    far_shared, "People", "of_{club}", "Member",
    [, index(by_level, table = "Levels", partition = "{score:06}", row = "{club}_{id:02}")],
    [, index(by_level, table = "Levels", partition = "{score:06}", row = "{club}_{id:02}")]
);

// Both types have the same rows in their own table, and one transaction moves an entity.
types!(
    far_within, "Members", "{club}", "Person",
    [, index(by_level, partition = "l_{score:06}", row = "{club}_{id:02}", copy())],
    [, index(by_level, partition = "l_{score:06}", row = "{club}_{id:02}", copy())]
);

// A value of a badge belongs to one entity.
types!(
    unique_across, "People", "of_{club}", "Member",
    [, index(by_badge, table = "Levels", partition = "badge_{badge:02}", row = "holder", unique)],
    [, index(by_badge, table = "Levels", partition = "badge_{badge:02}", row = "holder", unique)]
);

// The same within a partition, in the table of the entities.
types!(
    unique_within, "Members", "{club}", "Person",
    [, index(by_badge, partition = "badge_{badge:02}", row = "holder", unique, copy())],
    [, index(by_badge, partition = "badge_{badge:02}", row = "holder", unique, copy())]
);

types!(fed_across, "People", "of_{club}", "Member", [, changes(old)], [, changes(old)]);
types!(fed_within, "Members", "{club}", "Person", [, changes], [, changes]);

/// Returns the unique value of an entity with a score.
pub(crate) fn badge_of(score: u32) -> u8 {
    u8::try_from(score % 5).unwrap()
}

/// The types of a run.
pub(crate) trait Case: MovedFrom + PartialEq + fmt::Debug {
    const TABLE: &'static str;
    /// `EntityType` of the new type. That of the old type is `Member`.
    const TYPE: &'static str;
    type OldPoint: OnePoint<Out = Stored<Self::Old>>;

    /// Returns whether both types have an index in other partitions.
    fn has_far() -> bool;
    /// Returns whether the changes of both types are recorded.
    fn has_feed() -> bool;
    /// Returns whether the index in other partitions is unique.
    fn is_unique() -> bool;
    fn new(id: u8, score: u32) -> Self;
    fn key_of(id: u8) -> Self::Key;
    fn score(&self) -> u32;
    fn set_score(&mut self, score: u32);
    fn old_point(id: u8) -> Self::OldPoint;
    fn old_range() -> impl Query<Row = Self::Old>;
}
