//! The classes of changes.

use super::soft_delete;

macro_rules! classes {
    ($($code:ident $title:literal $effect:expr, $old:expr, $remedy:expr;)*) => {
        /// The class of a change.
        ///
        /// ```
        /// use table_designs::evolution::ChangeCode;
        ///
        /// let code: ChangeCode = "c04".parse()?;
        /// assert_eq!((code, code.class().title), (ChangeCode::C04, "stored name"));
        /// assert!(code.class().remedy.contains("`was`"));
        /// # Ok::<(), table_designs::evolution::UnknownChangeCode>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ChangeCode {
            $(#[doc = $title] $code,)*
        }

        /// All classes, ordered by code.
        pub const CLASSES: &[ChangeClass] = &[$(ChangeCode::$code.class(),)*];

        impl ChangeCode {
            /// Returns the code as a string.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$code => stringify!($code),)*
                }
            }

            /// Returns the explanation of the class.
            pub const fn class(self) -> ChangeClass {
                match self {
                    $(Self::$code => ChangeClass {
                        code: self, title: $title, effect: $effect, old_programs: $old, remedy: $remedy,
                    },)*
                }
            }
        }
    };
}

/// A class of changes, with its explanation in sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeClass {
    /// The code.
    pub code: ChangeCode,
    /// The subject of the change.
    pub title: &'static str,
    /// The effect on stored rows.
    pub effect: &'static str,
    /// The effect on running programs of the older version.
    pub old_programs: &'static str,
    /// The procedure, or the alternative to a rejected change.
    pub remedy: &'static str,
}

classes! {
    C00 "names and settings that are not stored"
        "Stored rows do not change.", "They run.", "Deploy in any order.";
    C01 "new optional field"
        "New rows have one property more; older rows lack it.", "They run, and keep the property.",
        "Deploy in any order.";
    C02 "field with a default"
        "Rows without the property have the default. Another default would change their meaning, so it is rejected.",
        "They run, and keep the property.", "Deploy in any order; a filter on the property finds only rows that contain it.";
    C03 "new required field without a default"
        "Older rows lack the property and cannot be read.", "None: the change is rejected.",
        "Add a default, make the field optional, or raise the version of the entity.";
    C04 "stored name"
        "Rows of the older version have the old name.", "They reject rows of the new version, one by one.",
        "Name the old property with `was` and raise the version; deploy programs that only read, then those that \
         write; upgrade the older rows.";
    C05 "wider type"
        "New rows can have values, or a property type, that older programs do not expect.",
        "They reject the values that do not fit, or each row if the property type differs.",
        "Deploy the wider type to programs that only read, then to those that write.";
    C06 "narrower or different type"
        "Stored values may not fit the new type.", "They reject rows of the new version, one by one.",
        "Use another name with `was`, raise the version, and convert; list the values that do not fit before the upgrade.";
    C07 "version of an entity"
        "Rows of the older version are converted when they are read.", "They reject rows of the new version, one by one.",
        "Raise the version and keep the older struct; deploy programs that only read, then those that \
         write; upgrade the older rows.";
    C08 "removed field"
        "Stored rows keep the property.",
        "They run; a required field is missing from new rows, which they reject.",
        "Deploy programs that no longer use the field but still declare it, then programs without it; stored \
         values remain until a write with `overwrite`, which types with indexes, blobs or `created` do not support.";
    C09 "new index, lookup or change feed"
        "Existing entities have no rows in it.",
        "The registry rejects their writes when the index is added.",
        "With the registry: deploy programs that declare the index, then call `add_index`, which writes and \
         verifies its rows. Without it: deploy them, end all older programs, run `tables reindex` and `tables \
         verify --repair`, then read by the index. A change feed: deploy programs that declare it, then call \
         `register_changes`.";
    C10 "removed index, lookup or change feed"
        "Its rows remain until they are deleted.",
        "They maintain it until the registry removes it.",
        "With the registry: stop reading by the index, call `drop_index`, which deletes its rows, then deploy \
         programs without the declaration. Without it: deploy these programs first, then call \
         `remove_index_rows` with a struct that still declares the index. A change feed: end its readers, call \
         `unregister_changes`, then deploy programs without it.";
    C11 "copied fields of an index"
        "A longer list: existing copies lack fields. A shorter list: copies keep fields that are no longer read.",
        "A longer list: the registry rejects their writes. A shorter list: they run.",
        "With the registry, an index keeps its definition: declare the new list under another name as in C14; \
         for a field with a new stored name, first replace the index, before the new version, by one that does \
         not list it. Without the registry: deploy the new list, end all older programs, run `tables reindex` \
         and `tables verify --repair`.";
    C12 "unique index"
        "Entities with equal values cannot both have a row.",
        "The registry rejects their writes when the index is added.",
        "Add the unique index under another name as in C09; `tables reindex` lists the entities with equal \
         values: change them, and run it again. Then remove the old index as in C10.";
    C13 "index that is no longer unique"
        "Two entities can have equal values.",
        "They reject a second entity with an equal value, and read one of several.",
        "With the registry, an index keeps its definition: use another name as in C14. Without it: deploy programs \
         without `unique` to all readers and writers, and write equal values only when the last older program \
         has ended.";
    C14 "key, place or layout of an index"
        "All its rows have other keys.",
        "The registry rejects their writes when the index is added.",
        "Keep the old index, add the new one under another name as in C09, deploy programs that read by it, \
         then remove the old one as in C10.";
    C15 "shards"
        "Most entities belong to another partition.", "They follow the markers of moved entities.",
        "Move the entities; each moves at most once.";
    C16 "period of tables"
        "New rows belong to other tables.", "They use the old tables up to a date.",
        "Choose a date from which the new period applies; readers first; the old tables expire.";
    C17 "key of an entity"
        "All entities have other keys.", "They follow the markers of moved entities.",
        "Keep the old struct and move the entities.";
    C18 "table of an entity"
        "All entities belong to another table.", "They follow the markers of moved entities.",
        "Keep the old struct, move the entities, and delete the old table.";
    C19 "wide entity"
        "Properties belong to other parts of their entity.", "They reject entities with more parts than they know.",
        "Readers accept a property in any part first; then each entity is rewritten in one transaction.";
    C20 "encryption of a field"
        "Stored values have the other form until they are rewritten.", "They cannot read the other form.",
        "Raise the version and keep the older struct, because no program reads both forms under one version; then \
         as C07. Backups keep the plain text.";
    C21 "encryption key"
        "Stored values name the key that encrypted them.", "They need the new key before a program uses it.",
        "Add the key to all key rings, make it the current one, call `reencrypt_all` until it is complete, and \
         remove the old key.";
    C22 "required field that was optional"
        "Rows without the property cannot be read.", "None: the change is rejected.",
        "Add a default, or raise the version of the entity.";
    C23 "optional field that was required"
        "New rows can lack the property.", "They reject rows without it.",
        "Deploy readers, then writers.";
    C24 "words of an enum"
        "New rows can have a new word; stored rows can have a removed one.", "They reject rows with a word they do not know.",
        "A new word: readers first. A removed word: rewrite the rows that have it before deploying; \
         in a key: insert the entities with another value and delete the old ones.";
    C25 "maximum length"
        "New values can be longer; stored values can exceed a lower limit.",
        "They reject longer values, if they check lengths: the library does not.",
        "A higher limit: deploy it to all programs that check lengths before one of them writes a longer \
         value. A lower limit: find longer values with `tables export` and shorten them before deploying.";
    C26 "length of a series"
        "A longer series has more slots. In a shorter series the last slots would be lost.",
        "They run, and keep the slots.",
        "Lengthen within the same number of digits; otherwise use another name.";
    C27 "value in a blob"
        "Stored values have the other form until they are rewritten.", "They cannot read the other form.",
        "Raise the version and keep the older struct, because no program reads both forms under one version; then \
         as C07.";
    C28 "aggregate or copied field of another entity"
        "Existing entities have not contributed to it.",
        "The registry rejects their writes when the rule is added.",
        "Deploy the rule to all programs, then compute the existing values with `verify` and `repair`; \
         declare a changed rule under another name.";
    C29 "type name in `EntityType`"
        "Stored rows have the old name.",
        "They reject rows with the new name, one by one.",
        "Deploy programs that keep the old name and list the new one in `aliases`, then programs with the new \
         name that list the old one. Without a name before: deploy `entity_type`, then replace each entity. With \
         aggregates, copied fields or a change feed: keep the name.";
    C30 "removed entity"
        "Its rows remain and are no longer maintained.", "They keep using the rows.",
        "Delete the rows first, and verify that none remains.";
    C31 "new entity"
        "No row exists yet.", "They run.", "Deploy in any order; its keys must differ from those of other entities in its tables.";
    C32 "soft delete" soft_delete::EFFECT, soft_delete::OLD_PROGRAMS, soft_delete::REMEDY;
}
