//! Keys and partitions.

super::lessons! {
    K01 "More than 1,000 entities a second are asked of the busiest partition at the peak; above 2,000 it is an error."
        "P12 Prepend and append; spread keys" toml r#"
  [entity.Reading]
  table = "Readings"
- partition = "{site}"
+ partition = "{site}_{shard:02}"
+ shard = { of = "id", count = 16 }
  row = "{id:08}"
  fields = { site = "string(20)", id = "u32", value = "f64" }

  [load.Reading]
  insert = "15_000/s"
  values.site = { distinct = 10 }
"#
    K02 "There are ten partitions or more, and the largest holds a fifth of all rows."
        "Partitions that can grow apart; P6 Compound key" toml r#"
  [entity.Customer]
  table = "Customers"
- partition = "{country}"
+ partition = "{country}_{year:04}"
  row = "{id:08}"
  fields = { country = "string(2)", year = "u16", id = "u32" }

  [load.Customer]
  count = 1_000_000
  values.country = { distinct = 50, zipf = 1.4 }
  values.year = { distinct = 20 }
"#
    K03 "The partition key begins with a field that only rises, the table has no period, and there are inserts; above 2,000 a \
         second it is an error."
        "P12 Prepend and append" toml r#"
  [entity.Reading]
  table = "Readings"
- partition = "{at:%Y%m%d}"
- row = "{sensor:06}_{at:ticks}"
+ partition = "{sensor:06}"
+ row = "{at:ticks}"
  fields = { sensor = "u32", at = "datetime", value = "f64" }

  [load.Reading]
  insert = "50/s"
"#
    K04 "The partition key begins with a rising field in a descending format, such as `inverted_ticks`, `inverted_06` or \
         `inverted_ord`, the table has no period, and there are inserts; above 2,000 a second it is an error."
        "P12 Prepend and append; P7 Log tail" toml r#"
  [entity.Reading]
  table = "Readings"
- partition = "{at:inverted_ticks}"
- row = "{sensor:06}"
+ partition = "{sensor:06}"
+ row = "{at:inverted_ticks}"
  fields = { sensor = "u32", at = "datetime", value = "f64" }

  [load.Reading]
  insert = "50/s"
"#
    K05 "The partition key has no field: a note, and a warning above 10,000 rows or 200 writes a second."
        "Partitions that can grow apart" toml r#"
  [entity.Employee]
  table = "Employees"
- partition = "all"
+ partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }

  [load.Employee]
  count = 50_000
"#
    K06 "The child of a one-to-many relation has about as many partitions as entities: nine for ten or more."
        "R1 One to many" toml r#"
  [entity.Department]
  table = "Company"
  partition = "{name}"
  row = "department"
  fields = { name = "string(40)" }

  [entity.Employee]
  table = "Company"
- partition = "{department}_{id:06}"
- row = "employee"
+ partition = "{department}"
+ row = "empid_{id:06}"
  fields = { department = "string(40)", id = "u32" }

  [relation.employees]
  kind = "one-to-many"
  from = "Department"
  to = "Employee"
  on = { name = "department" }

  [load.Employee]
  count = 100_000
  values.department = { distinct = 40 }
"#
    K07 "The row key rises with time, nothing bounds how long rows live, and the largest partition grows by more than a million \
         rows a year."
        "P8 High-volume delete; periods" toml r#"
  [entity.Reading]
  table = "Readings"
- partition = "{sensor:06}"
+ partition = "{sensor:06}_{at:%Y%m}"
  row = "{at:ticks}"
  fields = { sensor = "u32", at = "datetime", value = "f64" }

  [load.Reading]
  insert = "50/s"
  values.sensor = { distinct = 100 }
"#
    K08 "The largest partition has more than `range_gb` of the targets, 10 GiB where the file does not say."
        "Partitions that can grow apart; P6 Compound key" toml r#"
  [entity.Order]
  table = "Orders"
- partition = "{region}"
+ partition = "{region}_{year:04}"
  row = "{id:010}"
  fields = { region = "string(20)", year = "u16", id = "u64", total = "i64" }

  [load.Order]
  count = 4_000_000_000
  values.region = { distinct = 10 }
  values.year = { distinct = 100 }
"#
    K09 "There are two to nine partitions, and more than 2,000 rows a second are written to them at the peak."
        "P12 Prepend and append; spread keys" toml r#"
  [entity.Reading]
  table = "Readings"
- partition = "{region}"
- row = "{device:06}_{id:08}"
+ partition = "{device:06}"
+ row = "{id:08}"
  fields = { region = "string(20)", device = "u32", id = "u32" }

  [load.Reading]
  insert = "4_000/s"
  values.region = { distinct = 4 }
  values.device = { distinct = 10_000 }
"#
    K10 "A number or a time stands in a key without a format."
        "Keys that sort: padded numbers" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
- row = "{id}"
+ row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }
"#
    K11 "A text stands in a key before something else, and nothing says where it ends."
        "P6 Compound key" toml r#"
  [entity.Person]
  table = "People"
  partition = "{city}"
- row = "{last_name}{first_name}"
+ row = "{last_name:esc}_{first_name:esc}"
  fields = { city = "string(40)", last_name = "string(40)", first_name = "string(40)" }
"#
    K12 "The longest values of all fields in a key make more than 512 characters."
        "Keys: their limits" toml r#"
  [entity.Page]
  table = "Pages"
  partition = "{site}"
  row = "{title}"
- fields = { site = "string(40)", title = "string(600)" }
+ fields = { site = "string(40)", title = "string(120)" }
"#
    K13 "A text without a bound stands in a key."
        "Keys: their limits" toml r#"
  [entity.Part]
  table = "Parts"
  partition = "{maker}"
  row = "{code}"
- fields = { maker = "string(40)", code = "string" }
+ fields = { maker = "string(40)", code = "string(20)" }
"#
    K14 "A field has more values than the digits of its key can write: an error where the file says how many, else a warning."
        "Keys that sort: padded numbers" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
- row = "{id:04}"
+ row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }

  [load.Employee]
  count = 20_000
  values.id = { distinct = 20_000 }
"#
    K15 "Rows of one table and one form of partition have row keys of which one begins as another does; an error where one \
         could take the other's place."
        "P1 Index in the partition; shared tables" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
- row = "{id:06}"
- index.by_badge = { row = "{badge:06}", unique = true }
+ row = "empid_{id:06}"
+ index.by_badge = { row = "badge_{badge:06}", unique = true }
  fields = { department = "string(40)", id = "u32", badge = "u32" }
"#
    K16 "A text of more than 128 characters or without a bound stands in a key without `esc`; JSON is a warning whatever its \
         length."
        "Keys: what they cannot hold" toml r#"
  [entity.Page]
  table = "Pages"
  partition = "{site}"
- row = "{title}"
+ row = "{title:esc}"
  fields = { site = "string(40)", title = "string(150)" }
"#
}
