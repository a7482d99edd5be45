//! Every string parses as a template or an error with a position. A key returns its values, and keys sort like their
//! values. Input: a template, a line break, bytes for values.

#![no_main]

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use table_fuzz::{keys, texts::utf16_order, values};
use table_schema::{
    key::{KeyKind, is_forbidden, units},
    template::Template,
};

fn spelled(text: &str) {
    match Template::parse(text) {
        Ok(template) => {
            let parts = template.segments().iter().filter_map(|segment| text.get(segment.span.clone()));
            assert_eq!(parts.collect::<String>(), text);
        }
        Err(error) => {
            assert!(
                text.get(error.span()).is_some_and(|part| !part.is_empty() || text.is_empty()),
                "{error:?}"
            );
        }
    }
}

fn round_trip(template: &Template, key: &str, written: &keys::Values<'_>) {
    let form = template.form(KeyKind::Row);
    assert!(!key.contains(is_forbidden) && units(key) <= keys::LIMIT, "{template} {key:?}");
    let read = form.decode(key).unwrap_or_else(|error| panic!("{template} {key:?}: {error}"));
    for ((hole, (_, before)), (field, after)) in template.holes().zip(written).zip(&read) {
        assert_eq!(hole.field, *field);
        let same = values::order(before, after).is_some_and(std::cmp::Ordering::is_eq);
        assert!(same || !hole.exact, "{template} {key:?}: {before:?} became {after:?}");
    }
    assert_eq!(form.encode(&read, keys::LIMIT).as_deref(), Ok(key), "{template}");
    assert!(form.all().contains(key), "{template} {key:?}");
}

fn ordered(template: &Template, input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let form = template.form(KeyKind::Row);
    let one = keys::values(template, input)?;
    let key = match form.encode(&one, keys::LIMIT) {
        Ok(key) => key,
        Err(error) => {
            let _ = (error.to_string(), error.help(), error.fixed(template.text()));
            return Ok(());
        }
    };
    round_trip(template, &key, &one);
    // Change the value of one template field.
    let holes =
        template.segments().iter().enumerate().filter_map(|(at, segment)| Some((at, segment.hole()?)));
    for (index, (at, hole)) in holes.enumerate() {
        let mut other = one.clone();
        other[index].1 = values::of(hole.shape, input)?;
        let Ok(other_key) = form.encode(&other, keys::LIMIT) else { continue };
        let end = keys::separator(template, at);
        let Some(order) = keys::order_in_key(hole.shape, end, &one[index].1, &other[index].1) else {
            continue;
        };
        let found = utf16_order(&key, &other_key);
        // Dates within one period have equal keys.
        let kept = found == order || !hole.exact && found.is_eq();
        assert!(kept, "{template}: {:?} and {:?} as {key:?} and {other_key:?}", one[index].1, other[index].1);
    }
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        spelled(text);
    }
    if let Some((template, mut input)) = keys::template_and_rest(data) {
        let _ = ordered(&template, &mut input);
    }
});
