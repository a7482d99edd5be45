//! Reading of design files and the resulting diagnostics.

#![expect(clippy::panic, clippy::expect_used, reason = "a test that cannot go on says why")]

use table_codegen::{Diagnostics, Reading, Schema, Source, read, read_with_load};
use table_designs::language::Rate;
use table_schema::{
    design::{CopiedFields, FieldKind},
    language::Span,
};

const HEAD: &str = "tables = 1\ndesign = \"company\"\n";
const EMPLOYEE: &str = r#"
[entity.Employee]
table = "Employees"
partition = "{department}"
row = "empid_{id:06}"
[entity.Employee.fields]
department = "string(40)"
id = "u32"
age = "i32?"
status = "enum(active, left)"
"#;

fn design(rest: &str) -> String {
    format!("{HEAD}{EMPLOYEE}{rest}")
}

fn good(rest: &str) -> Schema {
    read(&design(rest), "company.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn told(text: &str) -> Vec<(String, usize, String)> {
    let mistakes = read(text, "company.toml").expect_err("a mistake");
    mistakes.iter().map(|one| (one.code.to_string(), one.line, one.message.clone())).collect()
}

fn told_of(rest: &str) -> Vec<(String, String)> {
    told(&design(rest)).into_iter().map(|(code, _, message)| (code, message)).collect()
}

#[test]
fn a_misspelled_rule_is_not_the_name_of_a_type() {
    let design = |entity_type: &str| {
        format!(
            "tables = 1\n[entity.A]\ntable = \"Things\"\npartition = \"{{id}}\"\nrow = \"a\"\nentity_type = \
             \"{entity_type}\"\n[entity.A.fields]\nid = \"string(40)\"\n"
        )
    };
    for wrong in ["alwys", "allways", "non", "auot"] {
        let errors = read(&design(wrong), "a.toml").unwrap_err();
        let text = errors.to_string();
        assert!(text.starts_with(&format!("error[D005]: `{wrong}` is no `entity_type`")), "{text}");
        assert!(text.contains("supported: auto, always, none, or the name of a type"), "{text}");
    }
    for name in ["always", "Always", "Auto", "employee", "A"] {
        assert!(read(&design(name), "a.toml").is_ok(), "{name}");
    }
}

#[test]
fn all_mistakes_are_told_at_once_in_the_order_of_the_file() {
    let text = "tables = 1\ncolour = 3\n[entity.Employee]\ntable = \"E_s\"\npartition = \"{departmnt}\"\n\
                [entity.Employee.fields]\ndepartment = \"sting\"\n[query.q]\nfind = \"Employe\"\nrate = true\n";
    let codes: Vec<(String, usize)> = told(text).into_iter().map(|(code, line, _)| (code, line)).collect();
    let expected =
        [("D004", 2), ("D006", 3), ("D012", 4), ("D008", 5), ("D007", 7), ("D014", 9), ("D005", 10)];
    assert_eq!(codes, expected.map(|(code, line)| (code.to_owned(), line)));
}

#[test]
fn what_is_newer_than_the_program_is_not_read() {
    assert_eq!(told("tables = 2\nnonsense = 1\n").len(), 1);
    assert_eq!(told("tables = 1\nneeds = \"99.0\"\nnonsense = 1\n")[0].0, "D026");
    assert!(read("tables = 1\nneeds = \"0.1\"\n", "a").is_ok());
}

#[test]
fn versions_need_a_type_name() {
    let with = |words: &str| design("").replace("\npartition", &format!("\n{words}\npartition"));
    let of = |words: &str| {
        let schema = read(&with(words), "company.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"));
        schema.stored_entity("Employee").and_then(|entity| entity.entity_type_value())
    };
    assert_eq!(of(""), None);
    assert_eq!(of("version = 1"), Some("Employee".to_owned()));
    assert_eq!(of("version = 2"), Some("Employee.v2".to_owned()));
    assert_eq!(of("version = 2\nentity_type = \"Person\""), Some("Person.v2".to_owned()));
    let mistakes = told(&with("version = 2\nentity_type = \"none\""));
    let message = "rows without `EntityType` do not contain their version".to_owned();
    assert_eq!(mistakes, [("D030".to_owned(), 6, message)]);
    assert_eq!(told(&with("version = 0"))[0].0, "D024");
}

#[test]
fn a_feed_is_a_table() {
    let with = |words: &str| design("").replace("\npartition", &format!("\n{words}\npartition"));
    assert!(read(&with("changes = {}"), "company.toml").unwrap().entities[0].changes.is_some());
    let mistakes = read(&with("changes = true"), "company.toml").unwrap_err().to_string();
    let help = "help: changes = {}, or with settings changes = { keep = \"30d\", old = true }";
    assert!(mistakes.contains("`changes` must be a table, found") && mistakes.contains(help), "{mistakes}");
}

#[test]
fn the_version_is_the_first_key() {
    assert_eq!(told("design = \"a\"\ntables = 1\n")[0].0, "D001");
    assert_eq!(
        told("")[0],
        ("D001".to_owned(), 1, "the file does not say which format it is written in".to_owned())
    );
}

#[test]
fn names_for_other_programs_are_let_through_at_any_level() {
    let schema = good(
        "[entity.Employee.x-owner]\nteam = 3\n[x-tool]\na = 1\n[query.q]\nfind = \"Employee\"\nx-note = 1\n",
    );
    assert_eq!(schema.queries.len(), 1);
}

#[test]
fn everything_keeps_the_order_of_the_file() {
    let schema = good("[query.zeta]\nfind = \"Employee\"\n[query.alpha]\nfind = \"Employee\"\n");
    let names: Vec<&str> = schema.queries.iter().map(|query| query.name.as_str()).collect();
    assert_eq!(names, ["zeta", "alpha"]);
    let fields: Vec<&str> = schema.entities[0].fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(fields, ["department", "id", "age", "status"]);
}

#[test]
fn types_say_bounds_words_and_absence() {
    let fields = good("note = \"string(5)?\"\nphoto = { type = \"binary\", blob = \"over 32KiB\" }\n")
        .entities
        .remove(0)
        .fields;
    assert!(fields[2].optional && fields[4].optional);
    assert_eq!(fields[3].kind, FieldKind::Enum { variants: vec!["active".to_owned(), "left".to_owned()] });
    assert_eq!(fields[4].kind, FieldKind::Text { max: Some(5) });
    assert_eq!(fields[5].kind, FieldKind::Blob);
    assert_eq!(fields[5].blob.as_ref().unwrap().over.unwrap().bytes(), 32_768);
    for bad in ["string(", "string()", "string(0)", "u32(4)", "enum", "enum()", "enum(a, a)", "", "?"] {
        let mistakes = read(&design(&format!("note = {bad:?}\n")), "a").expect_err(bad);
        assert_eq!(mistakes.len(), 1, "{bad}: {mistakes}");
    }
}

#[test]
fn indexes_and_lists_are_as_the_derive_knows_them() {
    let schema = good(
        "[entity.Employee.index.by_status]\nrow = \"status_{status}_{id:06}\"\ncopy = []\nwhen = \"status = left\"\n\
         [entity.Employee.lookup.by_age]\non = \"age\"\n",
    );
    let entity = &schema.entities[0];
    assert!(entity.indexes[0].sparse);
    assert_eq!(entity.indexes[0].copy, CopiedFields::Only(Vec::new()));
    assert_eq!(entity.lookups[0].on, ["age"]);
}

#[test]
fn a_condition_of_rows_has_values_that_its_fields_can_have() {
    let index = |when: &str| {
        format!("[entity.Employee.index.by_status]\nrow = \"status_{{status}}_{{id:06}}\"\nwhen = {when:?}\n")
    };
    assert_eq!(told_of(&index("status = gone"))[0].0, "D016");
    assert_eq!(
        told_of(&index("stats = left"))[0],
        ("D015".to_owned(), "`Employee` has no field `stats`".to_owned())
    );
    assert_eq!(told_of(&index("age = x"))[0].0, "D016");
    good(&index("age = 3 and status = left"));
}

#[test]
fn what_is_kept_of_others_names_them_and_their_keys() {
    let department = "[entity.Department]\ntable = \"Departments\"\npartition = \"{name}\"\nrow = \"department\"\n\
                      [entity.Department.fields]\nname = \"string(40)\"\n[entity.Department.total.n]\n";
    let with = |total: &str| told_of(&format!("{department}{total}"));
    good(&format!("{department}count = \"Employee\"\nmatch = {{ department = \"name\" }}\n"));
    assert_eq!(with("count = \"Employees\"\nmatch = { department = \"name\" }\n")[0].0, "D014");
    assert_eq!(with("sum = \"Employee.ages\"\nmatch = { department = \"name\" }\n")[0].0, "D021");
    assert_eq!(with("sum = \"Employee\"\nmatch = { department = \"name\" }\n")[0].0, "D005");
    assert_eq!(with("match = { department = \"name\" }\n")[0].0, "D006");
    let some =
        |when: &str| format!("count = \"Employee\"\nmatch = {{ department = \"name\" }}\nwhen = {when:?}\n");
    good(&format!("{department}{}", some("age = 3 and status = left")));
    assert_eq!(with(&some("status = gone"))[0].0, "D016");
    // The fields are those of the source, not those of the target.
    assert_eq!(with(&some("name = x"))[0], ("D015".to_owned(), "`Employee` has no field `name`".to_owned()));
    assert_eq!(
        with("count = \"Employee\"\nmatch = { id = \"nam\" }\n"),
        [
            (
                "D006".to_owned(),
                "`match` does not determine the aggregated entities: `name` is missing".to_owned()
            ),
            ("D021".to_owned(), "`Department` has no field `nam`".to_owned()),
        ]
    );
}

#[test]
fn a_load_laid_over_a_design_takes_the_place_of_single_keys() {
    let text = design(
        "[load]\npeak = 2.0\n[load.Employee]\ncount = 5\ninsert = \"1/s\"\nvalues.age = { distinct = 60, zipf = 1.0 }\n\
         values.id = { distinct = 7 }\n",
    );
    let load = "tables = 1\n[load.Employee]\ninsert = \"9/s\"\nvalues.age = { distinct = 3 }\n[lint]\ndeny = [\"table_scan\"]\n";
    let both = |load: &str| read_with_load(Source::new("a.toml", text.clone()), Source::new("b.toml", load));
    let schema = both(load).unwrap();
    let of = schema.load_of("Employee").unwrap();
    assert_eq!((schema.load.peak, of.count, of.insert), (2.0, Some(5), Some(Rate::of_second(9.0))));
    assert_eq!((of.values_of("age").unwrap().distinct, of.values_of("age").unwrap().zipf), (Some(3), None));
    assert_eq!(of.values_of("id").unwrap().distinct, Some(7));
    assert!(schema.lint.denies_table_scans());

    let Diagnostics(mistakes) = both("tables = 1\n[entity.A]\n[load.Employe]\ncount = 1\n").unwrap_err();
    let places: Vec<(&str, &str, usize)> =
        mistakes.iter().map(|one| (one.code.as_str(), one.file.as_str(), one.line)).collect();
    assert_eq!(places, [("D004", "b.toml", 2), ("D023", "b.toml", 3)]);
}

#[test]
fn a_text_with_escapes_is_marked_whole() {
    let text = design("").replace("\"{department}\"", "\"\\u007Bdepartmnt}\"");
    let mistake = &read(&text, "a").unwrap_err()[0];
    assert_eq!((mistake.code.as_str(), mistake.column, mistake.length), ("D008", 13, 18));
    let text = design("").replace("\"{department}\"", "'{departmnt}'");
    let mistake = &read(&text, "a").unwrap_err()[0];
    assert_eq!((mistake.column, mistake.length), (14, 11));
}

#[test]
fn columns_count_characters_and_not_bytes() {
    let text = format!("{HEAD}about = \"ä\"\ncolour = \"ö\"\n");
    let mistake = &read(&text, "a").unwrap_err()[0];
    assert_eq!((mistake.line, mistake.column), (4, 1));
    let text = design("[query.q]\nfind = 'Employee'\nwhere = \"department = ? and größe = ?\"\n");
    let mistake = &read(&text, "a").unwrap_err()[0];
    assert_eq!((mistake.column, mistake.length), (29, 5));
}

#[test]
fn updates_are_a_rate_a_table_or_a_list() {
    let of =
        |update: &str| good(&format!("[load.Employee]\nupdate = {update}\n")).load.entities.remove(0).updates;
    assert_eq!(of("3")[0].rate, Rate::of_second(3.0));
    assert_eq!(of("\"3/s\"")[0].fields, None);
    assert_eq!(of("{ rate = \"3/s\", fields = [\"age\"], slots = 1 }")[0].slots, Some(1));
    assert_eq!(of("[{ rate = \"3/s\" }, \"1/day\"]").len(), 2);
    assert_eq!(told_of("[load.Employee]\nupdate = { fields = [\"ages\"] }\n").len(), 2);
}

#[test]
fn numbers_are_held_to_their_ranges() {
    for (line, code) in [
        ("[load]\npeak = 0.5\n", "D024"),
        ("[load.Employee]\ncount = -1\n", "D024"),
        ("[load.Employee]\nvalues.age = { present = 1.5 }\n", "D024"),
        ("[load.Employee]\nvalues.age = { zipf = nan }\n", "D024"),
        ("[query.q]\nfind = \"Employee\"\npage = 5000\n", "D024"),
        ("[query.q]\nfind = \"Employee\"\nlimit = 0\n", "D024"),
        ("[targets]\npage = 0\n", "D024"),
        ("[load]\nhorizon = \"3 months\"\n", "D018"),
        ("[lint]\nallow = [\"whatever\"]\n", "D004"),
        ("[lint]\nlevel = { K15 = \"bad\" }\n", "D005"),
        // Text that changes the direction of what follows, in a comment of generated code.
        ("[query.q]\nfind = \"Employee\"\nabout = \"a\u{202e}b\"\n", "D005"),
        ("[query.q]\nfind = \"Employee\"\nabout = \"a\\u0007b\"\n", "D005"),
    ] {
        let codes: Vec<String> = told_of(line).into_iter().map(|(code, _)| code).collect();
        assert_eq!(codes, [code], "{line}");
    }
}

#[test]
fn a_design_with_mistakes_is_read_as_far_as_it_goes() {
    let text = design("[query.q]\nfind = \"Employee\"\nwhere = \"age == ?\"\n");
    let reading = Reading::of(Source::new("a", text), None);
    assert_eq!(reading.diagnostics.len(), 1);
    assert_eq!(reading.schema.unwrap().queries[0].find, "Employee");
}

#[test]
fn prices_and_targets_have_defaults_that_a_file_may_set() {
    let schema = good(
        "[prices]\ntx_10k = 0.5\nwrite_10k = 1\n[prices.cosmos]\nmin_ru = 1000\n[targets]\negt_bytes = \"2MiB\"\n",
    );
    let prices = schema.prices.unwrap();
    assert_eq!((prices.tx_10k, prices.write_10k, prices.read_10k), (0.5, Some(1.0), None));
    assert_eq!((prices.cosmos.min_ru, prices.currency.as_str()), (1000.0, "USD"));
    assert_eq!((schema.targets.egt_bytes, schema.targets.page), (2_097_152.0, 1000.0));
    assert_eq!(good("").prices, None);
    assert_eq!(good("").load.horizon, Span::days(365));
}

#[test]
fn a_key_field_takes_the_name_that_totals_pair_it_with() {
    let text = "tables = 1\n[entity.Room]\ntable = \"Rooms\"\npartition = \"{{{floor:02}_{name}\"\nrow = \"room\"\n\
                [entity.Room.fields]\nfloor = \"u8\"\nname = \"string\"\n\
                [entity.Room.total.seats]\ncount = \"Seat\"\nmatch = { level = \"floor\", room = \"name\" }\n\
                [entity.Seat]\ntable = \"Seats\"\npartition = \"{level:02}_{room}\"\nrow = \"{id:04}\"\n\
                [entity.Seat.fields]\nlevel = \"u8\"\nroom = \"string\"\nid = \"u16\"\n\
                [query.room]\nfind = \"Room\"\nwhere = \"floor = ? and name = ?\"\n";
    let schema = read(text, "rooms").unwrap();
    let (aligned, renamed) = schema.aligned();
    assert_eq!(renamed.len(), 2);
    assert_eq!(aligned.entities[0].partition.as_ref().unwrap().text(), "{{{level:02}_{room}");
    let tests = &aligned.queries[0].filter.as_ref().unwrap().alternatives[0].tests;
    assert_eq!(tests.iter().map(|test| test.field.as_str()).collect::<Vec<_>>(), ["level", "room"]);
}

/// The rows of an index contain the fields of the key.
#[test]
fn a_renamed_key_field_keeps_its_stored_name_in_index_rows() {
    let text = "tables = 1\n[entity.Customer]\ntable = \"Customers\"\npartition = \"{tenant}\"\nrow = \"c_{id:06}\"\n\
                [entity.Customer.fields]\ntenant = \"string\"\nid = \"u32\"\nemail = \"string\"\n\
                [entity.Customer.index.by_email]\nrow = \"email_{email}\"\nunique = true\n\
                [entity.Customer.total.tickets]\ncount = \"Ticket\"\nmatch = { tenant = \"tenant\", customer = \"id\" }\n\
                [entity.Ticket]\ntable = \"Tickets\"\npartition = \"{tenant}\"\nrow = \"{number:06}\"\n\
                [entity.Ticket.fields]\ntenant = \"string\"\nnumber = \"u32\"\ncustomer = \"u32\"\n";
    let (aligned, _) = read(text, "desk").unwrap().aligned();
    assert_eq!(aligned.entities[0].field("customer").unwrap().property, "id");
}

#[test]
fn words_that_cannot_name_a_variant_are_rejected() {
    let design = |words: &str| {
        format!(
            "tables = 1\n[entity.A]\ntable = \"Items\"\npartition = \"{{x}}\"\nrow = \"{{x}}\"\n[entity.A.fields]\nx = \"string\"\nz = \"enum({words})\"\n"
        )
    };
    assert!(read(&design("a1, b"), "a.toml").is_ok());
    for words in ["a², b", "a₂, b", "ⓐ, b"] {
        let Err(mistakes) = read(&design(words), "a.toml") else { panic!("{words} is accepted") };
        assert!(mistakes.to_string().contains("D007"), "{mistakes}");
    }
}

#[test]
fn words_of_the_derive_cannot_name_an_index() {
    let design = |table: &str| format!("{HEAD}{EMPLOYEE}\n{table}\n");
    let index =
        |name: &str| design(&format!("[entity.Employee.index.{name}]\nrow = \"x_{{age:03}}_{{id:06}}\"\n"));
    for name in ["row", "table", "partition", "copy", "unique", "sparse", "when"] {
        let Err(mistakes) = read(&index(name), "a.toml") else { panic!("{name} is accepted") };
        assert!(mistakes.to_string().contains("D005"), "{mistakes}");
    }
    let lookup = design("[entity.Employee.lookup.place]\non = \"status\"\n");
    assert!(read(&lookup, "a.toml").is_err());
}

#[test]
fn empty_shard_is_rejected() {
    let design = "tables = 1\n[entity.A]\ntable = \"Items\"\npartition = \"{x}\"\nrow = \"a\"\nshard = {}\n\
                  [entity.A.fields]\nx = \"string\"\n";
    let Err(mistakes) = read(design, "a.toml") else { panic!("accepted") };
    assert!(mistakes.to_string().contains("has no `of`"), "{mistakes}");
}
