//! The bounds of an interval contain a key exactly if the interval contains its value, and the bounds as a filter match
//! the same keys. Input: a template, a line break, bytes for values.

#![no_main]

use std::{cmp::Ordering, ops::Bound};

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use table_fuzz::{filters, keys, values};
use table_schema::{
    bounds::Bounds,
    key::{KeyKind, KeyValue, is_forbidden},
    template::{Shape, Template},
};
use table_store::{Entity, Filter};

fn bound(shape: Shape, input: &mut Unstructured<'_>) -> arbitrary::Result<Bound<KeyValue<'static>>> {
    Ok(match input.int_in_range(0..=4)? {
        0 => Bound::Unbounded,
        1 | 2 => Bound::Included(values::of(shape, input)?),
        _ => Bound::Excluded(values::of(shape, input)?),
    })
}

/// Asserts that the filter of the bounds matches exactly the keys within the bounds.
fn same_as_filter(bounds: &Bounds, key: &str) {
    assert!(!bounds.to_string().contains(is_forbidden), "{bounds}");
    if *bounds == Bounds::Empty {
        return assert!(!bounds.contains(key));
    }
    let text = bounds.filter("RowKey").unwrap_or_default();
    let filter = Filter::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let entity = Entity::new("", key);
    assert_eq!(filters::satisfies(&filter, &entity), bounds.contains(key), "{bounds} {key:?}");
    assert_eq!(filter.matches(&entity), bounds.contains(key), "{bounds} {key:?}");
}

fn check(template: &Template, input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let form = template.form(KeyKind::Row);
    let row = keys::values(template, input)?;
    let Ok(key) = form.encode(&row, keys::LIMIT) else { return Ok(()) };
    let mut open = form.open();
    let holes =
        template.segments().iter().enumerate().filter_map(|(at, segment)| Some((at, segment.hole()?)));
    for ((at, hole), (field, value)) in holes.zip(&row) {
        assert_eq!(open.field(), Some(*field));
        assert!(open.bounds().contains(&key), "{template} {key:?}: {}", open.bounds());
        let (from, to) = (bound(hole.shape, input)?, bound(hole.shape, input)?);
        if let Ok(bounds) = open.between_values(&from, &to) {
            same_as_filter(&bounds, &key);
            let end = keys::separator(template, at);
            // In the order of the type; for text before other segments, in the order of the keys.
            let stands = |limit: &KeyValue<'_>| match (hole.shape, values::order(value, limit)) {
                (Shape::Text, _) | (Shape::Esc, _) => keys::order_in_key(hole.shape, end, value, limit),
                (_, order) => order,
            };
            let above = match &from {
                Bound::Unbounded => Some(true),
                Bound::Included(limit) => stands(limit).map(Ordering::is_ge),
                Bound::Excluded(limit) => stands(limit).map(Ordering::is_gt),
            };
            let below = match &to {
                Bound::Unbounded => Some(true),
                Bound::Included(limit) => stands(limit).map(Ordering::is_le),
                Bound::Excluded(limit) => stands(limit).map(Ordering::is_lt),
            };
            if let (Some(above), Some(below)) = (above, below) {
                let held = bounds.contains(&key);
                // Bounds on a date cover complete periods: possibly more than requested, never less.
                let right = held == (above && below) || bounds.is_residual() && held;
                assert!(right, "{template} {key:?}: {from:?} to {to:?} as {bounds}");
            }
        }
        if let KeyValue::Text(text) = value {
            let beginning = table_fuzz::texts::short(input, 2)?;
            if let Ok(bounds) = open.starts_with(&beginning) {
                same_as_filter(&bounds, &key);
                assert_eq!(
                    bounds.contains(&key),
                    text.starts_with(&beginning),
                    "{template} {key:?}: {bounds}"
                );
            }
        }
        open = open.fix(value).unwrap_or_else(|error| panic!("{template} {key:?}: {error}"));
    }
    assert_eq!(open.bounds(), Bounds::Point(key));
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    if let Some((template, mut input)) = keys::template_and_rest(data) {
        let _ = check(&template, &mut input);
    }
});
