//! The values of template fields in recorded keys, whose parts may be hashes.

use table_schema::template::{SegmentKind, Shape, Template};

/// The length of a hash: `#` and its digits.
const HASH: usize = 13;

/// What a key, or the bounds of keys, say about the fields of a template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bound<'k> {
    /// The fields with a single value.
    pub(super) equal: Vec<(String, &'k str)>,
    /// The field with a range of values.
    pub(super) range: Option<String>,
    /// The number of words of literals in the key that are not hashed.
    pub(super) words: usize,
}

/// Returns whether a value is a hash.
pub(super) fn is_hash(value: &str) -> bool {
    let digits = value.strip_prefix('#').filter(|_| value.len() == HASH);
    digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// Returns the values of a complete key; `None` if it does not match.
pub(super) fn key<'k>(template: &Template, key: &'k str) -> Option<Bound<'k>> {
    let bound = bounds(template, key, key)?;
    let holes = template.holes().count();
    (bound.range.is_none() && bound.equal.len() == holes && is_complete(template, key)).then_some(bound)
}

/// Returns the values of keys from `lower` to `upper`; `None` if `lower` does not match.
pub(super) fn bounds<'k>(template: &Template, lower: &'k str, upper: &str) -> Option<Bound<'k>> {
    let common = lower.char_indices().zip(upper.chars()).take_while(|((_, one), other)| one == other);
    let common = common.last().map_or(0, |((at, last), _)| at + last.len_utf8());
    let mut bound = Bound::default();
    let mut at = 0;
    let segments = template.segments();
    for (number, segment) in segments.iter().enumerate() {
        let rest = lower.get(at..)?;
        match &segment.kind {
            SegmentKind::Literal(text) if rest.is_empty() && !text.is_empty() => return Some(bound),
            SegmentKind::Literal(text) => {
                let (length, words) = literal(text, rest)?;
                bound.words += words;
                at += length;
            }
            SegmentKind::Field(hole) => {
                let next = segments.get(number + 1).map(|segment| &segment.kind);
                let length = value(hole.shape, next, rest)?;
                let end = at + length;
                let is_ended = end < lower.len() || lower == upper;
                if length > 0 && end <= common && is_ended || lower == upper {
                    bound.equal.push((hole.field.clone(), rest.get(..length)?));
                } else if length > 0 || common == lower.len() && upper.len() > common {
                    bound.range = Some(hole.field.clone());
                    return Some(bound);
                } else {
                    return Some(bound);
                }
                at = end;
            }
        }
    }
    Some(bound)
}

/// Returns whether the template ends where the key ends.
fn is_complete(template: &Template, key: &str) -> bool {
    let mut at = 0;
    for (number, segment) in template.segments().iter().enumerate() {
        let Some(rest) = key.get(at..) else { return false };
        let length = match &segment.kind {
            SegmentKind::Literal(text) => literal(text, rest).map(|(length, _)| length),
            SegmentKind::Field(hole) => {
                let next = template.segments().get(number + 1).map(|segment| &segment.kind);
                let length = value(hole.shape, next, rest);
                let is_hash = rest.starts_with('#');
                length.filter(|length| is_hash || width(hole.shape).is_none_or(|width| *length == width))
            }
        };
        let Some(length) = length.filter(|length| *length > 0 || rest.is_empty()) else { return false };
        at += length;
    }
    at == key.len()
}

/// Returns the length of a literal at the start of a text, and the number of its words that are not hashed.
fn literal(literal: &str, text: &str) -> Option<(usize, usize)> {
    let (mut left, mut rest, mut words) = (literal, text, 0);
    while let Some(first) = left.chars().next() {
        // A prefix of keys may end within the literal.
        if rest.is_empty() {
            break;
        }
        let end = left.find(|next: char| next.is_ascii_punctuation()).unwrap_or(left.len());
        let (part, behind) = left.split_at(if end == 0 { first.len_utf8() } else { end });
        if let Some(after) = rest.strip_prefix(part) {
            words += usize::from(end > 0);
            rest = after;
        } else {
            rest = rest.get(HASH..).filter(|_| end > 0 && rest.starts_with('#'))?;
        }
        left = behind;
    }
    Some((text.len() - rest.len(), words))
}

/// Returns the length of a value at the start of a text: to the next literal, or of its width.
fn value(shape: Shape, next: Option<&SegmentKind>, text: &str) -> Option<usize> {
    let width = width(shape).filter(|_| !text.starts_with('#'));
    match next {
        None => Some(text.len()),
        Some(SegmentKind::Literal(literal)) => {
            let separator = literal.chars().next().filter(char::is_ascii_punctuation);
            let end = separator.and_then(|separator| text.find(separator));
            Some(
                end.or(width.filter(|width| text.is_char_boundary(*width)))
                    .unwrap_or(text.len())
                    .min(text.len()),
            )
        }
        // Hashes do not show where one of two adjacent values ends.
        Some(SegmentKind::Field(_)) => width.map(|width| width.min(text.len())),
    }
}

/// Returns the length of all values of a shape.
fn width(shape: Shape) -> Option<usize> {
    match shape {
        Shape::Text | Shape::Esc | Shape::Flag => None,
        shape => shape.longest(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "#0123456789ab";
    const B: &str = "#ba9876543210";

    fn template(text: &str) -> Template {
        Template::parse(text).unwrap()
    }

    #[test]
    fn keys_bind_their_fields_hashed_or_not() {
        let row = template("status_{status}_{number:08}");
        let hashed = format!("status_{A}_{B}");
        for (text, values, words) in [
            ("status_open_00000042", ["open", "00000042"], 1),
            (hashed.as_str(), [A, B], 1),
            (&format!("{B}_{A}_{B}"), [A, B], 0),
        ] {
            let bound = key(&row, text).unwrap();
            let fields = ["status", "number"].map(str::to_owned);
            assert_eq!(bound.equal, fields.into_iter().zip(values).collect::<Vec<_>>(), "{text}");
            assert_eq!((bound.range, bound.words), (None, words), "{text}");
        }
        for other in ["status_open", "status_open_0042", "state_open_00000042", "", &format!("{A}_{B}")] {
            assert_eq!(key(&row, other), None, "{other}");
        }
        assert!(
            key(&template("summary"), "summary").is_some() && key(&template("summary"), "other").is_none()
        );
        assert!(key(&template("{a:03}{b:02}"), "00102").is_some());
        assert!(key(&template("{a:03}{b:02}"), A).is_none());
    }

    #[test]
    fn bounds_bind_a_prefix_and_a_range() {
        let row = template("status_{status}_{opened:inverted_ticks}_{number:08}");
        let of = |lower: &str, upper: &str| {
            let bound = bounds(&row, lower, upper)?;
            Some((bound.equal.into_iter().map(|(field, _)| field).collect::<Vec<_>>(), bound.range))
        };
        let status = || vec!["status".to_owned()];
        assert_eq!(of("status_open_", "status_open`"), Some((status(), None)));
        assert_eq!(of(&format!("status_{A}_"), &format!("status_{A}`")), Some((status(), None)));
        assert_eq!(of(&format!("{B}_{A}_"), &format!("{B}_{A}`")), Some((status(), None)));
        assert_eq!(of("status_", "status`"), Some((vec![], None)));
        assert_eq!(of("status_Jo", "status_Jp"), Some((vec![], Some("status".to_owned()))));
        let range = format!("status_{A}_{B}");
        for (lower, upper) in [(range.as_str(), format!("status_{A}`")), (&range, format!("status_{A}_{A}"))]
        {
            assert_eq!(of(lower, &upper), Some((status(), Some("opened".to_owned()))), "{upper}");
        }
        assert_eq!(of("status_open_", "status_open_25"), Some((status(), Some("opened".to_owned()))));
        assert_eq!(of("ticket_", "ticket`"), None);
    }
}
