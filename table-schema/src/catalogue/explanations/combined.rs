//! Parts of a design that are valid alone and cannot be combined.

super::lessons! {
    D037 "Two patterns of an entity, or two attributes of a field, cannot be combined yet."
        "Combinations of patterns" toml r#"
  [entity.Login]
- table = "Logins{at:%Y%m%d}"
+ table = "Logins"
  partition = "{user}"
  row = "{at:ticks}"
  index.by_ip = { row = "ip_{ip}_{at:ticks}" }
  fields = { user = "string(40)", at = "datetime", ip = "string(40)" }
"#
    D038 "The keys of a lookup outside the partition contain other fields than `on`."
        "P4 Index entities: their keys" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
- lookup.by_name = { on = "last_name", place = "table", partition = "{city}", row = "{last_name}" }
+ lookup.by_name = { on = "last_name", place = "table", partition = "{last_name}" }
  fields = { department = "string(40)", id = "u32", last_name = "string(40)", city = "string(20)" }
"#
    D039 "An index copies a blob field, or a field that another entity maintains."
        "P1 Index in the partition: what is copied" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
- index.by_age = { row = "age_{age:03}_{id:06}", copy = ["age", "photo"] }
+ index.by_age = { row = "age_{age:03}_{id:06}", copy = ["age"] }

  [entity.Employee.fields]
  department = "string(40)"
  id = "u32"
  age = "i32"
  photo = { type = "binary", blob = true }
"#
    D040 "A condition tests an encrypted field, a series or a blob, or is a field that is not a `bool`."
        "P1 Index in the partition: some entities only" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
  index.former = { row = "left_{id:06}", when = "left = true" }

  [entity.Employee.fields]
  department = "string(40)"
  id = "u32"
- left = { type = "bool", encrypt = true }
+ left = "bool"
"#
    D041 "A contribution reads a field without the required value, targets its own entity, or is declared twice."
        "P14 Denormalization: aggregates" toml r#"
  [entity.Department]
  table = "Departments"
  partition = "{department}"
  row = "department"
  total.hours = { sum = "Employee.hours", match = { department = "department" } }
  fields = { department = "string(40)" }

  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
- fields = { department = "string(40)", id = "u32", hours = "f64" }
+ fields = { department = "string(40)", id = "u32", hours = "i64" }
"#
    D042 "A key contains a field that another entity maintains, or its type cannot represent a missing value."
        "P14 Denormalization: aggregates" toml r#"
  [entity.Department]
  table = "Departments"
  partition = "{department}"
- row = "d_{employees:ord}"
+ row = "department"
  total.employees = { count = "Employee", match = { department = "department" } }
  fields = { department = "string(40)" }

  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }
"#
    D043 "The pairs of an aggregate have different names or types, or a copied field has no readable value."
        "P14 Denormalization: aggregates" toml r#"
  [entity.Department]
  table = "Departments"
  partition = "{department:06}"
  row = "department"
  total.employees = { count = "Employee", match = { department = "department" } }
  fields = { department = "u32" }

  [entity.Employee]
  table = "Employees"
  partition = "{department:06}"
  row = "{id:06}"
- fields = { department = "u16", id = "u32" }
+ fields = { department = "u32", id = "u32" }
"#
    D044 "The archive of an entity is the table of the entity."
        "P3 Archive" toml r#"
  [entity.Order]
  table = "Orders"
  partition = "{customer:08}"
  row = "{number:010}"
- archive = { to = "Orders" }
+ archive = { to = "OrdersArchive" }
  fields = { customer = "u32", number = "u64" }
"#
    D045 "A field has a default that is not supported, a row key has more than six fields, or an insert writes more than \
         100 rows of its partition."
        "Entities: options of fields" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"

  [entity.Employee.fields]
  department = "string(40)"
  id = "u32"
- age = { type = "i32", default = 18 }
+ age = "i32?"
"#
    D046 "The field of a shard, or a field that determines it, precedes the shard in the partition."
        "Partitions: spreading" toml r#"
  [entity.Reading]
  table = "Readings"
  partition = "{site}_{shard:02}"
  row = "{device:06}"
- shard = { of = "site", count = 16 }
+ shard = { of = "device", count = 16 }
  fields = { site = "string(20)", device = "u32" }
"#
}
