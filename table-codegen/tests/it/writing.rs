//! A written design is read back as the same design.

use table_codegen::{design_hash, read, upgrade, write};

const EXAMPLES: [(&str, &str); 4] = [
    ("company", include_str!("../schemas/company.toml")),
    ("iot", include_str!("../schemas/iot.toml")),
    ("logins", include_str!("../schemas/logins.toml")),
    ("orders", include_str!("../schemas/orders.toml")),
];

/// A file that uses every feature once.
const EVERYTHING: &str = r#"
tables = 1
needs = "0.1"
design = "everything"
about = "A \"quoted\" text\twith\nlines"
backends = ["embedded", "cosmos"]
[entity.Thing]
about = "one"
table = "Things"
partition = "{shard:02}"
row = "{at:ticks}_{id:06}"
keep = "90d"
shard = { of = "id", count = 16 }
entity_type = "Thing.v2"
aliases = ["Old"]
rename_all = "PascalCase"
[entity.Thing.fields]
at = "datetime"
id = { type = "u32", store = true, rename = "Id" }
note = { type = "string(20)?", encrypt = true, about = "secret" }
hours = { type = "i32?", series = 24 }
steps = { type = "i32", series = 4, default = 0 }
data = { type = "json(100)", blob = "over 32KiB" }
on = { type = "bool", default = false }
name = { type = "string", default = "" }
rank = { type = "u8", default_function = "ranks::normal" }
kind = "enum(a, b-c)"
day = "date"
[entity.Other]
table = "Others"
partition = "{group}"
row = "o_{number:04}"
entity_type = "none"
[entity.Other.fields]
group = "string"
number = "u16"
status = "enum(open, closed)"
size = "i64"
[entity.Other.index.by_status]
row = "s_{status}_{number:04}"
when = "status = open"
copy = []
[entity.Other.index.far]
table = "Fars"
partition = "f_{size:ord}"
row = "{group:esc}_{number:04}"
sparse = true
unique = true
about = "far away"
[entity.Other.lookup.by_size]
on = ["size"]
place = "table"
ids = "Ids"
[entity.Other.archive]
to = "OldOthers"
when = "status = closed and size = -3"
[entity.Group]
table = "Groups"
partition = "{name}"
row = "g"
[entity.Group.fields]
name = "string"
first = "u16"
[entity.Group.total.sizes]
sum = "Other.size"
match = { group = "name" }
when = "status = open and size = 3"
[entity.Group.embed.head]
from = "Other"
match = { group = "name", number = "first" }
fields = ["status"]
[relation.members]
kind = "one-to-many"
from = "Group"
to = "Other"
on = { name = "group" }
atomic = true
many = 2.5
most = 9
[log.Requests]
blob = "{service}/{at:%Y/%m/%d/%H%M}/{seq:06}.log"
container = "logs"
flush = { bytes = "1MiB", after = "30s" }
keep = "1y"
[log.Requests.fields]
service = "string"
[query.q]
find = "Other"
where = "group = ? and number between 4% or size = ?"
select = ["size"]
limit = 3
page = 10
rate = "2.5/min"
fresh = true
using = "by_status"
[load]
peak = 3
horizon = "2y"
[load.Other]
count = 100_000
insert = "500/day"
update = [{ rate = "1/h", fields = ["size"], slots = 1 }, 7]
partitions = 40
values.group = { distinct = 40, zipf = 0.8, chars = 10.5, present = 0.5, rising = true, within = "number" }
[prices]
tx_10k = 0.5
write_10k = 1
[prices.cosmos]
min_ru = 1000
[targets]
page = 500
[lint]
allow = ["Q07"]
deny = ["table_scan"]
level = { K15 = "error", Q01 = "info" }
"#;

#[test]
fn what_is_written_is_read_as_the_same() {
    for (name, text) in EXAMPLES.into_iter().chain([("everything", EVERYTHING)]) {
        let schema = read(text, name).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        let written = write(&schema);
        let again = read(&written, name).unwrap_or_else(|mistakes| panic!("{mistakes}\n{written}"));
        assert_eq!(again, schema, "{written}");
        assert_eq!(write(&again), written);
        assert_eq!(design_hash(&again), design_hash(&schema));
    }
}

#[test]
fn an_upgrade_changes_nothing_that_is_of_this_format() {
    for (name, text) in EXAMPLES.into_iter().chain([("everything", EVERYTHING)]) {
        assert_eq!(upgrade(text, name).as_deref(), Ok(text), "{name}");
    }
    assert!(upgrade("tables = 2\n", "a").is_err());
}

#[test]
fn the_hash_is_of_what_is_stored() {
    let text = EXAMPLES[0].1;
    let hash = |text: &str| design_hash(&read(text, "a").unwrap_or_else(|mistakes| panic!("{mistakes}")));
    let own = hash(text);
    for (from, to) in [
        ("rate  = \"40/s\"", "rate  = \"41/s\""),
        ("count  = 40\n", "count  = 41\n"),
        ("Departments, employees", "Whatever"),
    ] {
        assert!(text.contains(from), "{from}");
        assert_eq!(hash(&text.replacen(from, to, 1)), own, "{from}");
    }
    for (from, to) in [("string(40)", "string(41)"), ("{badge:08}", "{badge:09}"), ("\"f64\"", "\"f64?\"")] {
        assert!(text.contains(from), "{from}");
        assert_ne!(hash(&text.replacen(from, to, 1)), own, "{from}");
    }
}
