//! Table names: 3 to 63 letters and digits, starting with a letter, for all values.

use std::ops::Range;

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, LookupPlace, Which},
    template::{DateFormat, Segment, SegmentKind, Shape, Template},
};

/// The text before a suggested name.
const PLAIN: &str = "letters and digits only: ";

const LENGTHS: std::ops::RangeInclusive<usize> = 3..=63;

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    for (which, text) in design.template_texts() {
        let is_name = match which {
            Which::Table | Which::IndexTable(_) => true,
            // For a lookup in blobs, this template is the name of a container.
            Which::LookupTable(lookup) => {
                design.lookups.get(lookup).is_some_and(|lookup| lookup.place == LookupPlace::Table)
            }
            _ => false,
        };
        let Some(template) = text.template().filter(|_| is_name) else { continue };
        let found = mistakes_in(template);
        mistakes.extend(found.into_iter().map(|(code, range, message, help)| {
            let name = help.strip_prefix(PLAIN).map(|name| format!("table = {}", name.replace('`', "\"")));
            let mistake = RuleViolation::in_template(design, code, which, range, message);
            let in_file = name.unwrap_or_else(|| help.clone());
            mistake.help(help).file_help(in_file)
        }));
    }
}

/// Returns whether a string without template fields is a valid table name.
pub(super) fn is_fixed_name(name: &str) -> bool {
    Template::parse(name)
        .is_ok_and(|template| template.holes().next().is_none() && mistakes_in(&template).is_empty())
}

type Found = (Code, Range<usize>, String, String);

/// Returns the violations of a table name. The length is checked only if each part is valid, so that each error is
/// reported once.
fn mistakes_in(template: &Template) -> Vec<Found> {
    let whole = 0..template.text().len();
    let mut found: Vec<Found> =
        template.segments().iter().filter_map(|segment| bad_segment(template, segment)).collect();
    if !found.is_empty() {
        return found;
    }
    if !template.lead().starts_with(|first: char| first.is_ascii_alphabetic()) {
        let message = "a table's name begins with a letter".to_owned();
        found.push((Code::D012, whole, message, format!("write `T{}`, for example", template.text())));
    } else if template.text().eq_ignore_ascii_case("tables") {
        let message = format!("`{}` is the service's own name", template.text());
        found.push((Code::D012, whole, message, "use another name".to_owned()));
    } else if let Some(length) = template.longest(|_| None).filter(|length| !LENGTHS.contains(length)) {
        let code = if template.holes().next().is_some() { Code::D013 } else { Code::D012 };
        let message = format!("a table's name has 3 to 63 characters; this one has {length}");
        let help = if length < 3 { "use a longer name" } else { "use a shorter name" };
        found.push((code, whole, message, help.to_owned()));
    }
    found
}

fn bad_segment(template: &Template, segment: &Segment) -> Option<Found> {
    let span = segment.span.clone();
    match &segment.kind {
        SegmentKind::Literal(text) => {
            let bad = text.chars().find(|character| !character.is_ascii_alphanumeric())?;
            let at = template.text().get(span.clone())?.find(bad)? + span.start;
            let kept: String = template
                .segments()
                .iter()
                .map(|segment| match &segment.kind {
                    SegmentKind::Literal(text) => text.chars().filter(char::is_ascii_alphanumeric).collect(),
                    SegmentKind::Field(hole) => hole.to_string(),
                })
                .collect();
            let message = format!("`{bad}` cannot be in a table name");
            Some((Code::D012, at..at + bad.len_utf8(), message, format!("{PLAIN}`{kept}`")))
        }
        SegmentKind::Field(hole) => {
            let fits = match hole.shape {
                Shape::Date(format) if format.has_separators() => return separated(template, span, format),
                Shape::Padded(_) | Shape::Guidn | Shape::Date(_) => true,
                _ => false,
            };
            let message = format!("`{hole}` can make names that no table has");
            let help = "a table's name takes `0N`, dates without separators and `guidn`".to_owned();
            (!fits).then_some((Code::D013, span, message, help))
        }
    }
}

/// Checks for a date with separators between its units.
fn separated(template: &Template, span: Range<usize>, format: DateFormat) -> Option<Found> {
    let text = template.text();
    let bad = format.units().find_map(|(_, separator)| separator)?;
    let spelled = text.get(span.clone())?;
    let after = spelled.find('%')?;
    let at = span.start + after + spelled.get(after..)?.find(bad)?;
    let plain = spelled.replace(&format.to_string(), &DateFormat::new(format.finest()).to_string());
    let kept = format!("{}{plain}{}", text.get(..span.start)?, text.get(span.end..)?);
    let message = format!("`{bad}` cannot be in a table name");
    Some((Code::D013, at..at + bad.len_utf8(), message, format!("{PLAIN}`{kept}`")))
}
