//! Properties of all values: keys round-trip, preserve their order, and are within the specified bounds.

#![expect(clippy::expect_used, reason = "a test may stop where its own data is wrong")]

use std::ops::Bound;

use proptest::prelude::*;
use table_schema::{
    design::{EntityDesign, FieldDesign, FieldKind, IndexDesign, LookupDesign, Place, TemplateText},
    key::{KeyKind, KeyValue, MAX_TICKS, STRICT_UNITS, compare, is_forbidden, succ, units},
    rules::check,
    template::{Shape, Template, can_meet},
};

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 400,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(11),
        ..Default::default()
    }
}

/// The values of one field, in the order of its type, including adjacent and extreme values.
struct Domain {
    shapes: &'static [&'static str],
    rising: Vec<KeyValue<'static>>,
    /// Values that are valid in bounds but not in keys, and whether each is above all of `rising`.
    beyond: Vec<(KeyValue<'static>, bool)>,
}

fn texts(alphabet: &[&str], length: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut longest = all.clone();
    for _ in 0..length {
        longest = longest
            .iter()
            .flat_map(|text| alphabet.iter().map(move |next| format!("{text}{next}")))
            .collect();
        all.extend(longest.iter().cloned());
    }
    all.sort_by(|left, right| compare(left, right));
    all
}

fn domains() -> Vec<Domain> {
    let text = |alphabet: &[&str]| texts(alphabet, 2).into_iter().map(KeyValue::from).collect::<Vec<_>>();
    vec![
        Domain {
            shapes: &[""],
            rising: text(&["!", "a", "^", "b", "\u{ffff}", "\u{1d11e}"]),
            beyond: vec![],
        },
        Domain { shapes: &[":esc"], rising: text(&["/", "_", "a", "~", " ", "."]), beyond: vec![] },
        Domain {
            shapes: &[":02", ":inverted_02"],
            rising: [0_u32, 1, 9, 10, 11, 98, 99].map(KeyValue::from).to_vec(),
            beyond: vec![((-1_i32).into(), false), (100_u32.into(), true), (u128::MAX.into(), true)],
        },
        Domain {
            shapes: &[":ord32", ":inverted_ord32"],
            rising: [i32::MIN, -10, -1, 0, 1, 10, i32::MAX].map(KeyValue::from).to_vec(),
            beyond: vec![(i64::MIN.into(), false), (i64::MAX.into(), true)],
        },
        Domain {
            shapes: &[":ticks", ":inverted_ticks"],
            rising: [0, 1, 9, 10, MAX_TICKS - 1, MAX_TICKS].map(KeyValue::Ticks).to_vec(),
            beyond: vec![(KeyValue::Ticks(-1), false), (KeyValue::Ticks(MAX_TICKS + 1), true)],
        },
        Domain { shapes: &[":bool"], rising: vec![false.into(), true.into()], beyond: vec![] },
    ]
}

/// Returns the position of each value: its index in the domain, doubled. Positions of values outside the domain are odd
/// or out of range.
fn interval_ends(domain: &Domain) -> Vec<(Option<&KeyValue<'static>>, i64)> {
    let place = |index: usize| i64::try_from(index).expect("a small domain");
    let inside = domain.rising.iter().enumerate().map(|(index, value)| (Some(value), place(index)));
    let beyond = domain
        .beyond
        .iter()
        .map(|(value, above)| (Some(value), if *above { place(domain.rising.len()) } else { -1 }));
    inside.chain(beyond).chain([(None, 0)]).collect()
}

/// Checks every template, row and interval: a row is within the bounds if and only if its value is within the interval.
/// Foreign rows with other leading text are never within the bounds.
#[test]
fn bounds_hold_exactly_the_rows_of_the_definition() {
    let mut comparisons = 0_u64;
    for domain in &domains() {
        for shape in domain.shapes {
            for (before, after) in
                [("", ""), ("k_", ""), ("", "_{z}"), ("k_", "_{z}"), ("", "_x"), ("{y:02}_", "_{z}")]
            {
                let template = Template::parse(&format!("{before}{{v{shape}}}{after}")).expect("a template");
                let rising = in_key_order(&domain.rising, shape, after);
                comparisons += compare_with_definition(
                    &template,
                    &Domain { rising, beyond: domain.beyond.clone(), shapes: domain.shapes },
                );
            }
        }
    }
    assert!(comparisons > 300_000, "{comparisons}");
}

/// Sorts text that is followed by a separator as text and separator, and removes values that cannot be encoded.
fn in_key_order(rising: &[KeyValue<'static>], shape: &str, after: &str) -> Vec<KeyValue<'static>> {
    let is_text = matches!(shape, "" | ":esc");
    let Some(separator) = after.chars().next().filter(|_| is_text) else { return rising.to_vec() };
    let template = Template::parse(&format!("k{{v{shape}}}{separator}")).expect("a template");
    let form = template.form(KeyKind::Row);
    let mut keyed: Vec<_> = rising
        .iter()
        .filter_map(|value| Some((form.encode(&[("v", value.clone())], STRICT_UNITS).ok()?, value.clone())))
        .collect();
    keyed.sort_by(|(left, _), (right, _)| compare(left, right));
    keyed.into_iter().map(|(_, value)| value).collect()
}

fn compare_with_definition(template: &Template, domain: &Domain) -> u64 {
    let form = template.form(KeyKind::Row);
    let is_text = template.holes().any(|hole| hole.field == "v" && hole.shape == Shape::Text);
    let mut rows = Vec::new();
    for (index, value) in domain.rising.iter().enumerate() {
        for z in ["a", "_", "\u{ffff}"] {
            let values = [("v", value.clone()), ("y", 7_u32.into()), ("z", z.into())];
            // Values that are invalid in the key (a separator in unescaped text, a leading `!`) have no rows.
            if let Ok(key) = form.encode(&values, STRICT_UNITS) {
                rows.push((i64::try_from(index).expect("small"), key));
            }
        }
    }
    let foreign = ["!", "!o_1", "!x", "", " ", "k", "k`", "zz", "06_a", "08_a"];
    let mut open = form.open();
    if open.field() == Some("y") {
        open = open.fix(&7_u32.into()).expect("fits");
    }
    let ends = interval_ends(domain);
    let mut comparisons = 0;
    for (from, low) in &ends {
        for (to, high) in &ends {
            for (with_from, with_to) in [(true, true), (true, false), (false, true), (false, false)] {
                let bound = |value: Option<&KeyValue<'static>>, with: bool| match value {
                    None => Bound::Unbounded,
                    Some(value) if with => Bound::Included(value.clone()),
                    Some(value) => Bound::Excluded(value.clone()),
                };
                let Ok(bounds) = open.between_values(&bound(*from, with_from), &bound(*to, with_to)) else {
                    assert!(is_text, "only bare text has bounds that cannot be");
                    continue;
                };
                assert!(!bounds.to_string().contains(|at: char| is_forbidden(at)), "{bounds}");
                for (at, key) in &rows {
                    let above = from.is_none() || at > low || with_from && at == low;
                    let below = to.is_none() || at < high || with_to && at == high;
                    assert_eq!(
                        bounds.contains(key),
                        above && below,
                        "{template} {key:?} {from:?} {with_from} {to:?} {with_to}: {bounds}"
                    );
                    comparisons += 1;
                }
                for key in foreign {
                    let literal_leads = !template.lead().is_empty();
                    if key.starts_with('!') || key.is_empty() || literal_leads {
                        assert!(!bounds.contains(key), "{template}: {bounds} holds {key:?}");
                    }
                }
            }
        }
    }
    comparisons
}

/// Generates text that is valid in keys, and text that is not.
fn any_text() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        4 => prop::char::range('!', '~'),
        2 => prop::sample::select(vec!['_', '.', '/', ' ', '~', '^', '\u{0}', '\u{9f}', '\u{a0}', '\u{d7ff}', '\u{e000}']),
        1 => any::<char>(),
    ];
    prop::collection::vec(character, 0..6).prop_map(|characters| characters.into_iter().collect())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_written_is_read(a in any_text(), b in any::<u32>(), c in 0..=MAX_TICKS, d in any::<[u8; 16]>(), e in any::<f64>()) {
        for text in [
            "k{a:esc}_{b:010}-{c:ticks}", "{a}_{b:010}{d:guid}", "{c:inverted_ticks}{d:guidn}{a:esc}", "x{b:010} {a}",
            "{a:esc} {a:esc}",
        ] {
            let template = Template::parse(text).expect("a template");
            let form = template.form(KeyKind::Row);
            let values = [
                ("a", KeyValue::from(a.as_str())), ("b", b.into()), ("c", KeyValue::Ticks(c)), ("d", KeyValue::Guid(d)),
                ("e", e.into()),
            ];
            let Ok(key) = form.encode(&values, STRICT_UNITS) else { continue };
            prop_assert!(!key.contains(is_forbidden), "{}", key);
            let back = form.decode(&key);
            prop_assert!(back.is_ok(), "{} {:?}", text, key);
            for (field, value) in back.unwrap_or_default() {
                let written = values.iter().find(|(name, _)| *name == field).map(|(_, value)| value);
                prop_assert_eq!(written, Some(&value), "{} {:?}", text, key);
            }
            prop_assert!(form.all().contains(&key), "{} {:?}", text, key);
        }
    }

    #[test]
    fn what_is_read_would_be_written_so(key in any_text()) {
        for text in ["{a}", "{a:esc}", "{a:esc}_{b}", "{a}.{b:01}", "{b:bool}", "{n:01}{a}"] {
            let template = Template::parse(text).expect("a template");
            let form = template.form(KeyKind::Row);
            if let Ok(values) = form.decode(&key) {
                let again = form.encode(&values, STRICT_UNITS);
                prop_assert_eq!(again.as_ref(), Ok(&key), "{}", text);
            }
        }
    }

    #[test]
    fn inverted_keys_sort_in_reverse_and_are_read_exactly(
        a in any::<i64>(), b in any::<i64>(), x in any::<f64>(), y in any::<f64>(), s in 0..=MAX_TICKS, t in 0..=MAX_TICKS,
    ) {
        let checked = |text: &str, left: KeyValue<'static>, right: KeyValue<'static>, exact: bool| {
            let (inverted, ascending) = (text.replacen(':', ":inverted_", 1), text);
            let [inverted, ascending] = [inverted.as_str(), ascending].map(|text| Template::parse(text).expect("a template"));
            let encoded = |template: &Template, value: &KeyValue<'static>| {
                template.form(KeyKind::Row).encode(&[("v", value.clone())], STRICT_UNITS)
            };
            let pair = |template| Some((encoded(template, &left).ok()?, encoded(template, &right).ok()?));
            prop_assert_eq!(pair(&inverted).is_some(), pair(&ascending).is_some(), "{}", text);
            let (Some(keys), Some(rising)) = (pair(&inverted), pair(&ascending)) else { return Ok(()) };
            prop_assert_eq!(keys.0.cmp(&keys.1), rising.1.cmp(&rising.0), "{} {:?} {:?}", text, keys, rising);
            if exact {
                let read = inverted.form(KeyKind::Row).decode(&keys.0).expect("a key of the template");
                prop_assert_eq!(&read, &vec![("v", left)], "{} {:?}", text, keys);
            } else {
                prop_assert!(inverted.form(KeyKind::Row).decode(&keys.0).is_ok(), "{} {:?}", text, keys);
            }
            prop_assert!(inverted.form(KeyKind::Row).all().contains(&keys.0));
            Ok(())
        };
        checked("{v:ord64}", a.into(), b.into(), true)?;
        checked("{v:039}", a.unsigned_abs().into(), b.unsigned_abs().into(), true)?;
        checked("{v:039}", u128::MAX.into(), u128::from(a.unsigned_abs()).into(), true)?;
        let floats = Template::parse("{v:ord}").expect("a template").map_holes(|hole| {
            table_schema::template::TemplateField {
                shape: Shape::Ord(Some(table_schema::template::OrdNumber::F64)).descending().expect("numbers"),
                ..hole.clone()
            }
        });
        let key = |value: f64| floats.form(KeyKind::Row).encode(&[("v", value.into())], STRICT_UNITS);
        if let (Ok(left), Ok(right)) = (key(x), key(y)) {
            prop_assert_eq!(Some(right.cmp(&left)), x.partial_cmp(&y));
            prop_assert_eq!(floats.form(KeyKind::Row).decode(&left), Ok(vec![("v", (x + 0.0).into())]));
        }
        for date in ["{v:%Y}", "{v:%Y-%m-%d}", "{v:%Y%m%d%H}", "{v:%Y7%mé%dT%H:%M:%S}"] {
            checked(date, KeyValue::Ticks(s), KeyValue::Ticks(t), false)?;
        }
    }

    #[test]
    fn keys_sort_as_their_values(a in any::<i64>(), b in any::<i64>(), x in any::<f64>(), y in any::<f64>(), s in any_text(), t in any_text()) {
        let template = Template::parse("{v:ord64}").expect("a template");
        let key = |value: KeyValue<'_>| template.form(KeyKind::Row).encode(&[("v", value)], STRICT_UNITS);
        prop_assert_eq!(key(a.into()).expect("fits").cmp(&key(b.into()).expect("fits")), a.cmp(&b));
        if let (Ok(left), Ok(right)) = (key(x.into()), key(y.into())) {
            prop_assert_eq!(Some(left.cmp(&right)), x.partial_cmp(&y));
        }
        // With a space as separator, the key order equals the order of pairs, for all text.
        let pair = Template::parse("k{s:esc} {t:esc}").expect("a template");
        let key = |s: &str, t: &str| {
            pair.form(KeyKind::Row).encode(&[("s", s.into()), ("t", t.into())], STRICT_UNITS).expect("fits")
        };
        let order = compare(&s, &t).then(compare(&t, &s));
        prop_assert_eq!(compare(&key(&s, &t), &key(&t, &s)), order);
    }

    #[test]
    fn no_key_of_a_template_begins_another(a in any_text(), b in any_text(), c in 0..100_u32) {
        // Text of variable length ends at its separator, so the range of leading values contains no row of other
        // values.
        let template = Template::parse("k{a:esc}_{c:02}").expect("a template");
        let form = template.form(KeyKind::Row);
        let key = |a: &str| form.encode(&[("a", a.into()), ("c", c.into())], STRICT_UNITS).expect("fits");
        prop_assert_eq!(key(&a).starts_with(&key(&b)), a == b);
        let of_b = form.open().fix(&b.as_str().into()).expect("fits").bounds();
        prop_assert_eq!(of_b.contains(&key(&a)), a == b);
    }

    #[test]
    fn starts_with_holds_exactly_the_beginnings(value in any_text(), beginning in any_text()) {
        for text in ["k{v}", "k{v:esc}", "k{v}_x", "k{v:esc}_{v:esc}"] {
            let template = Template::parse(text).expect("a template");
            let form = template.form(KeyKind::Row);
            let Ok(key) = form.encode(&[("v", value.as_str().into())], STRICT_UNITS) else { continue };
            let Ok(bounds) = form.open().starts_with(&beginning) else { continue };
            prop_assert_eq!(bounds.contains(&key), value.starts_with(&beginning), "{} {}", text, bounds);
        }
    }

    #[test]
    fn the_successor_is_the_least_text_above(prefix in any_text(), other in any_text()) {
        if let Some(next) = succ(&prefix) {
            prop_assert!(compare(&prefix, &next).is_lt());
            prop_assert!(!next.ends_with(is_forbidden));
            let above = compare(&other, &prefix).is_ge() && !other.starts_with(&prefix);
            if !other.contains(is_forbidden) && !prefix.contains(is_forbidden) {
                prop_assert_eq!(compare(&other, &next).is_ge(), above, "{:?} {:?}", other, next);
            }
        }
    }

    #[test]
    fn every_design_is_checked_and_every_mistake_has_its_place(
        texts in prop::collection::vec("([a-c_!/]|\\{[a-e](:(06|ord|inverted_06|inverted_ord|ticks|esc|%Y%m|%Y-%m-%d|guid|6|x))?\\}|[{}]){0,4}", 6),
        unique in any::<bool>(),
        optional in 0..5_usize,
    ) {
        let mut design = EntityDesign::new("E");
        let text = |at: usize| texts.get(at).map(|text| TemplateText::new(text.as_str()));
        (design.table, design.partition, design.row) = (text(0), text(1), text(2));
        let kinds = [
            FieldKind::Text { max: Some(300) }, FieldKind::Int { bits: 32, signed: true }, FieldKind::Time, FieldKind::Guid,
            FieldKind::Unknown,
        ];
        design.fields = ["a", "b", "c", "d", "e"].into_iter().zip(kinds).map(|(name, kind)| FieldDesign::new(name, kind)).collect();
        if let Some(field) = design.fields.get_mut(optional) {
            field.optional = true;
        }
        design.indexes.push(IndexDesign { partition: text(3), row: text(4), unique, ..IndexDesign::default() });
        design.lookups.push(LookupDesign { name: "by_a".to_owned(), on: vec!["a".to_owned(), "c".to_owned()], row: text(5), ..LookupDesign::default() });
        let mistakes = check(&design);
        prop_assert!(mistakes.is_sorted_by_key(|mistake| &mistake.place));
        for mistake in &mistakes {
            prop_assert!(!mistake.message.is_empty());
            if let Place::Template { which, range } = &mistake.place {
                let template = design.template_text(*which).map(TemplateText::text);
                prop_assert!(template.is_some_and(|text| text.get(range.clone()).is_some()), "{}", mistake);
            }
        }
        // Each violation is reported once.
        for (at, mistake) in mistakes.iter().enumerate() {
            prop_assert!(!mistakes.iter().skip(at + 1).any(|other| other == mistake), "{}", mistake);
        }
    }

    #[test]
    fn rows_of_a_sound_design_keep_apart(left in "[ab_]{0,3}", right in "[ab_]{0,3}", shape in 0..4_usize, value in "[ab0-9_]{1,6}", number in 0..1_000_000_u32) {
        // Templates that cannot overlap according to `can_meet` have no common key. No row is in the range of the other
        // template, except in the case of the last check.
        let holes = ["", "{v}", "{n:06}", "{v:esc}"];
        let hole = holes.get(shape).copied().unwrap_or_default();
        for other in holes {
            let (Ok(one), Ok(two)) = (Template::parse(&format!("{left}{hole}")), Template::parse(&format!("{right}{other}"))) else { continue };
            if can_meet(&one.parts(), &two.parts()) {
                continue;
            }
            let values = [("v", KeyValue::from(value.as_str())), ("n", number.into())];
            let key = two.form(KeyKind::Row).encode(&values, STRICT_UNITS).expect("fits");
            prop_assert!(one.form(KeyKind::Row).decode(&key).is_err(), "{} {} {}", one, two, key);
// A literal before a fixed format includes the complete range of the format. Other rows in this range are detected as
// foreign.
            let exact_range = one.lead().is_empty() || !two.lead().starts_with(one.lead());
            let held = one.form(KeyKind::Row).all().contains(&key);
            prop_assert!(!(exact_range && held), "{} {} {}", one, two, key);
        }
    }

    #[test]
    fn any_text_is_a_template_or_a_mistake_with_a_place(text in "[a-z{}:%_/0-9YmdéHMS]{0,12}") {
        match Template::parse(&text) {
            Ok(template) => {
                let spelled: String = template.segments().iter().filter_map(|segment| text.get(segment.span.clone())).collect();
                prop_assert_eq!(&spelled, &text);
                if let Some(longest) = template.longest(|_| Some(3)) {
                    prop_assert!(longest <= 40 * units(&text));
                }
            }
            Err(error) => prop_assert!(text.get(error.span()).is_some_and(|part| !part.is_empty()), "{:?}", error),
        }
    }
}
