//! The documented keys and bounds, byte for byte.

#![expect(clippy::expect_used, reason = "a test may stop where its own data is wrong")]

use table_schema::{
    bounds::Bounds,
    key::{KeyKind, KeyValue, STRICT_UNITS},
    template::{DateFormat, OrdNumber, Shape, Template, TemplateField},
};

/// 2014-07-31T18:00Z.
const JULY_31: i64 = 635_424_264_000_000_000;
const JULY_1: i64 = 635_397_696_000_000_000;
const AUGUST_1: i64 = 635_424_480_000_000_000;
const LAST_TICK: i64 = 3_155_378_975_999_999_999;

type Values<'v> = &'v [(&'static str, KeyValue<'static>)];

/// Parses a template and sets the number type of its `ord` fields.
fn template(text: &str, ord: Option<OrdNumber>) -> Template {
    let template = Template::parse(text).expect("a template");
    template.map_holes(|hole| match hole.shape {
        Shape::Ord(None) => TemplateField { shape: Shape::Ord(ord), ..hole.clone() },
        _ => hole.clone(),
    })
}

fn encoded(text: &str, ord: Option<OrdNumber>, values: Values<'_>) -> String {
    let template = template(text, ord);
    match template.form(KeyKind::Row).encode(values, STRICT_UNITS) {
        Ok(key) => {
            let back = template.form(KeyKind::Row).decode(&key).expect("a key of this template");
            for (field, value) in back {
                let written =
                    values.iter().find(|(name, _)| *name == field).expect("a field that was written");
                let cut = matches!(
                    template.holes().find(|hole| hole.field == field),
                    Some(TemplateField { exact: false, .. })
                );
                let zero = written.1 == KeyValue::Float64(-0.0);
                assert!(cut || zero || same(&written.1, &value), "{key}: {} came back as {value}", written.1);
            }
            key
        }
        Err(error) => format!("error: {error}"),
    }
}

/// Compares values as numbers: a zero-padded number decodes as unsigned.
fn same(left: &KeyValue<'_>, right: &KeyValue<'_>) -> bool {
    left == right || left.to_string() == right.to_string()
}

#[test]
fn keys_are_the_documented_ones() {
    let july = || KeyValue::Ticks(JULY_31);
    let cases: &[(&str, Values<'_>, &str)] = &[
        ("empid_{id:06}", &[("id", 223_u32.into())], "empid_000223"),
        ("empid_{id:06}", &[("id", 1_000_000_u32.into())], "error: field `id` = 1000000: does not fit :06"),
        ("email_{email}", &[("email", "jonesj@contoso.com".into())], "email_jonesj@contoso.com"),
        (
            "email_{email}",
            &[("email", "a/b".into())],
            "error: field `email` = \"a/b\": `/` cannot be in a key; write `{email:esc}`",
        ),
        ("empid_{department}", &[("department", "Sales".into())], "empid_Sales"),
        ("email_{department}", &[("department", "Sales".into())], "email_Sales"),
        ("{id:06}_{year:04}", &[("id", 123_u32.into()), ("year", 2012_u16.into())], "000123_2012"),
        ("{at:ticks}", &[("at", july())], "0635424264000000000"),
        (
            "{at:inverted_ticks}_{claim}",
            &[("at", july()), ("claim", "e42".into())],
            "2519954711999999999_e42",
        ),
        ("{at:inverted_ticks}", &[("at", KeyValue::Ticks(0))], "3155378975999999999"),
        ("{at:inverted_ticks}", &[("at", KeyValue::Ticks(LAST_TICK))], "0000000000000000000"),
        ("Logins{at:%Y%m%d}", &[("at", july())], "Logins20140731"),
        ("{s:esc}", &[("s", "a/b".into())], "a.1b"),
        ("{s:esc}", &[("s", "example.com/a".into())], "example.0com.1a"),
        ("{s:esc}", &[("s", "what?".into())], "what>1"),
        ("{s:esc}", &[("s", "C#".into())], "C\"1"),
        ("{s:esc}", &[("s", "a b".into())], "a wb"),
        ("k{s:esc}_z", &[("s", "x_y".into())], "kx^1y_z"),
        ("k{s:esc}_z", &[("s", "\t".into())], "k 9_z"),
        ("k{s:esc}_z", &[("s", "~".into())], "k~0_z"),
        ("k{s:esc}_z", &[("s", "é/\u{85}".into())], "ké.1~7_z"),
        (
            "{id:guid}",
            &[("id", KeyValue::Guid(*b"0123456789abcdef"))],
            "30313233-3435-3637-3839-616263646566",
        ),
        ("{id:guidn}", &[("id", KeyValue::Guid(*b"0123456789abcdef"))], "30313233343536373839616263646566"),
        ("{on:bool}_{x:01}", &[("on", true.into()), ("x", 7_u8.into())], "true_7"),
    ];
    for (text, values, key) in cases {
        assert_eq!(encoded(text, None, values), *key, "{text}");
    }
}

#[test]
fn sortable_numbers_are_the_documented_ones() {
    let ord = |number, value: KeyValue<'static>| encoded("{n:ord}", Some(number), &[("n", value)]);
    for (value, key) in
        [(i32::MIN, "00000000"), (-1, "7fffffff"), (0, "80000000"), (1, "80000001"), (i32::MAX, "ffffffff")]
    {
        assert_eq!(ord(OrdNumber::I32, value.into()), key);
    }
    for (value, key) in [(-1_i64, "7fffffffffffffff"), (0, "8000000000000000"), (42, "800000000000002a")] {
        assert_eq!(ord(OrdNumber::I64, value.into()), key);
    }
    for (value, key) in [
        (f64::NEG_INFINITY, "000fffffffffffff"),
        (-1.5, "4007ffffffffffff"),
        (-2.225_073_858_507_201_4e-308, "7fefffffffffffff"),
        (-0.0, "8000000000000000"),
        (0.0, "8000000000000000"),
        (1.5, "bff8000000000000"),
        (f64::INFINITY, "fff0000000000000"),
    ] {
        assert_eq!(ord(OrdNumber::F64, value.into()), key);
    }
    assert_eq!(ord(OrdNumber::F64, f64::NAN.into()), "error: field `n` = NaN: NaN has no place in an order");
}

#[test]
fn what_was_not_written_so_is_foreign() {
    for (text, keys) in [
        (
            "empid_{id:06}",
            &["empid_223", "empid_+00223", "empid_0002234", "empid_00022\u{661}", "Empid_000223"][..],
        ),
        ("{at:ticks}", &["3155378976000000000", "063542426400000000", "+635424264000000000"]),
        ("{at:%Y%m%d}", &["20140230", "2014073", "20140731 ", "00000101"]),
        ("{at:%Y-%m}", &["201407", "2014/07", "2014-7x"]),
        ("{id:guid}", &["30313233-3435-3637-3839-61626364656F", "303132333435363738396162636465660000"]),
        ("{b:bool}", &["True", "false ", ""]),
        ("{n:ord32}", &["8000000", "8000000A"]),
        ("{a}_{b:02}", &["a-01", "a_1", "a_b_01", "!a_01", " a_01"]),
        ("{a:esc}", &["", "a z", "~"]),
        ("{a:02}_{a:02}", &["01_02"]),
    ] {
        let template = template(text, None);
        for key in keys {
            assert!(template.form(KeyKind::Row).decode(key).is_err(), "{text} {key}");
        }
    }
}

fn bounds(
    text: &str,
    fixed: &[KeyValue<'_>],
    then: impl Fn(table_schema::bounds::OpenRange<'_>) -> Bounds,
) -> String {
    let template = template(text, None);
    let mut open = template.form(KeyKind::Row).open();
    for value in fixed {
        open = open.fix(value).expect("a value that fits");
    }
    then(open).to_string()
}

#[test]
fn bounds_of_numbers_are_the_documented_ones() {
    use std::ops::Bound::{Excluded, Unbounded};
    let empid = |then: fn(table_schema::bounds::OpenRange<'_>) -> Bounds| bounds("empid_{id:06}", &[], then);
    assert_eq!(
        empid(|open| open.between(100_u32..=199).expect("fits")),
        "ge 'empid_000100' and le 'empid_000199'"
    );
    assert_eq!(
        empid(|open| open.between(100_u32..200).expect("fits")),
        "ge 'empid_000100' and lt 'empid_000200'"
    );
    assert_eq!(
        empid(|open| open.between((Excluded(100_u32), Unbounded)).expect("fits")),
        "gt 'empid_000100' and lt 'empid`'"
    );
    assert_eq!(empid(|open| open.between(..=5_000_000_u32).expect("fits")), "ge 'empid_' and lt 'empid`'");
    assert_eq!(empid(|open| open.between(5_000_000_u32..).expect("fits")), "empty");
    let year = |fixed: &[KeyValue<'_>], then: fn(table_schema::bounds::OpenRange<'_>) -> Bounds| {
        bounds("{id:06}_{year:04}", fixed, then)
    };
    assert_eq!(year(&[123_u32.into()], |open| open.bounds()), "ge '000123_' and lt '000123`'");
    assert_eq!(
        year(&[123_u32.into()], |open| open.between(2010_u16..=2012).expect("fits")),
        "ge '000123_2010' and le '000123_2012'"
    );
    assert_eq!(year(&[], |open| open.between(100_u32..=199).expect("fits")), "ge '000100' and lt '00019:'");
}

#[test]
fn bounds_of_text_are_the_documented_ones() {
    let email = |then: fn(table_schema::bounds::OpenRange<'_>) -> Bounds| bounds("email_{email}", &[], then);
    assert_eq!(email(|open| open.starts_with("a").expect("fits")), "ge 'email_a' and lt 'email_b'");
    assert_eq!(email(|open| open.between("a".."b").expect("fits")), "ge 'email_a' and lt 'email_b'");
    assert_eq!(email(|open| open.starts_with("j.").expect("fits")), "ge 'email_j.' and lt 'email_j0'");
    assert_eq!(email(|open| open.starts_with("z~").expect("fits")), "ge 'email_z~' and lt 'email_z\u{a0}'");
    assert_eq!(email(|open| open.between("o'n"..).expect("fits")), "ge 'email_o''n' and lt 'email`'");
    let last = |then: fn(table_schema::bounds::OpenRange<'_>) -> Bounds| bounds("{last}_{id:06}", &[], then);
    assert_eq!(last(|open| open.between("Jones"..="Smith").expect("fits")), "ge 'Jones_' and lt 'Smith`'");
    assert_eq!(last(|open| open.starts_with("Jo").expect("fits")), "ge 'Jo' and lt 'Jp'");
}

#[test]
fn bounds_of_inverted_times_are_the_documented_ones() {
    let july = |open: table_schema::bounds::OpenRange<'_>| {
        use std::ops::Bound::{Excluded, Included};
        let (from, to) = (KeyValue::Ticks(JULY_1), KeyValue::Ticks(AUGUST_1));
        open.between_values(&Included(from), &Excluded(to)).expect("fits")
    };
    assert_eq!(
        bounds("{at:inverted_ticks}", &[], july),
        "gt '2519954495999999999' and le '2519981279999999999'"
    );
    assert_eq!(
        bounds("{at:inverted_ticks}_{id}", &[], july),
        "ge '251995449599999999:' and lt '251998127999999999:'"
    );
}

#[test]
fn generated_ranges_begin_above_the_librarys_rows() {
    for (text, all) in [
        ("{email}", "ge '\"'"),
        ("{email:esc}_{id:02}", "ge '\"'"),
        ("empid_{id:06}", "ge 'empid_' and lt 'empid`'"),
        ("{id:02}_{year:04}", "ge '00' and lt '9:'"),
        ("{on:bool}", "ge 'false' and lt 'truf'"),
        ("{at:%Y-%m}", "ge '0001-01' and lt '9999-13'"),
        ("department", "eq 'department'"),
    ] {
        assert_eq!(bounds(text, &[], |open| open.bounds()), all, "{text}");
    }
    assert_eq!(bounds("{a}", &[], |open| open.between("!x".."b").expect("fits")), "ge '\"' and lt 'b'");
    assert_eq!(bounds("{a}", &[], |open| open.starts_with("!x").expect("fits")), "empty");
    let template = template("{a}_{b}", None);
    let error = template.form(KeyKind::Row).open().fix(&"!x".into()).unwrap_err();
    assert!(error.to_string().contains("the library's own"), "{error}");
}

#[test]
fn a_date_keeps_both_periods_and_asks_for_a_second_look() {
    use std::ops::Bound::{Excluded, Included, Unbounded};
    let template = template("log_{at:%Y%m%d}", None);
    let open = template.form(KeyKind::Row).open();
    let (from, to) = (KeyValue::Ticks(JULY_31), KeyValue::Ticks(AUGUST_1));
    let bounds = open.between_values(&Excluded(from), &Excluded(to.clone())).expect("fits");
    assert_eq!(bounds.to_string(), "ge 'log_20140731' and le 'log_20140801'");
    assert!(bounds.is_residual());
    assert!(!open.between_values(&Unbounded, &Unbounded).expect("fits").is_residual());

    // A date format on a field of day precision is exact.
    let exact = template.map_holes(|hole| TemplateField { exact: true, ..hole.clone() });
    let open = exact.form(KeyKind::Row).open();
    let bounds = open.between_values(&Included(to.clone()), &Excluded(to)).expect("fits");
    assert_eq!(bounds, Bounds::Empty);
    assert_eq!(
        exact.holes().next().map(|hole| hole.shape),
        Some(Shape::Date(DateFormat::new(table_schema::template::DateUnit::Day)))
    );
}

#[test]
fn a_text_that_would_lead_into_a_siblings_partition_is_refused() {
    let template = template("{department}", None);
    let form = template.form(KeyKind::Partition).apart_from(&["badge_"]);
    assert_eq!(form.encode(&[("department", "Sales".into())], STRICT_UNITS).as_deref(), Ok("Sales"));
    let error = form.encode(&[("department", "badge_Sales".into())], STRICT_UNITS).expect_err("it begins so");
    assert_eq!(
        error.to_string(),
        "field `department` = \"badge_Sales\": keys that begin with `badge_` belong to other rows"
    );
    assert!(form.decode("badge_Sales").is_err());
}

#[test]
fn values_that_fit_no_key_say_why() {
    let long = "x".repeat(600);
    for (text, kind, values, message) in [
        (
            "k_{a}_{b:02}",
            KeyKind::Row,
            vec![("a", KeyValue::from("x_y")), ("b", 1_u8.into())],
            "field `a` = \"x_y\": `_` ends this field in the key; write `{a:esc}`",
        ),
        (
            "{n:06}",
            KeyKind::Row,
            vec![("n", (-5_i32).into())],
            "field `n` = -5: a zero-padded number cannot be negative; write `{n:ord}`",
        ),
        (
            "{a}",
            KeyKind::Row,
            vec![("a", "!o".into())],
            "field `a` = \"!o\": row keys that begin with `!` are the library's own; \
             begin the template with a word of its own: `k_{a}`",
        ),
        (
            "{a}",
            KeyKind::Row,
            vec![("a", " o".into())],
            "field `a` = \" o\": a row key led by text cannot be empty or begin with a space; \
             begin the template with a word of its own: `k_{a}`",
        ),
        (
            "{a}",
            KeyKind::Row,
            vec![("a", "".into())],
            "field `a` = \"\": a row key led by text cannot be empty or begin with a space; \
             begin the template with a word of its own: `k_{a}`",
        ),
        // The error names the leading field, although another field is longer, and shows its original value.
        (
            "{a}_{b}",
            KeyKind::Row,
            vec![("a", "!o".into()), ("b", "much longer".into())],
            "field `a` = \"!o\": row keys that begin with `!` are the library's own; \
             begin the template with a word of its own: `k_{a}`",
        ),
        (
            "{a:esc}_{b}",
            KeyKind::Row,
            vec![("a", "\0o".into()), ("b", "much longer".into())],
            "field `a` = \"\\0o\": a row key led by text cannot be empty or begin with a space; \
             begin the template with a word of its own: `k_{a}`",
        ),
        (
            "{a}",
            KeyKind::Row,
            vec![("a", "x\t".into())],
            "field `a` = \"x\\t\": U+0009 cannot be in a key; write `{a:esc}`",
        ),
        (
            "{at:ticks}",
            KeyKind::Row,
            vec![("at", KeyValue::Ticks(-1))],
            "field `at` = -1: is outside 0001-01-01 to 9999-12-31",
        ),
        (
            "{n:ord32}",
            KeyKind::Row,
            vec![("n", i64::MAX.into())],
            "field `n` = 9223372036854775807: does not fit :ord32",
        ),
        ("{a}", KeyKind::Row, vec![("a", 7_u8.into())], "field `a` = 7: a hole without a format takes text"),
        ("{a}", KeyKind::Row, vec![], "field `a` = nothing: no value was given"),
    ] {
        let template = Template::parse(text).expect("a template");
        let error = template.form(kind).encode(&values, STRICT_UNITS).expect_err("it does not fit");
        assert_eq!(error.to_string(), message, "{text}");
    }
    // Partitions have no reserved keys, and the empty partition key is valid.
    let partition = Template::parse("{a}").expect("a template");
    for legal in ["!o", " ", ""] {
        assert_eq!(
            partition.form(KeyKind::Partition).encode(&[("a", legal.into())], STRICT_UNITS).as_deref(),
            Ok(legal)
        );
    }
    let error = partition
        .form(KeyKind::Partition)
        .encode(&[("a", long.as_str().into())], STRICT_UNITS)
        .expect_err("too long");
    assert!(error.to_string().ends_with("...\": the key is 600 characters long; a key holds 512"), "{error}");
    assert!(partition.form(KeyKind::Partition).encode(&[("a", long.as_str().into())], 1024).is_ok());
}

#[test]
fn the_mended_template_changes_the_hole_of_the_field_alone() {
    let template = "{name_of_site}_{name}_{nam:esc}";
    let parsed = Template::parse(template).expect("a template");
    let values = [("name_of_site", "x".into()), ("name", "a/b".into()), ("nam", "y".into())];
    let error = parsed.form(KeyKind::Row).encode(&values, STRICT_UNITS).expect_err("it holds a slash");
    assert_eq!(error.fixed(template).as_deref(), Some("{name_of_site}_{name:esc}_{nam:esc}"));

    // An error of a key that is too long shows the original value too.
    let parsed = Template::parse("{path:esc}").expect("a template");
    let slashes = "/".repeat(300);
    let values = [("path", slashes.as_str().into())];
    let error = parsed.form(KeyKind::Row).encode(&values, STRICT_UNITS).expect_err("it is too long");
    assert!(error.to_string().starts_with("field `path` = \"////"), "{error}");
}
