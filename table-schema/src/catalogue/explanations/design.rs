//! Invalid designs.

super::lessons! {
    D001 "The first key of the file is not `tables`."
        "Design files: the first line" toml r#"
+ tables = 1
  design = "company"
"#
    D002 "The value of `tables` is greater than the latest format that this program supports."
        "Design files: versions" toml r#"
- tables = 9
+ tables = 1
  design = "company"
"#
    D003 "The text is not valid TOML, or contains a duplicate key."
        "Design files" toml r#"
- design = company
+ design = "company"
"#
    D004 "A table contains an unsupported key that does not start with `x-`."
        "Design files: keys" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
- retention = "90d"
+ keep = "90d"
  fields = { department = "string(40)", id = "u32" }
"#
    D005 "A value has another kind than its key requires, or is not one of the allowed words."
        "Design files: keys" toml r#"
- backends = "azure"
+ backends = ["azure"]
"#
    D006 "A required key of an entity, index, lookup or relation is missing."
        "Design files: keys" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
+ row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }
"#
    D007 "The service cannot store the type of a field."
        "Entities: types of fields" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
- fields = { department = "string(40)", id = "u23" }
+ fields = { department = "string(40)", id = "u32" }
"#
    D008 "A template field is not a field of the entity."
        "Keys: templates" toml r#"
  [entity.Employee]
  table = "Employees"
- partition = "{departement}"
+ partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }
"#
    D009 "A template contains an unmatched brace."
        "Keys: templates" toml r#"
  [entity.Employee]
  table = "Employees"
- partition = "{department"
+ partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }
"#
    D010 "The format of a template field does not support the type of the field."
        "Keys: formats" toml r#"
  [entity.Employee]
  table = "Employees"
- partition = "{department:06}"
+ partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }
"#
    D011 "A key template contains a forbidden character: a slash, a backslash, `#`, `?`, a control character."
        "Keys: forbidden characters" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
- row = "emp/{id:06}"
+ row = "emp_{id:06}"
  fields = { department = "string(40)", id = "u32" }
"#
    D012 "A table name does not consist of 3 to 63 letters and digits that start with a letter."
        "Tables: their names" toml r#"
  [entity.Employee]
- table = "our-employees"
+ table = "Employees"
  partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }
"#
    D013 "A template field of a table name does not produce a fixed number of letters and digits, or the keys do not contain it."
        "P8 High-volume delete" toml r#"
  [entity.Login]
- table = "Logins{user}"
+ table = "Logins{at:%Y%m%d}"
  partition = "{user}"
  row = "{at:ticks}"
  fields = { user = "string(40)", at = "datetime" }
"#
    D014 "A query, relation, aggregate or copied field refers to an unknown entity."
        "Design files: names" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }

  [query.employee]
- find = "Employe"
+ find = "Employee"
  where = "department = ? and id = ?"
"#
    D015 "A condition tests an unknown field."
        "Design files: conditions" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }

  [query.employee]
  find = "Employee"
- where = "department = ? and number = ?"
+ where = "department = ? and id = ?"
"#
    D016 "A condition is not valid."
        "Design files: conditions" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }

  [query.employee]
  find = "Employee"
- where = "department == ? and id == ?"
+ where = "department = ? and id = ?"
"#
    D017 "A rate is not valid."
        "Design files: the load" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }

  [load.Employee]
- insert = "10 per second"
+ insert = "10/s"
"#
    D018 "A time span is not valid."
        "Design files: spans" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
- keep = "three months"
+ keep = "90d"
  fields = { department = "string(40)", id = "u32" }
"#
    D019 "`wide` is used without `{part}`, `shard` without `{shard}`, or the reverse."
        "P10 Wide entity; spread keys" toml r#"
  [entity.Year]
  table = "Years"
  partition = "{site}"
- row = "{year:04}"
+ row = "{year:04}_{part:02}"
  wide = 200

  [entity.Year.fields]
  site = "string(20)"
  year = "u16"
  day = { type = "i32", series = 365 }
"#
    D020 "A field has an option that its type does not support."
        "Entities: options of fields" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"

  [entity.Employee.fields]
  department = "string(40)"
  id = "u32"
- photo = { type = "u32", blob = true }
+ photo = { type = "binary", blob = true }
"#
    D021 "A list of fields contains an unknown field."
        "Indexes: what is copied" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
- index.by_email = { row = "email_{email}", unique = true, copy = ["title"] }
+ index.by_email = { row = "email_{email}", unique = true, copy = ["name"] }
  fields = { department = "string(40)", id = "u32", email = "string(60)", name = "string(40)" }
"#
    D022 "The name of a field or property is reserved for the service or the library."
        "Entities: names" toml r#"
  [entity.Login]
  table = "Logins"
  partition = "{user:08}"
- row = "{Timestamp:ticks}"
- fields = { user = "u32", Timestamp = "datetime" }
+ row = "{at:ticks}"
+ fields = { user = "u32", at = "datetime" }
"#
    D023 "The load refers to an unknown entity, field or value."
        "Design files: the load" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"
  fields = { department = "string(40)", id = "u32" }

- [load.Employes]
+ [load.Employee]
  count = 100_000
"#
    D024 "A number is outside the range of its key."
        "Design files: keys" toml r#"
  [entity.Reading]
  table = "Readings"
- partition = "{shard:02}"
- shard = { of = "id", count = 1 }
+ partition = "{shard:02}"
+ shard = { of = "id", count = 16 }
  row = "{id:08}"
  fields = { id = "u32" }
"#
    D025 "The maximum length of a string exceeds 32,768 characters, or that of bytes 65,536."
        "P11 Large entity" toml r#"
  [entity.Report]
  table = "Reports"
  partition = "{department}"
  row = "{id:06}"

  [entity.Report.fields]
  department = "string(40)"
  id = "u32"
- text = "string(40000)"
+ text = { type = "string", blob = true }
"#
    D026 "The version in `needs` is greater than the version of this program."
        "Design files: versions" toml r#"
- needs = "99.0"
  design = "company"
"#
    D027 "A property name does not consist of letters, digits and `_`, or starts with a digit."
        "Entities: names" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"

  [entity.Employee.fields]
  department = "string(40)"
  id = "u32"
- name = { type = "string(40)", rename = "full-name" }
+ name = { type = "string(40)", rename = "full_name" }
"#
    D028 "Two fields have the same property name."
        "Entities: names" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "{id:06}"

  [entity.Employee.fields]
  department = "string(40)"
  id = "u32"
  email = "string(60)"
- private = { type = "string(60)", rename = "email" }
+ private = { type = "string(60)", rename = "private_email" }
"#
    D029 "Two indexes or lookups of an entity have the same name."
        "Indexes: names" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
  index.by_name = { row = "name_{name}_{id:06}" }
- lookup.by_name = { on = ["name"] }
+ lookup.same_name = { on = ["name"] }
  fields = { department = "string(40)", id = "u32", name = "string(40)" }
"#
    D030 "An entity has a version greater than 1 and no older type for existing rows."
        "Entities: versions" rust r#"
  #[derive(TableEntity)]
  #[table(name = "Employees", partition = "{department}", row = "{id:06}")]
- #[table(version = 2)]
+ #[table(version = 2, from(EmployeeV1))]
  struct Employee {
      department: String,
      id: u32,
  }
"#
    D031 "The key of an index that is not unique does not contain the key of the entity."
        "P1 Index in the partition" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
- index.by_age = { row = "age_{age:03}" }
+ index.by_age = { row = "age_{age:03}_{id:06}" }
  fields = { department = "string(40)", id = "u32", age = "i32" }
"#
    D032 "An index in another partition copies no fields, and its key does not contain the key of the entity."
        "P1 Index in the partition: what is copied" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
- index.by_age = { partition = "age_{age:03}", row = "{id:06}", copy = [] }
+ index.by_age = { partition = "age_{age:03}", row = "{department}_{id:06}", copy = [] }
  fields = { department = "string(40)", id = "u32", age = "i32" }
"#
    D033 "A key contains an optional field, and the index is not `sparse`."
        "P1 Index in the partition: some entities only" toml r#"
  [entity.Employee]
  table = "Employees"
  partition = "{department}"
  row = "empid_{id:06}"
- index.by_badge = { row = "badge_{badge:08}", unique = true }
+ index.by_badge = { row = "badge_{badge:08}", unique = true, sparse = true }
  fields = { department = "string(40)", id = "u32", badge = "u32?" }
"#
    D034 "The derive is used on an enum, a union, a generic struct or a struct without named fields."
        "Entities" rust r#"
  #[derive(TableEntity)]
  #[table(name = "Employees", partition = "{department}", row = "{id:06}")]
- struct Employee<T> {
+ struct Employee {
      department: String,
      id: u32,
-     notes: T,
+     notes: String,
  }
"#
    D035 "A serde attribute skips, flattens or converts a field, and no attribute specifies its storage."
        "Entities: serde attributes" rust r#"
  #[derive(Serialize, TableEntity)]
  #[table(name = "Employees", partition = "{department}", row = "{id:06}")]
  struct Employee {
      department: String,
      id: u32,
      #[serde(skip)]
+     #[table(keep)]
      salary: i64,
  }
"#
    D036 "An attribute has no effect at its position, or contradicts another attribute."
        "Design files: keys" toml r#"
  [entity.Login]
  table = "Logins"
  partition = "{user:08}"
  row = "{at:inverted_ticks}"
  fields = { user = "u32", at = "datetime" }

  [query.last_ten]
  find = "Login"
  where = "user = ?"
- limit = 10
  latest = 10
"#
}
