//! The corpus of mistakes: for each the code, the place and the whole text, as every front end prints it.

#![expect(clippy::expect_used, reason = "a test may stop where its own data is wrong")]

use table_schema::{
    Mistake,
    catalogue::{Code, Severity},
    design::{
        CopiedFields, EntityDesign, FieldDesign, FieldKind, IndexDesign, LookupDesign, LookupPlace, Place,
        Series, Shard, TemplateText, Which,
    },
    rules::{check, check_together},
};

const TEXT: FieldKind = FieldKind::Text { max: None };
const U32: FieldKind = FieldKind::Int { bits: 32, signed: false };
const I32: FieldKind = FieldKind::Int { bits: 32, signed: true };

fn text(max: usize) -> FieldKind {
    FieldKind::Text { max: Some(max) }
}

/// An entity with these templates and fields.
fn entity(name: &str, partition: &str, row: &str, fields: &[(&str, FieldKind)]) -> EntityDesign {
    let mut design = EntityDesign::new(name);
    design.table = Some("Employees".into());
    design.partition = Some(partition.into());
    design.row = Some(row.into());
    design.fields = fields.iter().map(|(name, kind)| FieldDesign::new(*name, kind.clone())).collect();
    design
}

fn employee() -> EntityDesign {
    let fields = [
        ("department", TEXT),
        ("id", U32),
        ("first_name", TEXT),
        ("last_name", TEXT),
        ("email", TEXT),
        ("badge", U32),
        ("age", I32),
    ];
    entity("Employee", "{department}", "empid_{id:06}", &fields)
}

fn with_index(index: IndexDesign) -> EntityDesign {
    let mut design = employee();
    design.indexes.push(index);
    design
}

fn field<'d>(design: &'d mut EntityDesign, name: &str) -> &'d mut FieldDesign {
    design.fields.iter_mut().find(|field| field.name == name).expect("a field of the test's own")
}

/// The only mistake of a design.
fn only(design: &EntityDesign) -> Mistake {
    let mut mistakes = check(design);
    assert_eq!(mistakes.len(), 1, "{mistakes:#?}");
    mistakes.remove(0)
}

fn is(design: &EntityDesign, code: Code, place: &Place, text: &str) {
    let mistake = only(design);
    assert_eq!(mistake.to_string(), text);
    assert_eq!((mistake.code, &mistake.place), (code, place));
}

/// The only mistake of an entity `E` with text `p`, this row and these fields, in the row's template.
fn row_is(row: &str, fields: &[(&str, FieldKind)], code: Code, carets: &str, message: &str, help: &str) {
    let fields: Vec<_> = [("p", TEXT)].into_iter().chain(fields.iter().cloned()).collect();
    let mistake = only(&entity("E", "{p}", row, &fields));
    let expected = format!("{message}\n  \"{row}\"\n   {carets}\n\nhelp: {help}");
    assert_eq!(mistake.to_string(), expected);
    assert_eq!(mistake.code, code);
    assert!(matches!(mistake.place, Place::Template { which: Which::Row, .. }), "{:?}", mistake.place);
}

#[test]
fn a_sound_design_has_no_mistakes() {
    assert_eq!(check(&employee()), []);
    let mut rich = with_index(IndexDesign { unique: true, ..IndexDesign::new("by_email", "email_{email}") });
    rich.indexes.push(IndexDesign {
        partition: Some("badge_{department}".into()),
        unique: true,
        copy: CopiedFields::Only(vec!["first_name".to_owned()]),
        ..IndexDesign::new("by_badge", "{badge:08}")
    });
    rich.lookups.push(LookupDesign {
        name: "by_last_name".to_owned(),
        on: vec!["last_name".to_owned()],
        ..LookupDesign::default()
    });
    assert_eq!(check(&rich), []);
}

#[test]
fn names_that_do_not_exist() {
    row_is(
        "{departmnt}",
        &[("department", TEXT)],
        Code::D008,
        "^^^^^^^^^^^",
        "`E` has no field `departmnt`",
        "did you mean `department`?",
    );
    row_is("k_{qqq}", &[("id", U32)], Code::D008, "  ^^^^^", "`E` has no field `qqq`", "fields: p, id");
    let mut design =
        with_index(IndexDesign { unique: true, ..IndexDesign::new("by_email", "email_{email}") });
    design.indexes[0].copy = CopiedFields::Only(vec!["age".to_owned(), "frist_name".to_owned()]);
    is(
        &design,
        Code::D021,
        &Place::IndexCopy(0, 1),
        "`Employee` has no field `frist_name`\n\nhelp: did you mean `first_name`?",
    );
}

#[test]
fn values_that_do_not_sort_as_text() {
    let unpadded = |name: &str| format!("integer `{name}` has no width: 10 would sort before 9");
    row_is(
        "empid_{id}",
        &[("id", U32)],
        Code::K10,
        "      ^^^^",
        &unpadded("id"),
        "write `{id:010}` (or fewer digits, if values stay small)",
    );
    row_is(
        "empid_{n}",
        &[("n", I32)],
        Code::K10,
        "      ^^^",
        &unpadded("n"),
        "write `{n:010}`, or `{n:ord}` if it can be negative",
    );
    row_is(
        "{x}",
        &[("x", FieldKind::Float { bits: 64 })],
        Code::K10,
        "^^^",
        "float `x` does not sort as text",
        "write `{x:ord}`",
    );
    row_is(
        "{at}",
        &[("at", FieldKind::Time)],
        Code::K10,
        "^^^^",
        "time `at` needs a format",
        "write `{at:ticks}`, `{at:inverted_ticks}` for newest first, or `{at:%Y%m%d}`",
    );
    row_is(
        "{x:ord}",
        &[("x", FieldKind::Unknown)],
        Code::K10,
        "^^^^^^^",
        "`:ord` needs its width: the type of `x` cannot be seen here",
        "write `{x:ord32}` or `{x:ord64}`",
    );
}

#[test]
fn formats_that_are_none_or_do_not_fit() {
    row_is(
        "{id:6}",
        &[("id", U32)],
        Code::D010,
        "^^^^^^",
        "format `:6` pads with spaces in Rust, which keys do not use",
        "write `{id:06}` for zero padding",
    );
    row_is(
        "{at:tics}",
        &[("at", FieldKind::Time)],
        Code::D010,
        "^^^^^^^^^",
        "unknown key format `tics`",
        "did you mean `ticks`?",
    );
    row_is(
        "{at:%d%m%Y}",
        &[("at", FieldKind::Time)],
        Code::D010,
        "^^^^^^^^^^^",
        "`%d%m%Y` does not sort by time: %d comes where %Y must",
        "write `{at:%Y%m%d}`: largest unit first, none left out",
    );
    row_is(
        "{s:06}",
        &[("s", TEXT)],
        Code::D010,
        "^^^^^^",
        "format `:06` is for integers; `s` is text",
        "formats for text: none, `esc`",
    );
    row_is(
        "{n:ord64}",
        &[("n", I32)],
        Code::D010,
        "^^^^^^^^^",
        "`:ord64` is 64 bits wide; `n` has 32",
        "formats for a signed integer: `0N`, `ord`",
    );
    row_is(
        "{id:ord}",
        &[("id", U32)],
        Code::D010,
        "^^^^^^^^",
        "format `:ord` is for signed integers and floats; `id` is an unsigned integer",
        "formats for an unsigned integer: `0N`",
    );
    row_is(
        "{j}",
        &[("j", FieldKind::Json)],
        Code::D010,
        "^^^",
        "`j` is JSON; it cannot be part of a key",
        "key by another field",
    );
    row_is(
        "{id:040}",
        &[("id", U32)],
        Code::D024,
        "^^^^^^^^",
        "a number in a key has 1 to 39 digits, not `040`",
        "write `{id:06}` for six digits",
    );
}

#[test]
fn texts_that_are_no_templates() {
    row_is("{a", &[("a", TEXT)], Code::D009, "^^", "`{` is not closed", "write `{{` for a brace in the key");
    row_is(
        "é{a{b}",
        &[("a", TEXT)],
        Code::D009,
        " ^^",
        "`{` is not closed",
        "write `{{` for a brace in the key",
    );
    row_is("a}", &[], Code::D009, " ^", "`}` without `{`", "write `}}` for a brace in the key");
    row_is(
        "a/{b}",
        &[("b", TEXT)],
        Code::D011,
        " ^",
        "`/` cannot be in a key: Azure forbids / \\ # ? and control characters",
        "use another separator, `_` for example",
    );
    row_is(
        "!a_{b}",
        &[("b", TEXT)],
        Code::D022,
        "^",
        "row keys that begin with `!` are the library's own",
        "begin with another character",
    );
}

#[test]
fn texts_that_do_not_end() {
    row_is(
        "{a}{b}",
        &[("a", TEXT), ("b", TEXT)],
        Code::K11,
        "^^^^^^",
        "the end of `a` cannot be told from the start of `b`",
        "put a separator between them: {a}_{b}",
    );
    row_is(
        "{a}x{b}",
        &[("a", TEXT), ("b", TEXT)],
        Code::K11,
        "   ^",
        "`x` can be part of `a`, so it cannot end it",
        "separate with punctuation, `_` for example",
    );
    // A fixed format ends by itself, also when the type alone makes it fixed.
    let fields = [("p", TEXT), ("a", FieldKind::Guid), ("b", FieldKind::Bool), ("c", U32), ("d", TEXT)];
    assert_eq!(check(&entity("E", "{p}", "{a}{b}{c:04}{d}", &fields)), []);
}

#[test]
fn keys_that_can_be_too_long() {
    row_is(
        "{a}",
        &[("a", text(600))],
        Code::K12,
        "^^^",
        "this key can be 600 characters long; a key holds 512 (1 KiB)",
        "shorten a `max`",
    );
    assert_eq!(check(&entity("E", "{p}", "{a}", &[("p", TEXT), ("a", text(512))])), []);
    assert_eq!(check(&entity("E", "{p:esc}", "x", &[("p", text(257))])).len(), 1);
}

#[test]
fn templates_that_are_missing() {
    let mut design = employee();
    design.row = None;
    is(&design, Code::D006, &Place::Entity, "missing `row`\n\nhelp: add it: #[table(row = \"{id:06}\")]");
    is(
        &EntityDesign::new("E"),
        Code::D006,
        &Place::Entity,
        "`E` does not say how it is keyed\n\nhelp: add #[table(name = \"...\", partition = \"{...}\", row = \"{...}\")]",
    );
}

#[test]
fn fields_that_no_key_can_have() {
    let mut design = employee();
    field(&mut design, "id").optional = true;
    is(
        &design,
        Code::D033,
        &Place::Template { which: Which::Row, range: 6..13 },
        "`id` is optional; a key cannot leave a part out\n  \"empid_{id:06}\"\n         ^^^^^^^\n\nhelp: make the field required, or the index `sparse`",
    );
    let mut design =
        with_index(IndexDesign { unique: true, ..IndexDesign::new("by_email", "email_{email}") });
    field(&mut design, "email").optional = true;
    assert_eq!(only(&design).code, Code::D033);
    design.indexes[0].sparse = true;
    assert_eq!(check(&design), []);
    let mut design = employee();
    field(&mut design, "department").encrypted = true;
    is(
        &design,
        Code::W11,
        &Place::Template { which: Which::Partition, range: 0..12 },
        "`department` is encrypted, so it cannot be part of a key\n  \"{department}\"\n   ^^^^^^^^^^^^\n\nhelp: keys travel and sort in clear: key by another field",
    );
}

#[test]
fn rows_that_can_meet() {
    let fields = [("a", TEXT), ("b", TEXT), ("c", TEXT)];
    let mut design = entity("E", "{a}", "{b}", &fields);
    design.indexes.push(IndexDesign { unique: true, ..IndexDesign::new("by_c", "c_{c}") });
    is(
        &design,
        Code::K15,
        &Place::Template { which: Which::Row, range: 0..3 },
        "rows of `by_c` and of `row` share a partition and can have the same key\n  \"{b}\"\n   ^^^\n\nhelp: start the row key with a word of its own: `id_{b}`",
    );
    // In another partition they do not meet, nor beside a number that cannot begin with a letter.
    design.indexes[0].partition = Some("c_{a}".into());
    assert_eq!(check(&design), []);
    let mut numbered = employee();
    numbered.row = Some("{id:06}".into());
    numbered.indexes.push(IndexDesign { unique: true, ..IndexDesign::new("by_email", "email_{email}") });
    assert_eq!(check(&numbered), []);
    numbered.indexes[0].row = Some("{email}".into());
    assert_eq!(only(&numbered).place, Place::Template { which: Which::IndexRow(0), range: 0..7 });
}

#[test]
fn entities_that_share_a_table_keep_apart() {
    let department = entity("Department", "{name}", "department", &[("name", TEXT), ("head", U32)]);
    let person = entity("Person", "{department}", "{name}", &[("department", TEXT), ("name", TEXT)]);
    assert!(check_together(&[&department, &employee()]).is_empty());
    let found = check_together(&[&department, &employee(), &person]);
    assert_eq!(found.len(), 2);
    for (at, mistake) in found {
        assert_eq!((at, mistake.code), (2, Code::K15));
        assert!(
            mistake.message.ends_with("and of `row` share a partition and can have the same key"),
            "{mistake}"
        );
    }
}

#[test]
fn indexes_and_lookups_that_do_not_work() {
    let unique = |name: &str, row: &str| IndexDesign { unique: true, ..IndexDesign::new(name, row) };
    let mut design = with_index(unique("by_email", "email_{email}"));
    design.indexes.push(unique("by_email", "age_{age:ord}"));
    is(&design, Code::D029, &Place::Index(1), "two indexes are called `by_email`");

    is(
        &with_index(unique("", "email_{email}")),
        Code::D006,
        &Place::Index(0),
        "an index starts with its name: index(by_email, row = \"email_{email}\")",
    );
    is(
        &with_index(IndexDesign::new("by_email", "email_{email}")),
        Code::D031,
        &Place::Index(0),
        "two employees can have the same `by_email` key\n\nhelp: add `unique`, or end with the key: `email_{email}_{id:06}`",
    );
    assert_eq!(check(&with_index(IndexDesign::new("by_email", "email_{email}_{id:06}"))), []);

    let by_badge = IndexDesign {
        partition: Some("badge".into()),
        copy: CopiedFields::Only(Vec::new()),
        ..IndexDesign::new("by_badge", "{badge:08}")
    };
    is(
        &with_index(by_badge.clone()),
        Code::D032,
        &Place::Index(0),
        "index `by_badge` cannot lead back to its entity\n\nhelp: add `copy(..)` (the key is always copied) or put `department` in a template",
    );
    assert_eq!(only(&with_index(IndexDesign { copy: CopiedFields::All, ..by_badge })).code, Code::D031);

    let mut design = employee();
    design.lookups.push(LookupDesign { name: "by_last_name".to_owned(), ..LookupDesign::default() });
    is(
        &design,
        Code::D006,
        &Place::Lookup(0),
        "lookup `by_last_name` does not say which field it is on\n\nhelp: write lookup(by_last_name, on = last_name, place = partition)",
    );
    design.lookups[0].on = vec!["lastname".to_owned()];
    assert_eq!(only(&design).place, Place::LookupOn(0, 0));
}

#[test]
fn the_rows_of_a_lookup_begin_with_its_word() {
    let mut design = employee();
    design.lookups.push(LookupDesign {
        name: "by_last_name".to_owned(),
        on: vec!["last_name".to_owned()],
        ..LookupDesign::default()
    });
    let kinds = design.row_kinds();
    assert_eq!(kinds[1].row.text(), "lastname_{last_name}");
    design.lookups[0].on.push("badge".to_owned());
    assert_eq!(design.row_kinds()[1].row.text(), "lastname_{last_name}_{badge:010}");
    design.lookups[0].place = LookupPlace::Blob;
    assert_eq!(design.row_kinds().len(), 1);
}

#[test]
fn properties_that_cannot_be() {
    let renamed = |name: &str, property: &str| {
        let mut design = employee();
        property.clone_into(&mut field(&mut design, name).property);
        design
    };
    is(
        &renamed("age", "Timestamp"),
        Code::D022,
        &Place::Field(6),
        "`Timestamp` is the service's own property\n\nhelp: rename the field, or only its property: #[table(rename = \"...\")]",
    );
    is(
        &renamed("age", "email"),
        Code::D028,
        &Place::Field(6),
        "`email` and `age` are both stored as `email`",
    );
    for (property, code) in [
        ("_tx", Code::D022),
        ("EntityType", Code::D022),
        ("odata.type", Code::D022),
        ("1st", Code::D027),
        ("a-b", Code::D027),
        ("", Code::D027),
        (&"x".repeat(256), Code::D027),
    ] {
        assert_eq!(only(&renamed("age", property)).code, code, "{property}");
    }
    assert_eq!(only(&entity("E", "{a}", "x", &[("a", TEXT), ("part", U32)])).code, Code::D022);
}

#[test]
fn more_properties_than_an_entity_holds() {
    let mut design =
        entity("E", "{employee}", "{year:04}", &[("employee", TEXT), ("year", U32), ("days", I32)]);
    field(&mut design, "days").series = Some(Series::Slots(365));
    is(
        &design,
        Code::S03,
        &Place::Entity,
        "`E` needs 367 properties; an entity holds 252\n\nhelp: split it over several entities: #[table(wide = 200, row = \"{year:04}_{part:02}\")]",
    );
    design.wide = Some(200);
    assert_eq!(only(&design).code, Code::D019);
    design.row = Some("{year:04}_{part:02}".into());
    assert_eq!(check(&design), []);
    design.wide = Some(251);
    assert_eq!(only(&design).message, "a part holds 1 to 250 properties of yours, not 251");
    design.wide = None;
    field(&mut design, "days").series = Some(Series::Slots(24));
    assert_eq!(only(&design).message, "`{part}` without `wide`");
    design.wide = Some(20);
    design.row = Some("{part:02}_{year:04}".into());
    assert_eq!(only(&design).message, "`{part}` is not at the end: the parts would not lie side by side");
}

#[test]
fn a_copy_can_be_wider_than_its_entity() {
    let mut design =
        with_index(IndexDesign { unique: true, ..IndexDesign::new("by_email", "email_{email}") });
    design.fields.push(FieldDesign::new("hours", I32));
    // Five plain fields, EntityType, _tx and _ix beside them: 252 in all. The copy holds `id`, but neither `email` nor _ix.
    field(&mut design, "hours").series = Some(Series::Slots(244));
    assert_eq!(check(&design), []);
    // Elsewhere a copy has three more of the library's own.
    design.indexes[0].partition = Some("mail".into());
    is(
        &design,
        Code::S03,
        &Place::Index(0),
        "a copy in `by_email` needs 255 properties; an entity holds 252\n\nhelp: copy fewer fields: copy(..)",
    );
    design.indexes[0].copy = CopiedFields::Only(vec!["age".to_owned()]);
    assert_eq!(check(&design), []);
    let kinds = design.row_kinds();
    let copied: Vec<&str> =
        design.copied_fields(&design.indexes[0], &kinds[1]).iter().map(|field| field.name.as_str()).collect();
    assert_eq!(copied, ["department", "id", "age"]);
}

#[test]
fn older_rows_stay_readable() {
    let mut design = employee();
    design.version = 2;
    assert_eq!(design.entity_type_value().as_deref(), Some("Employee.v2"));
    is(
        &design,
        Code::D030,
        &Place::Word("version"),
        "rows of version 1 cannot be read\n\nhelp: from(EmployeeV1) and `impl From<EmployeeV1> for Employee`",
    );
    design.from.push("EmployeeV1".to_owned());
    assert_eq!(check(&design), []);
}

#[test]
fn a_shard_and_its_hole_belong_together() {
    let mut design = employee();
    design.partition = Some("{shard:02}".into());
    assert_eq!(only(&design).message, "`{shard}` without `shard`");
    design.shard = Some(Shard { of: "id".to_owned(), count: 16 });
    assert_eq!(check(&design).len(), 0);
    design.shard = Some(Shard { of: "idd".to_owned(), count: 1 });
    let codes: Vec<Code> = check(&design).iter().map(|mistake| mistake.code).collect();
    assert_eq!(codes, [Code::D021, Code::D024]);
    design.partition = Some("{shard}".into());
    design.shard = Some(Shard { of: "id".to_owned(), count: 16 });
    assert_eq!(only(&design).code, Code::K10);
}

#[test]
fn inserts_at_one_end_are_warned_of() {
    let fields = [("at", FieldKind::Time), ("id", U32)];
    for (partition, code) in [
        ("{at:%Y%m%d}", Code::K03),
        ("log_{at:ticks}", Code::K03),
        ("{at:inverted_ticks}", Code::K04),
        ("all", Code::K05),
    ] {
        let mut design = entity("E", partition, "{id:06}", &fields);
        let mistake = only(&design);
        assert_eq!((mistake.code, mistake.severity()), (code, Severity::Warning), "{partition}");
        assert_eq!(mistake.message, "every insert goes to the newest end of one partition range");
        assert_eq!(mistake.help.as_deref(), Some("spread it, or #[table(allow(append_only))]"));
        design.allow_append_only = true;
        assert_eq!(check(&design), []);
    }
    let mut daily = entity("E", "{at:%Y%m%d%H}", "{id:06}", &fields);
    daily.table = Some("Logs{at:%Y%m%d}".into());
    assert_eq!(check(&daily), []);
    assert_eq!(check(&entity("E", "settings", "current", &fields)), []);
}

#[test]
fn table_names_that_no_table_has() {
    let named = |name: &str| {
        let mut design = entity("E", "{p}", "x", &[("p", TEXT), ("at", FieldKind::Time), ("n", U32)]);
        design.table = Some(TemplateText::new(name));
        check(&design).into_iter().map(|mistake| (mistake.code, mistake.to_string())).collect::<Vec<_>>()
    };
    for good in ["Employees", "Logins{at:%Y%m%d}", "T{n:04}", "abc", &"x".repeat(63)] {
        assert_eq!(named(good), [], "{good}");
    }
    for (bad, code) in [
        ("Em-ployees", Code::D012),
        ("1st", Code::D012),
        ("{at:%Y%m}", Code::D012),
        ("ab", Code::D012),
        ("TABLES", Code::D012),
        ("Logins{at:%Y-%m}", Code::D013),
        ("Of{p}", Code::D013),
        (&format!("{}{{n:04}}", "x".repeat(60)), Code::D013),
        ("a/b", Code::D011),
    ] {
        let found = named(bad);
        assert_eq!(found.iter().map(|(code, _)| *code).collect::<Vec<_>>(), [code], "{bad} {found:?}");
    }
    assert_eq!(
        named("Em-ployees")[0].1,
        "`-` cannot be in a table name\n  \"Em-ployees\"\n     ^\n\nhelp: letters and digits only: `Employees`"
    );
}

#[test]
fn all_mistakes_come_together_sorted_by_place() {
    let mut design = entity("E", "{b}", "{a}x{n}", &[("a", TEXT), ("n", U32), ("z", TEXT)]);
    "Timestamp".clone_into(&mut design.fields[2].property);
    design.indexes.push(IndexDesign::new("by_z", "z_{zz}"));
    let codes: Vec<Code> = check(&design).iter().map(|mistake| mistake.code).collect();
    assert_eq!(codes, [Code::D008, Code::K15, Code::K11, Code::K10, Code::D031, Code::D008, Code::D022]);
    assert!(
        check(&design)[2]
            .with_code()
            .starts_with("`x` can be part of `a`, so it cannot end it [K11]\n  \"{a}x{n}\"")
    );
}

#[test]
fn a_field_is_stored_unless_a_key_gives_it_back() {
    let fields =
        [("user", TEXT), ("at", FieldKind::Time), ("day", FieldKind::Date), ("host", TEXT), ("n", I32)];
    let mut design = entity("Login", "{user:esc}", "{day:%Y%m%d}_{at:%Y%m%d%H}_{n:ord}", &fields);
    let stored =
        |design: &EntityDesign| design.stored_fields().map(|field| field.name.clone()).collect::<Vec<_>>();
    // A time is cut by its hour, a day is not by its date.
    assert_eq!(stored(&design), ["at", "host"]);
    field(&mut design, "user").store = true;
    field(&mut design, "host").skip = true;
    assert_eq!(stored(&design), ["user", "at"]);
    // What only the table's name holds is stored.
    design.row = Some("{at:ticks}".into());
    design.table = Some("Days{day:%Y%m%d}".into());
    assert_eq!(stored(&design), ["user", "day", "n"]);
}
