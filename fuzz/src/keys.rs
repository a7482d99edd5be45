//! Templates with unambiguous keys, and the order of these keys.

use arbitrary::{Result, Unstructured};
use std::cmp::Ordering;
use table_schema::{
    key::{KeyValue, STRICT_UNITS},
    template::{OrdNumber, Part, Segment, Shape, Template},
};

use crate::values;

/// The values of the template fields, in order.
pub type Values<'t> = Vec<(&'t str, KeyValue<'static>)>;

/// Splits the input into a template, up to the first line break, and the bytes for its values.
pub fn template_and_rest(data: &[u8]) -> Option<(Template, Unstructured<'_>)> {
    let end = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let (text, rest) = data.split_at(end);
    let template = std::str::from_utf8(text).ok().and_then(|text| Template::parse(text).ok())?;
    let mut rest = Unstructured::new(rest.get(1..).unwrap_or_default());
    let typed = typed(&template, &mut rest).ok()?;
    is_sound(&typed).then_some((typed, rest))
}

/// Returns the template with a number type for each `ord`, as a struct field would specify it.
fn typed(template: &Template, input: &mut Unstructured<'_>) -> Result<Template> {
    const NARROW: [OrdNumber; 2] = [OrdNumber::I32, OrdNumber::F32];
    const WIDE: [OrdNumber; 2] = [OrdNumber::I64, OrdNumber::F64];
    const ANY: [OrdNumber; 6] =
        [OrdNumber::I8, OrdNumber::I16, OrdNumber::I32, OrdNumber::I64, OrdNumber::F32, OrdNumber::F64];
    let choice: u8 = input.arbitrary()?;
    let pick = |numbers: &[OrdNumber]| numbers[usize::from(choice) % numbers.len()];
    Ok(template.map_holes(|hole| {
        let mut hole = hole.clone();
        hole.shape = hole.shape.map_ord(|number| match number {
            None => Some(pick(&ANY)),
            Some(OrdNumber::Bits32) => Some(pick(&NARROW)),
            Some(OrdNumber::Bits64) => Some(pick(&WIDE)),
            other => other,
        });
        hole
    }))
}

/// Returns `true` if the template follows the design rules: each struct field occurs once, and each text field is last
/// or followed by punctuation.
fn is_sound(template: &Template) -> bool {
    let names: Vec<&str> = template.holes().map(|hole| hole.field.as_str()).collect();
    let distinct = names.iter().enumerate().all(|(at, name)| !names[..at].contains(name));
    let ends = |(at, segment): (usize, &Segment)| {
        !segment.hole().is_some_and(|hole| hole.shape.is_text())
            || match template.segments().get(at + 1) {
                None => true,
                Some(_) => {
                    separator(template, at).is_some_and(|end| end == ' ' || end.is_ascii_punctuation())
                }
            }
    };
    distinct && template.segments().iter().enumerate().all(ends)
}

/// Returns the first character of the literal after the segment, if any.
pub fn separator(template: &Template, at: usize) -> Option<char> {
    match template.segments().get(at + 1)?.part() {
        Part::Literal(text) => text.chars().next(),
        Part::Field { .. } => None,
    }
}

/// Returns a value for each template field.
pub fn values<'t>(template: &'t Template, input: &mut Unstructured<'_>) -> Result<Values<'t>> {
    template.holes().map(|hole| Ok((hole.field.as_str(), values::of(hole.shape, input)?))).collect()
}

/// Returns the key order of two values of a template field, or `None` if the order is not guaranteed.
pub fn order_in_key(
    shape: Shape,
    end: Option<char>,
    left: &KeyValue<'_>,
    right: &KeyValue<'_>,
) -> Option<Ordering> {
    let order = values::order(left, right)?;
    match (shape, end, left, right) {
        (Shape::Text, Some(end), KeyValue::Text(left), KeyValue::Text(right)) => {
            Some(crate::texts::utf16_order(&format!("{left}{end}"), &format!("{right}{end}")))
        }
        (Shape::Esc, Some(end), ..) if end != ' ' => None,
        (shape, ..) if shape.is_descending() => Some(order.reverse()),
        _ => Some(order),
    }
}

/// Maximum length of a key in UTF-16 units.
pub const LIMIT: usize = STRICT_UNITS;
