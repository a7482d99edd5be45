//! Sizes.

super::lessons! {
    S01 "A row has more than 512 KiB on average, or can pass 1 MiB; an average of more than 1 MiB is an error."
        "P11 Large entity; P10 Wide entity" toml r#"
  [entity.Report]
  table = "Reports"
  partition = "{department}"
  row = "{id:06}"

  [entity.Report.fields]
  department = "string(40)"
  id = "u32"
- text = "string"
+ text = { type = "string", blob = true }

  [load.Report]
  count = 1_000
  values.text = { chars = 300_000 }
"#
    S02 "A property can pass 64 KiB; an average above that is an error."
        "P11 Large entity" toml r#"
  [entity.Report]
  table = "Reports"
  partition = "{department}"
  row = "{id:06}"

  [entity.Report.fields]
  department = "string(40)"
  id = "u32"
- text = "string"
+ text = { type = "string", blob = true }

  [load.Report]
  count = 1_000
  values.text = { chars = 40_000 }
"#
    S03 "An entity that is not wide has more than 252 properties, or a wide one more than 100 parts."
        "P10 Wide entity; P9 Data series" toml r#"
  [entity.Year]
  table = "Years"
  partition = "{site}"
- row = "{year:04}"
+ row = "{year:04}_{part:02}"
+ wide = 200

  [entity.Year.fields]
  site = "string(20)"
  year = "u16"
  day = { type = "i32", series = 365 }
"#
    S04 "An entity that is not wide has 201 to 252 properties."
        "P10 Wide entity" toml r#"
  [entity.Year]
  table = "Years"
  partition = "{site}"
- row = "{year:04}"
+ row = "{year:04}_{part:02}"
+ wide = 200

  [entity.Year.fields]
  site = "string(20)"
  year = "u16"
  day = { type = "i32", series = 220 }
"#
    S05 "The longest list of a lookup has more than 1 MiB."
        "P4 Index entities" toml r#"
  [entity.Order]
  table = "Orders"
  partition = "{region}"
  row = "id_{id:07}"
- lookup.by_status = { on = ["status"], ids = "Ids" }
+ index.by_status = { row = "status_{status}_{id:07}" }
  fields = { region = "string(20)", id = "u32", status = "enum(open, sent, done)" }

  [load.Order]
  count = 1_000_000
  values.region = { distinct = 2 }
"#
    S06 "The longest list of a lookup has more than 16,384 characters, which is what its row holds."
        "P4 Index entities" toml r#"
  [entity.Order]
  table = "Orders"
  partition = "{region}"
  row = "id_{id:06}"
- lookup.by_status = { on = ["status"], ids = "Ids" }
+ lookup.by_status = { on = ["status"] }
  fields = { region = "string(20)", id = "u32", status = "enum(open, sent, done)" }

  [load.Order]
  count = 50_000
  values.region = { distinct = 5 }
"#
    S07 "A text or JSON that is stored in a row has no bound."
        "P11 Large entity" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
- fields = { department = "string(40)", id = "u32", notes = "string" }
+ fields = { department = "string(40)", id = "u32", notes = "string(1000)" }
"#
    S08 "A field in a blob has less than 4 KiB on average."
        "P11 Large entity" toml r#"
  [entity.Site]
  table = "Sites"
  partition = "{country}"
  row = "{id:06}"

  [entity.Site.fields]
  country = "string(2)"
  id = "u32"
- icon = { type = "binary", blob = true }
+ icon = "binary(2000)"

  [load.Site]
  count = 10_000
  values.icon = { bytes = 900 }
"#
    S09 "Names of properties are two fifths of a row or more, and all rows together have 1 GiB or more."
        "P9 Data series" toml r#"
  [entity.Day]
  table = "Days"
  partition = "{site}"
  row = "{day:%Y%m%d}"

  [entity.Day.fields]
  site = "string(20)"
  day = "date"
- temperature_reading = { type = "i32", series = 96 }
+ temperature_reading = { type = "i32", series = 96, rename = "t" }

  [load.Day]
  count = 300_000
"#
}
