//! The keys of what is stored: entities and their parts.

use super::{ABOUT, NOTE, Section, key, typed};

pub(super) const SECTIONS: &[Section] = &[
    Section {
        table: "",
        title: "",
        about: "`tables` must be the first key.",
        keys: &[
            ("tables", key("required", "the format of the file", "")),
            (
                "needs",
                typed(
                    ("text", "needs = \"0.1\""),
                    "any version",
                    "the oldest version of the program that reads the file",
                    "",
                ),
            ),
            ("design", key("", "the name of the design", "")),
            NOTE,
            (
                "backends",
                key(
                    "`embedded`, `azure`",
                    "the services that the design must run on: `embedded`, `azure`, `azurite`, `cosmos`",
                    "",
                ),
            ),
            (
                "entity",
                typed(("tables", "[entity.Employee]"), "", "the entities, by name", "one struct for each"),
            ),
            ("relation", typed(("tables", "[relation.staff]"), "", "relations between entities", "")),
            ("log", typed(("tables", "[log.Request]"), "", "logs in blobs", "`LogEntry`, in code")),
            (
                "query",
                typed(("tables", "[query.by_name]"), "", "the queries, by name", "a method of the struct"),
            ),
            ("load", typed(("a table", "[load]"), "", "the assumed load", "")),
            ("prices", typed(("a table", "[prices]"), "", "the prices of the service", "")),
            ("targets", typed(("a table", "[targets]"), "", "the limits of the service", "")),
            ("lint", typed(("a table", "[lint]"), "", "accepted and denied findings", "")),
        ],
    },
    Section {
        table: "entity.A",
        title: "entity.NAME",
        about: "A stored entity. The name is that of the struct.",
        keys: &[
            ABOUT,
            (
                "table",
                key(
                    "required",
                    "the table; with a template field, one table for each period",
                    "`name = \"..\"`",
                ),
            ),
            ("partition", key("required", "the template of the PartitionKey", "`partition = \"..\"`")),
            ("row", key("required", "the template of the RowKey", "`row = \"..\"`")),
            (
                "keep",
                key(
                    "forever",
                    "the retention period, for the advisor; the program deletes older entities",
                    "",
                ),
            ),
            (
                "wide",
                key(
                    "",
                    "the maximum number of properties of a row; the entity has several rows",
                    "`wide = 200`",
                ),
            ),
            ("version", key("1", "the version of the stored form", "`version = 2`")),
            ("oldest", key("1", "the oldest version of which rows may exist", "`oldest = 1`")),
            (
                "entity_type",
                key(
                    "`auto`",
                    "when rows have an `EntityType`: `auto` (if the table contains several entities), `always`, `none`, or its value",
                    "`entity_type = ..`",
                ),
            ),
            (
                "aliases",
                key("", "other values of `EntityType` that are read as this entity", "`aliases(..)`"),
            ),
            (
                "shard",
                typed(
                    ("a table", "shard = { of = \"id\", count = 16 }"),
                    "",
                    "distributes the rows over several partitions",
                    "`shard(..)`",
                ),
            ),
            (
                "rename_all",
                key("the names of the fields", "the naming of properties", "`rename_all = \"..\"`"),
            ),
            (
                "fields",
                typed(
                    ("a table", "fields = { id = \"u32\" }"),
                    "required",
                    "the fields: a type for each name, or a table",
                    "the fields of the struct",
                ),
            ),
            (
                "index",
                typed(
                    ("tables", "[entity.Employee.index.by_email]"),
                    "",
                    "rows under other keys",
                    "`index(..)`",
                ),
            ),
            (
                "lookup",
                typed(
                    ("tables", "[entity.Employee.lookup.by_name]"),
                    "",
                    "lists of the entities with the same value",
                    "`lookup(..)`",
                ),
            ),
            (
                "embed",
                typed(
                    ("tables", "[entity.Employee.embed.team]"),
                    "",
                    "fields that the program copies from another entity",
                    "the fields of the struct",
                ),
            ),
            (
                "total",
                typed(
                    ("tables", "[entity.Team.total.members]"),
                    "",
                    "aggregates that the library maintains",
                    "`counted_in(..)` at the source, `from_source` here",
                ),
            ),
            (
                "archive",
                typed(
                    ("a table", "archive = { to = \"OldOrders\" }"),
                    "",
                    "the archive of the entity",
                    "`archive = \"..\"`",
                ),
            ),
            ("changes", key("", "a change feed", "`changes`")),
            ("expires", key("", "the field with the time at which an entity expires", "`expires = ..`")),
            ("soft_delete", key("", "the field that a soft delete sets", "`soft_delete = ..`")),
            (
                "validate_function",
                key("", "the path of the function that checks an entity before a write", "`validate = ..`"),
            ),
        ],
    },
    Section {
        table: "entity.A.fields.f",
        title: "entity.NAME.fields.NAME",
        about: "A field. `name = \"u32\"` is short for `name = { type = \"u32\" }`.",
        keys: &[
            (
                "type",
                key(
                    "required",
                    "the type of the values; `?` at its end: the property may be absent",
                    "the type of the field",
                ),
            ),
            ABOUT,
            ("store", key("`false`", "a key field is also stored as a property", "`store`")),
            ("rename", key("the name of the field", "the name of the property", "`rename = \"..\"`")),
            ("was", key("", "the name of the property in the previous version", "`was = \"..\"`")),
            (
                "tag",
                key(
                    "",
                    "the field with the tag of the variant, for a field of an enum with fields",
                    "`flatten`",
                ),
            ),
            ("required_in", key("", "the variants that require the value, with `tag`", "`flatten`")),
            ("series", key("", "the number of slots, each in a property", "`series`, type `[T; N]`")),
            ("encrypt", key("`false`", "the value is encrypted before it is stored", "`encrypt`")),
            ("created", key("`false`", "the library sets the time of the insert", "`created`")),
            ("updated", key("`false`", "the library sets the time of each write", "`updated`")),
            (
                "blob",
                key(
                    "`false`",
                    "values are stored in blobs; `\"over 32KiB\"`: only larger values",
                    "`blob`, `inline = ..`",
                ),
            ),
            (
                "default",
                typed(
                    ("a value of the type", "default = 0"),
                    "",
                    "read if the property is missing. The generated struct uses the default of the type; that of an enum is a word, \
                     the `#[default]` of the generated enum",
                    "`default`",
                ),
            ),
            (
                "default_function",
                key(
                    "",
                    "the path of the function that the code calls if the property is missing. Commands cannot call it",
                    "`default = ..`",
                ),
            ),
        ],
    },
    Section {
        table: "entity.A.shard",
        title: "entity.NAME.shard",
        about: "Distribution of the rows over partitions. The PartitionKey contains `{shard:02}`.",
        keys: &[
            ("of", key("required", "the field whose hash selects the shard", "`shard(of = ..)`")),
            (
                "count",
                key(
                    "required",
                    "the number of shards, which cannot change while rows exist",
                    "`shard(count = ..)`",
                ),
            ),
        ],
    },
    Section {
        table: "entity.A.index.i",
        title: "entity.NAME.index.NAME",
        about: "A second key of the entity. Without `partition` and `table`, its rows are written in the transaction of the entity.",
        keys: &[
            ABOUT,
            ("table", key("that of the entity", "the table of the rows", "`index(table = \"..\")`")),
            (
                "partition",
                key(
                    "that of the entity",
                    "the template of their PartitionKey",
                    "`index(partition = \"..\")`",
                ),
            ),
            ("row", key("required", "the template of their RowKey", "`index(row = \"..\")`")),
            ("unique", key("`false`", "a second entity with the same key is rejected", "`index(unique)`")),
            (
                "sparse",
                key("`false`", "entities without a value of a key field have no row", "`index(sparse)`"),
            ),
            (
                "copy",
                key("all fields", "the fields that the rows contain, besides the key", "`index(copy(..))`"),
            ),
            (
                "when",
                key(
                    "",
                    "only entities that satisfy the condition have a row",
                    "`index(when = ..)`, a function",
                ),
            ),
        ],
    },
    Section {
        table: "entity.A.lookup.l",
        title: "entity.NAME.lookup.NAME",
        about: "Lists of the keys of entities with the same value.",
        keys: &[
            ("on", key("required", "the field or fields", "`lookup(on = ..)`")),
            ABOUT,
            ("place", key("`partition`", "where the lists are stored", "`lookup(place = ..)`")),
            ("table", key("by `place`", "the table of the lists", "`lookup(table = \"..\")`")),
            (
                "partition",
                key("by `place`", "the template of their PartitionKey", "`lookup(partition = \"..\")`"),
            ),
            ("row", key("by `place`", "the template of their RowKey", "`lookup(row = \"..\")`")),
            (
                "ids",
                key("one row for each member", "the property of a list of one row", "`lookup(ids = \"..\")`"),
            ),
        ],
    },
    Section {
        table: "entity.A.embed.e",
        title: "entity.NAME.embed.NAME",
        about: "Fields that the program copies from one other entity.",
        keys: &[
            ABOUT,
            ("from", key("required", "the source entity", "")),
            (
                "match",
                typed(
                    ("a table", "match = { id = \"manager\" }"),
                    "required",
                    "a field of the source, and the field here that it equals",
                    "",
                ),
            ),
            ("fields", key("required", "the copied fields of the source", "fields with the prefix `NAME_`")),
        ],
    },
    Section {
        table: "entity.A.total.t",
        title: "entity.NAME.total.NAME",
        about: "An aggregate of another entity. Exactly one of `count`, `sum`, `max`, `min`.",
        keys: &[
            ABOUT,
            ("count", key("", "counts entities", "`counted_in(..)`")),
            ("sum", key("", "the sum of a field", "`summed_in(.., of = ..)`")),
            ("max", key("", "the largest value of a field", "`max_in(.., of = ..)`")),
            ("min", key("", "the smallest value of a field", "`min_in(.., of = ..)`")),
            (
                "match",
                typed(
                    ("a table", "match = { department = \"name\" }"),
                    "required",
                    "a field of the source, and the key field here that it equals",
                    "fields with the same name",
                ),
            ),
            (
                "when",
                key(
                    "all entities",
                    "the entities that contribute",
                    "`counted_in(.., when = ..)`, a field or function",
                ),
            ),
        ],
    },
    Section {
        table: "entity.A.archive",
        title: "entity.NAME.archive",
        about: "The table to which entities are moved.",
        keys: &[
            ABOUT,
            ("to", key("required", "the table", "`archive = \"..\"`")),
            ("when", key("", "the entities to move", "`Archive`, in code")),
        ],
    },
    Section {
        table: "entity.A.changes",
        title: "entity.NAME.changes",
        about: "The change feed of the entity.",
        keys: &[
            ("keep", key("`7d`", "how long records are kept", "`changes(keep = \"..\")`")),
            ("old", key("`false`", "records contain the previous state", "`changes(old)`")),
        ],
    },
];
