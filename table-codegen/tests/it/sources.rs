//! Reverse conversion: reading the generated code as source produces the same design.

#![expect(clippy::panic, reason = "a test that cannot go on says why")]

use table_codegen::{
    FromDesigns, Schema, Source, design_hash, from_sources,
    generate::{Options, generate},
    read, write,
};

fn from(name: &str, text: &str) -> FromDesigns {
    from_sources(name, &[Source::new("entities.rs", text)])
        .unwrap_or_else(|mistakes| panic!("{}", mistakes.iter().map(ToString::to_string).collect::<String>()))
}

/// Removes the parts of a design that structs do not contain: relations, logs and retention periods.
fn of_structs(mut schema: Schema) -> Schema {
    schema.relations.clear();
    schema.logs.clear();
    schema.entities.iter_mut().for_each(|entity| entity.keep = None);
    schema
}

#[test]
fn there_and_back_is_the_same_design() {
    for name in ["events", "iot", "logins", "orders"] {
        let path = format!("{}/tests/schemas/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let schema = of_structs(read(&text, name).unwrap_or_else(|mistakes| panic!("{mistakes}")));
        let rust = generate(&schema, &Options::default()).unwrap().root;
        let back = from(name, &rust);
        assert_eq!(back.notes, [""; 0], "{name}");
        assert_eq!(design_hash(&back.schema), design_hash(&schema), "{name}:\n{}", write(&back.schema));
        let again = read(&write(&back.schema), name).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        assert_eq!(design_hash(&again), design_hash(&schema), "{name}");
    }
}

/// The generator renames key fields after the source and converts copied fields to plain fields. The result is a
/// different design, which round-trips unchanged.
#[test]
fn what_the_generator_says_otherwise_is_said_so_from_then_on() {
    let path = format!("{}/tests/schemas/company.toml", env!("CARGO_MANIFEST_DIR"));
    let schema = read(&std::fs::read_to_string(path).unwrap(), "company").unwrap();
    let written = |schema: &Schema| generate(schema, &Options::default()).unwrap().root;
    let first = from("company", &written(&schema)).schema;
    let again = from("company", &written(&first)).schema;
    assert_eq!(design_hash(&first), design_hash(&again));
    let staff = |schema: &Schema| {
        design_hash(&Schema {
            entities: vec![schema.entity("Employee").unwrap().clone()],
            ..Schema::default()
        })
    };
    assert_eq!(staff(&first), staff(&schema), "{}", write(&first));
}

#[test]
fn newtypes_and_aliases_are_read_and_other_types_are_errors() {
    let text = r#"
        #[derive(TableEntity)]
        #[table(name = "Tasks", partition = "{project}", row = "{id:010}")]
        struct Task {
            project: Project, id: TaskId, state: State, level: Option<Level>, due: Due, price: Money, rate: f64,
            #[table(max = 10)] code: Code, #[table(json)] tags: Tags, #[table(skip)] cache: Cache,
        }
        #[derive(TableValue, KeyPart)]
        struct TaskId(u32);
        #[derive(KeyPart)]
        struct Project(String);
        #[derive(TableValue)]
        struct Outer(Inner);
        #[derive(TableValue)]
        enum Inner { A, B }
        type State = Outer;
        #[derive(TableValue)]
        #[table(repr = int)]
        enum Level { Low = 1, High = 2 }
        type Due = chrono::DateTime<Utc>;
        #[derive(TableValue)]
        struct Money(crate::Cents);
        type Cents = i64;
    "#;
    let FromDesigns { schema, notes } = from("tasks", text);
    assert_eq!(notes, [""; 0]);
    let written = write(&schema);
    for line in [
        "project = \"string\"",
        "id = \"u32\"",
        "state = \"enum(A, B)\"",
        "level = \"i32?\"",
        "due = \"datetime\"",
        "price = \"i64\"",
    ] {
        assert!(written.contains(line), "{line}\n{written}");
    }
    let unknown =
        text.replace("type Cents = i64;", "type Cents = Cents;").replace("id: TaskId", "id: far::Id");
    let mistakes = from_sources("tasks", &[Source::new("a.rs", unknown)]).unwrap_err();
    let shown: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
    // The format of the key states the type of the id.
    assert_eq!(shown.len(), 1, "{shown:?}");
    assert!(
        shown[0].starts_with("a.rs:5:") && shown[0].contains("`Task.price` has the type `Money`"),
        "{shown:?}"
    );
}

#[test]
fn fields_of_a_nested_struct_are_fields_of_the_entity() {
    let entity = r#"
        #[derive(TableEntity)]
        #[table(name = "Customers", partition = "{region}", row = "{id:06}")]
        #[table(index(by_id, partition = "c_{id:06}", row = "{region}", copy(home)))]
        struct Customer { region: String, id: u32, #[table(flatten, rename = "Home")] home: model::Address }
    "#;
    let nested = r#"
        #[derive(TableFields)]
        #[table(rename_all = "PascalCase")]
        struct Address {
            street: String, zip_code: Option<String>, #[table(default)] floor: i32, kind: Kind,
            #[table(json)] notes: Vec<String>, #[table(skip)] is_checked: bool,
        }
        #[derive(TableValue)]
        enum Kind { House, Flat }
    "#;
    let sources = [Source::new("entity.rs", entity), Source::new("nested.rs", nested)];
    let FromDesigns { schema, notes } = from_sources("shop", &sources).unwrap();
    assert_eq!(notes, [""; 0]);
    let customer = schema.entity("Customer").unwrap();
    let fields: Vec<_> = customer.fields.iter().map(|field| (&*field.name, &*field.property)).collect();
    let expected = [
        ("region", "region"),
        ("id", "id"),
        ("home_street", "Home_Street"),
        ("home_zip_code", "Home_ZipCode"),
        ("home_floor", "Home_Floor"),
        ("home_kind", "Home_Kind"),
        ("home_notes", "Home_Notes"),
    ];
    assert_eq!(fields, expected);
    let copied: Vec<String> = expected[2..].iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(customer.indexes[0].copy, table_schema::design::CopiedFields::Only(copied));
    let written = write(&schema);
    let again = read(&written, "shop").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!(design_hash(&again), design_hash(&schema), "{written}");

    let mistakes = from_sources("shop", &sources[..1]).unwrap_err();
    let shown = mistakes[0].to_string();
    assert!(
        shown.starts_with("entity.rs:5:") && shown.ends_with("declares it with `#[derive(TableFields)]`"),
        "{shown}"
    );
}

#[test]
fn variants_of_an_enum_are_a_tag_and_optional_fields() {
    let text = r#"
        #[derive(TableEntity)]
        #[table(name = "Orders", partition = "{shop}", row = "{id:06}")]
        struct Order { shop: String, id: u32, #[table(flatten)] payment: Payment }
        #[derive(TableFields)]
        #[table(rename_all = "snake_case")]
        enum Payment { Card { last4: String }, Transfer { iban: String, days: Option<i32> }, Cash }
    "#;
    let FromDesigns { schema, notes } = from_sources("shop", &[Source::new("order.rs", text)]).unwrap();
    assert_eq!(notes, [""; 0]);
    let written = write(&schema);
    let fields = r#"
payment_kind = "enum(card, transfer, cash)"
payment_last4 = { type = "string?", tag = "payment_kind", required_in = ["card"] }
payment_iban = { type = "string?", tag = "payment_kind", required_in = ["transfer"] }
payment_days = "i32?"
"#;
    assert!(written.contains(fields), "{written}");
    let read = read(&written, "shop.toml").unwrap();
    assert_eq!(read.entity("Order").unwrap().fields, schema.entity("Order").unwrap().fields);
    let refused = generate(&read, &Options::default()).unwrap_err().to_string();
    assert!(refused.starts_with("entity.Order.fields.payment_last4.required_in: no code"), "{refused}");
    let required = schema.entity("Order").unwrap().fields[4].required_if.clone().unwrap();
    assert_eq!((required.tag.as_str(), required.words), ("payment_kind", vec!["transfer".to_owned()]));
}

/// Without the default, the new field would be a required field that older rows lack.
#[test]
fn defaults_of_enums_are_words() {
    let text = r#"
        #[derive(TableEntity)]
        #[table(name = "Tasks", partition = "{project}", row = "{id:06}")]
        #[table(index(by_priority, row = "p_{priority}_{id:06}"))]
        struct Task {
            project: String, id: u32, #[table(default)] priority: Outer, #[table(default)] level: Level,
            #[table(default)] rank: Rank, #[table(default)] opened: Timestamp, #[table(default)] kind: Kind,
        }
        #[derive(TableValue, Default)]
        struct Outer(Priority);
        #[derive(TableValue, KeyPart, Default)]
        #[table(rename_all = "snake_case")]
        enum Priority { High, #[default] VeryLow }
        #[derive(TableValue, Default)]
        #[table(repr = int)]
        enum Level { High = 1, #[default] Low = 0 }
        #[derive(TableValue, Default)]
        #[table(repr = int)]
        enum Rank { First, #[default] Second }
        #[derive(TableValue)]
        enum Kind { A, B }
        impl Default for Kind { fn default() -> Self { Self::B } }
    "#;
    let FromDesigns { schema, notes } = from("tasks", text);
    let left_out: Vec<_> = notes.iter().map(|note| note.split(',').next().unwrap_or_default()).collect();
    assert_eq!(
        left_out,
        [
            "`Task.rank` has the default of `Rank`",
            "`Task.opened` has the default of `Timestamp`",
            "`Task.kind` has the default of `Kind`",
        ]
    );
    let written = write(&schema);
    let priority = "priority = { type = \"enum(high, very_low)\", default = \"very_low\" }\n";
    assert!(written.contains(priority), "{written}");
    assert!(written.contains("level = { type = \"i32\", default = 0 }\n"), "{written}");
    assert!(written.contains("rank = \"i32\"\n") && written.contains("kind = \"enum(A, B)\"\n"), "{written}");
    let again = read(&written, "tasks").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!(design_hash(&again), design_hash(&schema), "{written}");
    let rust = generate(&again, &Options::default()).unwrap().root;
    assert!(rust.contains("#[table(default)]\n    pub priority: TaskPriority,"), "{rust}");
    assert!(
        rust.contains("#[derive(TableValue, KeyPart, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]"),
        "{rust}"
    );
    assert!(rust.contains("#[default]\n    VeryLow,"), "{rust}");
    assert_eq!(design_hash(&from("tasks", &rust).schema), design_hash(&schema), "{rust}");
    for wrong in ["\"low\"", "0"] {
        let found = read(&written.replace("default = \"very_low\"", &format!("default = {wrong}")), "tasks");
        let found = found.unwrap_err().to_string();
        assert!(found.contains("this default is no value of `priority`"), "{found}");
    }
}

/// `"normal()"` of a text is a value: only the word tells them apart.
#[test]
fn functions_are_named_by_their_paths() {
    let text = r#"
        #[derive(TableEntity)]
        #[table(name = "Tasks", partition = "{project}", row = "{id:06}", validate = rules::check)]
        struct Task {
            project: String,
            id: u32,
            #[table(default = ranks::normal)]
            rank: u8,
            #[table(default)]
            title: String,
        }
    "#;
    let FromDesigns { schema, notes } = from("tasks", text);
    assert_eq!(notes, [""; 0]);
    let written = write(&schema);
    assert!(
        written.contains("rank = { type = \"u8\", default_function = \"ranks::normal\" }\n"),
        "{written}"
    );
    assert!(written.contains("validate_function = \"rules::check\"\n"), "{written}");
    let again = read(&written, "tasks").unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!(design_hash(&again), design_hash(&schema), "{written}");
    let invalid = read(&written.replace("rules::check", "check()"), "tasks").unwrap_err().to_string();
    assert!(invalid.contains("\"check()\" is no path of a function"), "{invalid}");
    let rust = generate(&again, &Options::default()).unwrap().root;
    assert!(rust.contains("#[table(default = ranks::normal)]\n    pub rank: u8,"), "{rust}");
    assert!(rust.contains("validate = rules::check"), "{rust}");
    for (wrong, message) in [
        ("default = 0, default_function = \"normal\"", "has `default` and `default_function`"),
        (
            "series = 3, default_function = \"normal\"",
            "is a series, whose slots have the default of their type",
        ),
        ("default_function = \"normal()\"", "\"normal()\" is no path of a function"),
        ("default_function = \"\"", "\"\" is no path of a function"),
    ] {
        let text = written.replace("default_function = \"ranks::normal\"", wrong);
        let found = read(&text, "tasks").unwrap_err().to_string();
        assert!(found.contains(message), "{message}\n{found}");
    }
}

#[test]
fn what_a_file_cannot_say_is_noted() {
    let text = r#"
        #[derive(TableEntity)]
        #[table(name = "Tasks", partition = "{project}", row = "{id:06}", from(TaskV1), version = 2)]
        #[table(index(late, row = "late_{id:06}", when = is_late))]
        #[table(index(closed, row = "closed_{id:06}", when = is_closed))]
        #[table(counted_in(Project::closed, when = is_closed), summed_in(Project::size, of = size, when = is_big))]
        #[table(counted_in(Project::late, when = is_late))]
        struct Task {
            project: String, id: u32, state: State, due: Timestamp, title: String, size: i64, is_big: bool,
        }

        #[derive(TableEntity)]
        #[table(name = "Projects", partition = "{project}", row = "project")]
        struct Project {
            project: String,
            #[table(from_source)] closed: i64,
            #[table(from_source)] size: i64,
            #[table(from_source)] late: i64,
        }

        impl Task {
            fn is_late(&self) -> bool { self.due.is_over() }
            fn is_closed(&self) -> bool { self.state == State::Closed && self.title == "it's" }
        }

        #[derive(TableValue)]
        enum State { Open, #[table(rename = "done")] Closed }
    "#;
    let FromDesigns { schema, notes } = from("tasks", text);
    let [late, closed] = schema.entities[0].indexes.as_slice() else { panic!("two indexes") };
    assert_eq!(late.when, None);
    assert_eq!(closed.when.as_ref().unwrap().text, "state = done and title = 'it''s'");
    assert_eq!(
        notes,
        [
            "`Task` reads rows of an older version, which a design file cannot express",
            "`Task.late` selects entities by `is_late`, which a design file cannot express",
            "`Project.late` selects `Task` by `is_late`, which a design file cannot express; it is left out",
        ]
    );
    let [closed, size] = schema.entities[1].totals.as_slice() else { panic!("two totals") };
    assert_eq!(closed.when.as_ref().unwrap().text, "state = done and title = 'it''s'");
    assert_eq!(size.when.as_ref().unwrap().text, "is_big = true");
}

#[test]
fn mistakes_are_those_of_the_derive() {
    let text = "#[derive(TableEntity)]\n#[table(name = \"Things\", partition = \"{idd}\", row = \"a\")]\nstruct A { id: String }";
    let mistakes = from_sources("a", &[Source::new("a.rs", text)]).unwrap_err();
    let shown = mistakes[0].to_string();
    assert!(shown.starts_with("a.rs:2:") && shown.contains("`A` has no field `idd`"), "{shown}");
}

#[test]
fn older_versions_are_left_out_with_a_note() {
    let text = r#"
        mod v1 {
            #[derive(TableEntity)]
            #[table(name = "Notes", partition = "{order}", row = "{id:04}")]
            struct Note { order: String, id: u16 }
        }
        #[derive(TableEntity)]
        #[table(name = "Notes", partition = "{order}", row = "{id:04}", version = 2, from(v1::Note))]
        struct Note { order: String, id: u16, topic: String }
    "#;
    let FromDesigns { schema, notes } = from("notes", text);
    assert_eq!((schema.entities.len(), schema.entities[0].fields.len()), (1, 3));
    assert!(
        notes.iter().any(|note| note == "`Note` of version 1 is an older version of `Note` and is omitted")
    );
    let newer_alone = text.replace(", version = 2, from(v1::Note)", "");
    let mistakes = from_sources("notes", &[Source::new("entities.rs", newer_alone)]).unwrap_err();
    assert!(mistakes[0].to_string().contains("a second entity is named `Note`"), "{mistakes:?}");
}
