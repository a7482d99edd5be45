//! Queries.

super::lessons! {
    Q01 "The query is a table scan: a note where it reads no more than a page, else a warning, and an error where the file \
         denies them."
        "P2 Index elsewhere; P14 Materialised view" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
+ index.by_badge = { partition = "badge_{badge:08}", row = "{department}_{id:06}" }
  fields = { department = "string(40)", id = "u32", badge = "u32" }

  [query.by_badge]
  find = "Employee"
  where = "badge = ?"

  [load.Employee]
  count = 100_000
"#
    Q02 "The query scans a partition: a note, and a warning where it reads more than a page or more than ten for one that it \
         returns."
        "P1 Index in the partition" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
+ index.by_age = { row = "age_{age:03}_{id:06}" }
  fields = { department = "string(40)", id = "u32", age = "i32" }

  [query.older_than]
  find = "Employee"
  where = "department = ? and age > 20%"

  [load.Employee]
  count = 100_000
  values.department = { distinct = 40 }
"#
    Q03 "The condition gives the beginning of the partition key and not all of it."
        "P6 Compound key; P8 periods" toml r#"
  [entity.Review]
  table = "Reviews"
  partition = "{department}_{year:04}"
  row = "{employee:06}"
  fields = { department = "string(40)", year = "u16", employee = "u32" }

  [query.reviews]
  find = "Review"
- where = "department = ?"
+ where = "department = ? and year = ?"
"#
    Q04 "One call is more than ten queries, each to a partition or table of its own."
        "P12 Prepend and append; spread keys" toml r#"
  [entity.Reading]
  table = "Readings"
- partition = "{site:04}_{shard:02}"
- shard = { of = "id", count = 32 }
+ partition = "{site:04}_{shard:01}"
+ shard = { of = "id", count = 8 }
  row = "{at:ticks}_{id:08}"
  fields = { site = "u16", at = "datetime", id = "u32" }

  [query.last_hour]
  find = "Reading"
  where = "site = ? and at within 1h"
"#
    Q05 "A condition with `or` tests a field of a key."
        "Queries: what the service does with `or`" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }

  [query.two]
  find = "Employee"
- where = "department = ? and id = ? or department = ? and id = ?"
+ where = "department = ? and id in 2"
"#
    Q06 "A range reads a hundred rows or more, and ten or more for one that it returns."
        "P1 Index in the partition; P6 Compound key" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
- row = "empid_{id:07}"
+ row = "empid_{grade:02}_{id:07}"
  fields = { department = "string(40)", id = "u32", grade = "u16" }

  [query.new_of_grade]
  find = "Employee"
  where = "department = ? and grade = ? and id between 50%"

  [load.Employee]
  count = 5_000_000
  values.department = { distinct = 1_000 }
  values.grade = { distinct = 50 }
"#
    Q07 "A query without `select`, which no index serves, returns 64 KiB a call or more, or rows of 4 KiB or more once a second or \
         more often."
        "Queries: projections" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
  fields = { department = "string(40)", id = "u32", name = "string(40)", notes = "string(400)" }

  [query.everybody]
  find = "Employee"
  where = "department = ?"
+ select = ["name"]

  [load.Employee]
  count = 40_000
  values.department = { distinct = 40 }
"#
    Q08 "The newest are wanted and the row key is not newest first: a warning, and an error where more than a page is read."
        "P7 Log tail" toml r#"
  [entity.Login]
  table = "Logins"
  partition = "{user:08}"
- row = "{at:ticks}"
+ row = "{at:inverted_ticks}"
  fields = { user = "u32", at = "datetime" }

  [query.last_ten]
  find = "Login"
  where = "user = ?"
  latest = 10

  [load.Login]
  count = 1_000_000
  values.user = { distinct = 1_000 }
"#
    Q09 "A call takes more than ten pages, one after another."
        "P14 Materialised view; queries by pages" toml r#"
  [entity.Login]
  table = "Logins"
  partition = "{user:08}"
  row = "{at:ticks}"
  fields = { user = "u32", at = "datetime" }

  [query.logins]
  find = "Login"
- where = "user = ?"
+ where = "user = ? and at within 1d"

  [load.Login]
  count = 50_000_000
  values.user = { distinct = 1_000 }
"#
    Q10 "An index lacks a field that is wanted: a note, and a warning above ten reads a call."
        "P1 Index in the partition: what is copied" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
- index.by_email = { row = "email_{email}", unique = true, copy = ["name"] }
+ index.by_email = { row = "email_{email}", unique = true, copy = ["name", "age"] }

  [entity.Employee.fields]
  department = "string(40)"
  id = "u32"
  email = "string(60)"
  name = "string(40)"
  age = "i32"

  [query.by_email]
  find = "Employee"
  where = "department = ? and email = ?"
  select = ["name", "age"]
"#
    Q11 "No query of the file uses an index or a lookup; a note where it keeps values unique."
        "P1 Index in the partition" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
- index.by_age = { row = "age_{age:03}_{id:06}" }
  fields = { department = "string(40)", id = "u32", age = "i32" }

  [query.employee]
  find = "Employee"
  where = "department = ? and id = ?"
"#
    Q12 "An index has the fields of the entity's key or of an earlier index, in the same order and formats."
        "P1 Index in the partition" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
  index.by_email = { row = "email_{email}", unique = true }
- index.by_mail = { row = "mail_{email}", unique = true }
  fields = { department = "string(40)", id = "u32", email = "string(60)" }
"#
    Q13 "No query of the file finds an entity."
        "Design from the queries" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }
+
+ [query.employee]
+ find = "Employee"
+ where = "department = ? and id = ?"
"#
    Q14 "A call is more than a hundred point queries."
        "P5 Denormalisation; R3 Join when reading" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }

  [query.some]
  find = "Employee"
- where = "department = ? and id in 500"
+ where = "department = ? and id between 20%"

  [load.Employee]
  count = 100_000
  values.department = { distinct = 40 }
"#
    Q15 "A range in a condition has `?` and does not say how much of the values is asked for."
        "Design files: conditions" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }

  [query.newer]
  find = "Employee"
- where = "department = ? and id > ?"
+ where = "department = ? and id > 5%"
"#
    Q16 "A query with `fresh` is served by an index in another partition, which follows the entity."
        "P2 Index elsewhere; P3 Eventually consistent" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
- index.by_badge = { partition = "badge_{department}", row = "{badge:08}", unique = true }
+ index.by_badge = { row = "badge_{badge:08}", unique = true }
  fields = { department = "string(40)", id = "u32", badge = "u32" }

  [query.by_badge]
  find = "Employee"
  where = "department = ? and badge = ?"
  fresh = true
"#
    Q17 "A call takes more than a minute, at 10 ms for each request that waits for the one before; an error if calls overlap."
        "P14 Denormalization: aggregates; P1 Index in the partition" toml r#"
  [entity.Order]
  table = "Orders"
  partition = "{customer:08}"
  row = "{number:010}"
+ index.by_status = { partition = "status_{status}", row = "{customer:08}_{number:010}" }
  fields = { customer = "u32", number = "u64", status = "enum(open, closed)" }

  [query.open_orders]
  find = "Order"
  where = "status = ?"
+ limit = 1000
  rate = "24/day"

  [load.Order]
  count = 500_000_000
"#
    Q18 "`using` names an index or lookup that the condition does not reach."
        "Design files: queries" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
  lookup.by_name = { on = ["name"] }
  fields = { department = "string(40)", id = "u32", name = "string(40)" }

  [query.by_name]
  find = "Employee"
- where = "department = ?"
+ where = "department = ? and name = ?"
  using = "by_name"
"#
}
