//! Tables, accounts and cost.

super::lessons! {
    T01 "Rows have a `keep`, and their table has no period."
        "P8 High-volume delete" toml r#"
  [entity.Login]
- table = "Logins"
+ table = "Logins{at:%Y%m%d}"
  partition = "{user:08}"
  row = "{at:ticks}"
  keep = "30d"
  fields = { user = "u32", at = "datetime" }

  [load.Login]
  insert = "10/s"
"#
    T02 "Once a second or more often an entity is inserted that is never changed, and every query for it scans a span of time."
        "P13 Log data" toml r#"
- [entity.Line]
- table = "Lines"
- partition = "{service}"
- row = "{seq:010}"
- fields = { service = "string(20)", seq = "u64", at = "datetime", text = "string(500)" }
-
- [query.recent]
- find = "Line"
- where = "service = ? and at within 1h"
-
- [load.Line]
- insert = "20/s"
+ [log.Line]
+ blob = "{service}/{at:%Y/%m/%d/%H%M}/{seq:06}.log"
+ fields = { service = "string(20)", at = "datetime", text = "string(500)" }
+ flush = { bytes = "4MiB", after = "60s" }
"#
    T03 "There are more than 1,000 tables of a kind, or fewer than 1,000 rows in each."
        "P8 High-volume delete" toml r#"
  [entity.Login]
- table = "Logins{at:%Y%m%d}"
+ table = "Logins{at:%Y%m}"
  partition = "{user:08}"
  row = "{at:ticks}"
  keep = "365d"
  fields = { user = "u32", at = "datetime" }

  [load.Login]
  count = 100_000
"#
    T04 "The peak is ten times the average or more, and more than 2,000 rows a second are written then."
        "P3 Eventually consistent: work through a queue" toml r#"
  [load]
- peak = 20
+ peak = 3     # a queue takes the rest, and works it off

  [entity.Vote]
  table = "Votes"
  partition = "{user:08}"
  row = "{id:08}"
  fields = { user = "u32", id = "u32" }

  [load.Vote]
  count = 10_000_000
  insert = "300/s"
"#
    T05 "Entities share a table, and one of them stores no `EntityType`."
        "Shared tables; R4 Inheritance" toml r#"
  [entity.Department]
  table = "Company"
  partition = "{name}"
  row = "department"
  fields = { name = "string(40)" }

  [entity.Employee]
  table = "Company"
  partition = "{department}"
  row = "empid_{id:06}"
- entity_type = "none"
  fields = { department = "string(40)", id = "u32" }
"#
    T06 "All queries and writes together are more than 10,000 requests a second at the peak; above 20,000 it is an error."
        "Limits of an account" toml r#"
  [entity.Session]
  table = "Sessions"
  partition = "{user:08}"
  row = "session"
  fields = { user = "u32", name = "string(40)" }

  [query.session]
  find = "Session"
  where = "user = ?"
- rate = "30_000/s"
+ rate = "3_000/s"     # a cache answers the others

  [load.Session]
  count = 1_000_000
"#
    T07 "More than 2,000 entities a second are inserted into tables for periods at the peak."
        "P8 High-volume delete" toml r#"
  [entity.Login]
  table = "Logins{at:%Y%m%d}"
  partition = "{user:08}"
  row = "{at:ticks}"
  keep = "30d"
  fields = { user = "u32", at = "datetime" }

  [load.Login]
- insert = "5_000/s"
+ insert = "1_500/s"     # in each of several accounts
"#
    T08 "One query or write is more than half of a bill of more than 10 a month."
        "The bill: caches and batches" toml r#"
  [entity.Session]
  table = "Sessions"
  partition = "{user:08}"
  row = "session"
  fields = { user = "u32", name = "string(40)" }

  [query.session]
  find = "Session"
  where = "user = ?"
- rate = "500/s"
+ rate = "50/s"     # a cache answers the others

  [load.Session]
  count = 1_000_000
"#
    T09 "The copies of an entity in its indexes have more than twice its own bytes."
        "P1 Index in the partition: what is copied" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
- index.by_email = { row = "email_{email}", unique = true }
- index.by_badge = { row = "badge_{badge:08}", unique = true }
- index.by_age = { row = "age_{age:03}_{id:06}" }
+ index.by_email = { row = "email_{email}", unique = true, copy = ["age"] }
+ index.by_badge = { row = "badge_{badge:08}", unique = true, copy = ["age"] }
+ index.by_age = { row = "age_{age:03}_{id:06}", copy = ["email"] }

  [entity.Employee.fields]
  department = "string(40)"
  id = "u32"
  email = "string(60)"
  badge = "u32"
  age = "i32"
  notes = "string(400)"
"#
    T10 "The file gives no `count` of an entity; what it inserts while rows live is taken for it, or 1,000."
        "Design files: the load" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }
+
+ [load.Employee]
+ count = 100_000
"#
    T11 "The design is for Cosmos DB and has a property that it keeps to itself, or row keys of more than 255 characters."
        "Backends: what differs" toml r#"
  backends = ["cosmos"]

  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{number:06}"

  [entity.Employee.fields]
  department = "string(40)"
  number = "u32"
- id = "string(20)"
+ id = { type = "string(20)", rename = "employee_id" }
"#
    T12 "There is a table for each period, and no `keep`."
        "P8 High-volume delete" toml r#"
  [entity.Login]
  table = "Logins{at:%Y%m}"
  partition = "{user:08}"
  row = "{at:ticks}"
+ keep = "400d"
  fields = { user = "u32", at = "datetime" }
"#
}
