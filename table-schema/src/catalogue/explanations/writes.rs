//! Writes and consistency.

super::lessons! {
    W01 "A write can take 80 operations or more in one transaction; above 100 it is an error."
        "Entity group transactions; P3 Eventually consistent" toml r#"
  [entity.Order]
  table = "Orders"
  partition = "{id:08}"
  row = "order"
  fields = { id = "u32" }

  [entity.Line]
  table = "Orders"
  partition = "{order:08}"
  row = "line_{number:03}"
  fields = { order = "u32", number = "u16" }

  [relation.lines]
  kind = "one-to-many"
  from = "Order"
  to = "Line"
  on = { id = "order" }
  atomic = true
  many = 10
- most = 120
+ most = 50

  [load.Order]
  insert = "1/s"
"#
    W02 "A transaction has more than 2 MiB; from 4 MiB on it is an error."
        "P11 Large entity; entity group transactions" toml r#"
  [entity.Album]
  table = "Albums"
  partition = "{id:08}"
  row = "album"
  fields = { id = "u32" }

  [entity.Picture]
  table = "Albums"
  partition = "{album:08}"
  row = "picture_{number:03}"

  [entity.Picture.fields]
  album = "u32"
  number = "u16"
- pixels = "binary(60000)"
+ pixels = { type = "binary", blob = true }

  [relation.pictures]
  kind = "one-to-many"
  from = "Album"
  to = "Picture"
  on = { id = "album" }
  atomic = true
  many = 60

  [load.Album]
  insert = "1/s"

  [load.Picture]
  values.pixels = { bytes = 50_000 }
"#
    W03 "Five rows or more are written for one, once a second or more often."
        "P1 Index in the partition" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
  index.by_email = { row = "email_{email}", unique = true }
  index.by_badge = { row = "badge_{badge:08}", unique = true }
- index.by_age = { row = "age_{age:03}_{id:06}" }
- index.by_desk = { row = "desk_{desk:04}_{id:06}" }

  [entity.Employee.fields]
  department = "string(40)"
  id = "u32"
  email = "string(60)"
  badge = "u32"
  age = "i32"
  desk = "u16"

  [load.Employee]
  insert = "2/s"
"#
    W04 "Fields that are copied into another partition change once a second or more often, and more often than they are read \
         there."
        "P5 Denormalisation; R3 Join when reading" toml r#"
  [entity.Player]
  table = "Players"
  partition = "{league}"
  row = "{id:06}"

  [entity.Player.index.by_card]
  partition = "card_{card:08}"
  row = "{league}_{id:06}"
- copy = ["name", "points"]
+ copy = ["name"]

  [entity.Player.fields]
  league = "string(20)"
  id = "u32"
  card = "u32"
  name = "string(40)"
  points = "i32"

  [load.Player]
  count = 10_000
  update = { rate = "10/s", fields = ["points"] }
"#
    W05 "A write has parts in another partition, in a blob or in another entity, which follow through the queue."
        "P3 Eventually consistent" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
- index.by_badge = { partition = "badge_{department}", row = "{badge:08}", unique = true }
+ index.by_badge = { row = "badge_{badge:08}", unique = true }
  fields = { department = "string(40)", id = "u32", badge = "u32" }

  [load.Employee]
  insert = "100/day"
"#
    W06 "Parent and child of a relation that is `atomic` have other tables, or partition keys of other forms."
        "R1 One to many; entity group transactions" toml r#"
  [entity.Order]
  table = "Orders"
  partition = "{id:08}"
  row = "order"
  fields = { id = "u32" }

  [entity.Line]
- table = "Lines"
+ table = "Orders"
  partition = "{order:08}"
  row = "line_{number:03}"
  fields = { order = "u32", number = "u16" }

  [relation.lines]
  kind = "one-to-many"
  from = "Order"
  to = "Line"
  on = { id = "order" }
  atomic = true
"#
    W07 "An index that keeps values unique lies in another partition than the entity."
        "P2 Index elsewhere; P3 Eventually consistent" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
- index.by_badge = { partition = "badge_{department}", row = "{badge:08}", unique = true }
+ index.by_badge = { row = "badge_{badge:08}", unique = true }
  fields = { department = "string(40)", id = "u32", badge = "u32" }
"#
    W08 "Updates, once a second or more often, change a field in the key of an index."
        "P1 Index in the partition" toml r#"
  [entity.User]
  table = "Users"
  partition = "{country}"
  row = "id_{id:08}"
- index.by_seen = { row = "seen_{seen:ticks}_{id:08}" }
+ index.by_joined = { row = "joined_{joined:ticks}_{id:08}" }

  [entity.User.fields]
  country = "string(2)"
  id = "u32"
  joined = "datetime"
  seen = "datetime"

  [load.User]
  count = 100_000
  update = { rate = "20/s", fields = ["seen"] }
"#
    W09 "An update changes a field of the entity's own key."
        "P3 Eventually consistent: moving" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32", name = "string(40)" }

  [load.Employee]
  count = 1_000
- update = { rate = "1/day", fields = ["department"] }
+ update = { rate = "1/day", fields = ["name"] }
+ insert = "1/day"     # who moves is deleted there and inserted here
+ delete = "1/day"
"#
    W10 "An update changes some fields of an entity, an encrypted one among them."
        "Encryption" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"

  [entity.Employee.fields]
  department = "string(40)"
  id = "u32"
  national_id = { type = "string(20)", encrypt = true }

  [load.Employee]
  count = 1_000
- update = { rate = "1/day", fields = ["national_id"] }
+ update = "1/day"
"#
    W11 "An encrypted field stands in a key, in the fields of a lookup or in a condition."
        "Encryption" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
- row = "{national_id}"
+ row = "{national_hash}"

  [entity.Employee.fields]
  department = "string(40)"
  national_id = { type = "string(20)", encrypt = true }
+ national_hash = "string(32)"
"#
    W12 "One total is written more than ten times a second at the peak."
        "P14 Materialised view" toml r#"
  [entity.Vote]
  table = "Votes"
  partition = "{city}"
  row = "vote_{station:04}_{id:08}"
  fields = { city = "string(40)", station = "u16", id = "u32" }

  [entity.Tally]
  table = "Tallies"
- partition = "{city}"
- total.votes = { count = "Vote", match = { city = "city" } }
- fields = { city = "string(40)" }
+ partition = "{city}_{station:04}"
+ total.votes = { count = "Vote", match = { city = "city", station = "station" } }
+ fields = { city = "string(40)", station = "u16" }
  row = "tally"

  [load.Vote]
  insert = "500/s"
  values.city = { distinct = 10 }
  values.station = { distinct = 1_000 }

  [load.Tally]
  count = 10_000
  values.city = { distinct = 10 }
  values.station = { distinct = 1_000 }
"#
    W13 "The longest list of a lookup is written more than ten times a second at the peak."
        "P4 Index entities" toml r#"
  [entity.Order]
  table = "Orders"
  partition = "{region}"
  row = "id_{id:08}"
- lookup.by_status = { on = ["status"], ids = "Ids" }
+ lookup.by_status = { on = ["status"] }
  fields = { region = "string(20)", id = "u32", status = "enum(open, sent, done)" }

  [load.Order]
  count = 1_000
  insert = "100/s"
  values.region = { distinct = 2 }
"#
}
