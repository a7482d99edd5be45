//! Errors in a template, and in its template fields.

use table_schema::{
    catalogue::Code,
    design::{
        CopiedFields, EntityDesign, FieldDesign, FieldKind, IndexDesign, Place, Stamp, TemplateText, Which,
    },
    rules::check,
};

use crate::corpus::{I32, TEXT, U32, employee, entity, field, is, only, row_is, text, with_index};

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
        "formats for a signed integer: `0N`, `ord`, each with or without `inverted_`",
    );
    row_is(
        "{id:ord}",
        &[("id", U32)],
        Code::D010,
        "^^^^^^^^",
        "format `:ord` is for signed integers and floats; `id` is an unsigned integer",
        "formats for an unsigned integer: `0N`, `inverted_0N`",
    );
    row_is(
        "{x:inverted_ord}",
        &[("x", FieldKind::Unknown)],
        Code::K10,
        "^^^^^^^^^^^^^^^^",
        "`:inverted_ord` needs its width: the type of `x` cannot be seen here",
        "write `{x:inverted_ord32}` or `{x:inverted_ord64}`",
    );
    row_is(
        "{s:inverted_esc}",
        &[("s", TEXT)],
        Code::D010,
        "^^^^^^^^^^^^^^^^",
        "format `:esc` cannot be inverted",
        "formats with `inverted_`: `0N`, `ord`, `ticks`, `%Y%m%d`",
    );
    row_is(
        "{s:inverted_06}",
        &[("s", TEXT)],
        Code::D010,
        "^^^^^^^^^^^^^^^",
        "format `:inverted_06` is for integers; `s` is text",
        "formats for text: none, `esc`",
    );
    row_is(
        "{j}",
        &[("j", FieldKind::Json { max: None })],
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
fn remedies_keep_the_descending_order() {
    row_is(
        "{id:inverted_040}",
        &[("id", U32)],
        Code::D024,
        "^^^^^^^^^^^^^^^^^",
        "a number in a key has 1 to 39 digits, not `040`",
        "write `{id:inverted_06}` for six digits",
    );
    row_is(
        "{id:inverted_20}",
        &[("id", U32)],
        Code::D010,
        "^^^^^^^^^^^^^^^^",
        "format `:inverted_20` pads with spaces in Rust, which keys do not use",
        "write `{id:inverted_020}` for zero padding",
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
        "row keys that start with `!` are reserved for the library",
        "start with another character",
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
    // A fixed format needs no separator, even if only the type makes it fixed.
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
        "`E` has no keys\n\nhelp: add #[table(name = \"...\", partition = \"{...}\", row = \"{...}\")]",
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
    let mut design = with_index(IndexDesign::new("by_created", "c_{created:ticks}_{id:06}"));
    let stamped = FieldDesign::new("created", FieldKind::Time);
    design.fields.push(FieldDesign { optional: true, stamp: Some(Stamp::Created), ..stamped });
    assert_eq!(only(&design).code, Code::D020);
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
fn table_names_that_no_table_has() {
    let named = |name: &str| {
        let fields = [("p", TEXT), ("at", FieldKind::Time), ("n", U32)];
        let mut design = entity("E", "{p}", "{at:ticks}_{n:04}", &fields);
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
